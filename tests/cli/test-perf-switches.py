#!/usr/bin/env python3
"""Recordings by perf of the thread switches of one command: when its threads ran is a fact, and
what happened to them meanwhile is not concluded."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shapes  # noqa: E402
import tap  # noqa: E402

RECORDINGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fixtures", "perf-data")
ANALYSES = ("threads", "wait-graph", "control-paths", "latency-peaks", "calling-contexts", "locks")


def analyze(name, analysis):
    path = os.path.join(RECORDINGS, name)
    done = tap.cli("analyze", path, "--analysis", analysis, "--format", "json")
    assert done.returncode == 0, done
    return json.loads(done.stdout)


def count_switches(name):
    done = tap.cli("info", os.path.join(RECORDINGS, name), "--json")
    assert done.returncode == 0, done
    return json.loads(done.stdout)["events"]["switch"]


def get_threads(report):
    return {thread["tid"]: thread for thread in report["summary"]["threads"]}


def check_evidence(report, answers):
    evidence = report["evidence"]
    assert evidence["switches"] == "thread" and evidence["answers"] == answers, evidence
    warnings = report["uncertain"]["warnings"]
    assert any("recorded threads alone" in warning for warning in warnings), warnings
    for wrong in ("unknown thread", "not known to run"):
        assert not any(wrong in warning for warning in warnings), warnings


def test_records():
    """perf record --switch-events -g: the records have no CPU."""
    assert count_switches("switch-records.data") == 196
    report = analyze("switch-records.data", "threads")
    shapes.check_threads(report)
    check_evidence(report, ["profile", "running", "waiting"])
    threads = get_threads(report)
    # Sums of the times from the records "IN" to "OUT", "OUT" to "IN", and "OUT preempt" to
    # "IN" of each thread in the file. The first thread also ran from its exec to its first "OUT"
    # (1,354,904 ns).
    running = {11704: 33612461 + 1354904, 11706: 29512812, 11707: 32338353, 11708: 4322016,
               11709: 5912073}
    waiting = {11704: 220470014, 11706: 87314036, 11707: 94642371, 11708: 250266022,
               11709: 20146622}
    assert {tid: thread["running_ns"] for tid, thread in threads.items()} == running, threads
    assert {tid: thread["waiting_high_ns"] for tid, thread in threads.items()} == waiting, threads
    # "OUT preempt" to "IN"; the others also wait from their fork on for their first "IN".
    assert threads[11704]["runnable_low_ns"] == 3195964, threads[11704]
    for tid, preempted in ((11706, 14205927), (11707, 10470138), (11708, 0), (11709, 139222)):
        assert threads[tid]["runnable_low_ns"] > preempted, threads[tid]
    for thread in threads.values():
        assert thread["unknown_ns"] == 0, thread
        assert thread["interruptible_ns"] is None and thread["runnable_ns"] is None, thread
        assert {waker["kind"] for waker in thread["wakers"]} == {"unknown"}, thread



def test_wait_graph():
    """What the threads wait for is unknown: none is idle, nothing is replayed."""
    report = analyze("switch-records.data", "wait-graph")
    assert not report["findings"], report["findings"]
    threads = [vertex for vertex in report["summary"]["vertices"] if vertex["kind"] == "thread"]
    assert threads and all(vertex["runnable_ns"] is None for vertex in threads), threads
    path = os.path.join(RECORDINGS, "switch-records.data")
    done = tap.cli("analyze", path, "--analysis", "wait-graph", "--option", "what-if=cpus=2")
    assert done.returncode != 0 and done.stdout == "", done
    lines = [line for line in done.stderr.split("\n") if "what-if" in line]
    assert len(lines) == 1 and "perf record -a" in lines[0], done

def test_records_beside_tracepoint():
    """perf record -e sched:sched_switch --switch-events --sample-cpu: a switch is counted once."""
    # 91 records "OUT" and 91 "IN"; each "OUT" directly follows its sched:sched_switch.
    assert count_switches("switch-and-sched_switch.data") == 182
    report = analyze("switch-and-sched_switch.data", "threads")
    shapes.check_threads(report)
    check_evidence(report, ["profile", "running", "waiting", "functions"])
    threads = get_threads(report)
    assert set(threads) == {11848, 11850, 11851, 11852, 11853}, threads
    # Sums of "IN" to "OUT", which is later than the tracepoint by the time of copying the stack.
    for tid, ran in ((11850, 29363066), (11851, 32544199), (11852, 4217630), (11853, 9227994)):
        assert 0.98 * ran < threads[tid]["running_ns"] <= ran, (ran, threads[tid])
    for thread in threads.values():
        assert thread["unknown_ns"] == 0, thread
        assert thread["uninterruptible_ns"] is not None, thread


def test_nothing_concluded():
    for name in ("switch-records.data", "switch-and-sched_switch.data"):
        reports = {analysis: analyze(name, analysis) for analysis in ANALYSES}
        graph = reports["wait-graph"]
        assert graph["summary"]["edges"] == [], graph
        assert "unknown" in graph["headline"], graph["headline"]
        for finding in graph["findings"]:
            assert "saturated" not in finding["text"], finding
        for finding in reports["control-paths"]["findings"]:
            assert "no thread waited for that" not in finding["text"], finding
        done = tap.cli("analyze", os.path.join(RECORDINGS, name), "--analysis", "threads")
        assert "at least" in done.stdout.split("\n")[2], done.stdout
        assert "CPU 0" not in done.stdout, done.stdout
    # Without stacks of the switches no function is known in which a thread waits.
    contexts = analyze("switch-records.data", "calling-contexts")
    assert "CPU time" in contexts["headline"], contexts["headline"]
    operations = analyze("switch-records.data", "latency-peaks")["summary"]["operations"]
    for operation in operations:
        assert "function:" not in json.dumps(operation), operation


def test_export():
    """Switches with an unknown thread, of unknown CPUs, survive the plain-text format."""
    with tempfile.TemporaryDirectory() as folder:
        text = os.path.join(folder, "events.csv")
        done = tap.cli("export", os.path.join(RECORDINGS, "switch-records.data"),
                       "--exporter", "events-csv", "-o", text)
        assert done.returncode == 0, done
        again = analyze(text, "threads")
    assert again["evidence"]["switches"] == "thread", again["evidence"]
    running = {tid: thread["running_ns"] for tid, thread in get_threads(again).items()}
    threads = get_threads(analyze("switch-records.data", "threads"))
    assert running == {tid: thread["running_ns"] for tid, thread in threads.items()}, running


if __name__ == "__main__":
    sys.exit(tap.main([test_records, test_wait_graph, test_records_beside_tracepoint,
                       test_nothing_concluded, test_export]))
