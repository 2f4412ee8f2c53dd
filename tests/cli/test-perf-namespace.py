#!/usr/bin/env python3
"""Recordings by perf inside a container: each thread is one, although the records and the fields of
tracepoints name it by different IDs."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shapes  # noqa: E402
import tap  # noqa: E402

RECORDINGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fixtures", "perf-data")
SYSTEM = "pid-namespace.data"
COMMAND = "pid-namespace-command.data"


def run(*words):
    done = tap.cli(*words)
    assert done.returncode == 0, done
    return json.loads(done.stdout)


def get_report(name):
    return run("analyze", os.path.join(RECORDINGS, name), "--analysis", "threads", "--scope", "all",
               "--format", "json")


def get_host_ids(name):
    info = run("info", os.path.join(RECORDINGS, name), "--json")
    return {pair["tid"]: pair["host_tid"] for pair in info["host_thread_ids"]}


def get_threads(report):
    threads = {thread["tid"]: thread for thread in report["summary"]["threads"]}
    assert len(threads) == len(report["summary"]["threads"]), report["summary"]["threads"]
    return threads


def test_system():
    """perf record -a in a container sees all of the host's threads, its own by two IDs."""
    own = {1: 10660, 2: 10729, 4: 10752, 5: 10753, 6: 10761, 7: 10769}
    assert get_host_ids(SYSTEM) == own, get_host_ids(SYSTEM)
    report = get_report(SYSTEM)
    shapes.check_threads(report)
    threads = get_threads(report)
    assert not set(own.values()) & set(threads), threads.keys()
    names = {tid: threads[tid]["name"] for tid in (2, 4, 5, 6, 15, 10637)}
    assert names == {2: "w", 4: "locker 0", 5: "locker 1", 6: "sleeper", 15: "rcu_preempt",
                     10637: "busy"}, names
    assert {threads[tid]["process"] for tid in (2, 4, 5, 6)} == {"w"}, threads
    # Sums of the times from a switch to the thread until the next switch away from it, by the
    # host's ID, in the fields of sched_switch. A thread's last run is shorter: perf's record of its
    # exit comes before its last switch.
    running = {4: 25960019, 5: 17980012, 6: 1686830, 5710: 536803, 10131: 25275712}
    for tid, ns in running.items():
        assert 0 <= ns - threads[tid]["running_ns"] < (100000 if tid < 10 else 1), threads[tid]
    # The other thread of perf has no event of its own.
    assert threads[3]["running_ns"] is None or threads[3]["running_ns"] == 0, threads[3]
    assert threads[3]["unknown_ns"] == threads[3]["last_ns"] - threads[3]["first_ns"], threads[3]
    warnings = [text for text in report["uncertain"]["warnings"] if "container" in text]
    assert len(warnings) == 2, warnings  # of the threads, and of the files mapped by others
    for warning in warnings:
        assert "Record outside of the container" in warning, warnings
    for finding in report["findings"]:
        assert "100 % of its life" not in finding["text"], finding


def test_command():
    """perf record of a command in a container has the command's own threads alone."""
    own = {2: 20409, 3: 20472, 4: 20473, 5: 20474}
    assert get_host_ids(COMMAND) == own, get_host_ids(COMMAND)
    report = get_report(COMMAND)
    shapes.check_threads(report)
    assert report["evidence"]["switches"] == "thread", report["evidence"]
    threads = get_threads(report)
    assert not set(own.values()) & set(threads), threads.keys()
    # Sums of the times between the records SWITCH of a thread. The tracepoint is earlier by up to
    # 3 µs. The first thread also ran from its exec to its first "OUT" (902,249 ns).
    running = {2: 130884 + 902249, 3: 24165490, 4: 24348893, 5: 15323106}
    for tid, ns in running.items():
        thread = threads[tid]
        assert 0 <= ns - thread["running_ns"] < 3000 * thread["switches"], (thread, ns)
    # Threads outside of the container were woken; what they did is not known.
    for tid in set(threads) - set(own):
        assert threads[tid]["running_ns"] in (None, 0), threads[tid]
    # Process 2 of a container is not the parent of the kernel's threads.
    done = tap.cli("analyze", os.path.join(RECORDINGS, COMMAND), "--analysis", "threads",
                   "--scope", "all")
    assert "child 5" in done.stdout and "\nkernel" not in done.stdout, done.stdout


if __name__ == "__main__":
    sys.exit(tap.main([test_system, test_command]))
