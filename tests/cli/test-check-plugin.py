#!/usr/bin/env python3
"""The checks of a plug-in: each fault is found by the check that is meant for it."""
# SPDX-License-Identifier: GPL-3.0-or-later

import glob
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402

FIXTURES = os.path.join(tap.BUILD, "tests/cli/fixtures")

EVENTS = sorted(glob.glob(os.path.join(os.environ["TAILBACK_SOURCE"],
                                       "tests/fixtures/events/*.csv")))

# Each fault with the check that finds it, a word of its message, and whether other checks find it.
FAULTS = [
    ("label", "options", "level", False),
    ("crash", "recording normal", "Aborted", True),
    ("exit", "recording normal", "exit status 0", True),
    ("limit", "option level=1000", "Aborted", False),
    ("empty", "recording empty", "Aborted", False),
    ("ignore-cancel", "cancelling", "cancel", False),
    ("null", "recording normal", "run() of the plug-in", True),
    ("lines", "recording normal", "one two", True),
    ("print", "recording normal", "standard output", True),
    ("critical", "recording normal", "TB_IS_FINDING", True),
    ("progress", "recording normal", "progress", True),
    ("share", "recording normal", "share", True),
    ("thread", "recording normal", "thread", True),
    ("place", "recording normal", "nowhere", True),
    ("random", "repetition", "different reports", False),
]


def check(plugin, *arguments, fault=None, paths=()):
    environment = os.environ | {"TAILBACK_PLUGIN_PATH": os.pathsep.join([FIXTURES, *paths]),
                                "G_DEBUG": ""}
    if fault:
        environment["TAILBACK_TEST_FAULT"] = fault
    return tap.cli("check-plugin", plugin, *arguments, env=environment)


def read(done):
    result = json.loads(done.stdout)
    assert result["format"] == "tailback-check" and result["version"] == 1, result
    failed = {check["name"]: check["message"] for check in result["checks"] if not check["passed"]}
    assert result["failed"] == len(failed) and done.returncode == (1 if failed else 0), done
    return result, failed


def test_good():
    """Without a fault, all checks pass, one line each."""
    done = check("analysis/faulty")
    assert done.returncode == 0 and not done.stderr, done
    lines = done.stdout.splitlines()
    assert all(line.startswith("passed  ") for line in lines), lines
    for name in ("loading", "options", "recording empty", "recording lossy", "recording large-ids",
                 "recording damaged", "selections", "cancelling", "option level=-7",
                 "option level=1000"):
        assert f"passed  {name}" in lines, (name, lines)
    result, failed = read(check("faulty", "--json"))
    assert result["plugin"] == "analysis/faulty" and not failed, result
    assert len(result["checks"]) == len(lines), (result, lines)


def test_faults():
    for fault, name, word, spreads in FAULTS:
        _, failed = read(check("faulty", "--json", fault=fault))
        assert name in failed, (fault, failed)
        assert word in failed[name].replace("\n", " "), (fault, failed)
        assert spreads == (len(failed) > 1), (fault, failed)


def test_cancelled():
    """A cancelled run has no columns to read. What a plug-in makes of that is not its fault."""
    _, failed = read(check("faulty", "--json", fault="null-if-cancelled"))
    assert not failed, failed


def test_messages():
    """A failure is one line, and the last line has their number."""
    done = check("faulty", fault="lines")
    assert done.returncode == 1 and "analysis/faulty: " in done.stderr, done
    assert done.stderr.count("\n") == 1, done.stderr
    assert all(line.startswith(("passed  ", "failed  ")) for line in done.stdout.splitlines()), done


def test_endless():
    """What does not end is ended. Its other checks are made nevertheless."""
    done = check("faulty", "--json", "--timeout", "100ms", fault="endless")
    result, failed = read(done)
    assert "does not end" in failed["recording normal"], failed
    assert "option level=1000" in failed and "loading" not in failed, failed
    assert tap.cli("check-plugin", "faulty", "--timeout", "soon").returncode == 2


def test_crash_at_start():
    _, failed = read(check("faulty", "--json", fault="load"))
    assert list(failed) == ["loading"] and "Aborted" in failed["loading"], failed


def test_repeated_messages():
    """A message is printed once; checks that fail likewise refer to the first."""
    lines = check("faulty", fault="null").stdout.splitlines()
    failed = [line for line in lines if line.startswith("failed  ")]
    assert len(failed) > 2 and "run() of the plug-in" in failed[0], failed
    first = failed[0].removeprefix("failed  ").split(":")[0]
    assert all(line.endswith(f": as {first}") for line in failed[1:]), failed


def test_not_loaded():
    """What cannot be loaded is one failure."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "analyses/broken")
        os.makedirs(path)
        with open(os.path.join(path, "broken.plugin"), "w", encoding="utf-8") as file:
            file.write("[Plugin]\nModule=none\nX-Tailback-API=1\n")
        _, failed = read(check("analysis/broken", "--json", paths=[folder]))
        assert list(failed) == ["loading"], failed


def test_untested():
    """An importer without an example passes, but its import is not tested, which a line reports."""
    done = check("importer/events-csv", paths=tap.BUILT_PLUGINS)
    assert done.returncode == 0, done
    assert done.stdout.splitlines()[-1].startswith("import not tested, "), done.stdout
    result, _ = read(check("importer/events-csv", "--json", paths=tap.BUILT_PLUGINS))
    assert len(result["untested"]) == 1 and "import not tested" in result["untested"][0], result
    result, _ = read(check("faulty", "--json"))
    assert result["untested"] == [], result


def test_names():
    for name, word in (("nothing", "nothing"), ("importer/faulty", "importer/faulty"),
                       ("events-csv", "exporter/events-csv")):
        done = check(name, paths=tap.BUILT_PLUGINS)
        assert done.returncode == 2 and word in done.stderr and done.stderr.count("\n") == 1, done
    done = check("faulty", "/nonexistent/file")
    assert done.returncode == 1 and "/nonexistent/file" in done.stderr, done


def test_importer_and_exporter():
    """Those that we install, with an example: whole, cut and damaged."""
    with tempfile.TemporaryDirectory() as folder:
        example = os.path.join(folder, "a.csv")
        with open(example, "w", encoding="utf-8") as file:
            file.write("time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,"
                       "stack\n1000,0,name,,,,10,,,10,,,one,\n2000,0,switch,0,R,10,,,,,,,,\n")
        built = {"paths": tap.BUILT_PLUGINS}
        result, failed = read(check("importer/events-csv", "--json", example, **built))
        names = [check["name"] for check in result["checks"]]
        assert not failed and f"damaged {example}" in names and "foreign binary" in names, result
        assert result["untested"] == [], result
        result, failed = read(check("exporter/events-csv", "--json", example, **built))
        names = [check["name"] for check in result["checks"]]
        assert not failed and "full-disk" in names and f"file {example}" in names, result
        foreign = os.path.join(folder, "foreign")
        with open(foreign, "w", encoding="utf-8") as file:
            file.write("What is this?\n")
        _, failed = read(check("importer/events-csv", "--json", foreign, **built))
        assert list(failed) == [f"file {foreign}"], failed
        assert sorted(os.listdir(folder)) == ["a.csv", "foreign"], os.listdir(folder)


def test_files():
    """Analyses with all events of the tests' fixtures, each of which is a check of its own."""
    assert len(EVENTS) >= 3, EVENTS
    for plugin in ("faulty", "analysis/threads"):
        result, failed = read(check(plugin, "--json", *EVENTS, paths=tap.BUILT_PLUGINS))
        names = [check["name"] for check in result["checks"] if check["name"].startswith("file ")]
        assert not failed and names == [f"file {path}" for path in EVENTS], (plugin, result)
    # Each file is analyzed: a fault that needs events is found in all of them.
    _, failed = read(check("faulty", "--json", *EVENTS, fault="null"))
    assert {f"file {path}" for path in EVENTS} <= set(failed), failed


def test_nothing_is_left():
    with tempfile.TemporaryDirectory() as temporary:
        environment = os.environ | {"TAILBACK_PLUGIN_PATH": FIXTURES, "TMPDIR": temporary,
                                    "TAILBACK_TEST_FAULT": "crash"}
        assert tap.cli("check-plugin", "faulty", env=environment).returncode == 1
        assert os.listdir(temporary) == [], os.listdir(temporary)


if __name__ == "__main__":
    sys.exit(tap.main([test_good, test_faults, test_cancelled, test_messages, test_endless,
                       test_crash_at_start, test_repeated_messages, test_not_loaded, test_untested,
                       test_names, test_importer_and_exporter, test_files, test_nothing_is_left]))
