#!/usr/bin/env python3
"""Live latency search of a phase or a process, and its continuation on the device's side."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import shutil
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402
from latency import (LONG, MARKED, PROGRAM, analyze, shared_disk_file, drill, find_cause_values, find_kinds, find_paths,  # noqa: E402
                     own_disk, record, skip_without_bpf, start, words_of)

PHASED = ("from-bin=16", "to-bin=20", "warmup-calls=200")


def find_callees(report):
    """Return the callees of f0, with the number of calls that contain them."""
    return {node["name"]: node["calls"] for node in report["summary"]["state"]["nodes"]
            if node["parent"] == 0 and node["kind"] == "function"}


def test_phase():
    """The calls of two phases have equal latency, on two paths: only the calls of the given phase
    count. One phase name is a prefix of the other."""
    with tempfile.TemporaryDirectory() as folder:
        for phase, path, other in (("load", "phased_load", "phased_rest"), ("loaded", "phased_rest", "phased_load")):
            report = drill(folder, "phased", "phased_f0", *PHASED, "phase=" + phase, realtime=True, program=MARKED)
            assert report["summary"]["live"]["phase"] == phase, report["summary"]["live"]
            assert report["summary"]["live"]["status"] == "found", report["summary"]["live"]
            assert [path] in find_paths(report), find_paths(report)
            assert find_callees(report)[path] >= 20 and other not in find_callees(report), find_callees(report)
        # Without a phase both are found; the one that is called four times as often has most of the
        # calls.
        report = drill(folder, "phased", "phased_f0", *PHASED, "decision-calls=100", realtime=True)
        called = find_callees(report)
        assert 2 * called["phased_load"] < called["phased_rest"] < 8 * called["phased_load"], called


def test_left_phase():
    """A thread that ends in a phase, or executes another program, has left it: later calls of its
    process do not count."""
    with tempfile.TemporaryDirectory() as folder:
        for case in ("leaving", "renewed"):
            report = drill(folder, case, "phased_f0", *PHASED, "phase=load", realtime=True, program=MARKED)
            assert report["summary"]["live"]["status"] == "found", (case, report["summary"]["live"])
            called = find_callees(report)
            assert called["phased_load"] >= 20 and "phased_rest" not in called, (case, called)


def list_threads(pid):
    return [int(name) for name in os.listdir(f"/proc/{pid}/task")]


def test_thread():
    """Two threads call the same function on different paths: only the calls of the given thread
    count."""
    with tempfile.TemporaryDirectory() as folder, start([PROGRAM, "twins", LONG], realtime=True) as twins:
        while len(list_threads(twins.pid)) < 2:
            time.sleep(0.01)
        for tid in list_threads(twins.pid):
            mine, other = ("phased_load", "phased_rest") if tid == twins.pid else ("phased_rest", "phased_load")
            path = os.path.join(folder, "a.tailback")
            done = record_thread(twins.pid, tid, path)
            skip_without_bpf(done)
            assert done.returncode == 0, done
            called = find_callees(analyze(path))
            assert called[mine] >= 20 and other not in called, (tid, twins.pid, called)
        done = record_thread(twins.pid, os.getpid(), path)
        assert done.returncode == 2 and f"unknown thread {os.getpid()}: it is not recorded" in done.stderr, done


def record_thread(pid, tid, path):
    words = [word for option in (*PHASED, f"thread={tid}") for word in ("--option", option)]
    return tap.cli("record", "--function", "phased_f0", "--pid", str(pid), "--force", "-o", path, *words)


def test_phase_of_a_recording():
    """The same from a recording of marks and of the function: a fifth of the calls, or the
    others."""
    with tempfile.TemporaryDirectory() as folder:
        path = record(folder, [MARKED, "phased", LONG], ["phased_f0"])
        calls = {}
        for phase in ("load", "loaded", None):
            done = tap.cli("analyze", path, "--analysis", "latency-peaks", "--format", "json", "--option", "operation=phased_f0",
                           *(["--option", "phase=" + phase] if phase else []))
            assert done.returncode == 0, done
            calls[phase] = json.loads(done.stdout)["summary"]["calls"]
        assert calls["load"] > 100 and abs(calls["loaded"] - 4 * calls["load"]) <= 24, calls
        # Except for the first calls, before the first recorded begin of a phase.
        assert 0 <= calls[None] - calls["load"] - calls["loaded"] <= 24, calls
        done = tap.cli("analyze", path, "--analysis", "latency-peaks", "--option", "operation=phased_f0", "--option", "phase=no")
        assert done.returncode != 0 and "unknown phase “no”" in done.stderr, done


def test_phase_that_never_begins():
    with tempfile.TemporaryDirectory() as folder:
        report = drill(folder, "phased", "phased_f0", *PHASED, "phase=unload", duration="1", program=MARKED)
        assert report["summary"]["calls"] == 0, report["summary"]
        warnings = report["uncertain"]["warnings"]
        assert any("was not called in a phase “unload”" in text for text in warnings), warnings


def test_phase_without_marks():
    """A program without phase marks is refused before anything is probed."""
    with tempfile.TemporaryDirectory() as folder:
        error = drill(folder, LONG, "syscall:clock_nanosleep", "phase=load", status=2, program=shutil.which("sleep"), prints_ready=False)
        assert "has no marks" in error, error
        error = drill(folder, "phased", "phased_f0", "phase=" + "x" * 64, status=2, program=MARKED)
        assert "at most 63 bytes" in error, error


def test_threshold():
    """A number of the slow calls are slow on one path, the rest on the other: root-cause-threshold
    decides which are causes, but none has less than a third of the time."""
    one, both = [["phased_rest"]], [["phased_load"], ["phased_rest"]]
    with tempfile.TemporaryDirectory() as folder:
        for case, threshold, paths in (("shared", "0.3", both), ("shared", "0.95", one),
                                       ("phased", "0.1", one)):
            report = drill(folder, case, "phased_f0", *PHASED, "decision-calls=100",
                           "root-cause-threshold=" + threshold, realtime=True)
            found = [path for path in find_paths(report) if path]
            assert sorted(found) == paths, (case, threshold, found, find_callees(report))


def test_blocks_first():
    """Blocks first, even if each call site could have a probe: fewer probes at a time, and the same
    cause."""
    with tempfile.TemporaryDirectory() as folder:
        probes = {}
        for first in ("false", "true"):
            report = drill(folder, "many", "many_f0", "from-bin=20", "to-bin=21", "warmup-calls=300", "max-probes=500",
                           "blocks-first=" + first, realtime=True)
            assert ["many_slow"] in find_paths(report), find_paths(report)
            probes[first] = report["summary"]["live"]["probes"]
        assert probes["true"] < 16 < probes["false"], probes


SLEEPS = "import sys, time\nprint('ready', flush=True)\nwhile True: time.sleep(float(sys.argv[1]))"
LONG_SLEEP = 27   # The bin of 134-268 ms


def count_sleeps(folder, *scope):
    path = os.path.join(folder, "a.tailback")
    done = tap.cli("record", "--function", "syscall:clock_nanosleep", *scope, "--force", "-o", path, "--duration", "1.5", "--option",
                   "warmup-calls=2000000000")
    skip_without_bpf(done)
    assert done.returncode == 0, done
    bins = analyze(path)["summary"]["bins"]
    return {long: sum(one["count"] for one in bins if (one["bin"] >= LONG_SLEEP) == long) for long in (False, True)}


def test_other_processes():
    """The kernel counts calls of the given process only: the other process sleeps 150 ms at a time,
    this one 1 ms."""
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder, \
            start([sys.executable, "-c", SLEEPS, "0.001"], realtime=True) as one, \
            start([sys.executable, "-c", SLEEPS, "0.15"], realtime=True) as other:
        alone, not_it, both = (count_sleeps(folder, "--pid", str(one.pid)), count_sleeps(folder, "--pid", str(other.pid)),
                               count_sleeps(folder, "--scope", "system"))
        assert alone[False] > 300 and alone[True] <= 1, alone
        assert not_it[False] == 0 and 5 <= not_it[True] <= 11, not_it
        assert both[False] > 300 and both[True] >= 5, both


def find_line(function, text):
    """Return the place of a text in a function of the program: "slow.c:88"."""
    with open(os.path.join(os.environ["TAILBACK_SOURCE"], "tests/cases/programs/slow.c"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith(function + " "))
    return f"slow.c:{next(i + 1 for i in range(begin, len(lines)) if text in lines[i])}"


def test_block():
    """The function that makes calls slow is narrowed to the basic block and line in which it spends
    its time; other functions are not."""
    with tempfile.TemporaryDirectory() as folder:
        report = drill(folder, "narrow", "narrow_f0", "from-bin=19", "to-bin=22", "warmup-calls=100", realtime=True)
        assert report["summary"]["live"]["status"] == "found", report["summary"]["live"]
        assert ["narrow_leaf"] in find_paths(report), find_paths(report)
        nodes = report["summary"]["state"]["nodes"]
        error = {node["name"]: node["blocks"] for node in nodes if node.get("blocks")}
        assert list(error) == ["narrow_leaf"], error
        first = error["narrow_leaf"][0]
        assert first["line"] == find_line("narrow_leaf", "SPIN (700000)"), (first, find_line("narrow_leaf", "SPIN (700000)"))
        assert first["share"] > 0.6 and sum(block["samples"] for block in error["narrow_leaf"]) >= 20, error
        assert 0 < first["from"] < first["to"], first
        causes = [cause for peak in report["summary"]["peaks"] for cause in peak["root_causes"] if cause["path"][1:] == ["narrow_leaf"]]
        assert [cause["lines"][0]["line"] for cause in causes] == [first["line"]], causes
        assert first["line"] in [cause["line"] for cause in find_cause_values(report)], report["findings"]


def test_nested_interrupts():
    """An interrupt of 1 ms during another one of 0.2 ms: each counts only its own time."""
    if os.uname().machine != "x86_64":
        raise tap.Skip("these interrupts are those of another processor")
    with tempfile.TemporaryDirectory() as folder:
        report = drill(folder, "nested", "nested_f0", "from-bin=19", "to-bin=23", "warmup-calls=20", realtime=True, prints_ready=False,
                       program=os.path.join(tap.BUILD, "tests/fixtures/nested"))
        nodes = {node["name"]: node for node in report["summary"]["state"]["nodes"]
                 if node["parent"] == 0 and node["kind"] == "interrupt"}
        inner, outer = nodes["RESCHEDULE"], nodes["IRQ_WORK"]
        # Little time is added by real interrupts during these, and by what starts them.
        assert 900e3 < inner["callee_ns"] / inner["calls"] < 1200e3, inner
        assert 180e3 < outer["callee_ns"] / outer["calls"] < 400e3, outer
        assert inner["calls"] >= 20 and inner["root_cause"] and not outer["root_cause"], (inner, outer)


def check_service(summary):
    """Check the wait for the device. Returns False if the wait was not the cause of these calls."""
    nodes = {node["id"]: node for node in summary["state"]["nodes"]}
    waits = [node for node in nodes.values() if node["kind"] == "wait" and node["root_cause"]]
    service = [node for node in nodes.values() if node["kind"] == "service"]
    if not waits:
        return False
    assert service and service[0]["parent"] == waits[0]["id"], (waits, service)
    # Each wait contains a request, except for some short waits in which the request had already
    # completed. The device's service time is part of the wait. The two counters are read one after
    # the other, while calls continue.
    wait, worked = waits[0], service[0]["callee_ns"] / service[0]["calls"]
    waited = wait["total_ns"] / wait["open_calls"]
    limit_ns = 1.05 * wait["total_ns"] * max(1, service[0]["calls"] / wait["open_calls"])
    assert wait["opened"] and service[0]["calls"] >= 0.8 * wait["open_calls"] and 0 < service[0]["callee_ns"] <= limit_ns, (wait, service)
    causes = [cause for peak in summary["peaks"] for cause in peak["root_causes"]]
    if service[0]["root_cause"]:
        assert any(cause["kind"] == "asynchronous" and "processed by the device" in cause["detail"] for cause in causes), causes
    else:
        assert worked < 0.6 * waited, (wait, service)
    return True


def check_device(disk):
    """Reads that wait for a disk: the search continues to the disk's work on the request of the
    same call."""
    with tempfile.TemporaryDirectory() as folder, disk() as file:
        report = drill(folder, "files", "files_f0", "from-bin=15", "to-bin=30", "warmup-calls=1000", more=[file], realtime=True)
        assert report["summary"]["live"]["status"] == "found", report["summary"]["live"]
        assert check_service(report["summary"]), (find_paths(report), find_kinds(report), report["summary"]["bins"])


def test_device():
    check_device(own_disk)


def test_shared_device():
    check_device(shared_disk_file)


# As many concurrent requests as threads: most stay in the queue until a thread of any process
# dispatches them.
WRITES = """
import mmap, os, sys, threading
def write():
    file, page = os.open(sys.argv[1], os.O_WRONLY | os.O_DIRECT), mmap.mmap(-1, 4096)
    while True:
        os.pwrite(file, page, 0)
for i in range(8):
    threading.Thread(target=write).start()
print("ready", flush=True)
"""


def count_requests(folder, operation, pid, *options, duration="0.5"):
    path = os.path.join(folder, "a.tailback")
    done = tap.cli("record", "--function", operation, "--pid", str(pid), "--force", "-o", path, "--duration", duration,
                   *words_of(options))
    skip_without_bpf(done)
    assert done.returncode == 0, done
    return analyze(path)["summary"]


def check_request(summary):
    """Check the cause of the slow requests, queue or device: the reported one has most of the time
    in most of them."""
    assert summary["operation"] == "block:read", summary["operation"]
    if summary["live"]["status"] == "in-progress" and summary["calls"] < 500:
        return None
    assert summary["live"]["status"] == "found", summary["live"]
    keys = ("open_calls", "total_ns", "calls", "callee_ns", "maxcount", "root_cause")
    nodes = {node["kind"]: {key: node[key] for key in keys} for node in summary["state"]["nodes"]}
    whole, parts = nodes["request"], {kind: nodes[kind] for kind in ("queue", "service") if kind in nodes}
    assert whole["open_calls"] >= 20 and summary["open_calls"] == 0, (whole, summary["calls"])
    # Both parts and nothing else. The counters are read one after the other, while requests
    # continue.
    assert 0.8 * whole["total_ns"] <= sum(part["callee_ns"] for part in parts.values()) <= 1.2 * whole["total_ns"], nodes
    main = max(parts, key=lambda kind: parts[kind]["maxcount"])
    highest = parts[main]["maxcount"]
    # Decided while requests continued: near the threshold either may be reported.
    assert parts[main]["root_cause"], nodes
    assert not any(part["root_cause"] for part in parts.values() if part["maxcount"] < 0.5 * highest), nodes
    assert sum(part["maxcount"] for part in parts.values()) >= 0.8 * parts["service"]["calls"], nodes
    texts = {"queue": "in the queue of the device", "service": "processed by the device"}
    causes = [cause for peak in summary["peaks"] for cause in peak["root_causes"] if cause["kind"] == "asynchronous"]
    for kind, part in parts.items():
        assert any(texts[kind] in cause["detail"] for cause in causes) == part["root_cause"], (kind, nodes, causes)
    return main if highest >= 0.8 * parts["service"]["calls"] else None


def check_requests(file, target):
    """Search requests to a disk: only those of the process and of the given operation, divided into
    queue and device, to find which makes them slow. target: a file on the same disk."""
    with tempfile.TemporaryDirectory() as folder, start([PROGRAM, "files", LONG, file]) as running, \
            start([PROGRAM, "peaks", LONG]) as other:
        found = check_request(count_requests(folder, "block:read", running.pid, "warmup-calls=300", "from-bin=10", "to-bin=40",
                                             duration="20"))
        other_requests = count_requests(folder, "block:read", other.pid)
        with start([sys.executable, "-c", WRITES, target]) as writer:
            written = [count_requests(folder, "block:write", one.pid)["calls"] for one in (running, writer)]
        # The reader also dispatches the writer's requests, but they are not its own.
        assert written[0] == 0 < written[1] and other_requests["calls"] == 0, (written, other_requests["calls"])
        return found


def test_requests():
    """On a device that nothing else uses, the device makes requests slow."""
    with own_disk() as disk:
        assert check_requests(disk, disk) == "service"


def test_requests_of_shared_disk():
    """On a disk kept busy by others, the queue makes requests slow; this is reported too."""
    with shared_disk_file() as file, shared_disk_file() as target:
        check_requests(file, target)


if __name__ == "__main__":
    sys.exit(tap.main([test_phase, test_left_phase, test_thread, test_phase_of_a_recording, test_phase_that_never_begins,
                       test_phase_without_marks, test_threshold, test_blocks_first, test_other_processes, test_block,
                       test_nested_interrupts, test_device, test_requests],
                      thorough=[test_shared_device, test_requests_of_shared_disk]))
