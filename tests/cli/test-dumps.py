#!/usr/bin/env python3
"""Stacks without frame pointers: complete if dumped and unwound, incomplete if walked."""
# SPDX-License-Identifier: GPL-3.0-or-later

import csv
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402

SHORT_LIVES = os.path.join(tap.BUILD, "tests/fixtures/short-lives")
SLEEPER = os.path.join(tap.BUILD, "tests/fixtures/deep-sleeper")
CHAIN = ["outermost", "middle", "innermost"]
N = 20


def record(folder, collector, options, *arguments, read=None):
    """Record the program, walked by frame pointers where it is not dumped. Return the session's
    info and the stack of each sleep of its threads, outermost function first."""
    options = [*options, *(["repair-stacks=false"] if collector == "ebpf" else [])]
    path, table = os.path.join(folder, "a.tailback"), os.path.join(folder, "a.csv")
    done = tap.cli("record", "--collector", collector, "--scope", "command", "--option", "samples=false",
                   *[word for option in options for word in ("--option", option)], "--force", "-o", path, "--",
                   SLEEPER, *arguments)
    if done.returncode == 1 and "BPF" in done.stderr:
        raise tap.Skip(done.stderr.strip())
    assert done.returncode == 0, done
    info = tap.cli("info", path, "--json")
    assert info.returncode == 0, info
    info = json.loads(info.stdout)
    done = tap.cli("export", path, "--exporter", "events-csv", "--force", "-o", table)
    assert done.returncode == 0, done
    sleepers = [process for process in info["processes"] if process["name"] == "deep-sleeper"]
    tids = {thread["tid"] for process in sleepers for thread in process["threads"]}
    return info, (read or read_sleeps)(table, tids)


def read_sleeps(table, tids):
    """Return the stacks of the sleeps of some threads, by thread."""
    sleeps = {tid: [] for tid in tids}
    with open(table, encoding="utf-8", newline="") as file:
        for row in csv.reader(line for line in file if not line.startswith("#")):
            if len(row) > 5 and row[2] == "switch" and row[3].isdigit() and int(row[3]) in tids and row[4] == "S":
                stack = max(row[5:], key=lambda cell: cell.count("@"))
                sleeps[int(row[3])].append([frame.split("@")[0] for frame in stack.split(";")])
    return sleeps


def read_calls(table, tids):
    """Return the stacks of the system calls of some threads, by thread."""
    calls = {tid: [] for tid in tids}
    with open(table, encoding="utf-8", newline="") as file:
        for row in csv.reader(line for line in file if not line.startswith("#")):
            if row[2] == "sys_enter" and int(row[9]) in tids and row[12] in ("clock_nanosleep", "nanosleep", "read"):
                calls[int(row[9])].append([frame.split("@")[0] for frame in row[13].split(";")])
    return calls


def is_whole(stack):
    """Check that the stack contains the complete chain with a caller."""
    return any(stack[i:i + 3] == CHAIN for i in range(1, len(stack)))


def check_whole(info, sleeps):
    """Check that all sleeps of the thread that runs the chain have complete stacks."""
    chained = max(sleeps.values(), key=lambda stacks: sum(map(is_whole, stacks)))
    sleeping = [stack for stack in chained if {"nanosleep", "__GI___nanosleep", "read", "__GI___libc_read"} & set(stack)
                or "innermost" in stack]
    assert len(sleeping) >= N, sleeps
    for kind in ("nanosleep", "read"):
        found = [stack for stack in sleeping if any(kind in name for name in stack[-4:])]
        assert found, f"no {kind} among {sleeping}"
    assert all(is_whole(stack) for stack in sleeping), [stack for stack in sleeping if not is_whole(stack)]
    dumps = info["stacks"]["dumps"]
    assert dumps["count"] >= len(sleeping) and dumps["bytes"] > 1000 * len(sleeping), dumps
    assert dumps["undone"] == 0 and dumps["unwinding_ns"] > 0, dumps


def check_broken(info, sleeps):
    assert not any(is_whole(stack) for stacks in sleeps.values() for stack in stacks), sleeps
    assert sum(len(stacks) for stacks in sleeps.values()) >= N, sleeps


def check_collector(collector):
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder:
        info, sleeps = record(folder, collector, [])
        check_broken(info, sleeps)
        assert "dumps" not in info["stacks"], info["stacks"]
        check_whole(*record(folder, collector, ["dump-stacks=other, deep-sleeper"]))
        info, sleeps = record(folder, collector, ["dump-stacks=chosen"], "thread")
        check_whole(info, sleeps)


def check_programs(collector):
    """Dump the stacks of all programs, then of a program that does not run."""
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder:
        check_whole(*record(folder, collector, ["dump-stacks=all"]))
        info, sleeps = record(folder, collector, ["dump-stacks=somebody else"])
        check_broken(info, sleeps)
        assert info["stacks"]["dumps"]["count"] == 0, info["stacks"]


def test_ebpf():
    check_collector("ebpf")


def test_perf():
    check_collector("perf")


def test_programs_ebpf():
    check_programs("ebpf")


def test_programs_perf():
    check_programs("perf")


def test_process_name():
    """BPF programs match a thread by the name of its process too."""
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder:
        check_whole(*record(folder, "ebpf", ["dump-stacks=deep-sleeper"], "thread"))


def test_system_calls():
    """Stacks of system calls are dumped too if they are requested."""
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder:
        _, calls = record(folder, "ebpf", ["dump-stacks=deep-sleeper", "syscalls=true", "syscall-stacks=true"], read=read_calls)
        whole = [stack for stacks in calls.values() for stack in stacks if is_whole(stack)]
        assert len(whole) >= 2 * N, calls
        _, calls = record(folder, "ebpf", ["syscalls=true", "syscall-stacks=true"], read=read_calls)
        assert not any(is_whole(stack) for stacks in calls.values() for stack in stacks), calls


def test_short_dump():
    """The chain is longer than the dump: the stack ends inside it, and a warning is reported."""
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder:
        info, sleeps = record(folder, "ebpf", ["dump-stacks=deep-sleeper", "dump-bytes=1k"])
        assert info["stacks"]["dumps"]["partly"] >= N, info["stacks"]
        assert any("could not be unwound to their start" in warning for warning in info["warnings"]), info["warnings"]
        ends = [stack for stacks in sleeps.values() for stack in stacks if "innermost" in stack]
        assert len(ends) >= N and not any("main" in stack for stack in ends), sleeps


def test_hole():
    """If the pages at the stack pointer are not touched yet, the callers are found above them."""
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder:
        # Almost two untouched pages may lie above the hole.
        info, sleeps = record(folder, "ebpf", ["dump-stacks=deep-sleeper", "dump-bytes=16k"], "hollow")
        dumps = info["stacks"]["dumps"]
        hollow = [stack for stacks in sleeps.values() for stack in stacks if "in_a_hole" in stack]
        assert len(hollow) >= N, (dumps, info["warnings"], sleeps)
        assert all(is_whole(stack) and stack[-2:] == ["sleep_in_a_hole", "in_a_hole"] for stack in hollow), hollow
        assert dumps["undone"] == 0, dumps


def check_short_lives(collector):
    """Without a stack, before a thread writes to its own or between two programs, no dump counts as
    missing."""
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.tailback")
        done = tap.cli("record", "--collector", collector, "--scope", "command", "--option", "samples=false", "--option",
                       "dump-stacks=all", "--option", "dump-bytes=1k", "-o", path, "--", SHORT_LIVES)
        if done.returncode == 1 and "BPF" in done.stderr:
            raise tap.Skip(done.stderr.strip())
        assert done.returncode == 0, done
        dumps = json.loads(tap.cli("info", path, "--json").stdout)["stacks"]["dumps"]
        assert dumps["count"] > 800 and dumps["undone"] == 0, dumps


def test_short_lives_ebpf():
    check_short_lives("ebpf")


def test_short_lives_perf():
    check_short_lives("perf")


def test_flight_recorder():
    """The dumps of events that a flight recorder drops are dropped too."""
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder:
        check_whole(*record(folder, "ebpf", ["dump-stacks=deep-sleeper", "flight-recorder-size=64M"]))


def test_wrong_options():
    """Too many names are refused, and dumps without stacks."""
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.tailback")
        for options, what in [(["dump-stacks=" + ",".join("abcdefghi")], "at most 8 names"),
                              (["dump-stacks=a", "stacks=false"], "needs the option “stacks”")]:
            done = tap.cli("record", "--collector", "perf", *[word for option in options for word in ("--option", option)],
                           "-o", path, "--", "true")
            assert done.returncode in (1, 2) and what in done.stderr, done
            assert not os.path.exists(path)


sys.exit(tap.main([test_ebpf, test_perf, test_programs_ebpf, test_process_name, test_system_calls, test_short_dump, test_hole,
                   test_short_lives_ebpf, test_short_lives_perf, test_flight_recorder, test_wrong_options],
                  thorough=[test_programs_perf]))
