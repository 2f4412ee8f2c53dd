"""Check the sentences of all analyses of the recordings in the tests, and those of the golden
texts: none is of a kind that was replaced."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import pathlib
import re
import sys
import tempfile

import tap

TESTS = pathlib.Path(__file__).resolve().parents[1]
ANALYSES = ("threads", "control-paths", "wait-graph", "locks", "latency-peaks", "calling-contexts")
SCOPES = ("command", "system") if tap.is_thorough() else ("command",)
# A part of a sentence, and what was wrong with it.
FORBIDDEN = {
    r"not known to run there": "the kernel did not report a switch",
    r"So it went with": "equal threads are counted in a clause",
    r"^(The )?\S+ \(\d+:\d+\)": "a device has no numbers in sentences",
    r"lighter than anything": "the end of a chain waits for nothing",
    r"\bOnly \d+ of the \d+ calls? that a decision takes": "the search reports where it stopped",
    r"for threads of \S+ to end": "joined threads have a group of their own",
    r"nothing is known: events of that time were lost": "unreported switches are no lost events",
    r"it waits for requests": "sockets and pipes are named where they end the waits",
    r"more load is what raises": "sockets and pipes are named where they end the waits",
    r"their delay is not followed further": "that is for details",
    r"of little effect or not in what is asked about": "that is left out",
    r"Ranked by waiting time alone": "the longest wait is named with the reason",
    r"The grace matters here": "that is for details",
    r"/run/host/": "a path is that which the process had",
    r"/proc/\d+/root/": "a path is that which the process had",
    r"at \d+ switches a second, as now": "there is one rate",
    r"0x[0-9a-f]{6,}\S* called from|called from 0x[0-9a-f]{6,}": "a broken stack is no finding",
    r"\bin 0xffff[0-9a-f]{8,}": "a broken stack is no finding",
    r"__GI_\S+|__libc_(read|write|recv|send)\b": "the C library's inner names are left out",
    r"\bof the 1 (calls|waits|threads|requests)\b": "one is not several",
    r"\b1 (calls|waits|threads|processes|requests|times)\b": "one is not several",
    r"\b(\w+) \1 \1\b": "a word is doubled",
    r"%[sdu]|\(null\)|\bnan\b|\{\}": "a value is missing",
}


def check(text, where):
    for pattern, why in FORBIDDEN.items():
        found = re.search(pattern, text)
        assert not found, f"{where}: {text!r} has {found.group()!r}, but {why}"


def list_recordings():
    folders = ("fixtures/events/*.csv", "plugins/*.csv", "fuzz/corpus/events-csv/*.csv",
               "cli/fixtures/perf-data/*.data")
    more = os.environ.get("TAILBACK_MORE_RECORDINGS", "").split()
    return [*(path for folder in folders for path in sorted(TESTS.glob(folder))),
            *map(pathlib.Path, more)]


def list_sentences(report):
    """Return the findings and the warnings of a report."""
    return [*(finding["text"] for finding in report["findings"]), *report["uncertain"]["warnings"]]


def analyze(session, analysis, scope):
    """Return the sentences of an analysis, or the error. Control paths of a recording without a
    command are those of its first process."""
    words = ("analyze", session, "--analysis", analysis, "--scope", scope, "--format", "json")
    done = tap.cli(*words)
    if done.returncode != 0 and "no process is chosen" in done.stderr:
        processes = json.loads(tap.cli("info", session, "--json").stdout)["processes"]
        if not processes:
            return []
        done = tap.cli(*words, "--option", f"process={processes[0]['pid']}")
    # What cannot be analyzed is refused with a sentence.
    assert done.returncode in (0, 1, 2), f"{words}: {done.stderr}"
    return list_sentences(json.loads(done.stdout)) if done.returncode == 0 else [done.stderr]


def test_recordings():
    n = 0
    recordings = list_recordings()
    with tempfile.TemporaryDirectory() as folder:
        session = os.path.join(folder, "a.tailback")
        for recording in recordings:
            # Some are damaged on purpose.
            if tap.cli("import", str(recording), "-o", session, "--force").returncode != 0:
                continue
            for analysis in ANALYSES:
                for scope in SCOPES:
                    for sentence in analyze(session, analysis, scope):
                        check(sentence, f"{recording.name}, {analysis}, {scope}")
                        n += 1
    print(f"# {n} sentences of {len(recordings)} recordings")
    assert n > 10 * len(recordings)


def test_golden():
    texts = sorted((TESTS / "plugins/golden").glob("*.txt"))
    assert len(texts) > 5
    for path in texts:
        for line in path.read_text().splitlines():
            check(line, path.name)


def test_patterns():
    """The old sentences are found."""
    for old in ("Switches from a thread that was not known to run there, so that what it did: 43",
                "So it went with 4 more threads of that name (6.67 s altogether)",
                "vda (254:0) limit the throughput",
                "What vda waits for is lighter than anything that waits for it: what it does",
                "Only 129 of the 1 calls that a decision takes.",
                "python3 waited 23.1 ms altogether for threads of python3 to end",
                "Of 5.33 ms nothing is known: events of that time were lost or are missing",
                "Not saturated: it waits for requests.",
                "/run/host/var/tmp/t.db-journal",
                "preflight: at 2100 switches a second, as now",
                "0x7f10c2ee9b57 called from 0xffffff00000003ff costs 14.4 ms more"):
        assert any(re.search(pattern, old) for pattern in FORBIDDEN), old


if __name__ == "__main__":
    sys.exit(tap.main([test_patterns, test_golden, test_recordings]))
