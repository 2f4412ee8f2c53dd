#!/usr/bin/env python3
"""Recordings by perf that have samples only: nothing is concluded about states, waits and calls."""
# SPDX-License-Identifier: GPL-3.0-or-later

import gzip
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import perf_writer  # noqa: E402
import shapes  # noqa: E402
import tap  # noqa: E402

RECORDINGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fixtures", "perf-data")
STATES = ("running_ns", "runnable_ns", "interruptible_ns", "uninterruptible_ns", "stopped_ns",
          "switches", "waits")


def analyze(name, analysis):
    path = os.path.join(RECORDINGS, name)
    done = tap.cli("analyze", path, "--analysis", analysis, "--format", "json")
    assert done.returncode == 0, done
    return json.loads(done.stdout)


def check_nothing_concluded(name, samples, n_samples):
    report = analyze(name, "threads")
    shapes.check_threads(report)
    assert report["evidence"] == {
        "switches": "none", "wakings": False, "samples": samples, "calls": False,
        "summed_waits": False,
        "answers": ["profile"],
        "missing": ["running", "waiting", "waiting-for-cpu", "causes", "functions", "calls"]}
    threads = report["summary"]["threads"]
    assert sum(thread["samples"] for thread in threads) == n_samples, threads
    for thread in threads:
        assert all(thread[state] is None for state in STATES), thread
        assert thread["unknown_ns"] == thread["last_ns"] - thread["first_ns"], thread
        assert thread["sampled_low_ns"] <= thread["sampled_ns"] <= thread["sampled_high_ns"], thread
    assert report["findings"] == [], report["findings"]
    for analysis in ("wait-graph", "latency-peaks", "locks"):
        assert analyze(name, analysis)["findings"] == [], analysis
    assert analyze(name, "wait-graph")["summary"]["edges"] == []
    assert analyze(name, "latency-peaks")["summary"]["operations"] == []
    done = tap.cli("analyze", os.path.join(RECORDINGS, name), "--analysis", "control-paths")
    assert done.returncode == 1 and "was not recorded" in done.stderr, done
    return report


def test_process_samples():
    report = check_nothing_concluded("process-samples.data", "time", 433)
    threads = {thread["name"]: thread for thread in report["summary"]["threads"]}
    # By perf script -F tid. By name, perf has fewer: the first samples of a thread have the name of
    # its creator.
    expected = {"w": 143, "locker 1": 131, "locker 0": 118, "sleep": 24, "sleeper": 17}
    assert {name: thread["samples"] for name, thread in threads.items()} == expected, threads
    path = os.path.join(RECORDINGS, "process-samples.data")
    headline = tap.cli("analyze", path, "--analysis", "threads").stdout.split("\n")[2]
    assert " 0 of " not in headline and "433" in headline, headline


def test_samples_without_time():
    report = check_nothing_concluded("samples-without-time.data", "no-time", 129)
    warnings = report["uncertain"]["warnings"]
    assert any("129" in warning and "time" in warning for warning in warnings), warnings


def test_short_lived():
    """Children that live one after another: the time between them is not known to be a wait."""
    check_nothing_concluded("short-lived.data", "time", 13)


def get_broken_share(folder, kernel_stacks):
    path = os.path.join(folder, "addresses.data")
    perf_writer.write(path, 4242, [perf_writer.Mapping("/usr/bin/none", 0x400000, 0x10000, 0)],
                      [0x400100, 0x400200, 0x400300], kernel_stacks=kernel_stacks)
    done = tap.cli("info", path, "--json")
    assert done.returncode == 0, done
    return json.loads(done.stdout)["stacks"]["broken_share"]


def test_broken_stacks():
    """Where no sample has a caller, callers were not recorded, and no stack is broken."""
    with tempfile.TemporaryDirectory() as folder:
        broken = get_broken_share(folder, [[0xffffffff81000100, 0xffffffff81000200]])
        assert broken is not None and broken > 0, broken
        alone = get_broken_share(folder, [])
        assert alone is None, alone


def get_command(name):
    done = tap.cli("info", os.path.join(RECORDINGS, name), "--json")
    assert done.returncode == 0, done
    return json.loads(done.stdout)["command"]


def test_recorded_command():
    """The command is what perf started, and its process is what is explained."""
    assert get_command("recorded-command.data") == "./w"
    assert get_command("recorded-command-own.data") == "./w"
    # perf 7.3 writes no command line: by the program that was executed
    assert get_command("process-samples.data") == "w"
    path = os.path.join(RECORDINGS, "recorded-command.data")
    done = tap.cli("analyze", path, "--analysis", "control-paths")
    assert done.returncode == 0 and done.stdout.split("\n")[2].startswith("w took 4"), done


def test_programs():
    """A record of a new name is an exec only if it has the flag."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "perf.data")
        perf_writer.write(path, 4321, [], [4096] * 10, command="sh",
                          names=[(2, "auth", True), (5, "auth: idle", False), (6, "helper", True)])
        report = analyze(path, "threads")
    thread, = report["summary"]["threads"]
    assert thread["name"] == thread["process"] == "helper", thread
    programs = [(program["name"], program["samples"]) for program in thread["programs"]]
    # The last event ends the recording.
    assert programs == [("sh", 2), ("auth", 4), ("helper", 3)], programs
    assert sum(samples for _, samples in programs) == thread["samples"], thread
    states, = [figure for figure in report["figures"] if figure["id"] == "states"]
    assert len(states["rows"]) == 3, states
    # perf's own fixture: perf starts the command
    report = analyze("process-samples.data", "threads")
    threads = {thread["name"]: thread for thread in report["summary"]["threads"]}
    names = [program["name"] for program in threads["sleep"]["programs"]]
    assert names[-1] == "sleep", names


def test_foreign_files():
    with tempfile.TemporaryDirectory() as folder:
        packed = os.path.join(folder, "perf.data.gz")
        with open(os.path.join(RECORDINGS, "recorded-command-own.data"), "rb") as file:
            content = file.read()
        with gzip.open(packed, "wb") as file:
            file.write(content)
        done = tap.cli("info", packed)
        assert done.returncode == 1 and "gunzip" in done.stderr, done


if __name__ == "__main__":
    sys.exit(tap.main([test_process_samples, test_samples_without_time, test_short_lived,
                       test_broken_stacks, test_recorded_command, test_programs,
                       test_foreign_files]))
