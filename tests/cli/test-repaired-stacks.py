#!/usr/bin/env python3
"""Threads that sleep in the C library: the callers in the program are found by unwind tables, with
and without frame pointers.

The program is tests/fixtures/stacks/sleeps.c.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import csv
import json
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shapes  # noqa: E402
import tap  # noqa: E402

ROUNDS = 20
# The table of the program's own file is read while it already runs: in these rounds callers are
# missing.
FIRST = 5
PLACES = ["sleeps_in_nanosleep", "sleeps_in_poll", "sleeps_in_read", "sleeps_in_mutex",
          "sleeps_in_condition", "handle_signal", "sleeps_below_variable_frame"]


def program(name):
    return os.path.join(tap.BUILD, "tests/fixtures", name)


def record(folder, options, *command):
    """Record a command. Return the session's path, its info and the stacks of the sleeps of its
    main thread, outermost function first, each function as (name, module)."""
    tap.needs_system()
    path, table = os.path.join(folder, "a.tailback"), os.path.join(folder, "a.csv")
    done = tap.cli("record", "--collector", "ebpf", "--scope", "command",
                   "--option", "samples=false",
                   *[word for option in options for word in ("--option", option)],
                   "--force", "-o", path, "--", *command)
    if done.returncode == 1 and "BPF" in done.stderr:
        raise tap.Skip(done.stderr.strip())
    assert done.returncode == 0, done
    info = json.loads(tap.cli("info", path, "--json").stdout)
    shapes.check_info(info)
    done = tap.cli("export", path, "--exporter", "events-csv", "-o", table)
    assert done.returncode == 0, done
    name = os.path.basename(command[0])[:15]
    tid = next(process["pid"] for process in info["processes"] if process["name"] == name)
    with open(table, encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(line for line in file if not line.startswith("#"))
                if len(row) > 13 and row[2] == "switch" and row[3] == str(tid) and row[4] == "S"]
    return path, info, [[tuple((frame + "@").split("@")[:2]) for frame in row[13].split(";")]
                        for row in rows]


def count_whole(stacks, place):
    """Count the stacks that contain a function, and those from main() to it."""
    between = {"handle_signal": [["sleeps_in_handler"]],
               "sleeps_in_nanosleep": [[], ["sleeps_below_variable_frame"]]}
    complete = [["main", "all_sleeps", *callers, place] for callers in between.get(place, [[]])]
    with_place = whole = 0
    for stack in stacks:
        names = [name for name, module in stack if not module.startswith("libc")]
        if place in names:
            with_place += 1
            start = names.index("main") if "main" in names else 0
            whole += names[start:names.index(place) + 1] in complete
    return with_place, whole


def check_program(name):
    with tempfile.TemporaryDirectory() as folder:
        _, info, stacks = record(folder, [], program(name), str(ROUNDS))
        for place in PLACES:
            with_place, whole = count_whole(stacks, place)
            assert with_place >= ROUNDS - FIRST, (place, with_place, stacks[-20:])
            assert whole >= with_place * (1 - FIRST / ROUNDS), (place, whole, with_place, stacks)
        numbers = info["stacks"]
        assert numbers["repaired"] > 5 * ROUNDS, numbers
        assert numbers["unrepaired"] <= numbers["repaired"], numbers
        assert numbers["broken_share"] < 0.05, numbers


def test_without_frame_pointers():
    check_program("sleeps")


def test_with_frame_pointers():
    check_program("sleeps-with-frame-pointers")


def test_off():
    """Without tables the callers of the library are missing, and none are counted as found."""
    with tempfile.TemporaryDirectory() as folder:
        _, info, stacks = record(folder, ["repair-stacks=false"], program("sleeps"), str(ROUNDS))
        assert count_whole(stacks, "sleeps_in_condition")[1] == 0, stacks[-20:]
        assert "repaired" not in info["stacks"], info["stacks"]


def test_label():
    """An analysis names the program's function, and inner functions of the library are part of the
    one that the program calls."""
    with tempfile.TemporaryDirectory() as folder:
        path, _, _ = record(folder, [], program("sleeps"), str(ROUNDS))
        done = tap.cli("analyze", path, "--analysis", "calling-contexts", "--format", "json")
        assert done.returncode == 0, done
        for name in ("sleeps_in_nanosleep", "sleeps_in_poll", "sleeps_in_condition"):
            assert f'"{name}"' in done.stdout, name
        for name in ("__internal_syscall_cancel", "__syscall_cancel_arch", "__GI___nanosleep",
                     "__pthread_cond_wait_common"):
            assert f'"{name}"' not in done.stdout, name


def test_python():
    """An interpreter without frame pointers: its function that sleeps, and main()."""
    python = shutil.which("python3")
    if python is None:
        raise tap.Skip("no python3")
    with tempfile.TemporaryDirectory() as folder:
        _, info, stacks = record(folder, [], os.path.realpath(python), "-c",
                                 f"import time\nfor i in range({4 * ROUNDS}): time.sleep(0.002)")
        # Its functions may have no names, but they have a module.
        outside = [stack for stack in stacks
                   if "sleep" in "".join(name for name, _ in stack)
                   and sum(module.startswith(("python", "libpython")) for _, module in stack) >= 3]
        assert len(outside) >= 2 * ROUNDS, (len(stacks), info["stacks"], stacks[-5:])
        assert info["stacks"]["repaired"] >= 2 * ROUNDS, info["stacks"]


if __name__ == "__main__":
    sys.exit(tap.main([test_without_frame_pointers, test_with_frame_pointers, test_off, test_label,
                       test_python]))
