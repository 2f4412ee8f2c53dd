#!/usr/bin/env python3
"""A search that found a wait for a server, continued in the server.

Only those calls of a server function count that serve the found path.
The program is tests/cases/programs/served.c.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402
from latency import LONG, analyze, find_kinds, find_paths, find_values, skip_without_bpf, start  # noqa: E402

PROGRAM = os.path.join(tap.BUILD, "tests/fixtures/served")
# The bin of 262-524 us, and the next one: the server's time for a slow request of the client.
SLOW = 18


def record(folder, function, pid, *options, status=0):
    path = os.path.join(folder, "a.tailback")
    words = [word for option in options for word in ("--option", option)]
    done = tap.cli("record", "--function", function, "--pid", str(pid), "--force", "-o", path, "--duration", "60", *words)
    skip_without_bpf(done)
    assert done.returncode == status, done
    return analyze(path) if status == 0 else done.stderr


def save(folder, report):
    state = os.path.join(folder, "state.json")
    with open(state, "w", encoding="utf-8") as file:
        json.dump(report, file)
    return state


def record_client(folder, function, pid, *options):
    """Search in slow calls of the client. A quarter of all calls is slow, besides a few that wait
    for the other thread's request; on a machine that is late to wake threads, quick ones are slow
    as well, and which calls were examined is a matter of chance. Such a recording is repeated."""
    for _ in range(5):
        report = record(folder, function, pid, "from-bin=18", "to-bin=20", "warmup-calls=100",
                        *options)
        bins = {one["bin"]: one["count"] for one in report["summary"]["bins"]}
        share = sum(bins.get(i, 0) for i in range(SLOW, SLOW + 3)) / sum(bins.values())
        if share < 0.35:
            return report
        print(f"# {share:.2f} of the calls are slow", flush=True)
    raise tap.Skip("this machine is too late to wake threads")


def search_client(folder, pid):
    """Find the cause of slow client calls, a wait for an answer, and save the state."""
    report = record_client(folder, "client_f0", pid)
    assert report["summary"]["live"]["status"] == "found", report["summary"]["live"]
    causes = [cause for peak in report["summary"]["peaks"] for cause in peak["root_causes"]]
    assert any(cause["kind"] == "wait" and cause["path"][1:3] == ["client_slow", "ask"] and cause["path"][-1] == "syscall:read"
               for cause in causes), report["summary"]["peaks"]
    return save(folder, report)


def check_server(report, function, path):
    summary = report["summary"]
    served = summary["served"]
    assert summary["live"]["status"] == "found", summary["live"]
    assert summary["operation"] == f"function:{function}@served", summary["operation"]
    assert served["operation"] == "function:client_f0@served", served
    assert summary["state"]["served"]["path"] == "function:client_f0@served → client_slow → ask → syscall:read", summary["state"]
    # Neither quick calls, which are three times as many, nor the other thread's requests, which
    # take 3 ms. On a machine that is late to wake threads, slow calls take up to four times as long
    # as on others.
    bins = {one["bin"]: one["count"] for one in summary["bins"]}
    assert sum(bins.values()) >= 40, bins
    assert sum(bins.get(i, 0) for i in range(SLOW, SLOW + 3)) >= 0.9 * sum(bins.values()), bins
    assert all(bins.get(i, 0) == 0 for i in range(15)) and all(count == 0 for i, count in bins.items() if i >= 21), bins
    assert served["of_calls"] > 3 * sum(bins.values()), (served, bins)
    assert path in [found[-len(path):] for found in find_paths(report)], find_paths(report)
    served_calls, = find_values(report, "served-calls")
    assert served_calls["served_operation"] == "function:client_f0@served" and served_calls["all_calls"] == served["of_calls"], served_calls


def find_server(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return int(file.read().split()[0])


def serve(case, check):
    with tempfile.TemporaryDirectory() as folder, start([PROGRAM, case, LONG], realtime=True) as program:
        check(folder, program.pid, find_server(program.pid) if case == "processes" else program.pid)


def test_thread():
    """Calls end after sending their answer, or before it."""
    def check(folder, client, server):
        state = search_client(folder, client)
        report = record(folder, "serve_f0", server, "warmup-calls=40", "resume=" + state)
        check_server(report, "serve_f0", ["serve_work"])
        report = record(folder, "serve_whole", server, "warmup-calls=40", "resume=" + state)
        check_server(report, "serve_whole", ["serve_f0", "serve_work"])
    serve("threads", check)


def test_process():
    def check(folder, client, server):
        state = search_client(folder, client)
        report = record(folder, "serve_f0", server, "warmup-calls=40", "resume=" + state)
        check_server(report, "serve_f0", ["serve_work"])
        # Without the restriction all calls are included, and the other thread's are the slowest.
        report = record(folder, "serve_f0", server, "warmup-calls=400")
        bins = {one["bin"]: one["count"] for one in report["summary"]["bins"]}
        assert bins.get(21, 0) > 0 and report["summary"]["served"] is None, bins
    serve("processes", check)


def test_any_process():
    """In any process: the function belongs to a program by its file, and any process may be the
    server."""
    tap.needs_system()

    def check(folder, client, server):
        state = search_client(folder, client)
        report = record(folder, PROGRAM + ":serve_f0", "any", "warmup-calls=40", "resume=" + state)
        check_server(report, "serve_f0", ["serve_work"])
    serve("processes", check)


def test_system_call():
    """The path may be a system call alone: that of the requesting thread."""
    def check(folder, client, server):
        report = record_client(folder, "syscall:read", client, f"thread={client}")
        summary = report["summary"]
        assert "wait" in find_kinds(report), (summary["live"], summary["state"]["nodes"])
        report = record(folder, "serve_f0", server, "warmup-calls=40", "resume=" + save(folder, report))
        served = report["summary"]["state"]["served"]
        assert served["path"] == "syscall:read", served
        bins = {one["bin"]: one["count"] for one in report["summary"]["bins"]}
        # Sometimes a quick call had to wait for the other thread's request: no path distinguishes
        # it from a slow one.
        assert sum(bins.get(i, 0) for i in (SLOW, SLOW + 1)) >= 0.7 * sum(bins.values()) > 20, bins
        assert all(count == 0 for i, count in bins.items() if i >= 21), bins
    serve("processes", check)


def test_no_server():
    """A path without a wait, and functions that no longer exist: both are refused before anything
    is probed."""
    def check(folder, client, server):
        state = search_client(folder, client)
        with open(state, encoding="utf-8") as file:
            report = json.load(file)
        for node in report["summary"]["state"]["nodes"]:
            if node["name"] == "client_slow":
                node["name"] = "client_gone"
        served_calls = record(folder, "serve_f0", server, "resume=" + save(folder, report), status=1)
        assert "has no function client_gone" in served_calls, served_calls
        for node in report["summary"]["state"]["nodes"]:
            node["root_cause"] = False
        served_calls = record(folder, "serve_f0", server, "resume=" + save(folder, report), status=1)
        assert "another function" in served_calls and "wait for no thread" in served_calls, served_calls
    serve("threads", check)


if __name__ == "__main__":
    sys.exit(tap.main([test_thread, test_process, test_any_process, test_system_call, test_no_server]))
