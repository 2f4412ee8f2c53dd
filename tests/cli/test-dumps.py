#!/usr/bin/env python3
"""Stacks of a program without frame pointers: dumped and unwound they are whole, walked they are not."""
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
    """Record the program; its sessions' facts and, of each sleep of its thread, the functions, outermost first."""
    path, table = os.path.join(folder, "a.tailback"), os.path.join(folder, "a.csv")
    done = tap.cli("record", "--collector", collector, "--scope", "command", "--option", "samples=false",
                   *[word for option in options for word in ("--option", option)], "--force", "-o", path, "--",
                   SLEEPER, *arguments)
    if done.returncode == 1 and "BPF" in done.stderr:
        raise tap.Skip(done.stderr.strip())
    assert done.returncode == 0, done
    told = tap.cli("info", path, "--json")
    assert told.returncode == 0, told
    told = json.loads(told.stdout)
    done = tap.cli("export", path, "--exporter", "events-csv", "-o", table)
    assert done.returncode == 0, done
    sleepers = [process for process in told["processes"] if process["name"] == "deep-sleeper"]
    tids = {thread["tid"] for process in sleepers for thread in process["threads"]}
    return told, (read or read_sleeps)(table, tids)


def read_sleeps(table, tids):
    """What the sleeps of some threads were in, by thread."""
    sleeps = {tid: [] for tid in tids}
    with open(table, encoding="utf-8", newline="") as file:
        for row in csv.reader(line for line in file if not line.startswith("#")):
            if len(row) > 5 and row[2] == "switch" and row[3].isdigit() and int(row[3]) in tids and row[4] == "S":
                stack = max(row[5:], key=lambda cell: cell.count("@"))
                sleeps[int(row[3])].append([frame.split("@")[0] for frame in stack.split(";")])
    return sleeps


def read_calls(table, tids):
    """What the system calls of some threads were made from, by thread."""
    calls = {tid: [] for tid in tids}
    with open(table, encoding="utf-8", newline="") as file:
        for row in csv.reader(line for line in file if not line.startswith("#")):
            if row[2] == "sys_enter" and int(row[9]) in tids and row[12] in ("clock_nanosleep", "nanosleep", "read"):
                calls[int(row[9])].append([frame.split("@")[0] for frame in row[13].split(";")])
    return calls


def is_whole(stack):
    """Whether the chain is there with nothing in between, called by who called it."""
    return any(stack[i:i + 3] == CHAIN for i in range(1, len(stack)))


def check_whole(told, sleeps):
    """All of the sleeps of the thread that goes through the chain have it."""
    chained = max(sleeps.values(), key=lambda stacks: sum(map(is_whole, stacks)))
    sleeping = [stack for stack in chained if {"nanosleep", "__GI___nanosleep", "read", "__GI___libc_read"} & set(stack)
                or "innermost" in stack]
    assert len(sleeping) >= N, sleeps
    for kind in ("nanosleep", "read"):
        found = [stack for stack in sleeping if any(kind in name for name in stack[-4:])]
        assert found, f"no {kind} among {sleeping}"
    assert all(is_whole(stack) for stack in sleeping), [stack for stack in sleeping if not is_whole(stack)]
    dumps = told["stacks"]["dumps"]
    assert dumps["count"] >= len(sleeping) and dumps["bytes"] > 1000 * len(sleeping), dumps
    assert dumps["undone"] == 0 and dumps["unwinding_ns"] > 0, dumps


def check_broken(told, sleeps):
    assert not any(is_whole(stack) for stacks in sleeps.values() for stack in stacks), sleeps
    assert sum(len(stacks) for stacks in sleeps.values()) >= N, sleeps


def check_collector(collector):
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder:
        told, sleeps = record(folder, collector, [])
        check_broken(told, sleeps)
        assert "dumps" not in told["stacks"], told["stacks"]
        check_whole(*record(folder, collector, ["dump-stacks=other, deep-sleeper"]))
        told, sleeps = record(folder, collector, ["dump-stacks=chosen"], "thread")
        check_whole(told, sleeps)


def check_whose(collector):
    """Of all, and of nobody who is there."""
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder:
        check_whole(*record(folder, collector, ["dump-stacks=all"]))
        told, sleeps = record(folder, collector, ["dump-stacks=somebody else"])
        check_broken(told, sleeps)
        assert told["stacks"]["dumps"]["count"] == 0, told["stacks"]


def test_ebpf():
    check_collector("ebpf")


def test_perf():
    check_collector("perf")


def test_whose_ebpf():
    check_whose("ebpf")


def test_whose_perf():
    check_whose("perf")


def test_process_name():
    """BPF programs know a thread by the name of its process too."""
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder:
        check_whole(*record(folder, "ebpf", ["dump-stacks=deep-sleeper"], "thread"))


def test_system_calls():
    """Where the stacks of system calls are wanted they are dumped, too."""
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder:
        _, calls = record(folder, "ebpf", ["dump-stacks=deep-sleeper", "syscalls=true", "syscall-stacks=true"], read=read_calls)
        whole = [stack for stacks in calls.values() for stack in stacks if is_whole(stack)]
        assert len(whole) >= 2 * N, calls
        _, calls = record(folder, "ebpf", ["syscalls=true", "syscall-stacks=true"], read=read_calls)
        assert not any(is_whole(stack) for stacks in calls.values() for stack in stacks), calls


def test_short_dump():
    """The chain is longer than the dump: it ends in it, and that is told."""
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder:
        told, sleeps = record(folder, "ebpf", ["dump-stacks=deep-sleeper", "dump-bytes=1k"])
        assert told["stacks"]["dumps"]["partly"] >= N, told["stacks"]
        assert any("could not be unwound to their start" in warning for warning in told["warnings"]), told["warnings"]
        ends = [stack for stacks in sleeps.values() for stack in stacks if "innermost" in stack]
        assert len(ends) >= N and not any("main" in stack for stack in ends), sleeps


def test_hole():
    """Where the pages at the stack pointer were not touched yet, those who called are found above them."""
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder:
        # Above the hole there may be most of two pages of nothing yet.
        told, sleeps = record(folder, "ebpf", ["dump-stacks=deep-sleeper", "dump-bytes=16k"], "hollow")
        dumps = told["stacks"]["dumps"]
        hollow = [stack for stacks in sleeps.values() for stack in stacks if "in_a_hole" in stack]
        assert len(hollow) >= N, (dumps, told["warnings"], sleeps)
        assert all(is_whole(stack) and stack[-2:] == ["sleep_in_a_hole", "in_a_hole"] for stack in hollow), hollow
        assert dumps["undone"] == 0, dumps


def check_short_lives(collector):
    """Where there is no stack, before a thread writes to its own or between two programs, no dump is missing."""
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
    """What a flight recorder lets go of takes its dumps along."""
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder:
        check_whole(*record(folder, "ebpf", ["dump-stacks=deep-sleeper", "keep-size=64M"]))


def test_wrong_options():
    """Too many names, and dumps where no stacks are wanted."""
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.tailback")
        for options, what in [(["dump-stacks=" + ",".join("abcdefghi")], "at most 8 names"),
                              (["dump-stacks=a", "stacks=false"], "goes with stacks")]:
            done = tap.cli("record", "--collector", "perf", *[word for option in options for word in ("--option", option)],
                           "-o", path, "--", "true")
            assert done.returncode in (1, 2) and what in done.stderr, done
            assert not os.path.exists(path)


sys.exit(tap.main([test_ebpf, test_perf, test_whose_ebpf, test_process_name, test_system_calls, test_short_dump, test_hole,
                   test_short_lives_ebpf, test_short_lives_perf, test_flight_recorder, test_wrong_options],
                  thorough=[test_whose_perf]))
