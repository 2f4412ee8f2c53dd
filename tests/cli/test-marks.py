#!/usr/bin/env python3
"""Annotations of a program are in the session, and mean the same in a file of events.

The program is tests/fixtures/waits/annotated.c: two threads take turns, and spin until theirs
comes.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import csv
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402

PROGRAM = os.path.join(tap.BUILD, "tests/fixtures/annotated")
ROUNDS = 20
TRIES = 10
# Number of marks by name.
NOTES = {"phase_begin=all": 1, "phase_end=all": 1, "phase_begin=turns": 2, "phase_end=turns": 2, "work": 1, "work:turn=2": 2 * ROUNDS}


class Recording:
    """One run of the program, recorded once for all tests."""

    instance = None

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.session = os.path.join(self.folder.name, "marks.tailback")
        self.events = os.path.join(self.folder.name, "events.csv")
        self.imported = os.path.join(self.folder.name, "imported.tailback")
        if os.geteuid() != 0:
            raise tap.Skip("BPF programs need privilege")
        # On a busy machine events may be lost, and marks among them. That is reported, and not a
        # failure here.
        for _ in range(TRIES):
            done = self.record(self.session, "--force")
            if done.returncode == 1 and not os.path.exists(self.session):
                raise tap.Skip("no BPF programs here: " + done.stderr.strip()[:200])
            assert done.returncode == 0, done.stderr
            self.info = json.loads(self.check("info", self.session, "--json"))
            if tap.has_all(self.info):
                break
        else:
            raise tap.Skip(f"events were lost in each of {TRIES} recordings: this machine is too busy")
        self.check("export", self.session, "--exporter", "events-csv", "-o", self.events)
        self.check("import", self.events, "-o", self.imported)

    @staticmethod
    def record(session, *options):
        return tap.cli("record", "--collector", "ebpf", "--scope", "command", *options, "-o", session, "--", PROGRAM)

    @staticmethod
    def check(*arguments):
        done = tap.cli(*arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    @classmethod
    def get(cls):
        if cls.instance is None:
            cls.instance = cls()
        return cls.instance

    def lines(self, *kinds):
        with open(self.events, encoding="utf-8") as file:
            return [line for line in csv.DictReader(line for line in file if not line.startswith("#")) if line["kind"] in kinds]


def test_header():
    """Other programs can read the notes."""
    notes = subprocess.run(["readelf", "-n", PROGRAM], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"Provider: (\S+)\n\s*Name: (\S+)\n\s*Location: 0x[0-9a-f]+, Base: 0x0*[1-9a-f][0-9a-f]*, Semaphore: 0x0+\n", notes)
    assert {provider for provider, _ in found} == {"tailback"}, notes
    assert {name for _, name in found} == {
        "false_wakeup", "phase_begin", "phase_end", "release", "spin_begin", "spin_end", "work_done"}, notes


def test_cost_without_recorder():
    """Without a recorder each mark is a nop: one that every kernel recognizes, and one that Linux
    6.18 turns into a call."""
    if os.uname().machine != "x86_64":
        raise tap.Skip("other machines have one nop")
    dump = subprocess.run(["objdump", "-d", "--no-show-raw-insn", PROGRAM], capture_output=True, text=True, check=True).stdout
    code = {line.split(":")[0].strip(): line.split(":")[1].strip() for line in dump.splitlines() if line.startswith("  ")}
    notes = subprocess.run(["readelf", "-n", PROGRAM], capture_output=True, text=True, check=True).stdout
    places = [int(place, 16) for place in re.findall(r"Location: 0x([0-9a-f]+)", notes)]
    assert len(places) >= 7, notes
    for place in places:
        assert code[f"{place:x}"] == "nop" and code[f"{place + 1:x}"].startswith("nopl"), (hex(place), code[f"{place:x}"])


def test_notes():
    recording = Recording.get()
    found = {}
    for line in recording.lines("mark"):
        found[line["text"]] = found.get(line["text"], 0) + 1
    releases = [name for name in found if name.startswith("release=0x")]
    assert len(releases) == 1, found
    assert found.pop(releases[0]) == 2 * ROUNDS, found
    assert found == NOTES, found
    assert len(recording.lines("false_wakeup")) == 1


def test_info():
    info = Recording.get().info
    assert info["events"]["mark"] == sum(NOTES.values()) + 2 * ROUNDS * 3 + 1, info["events"]


def test_spins():
    """Each thread waited for the other, unless its turn had come before it checked."""
    recording = Recording.get()
    lines = recording.lines("spin_begin", "spin_end", "mark")
    threads = {line["tid"] for line in lines if line["kind"] == "spin_begin"}
    assert len(threads) == 2, threads
    since, released, n_ends = {}, {}, 0
    for line in lines:
        tid = line["tid"]
        if line["kind"] == "spin_begin":
            since[tid] = int(line["time_ns"])
        elif line["text"].startswith("release="):
            released[line["text"].partition("=")[2]] = int(line["time_ns"]), tid
        elif line["kind"] == "spin_end":
            n_ends += 1
            time, by = released.get(line["text"], (0, ""))
            assert line["waker"] == (by if time >= since.pop(tid) and by != tid else ""), line
    assert n_ends == 2 * ROUNDS
    stacks = [line["stack"] for line in lines if line["kind"] == "spin_begin"]
    assert all(stack.endswith(";take_turns@annotated;tailback_spin_begin@annotated") for stack in stacks), stacks
    assert {line["waker"] for line in lines if line["kind"] == "spin_end"} >= threads, lines


def states(session):
    report = json.loads(Recording.check("analyze", session, "--analysis", "threads", "--process", "annotated", "--format", "json"))
    return next(figure for figure in report["figures"] if figure["kind"] == "table")


def test_waits():
    """Spinning does not count as running: each thread mostly waited for the other."""
    recording = Recording.get()
    spinners = {line["tid"] for line in recording.lines("spin_begin")}
    rows = [row["cells"] for row in states(recording.session)["rows"] if str(row["cells"][1]) in spinners]
    assert len(rows) == 2, rows
    for cells in rows:
        (other,) = spinners - {str(cells[1])}
        assert f"annotated ({other})" in cells, rows


def test_agreement():
    """The same events imported from a file give the same waits, for threads whose whole life is
    recorded."""
    recording = Recording.get()
    spinners = {line["tid"] for line in recording.lines("spin_begin")}
    recorded, imported = ([row["cells"] for row in states(session)["rows"] if str(row["cells"][1]) in spinners]
                          for session in (recording.session, recording.imported))
    assert len(recorded) == 2, recorded
    assert recorded == imported, (recorded, imported)


def test_switched_off():
    recording = Recording.get()
    without = os.path.join(recording.folder.name, "without.tailback")
    done = recording.record(without, "--option", "annotations=no")
    assert done.returncode == 0, done.stderr
    info = json.loads(recording.check("info", without, "--json"))
    assert info["events"].get("mark", 0) == 0, info["events"]


def record_functions(session, *marks, status=0, program=os.path.join(tap.BUILD, "tests/fixtures/unmarked")):
    """A program without marks, with some of its functions declared as marks."""
    Recording.get()  # skips the test where nothing can be recorded
    for _ in range(TRIES):
        done = tap.cli("record", "--collector", "ebpf", "--scope", "command", "--force", "-o", session,
                       *(word for mark in marks for word in ("--option", "mark=" + mark)), "--", program)
        assert done.returncode == status, done.stderr
        if status != 0:
            return done.stderr
        info = json.loads(Recording.check("info", session, "--json"))
        if tap.has_all(info):
            return info
    raise tap.Skip("events were lost: this machine is too busy")


def test_functions():
    """Calls of declared functions have the meaning of marks."""
    with tempfile.TemporaryDirectory() as folder:
        session, events = os.path.join(folder, "functions.tailback"), os.path.join(folder, "functions.csv")
        info = record_functions(session, "spin:await_turn", "release:pass_turn", "work:take_turn", "phase:alternate")
        Recording.check("export", session, "--exporter", "events-csv", "-o", events)
        with open(events, encoding="utf-8") as file:
            lines = list(csv.DictReader(line for line in file if not line.startswith("#")))
        found = {}
        for line in lines:
            kind = line["kind"]
            found.setdefault(kind if kind != "mark" else line["text"].split("0x")[0], []).append(line)
        counts = {name: len(found.get(name, [])) for name in ("spin_begin", "spin_end", "release=", "work")}
        assert counts == dict.fromkeys(counts, 2 * ROUNDS), (counts, info["warnings"])
        assert len(found["phase_begin=alternate"]) == len(found["phase_end=alternate"]) == 2, found.keys()
        # The function has no frame yet, so its caller is missing.
        assert all(line["stack"].endswith(";alternate@unmarked;await_turn@unmarked") for line in found["spin_begin"]), found["spin_begin"][0]
        # All about one lock, including the end, when the argument with its address is no longer
        # available.
        locks = {line["text"] for line in found["spin_begin"] + found["spin_end"]}
        assert len(locks) == 1 and locks == {line["text"].partition("=")[2] for line in found["release="]}, locks
        threads = {line["tid"] for line in found["spin_begin"]}
        assert {line["waker"] for line in found["spin_end"]} >= threads and len(threads) == 2, found["spin_end"]
        report = json.loads(Recording.check("analyze", session, "--analysis", "wait-graph", "--process", "unmarked", "--option", "merge-similar=no",
                                              "--option", "merge-short-lived=off", "--format", "json"))
        assert report["summary"]["work"]["count"] == 2 * ROUNDS, report["summary"]["work"]
        spinners = {vertex["id"] for vertex in report["summary"]["vertices"] if vertex["name"] == "unmarked"}
        assert any({edge["from"], edge["to"]} <= spinners and edge["from"] != edge["to"] for edge in report["summary"]["edges"]), report["summary"]["edges"]


def test_invalid_functions():
    with tempfile.TemporaryDirectory() as folder:
        session = os.path.join(folder, "none.tailback")
        for mark, message in (("spin:no_such_function", "no_such_function"), ("spin", "MEANING:"), ("run:await_turn", "spin, release, work"),
                           ("spin:await_turn>2ms", "MEANING:")):
            error = record_functions(session, mark, status=2 if "MEANING" in message or "," in message else 1)
            assert message in error and not os.path.exists(session), (mark, error)


if __name__ == "__main__":
    sys.exit(tap.main([test_header, test_cost_without_recorder, test_notes, test_info, test_spins, test_waits, test_agreement, test_switched_off,
                       test_functions, test_invalid_functions]))
