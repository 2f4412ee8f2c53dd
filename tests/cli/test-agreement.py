#!/usr/bin/env python3
"""A recording of ours and one of perf of the same run tell the same about every thread.

Over their common range each state of every thread agrees within 1 % of it, 2 µs a switch of that thread, or 200 µs,
whichever is largest; and in each, running + runnable + waiting + unknown is the thread's life to the nanosecond.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402

STATES = ["running_ns", "runnable_ns", "interruptible_ns", "uninterruptible_ns", "stopped_ns", "unknown_ns"]
EVENTS = [
    "sched:sched_switch", "sched:sched_waking", "sched:sched_process_fork", "sched:sched_process_exit",
    "sched:sched_process_exec", "irq:irq_handler_entry", "irq:irq_handler_exit", "irq:softirq_entry",
    "irq:softirq_exit", "block:block_rq_insert", "block:block_rq_issue", "block:block_rq_complete",
]
DEMO = os.path.join(tap.BUILD, "tests/fixtures/demo-front")


def record_both(folder):
    """One run of the demo, recorded by perf from before its start until after its end, and by us."""
    perf_data = os.path.join(folder, "perf.data")
    session = os.path.join(folder, "ours.tailback")
    perf = subprocess.Popen(
        ["perf", "record", "-q", "-a", "-k", "CLOCK_MONOTONIC", "-m", "4096", "-o", perf_data]
        + [word for event in EVENTS for word in ("-e", event)] + ["--", "sleep", "60"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    time.sleep(1)
    if perf.poll() is not None:
        raise tap.Skip("perf cannot record here: " + perf.stderr.read().strip().replace("\n", " ")[:120])
    ours = tap.cli("record", "-o", session, "--", DEMO, "2", os.path.join(folder, "ledger"))
    perf.send_signal(signal.SIGINT)
    perf.wait(60)
    assert ours.returncode == 0, ours.stderr
    return session, perf_data


def read_json(*arguments):
    done = tap.cli(*arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def threads(path, begin, end):
    report = read_json("analyze", path, "--analysis", "threads", "--format", "json", "--from", str(begin), "--to", str(end))
    return {thread["tid"]: thread for thread in report["summary"]["threads"]}, report


def check_sums(found):
    for thread in found.values():
        assert sum(thread[state] for state in STATES) == thread["last_ns"] - thread["first_ns"], thread


def test_agreement_with_perf():
    if os.geteuid() != 0:
        raise tap.Skip("recording the whole system needs privilege")
    if not shutil.which("perf"):
        raise tap.Skip("no perf here")
    with tempfile.TemporaryDirectory() as folder:
        session, perf_data = record_both(folder)
        imported = os.path.join(folder, "theirs.tailback")
        done = tap.cli("import", perf_data, "-o", imported)
        assert done.returncode == 0, done.stderr

        ours_info, theirs_info = read_json("info", session, "--json"), read_json("info", imported, "--json")
        if ours_info["lost"]["events"] or theirs_info["lost"]["events"]:
            raise tap.Skip("events were lost on this busy machine: nothing to compare")
        begin = max(ours_info["from_ns"], theirs_info["from_ns"])
        end = min(ours_info["to_ns"], theirs_info["to_ns"])
        assert end - begin > 1_500_000_000, (begin, end)

        ours, report = threads(session, begin, end)
        theirs, _ = threads(imported, begin, end)
        check_sums(ours)
        check_sums(theirs)
        names = {thread["name"] for thread in ours.values()}
        assert {"demo-front", "demo-back"} <= names, names

        wrong = []
        for tid in sorted(ours.keys() & theirs.keys()):
            mine, other = ours[tid], theirs[tid]
            # Threads of the recorders themselves start and stop recording at different moments.
            if mine["name"] in ("perf", "tailback-agent", "tailback-cli"):
                continue
            for state in STATES:
                allowed = max(0.01 * max(mine[state], other[state]), 2000 * max(mine["switches"], other["switches"]), 200_000)
                if abs(mine[state] - other[state]) > allowed:
                    wrong.append((mine["name"], tid, state, mine[state], other[state]))
        # A thread that never ran in either recording tells nothing: perf lists it only if it was seen.
        assert len(ours.keys() & theirs.keys()) >= 4
        assert not wrong, wrong
        assert report["uncertain"]["lost_events"] == 0


def test_demo_is_explained():
    if os.geteuid() != 0:
        raise tap.Skip("recording the whole system needs privilege")
    with tempfile.TemporaryDirectory() as folder:
        session = os.path.join(folder, "demo.tailback")
        done = tap.cli("record", "-o", session, "--", DEMO, "1", os.path.join(folder, "ledger"))
        assert done.returncode == 0, done.stderr
        info = read_json("info", session, "--json")
        found, _ = threads(session, info["from_ns"], info["to_ns"])
        check_sums(found)
        by_name = {thread["name"]: thread for thread in found.values()}
        front, back = by_name["demo-front"], by_name["demo-back"]
        # Only demo-back ends what demo-front waits for.
        wakers = {waker["name"].split("/")[0]: waker for waker in front["wakers"]}
        assert wakers["demo-back"]["wait_ns"] > 0.9 * (front["interruptible_ns"] + front["uninterruptible_ns"]), front
        assert any(waker["name"].startswith("demo-front") for waker in back["wakers"]), back


if __name__ == "__main__":
    sys.exit(tap.main([test_agreement_with_perf, test_demo_is_explained]))
