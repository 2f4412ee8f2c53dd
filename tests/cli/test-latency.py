#!/usr/bin/env python3
"""The cause of slow calls is found live, and nothing is left in the program.

The program is tests/cases/programs/slow.c. Where peaks are drawn by hand the program has real-time
priority, because a preempted call is as long as a slow one.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import functools
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402
from latency import (LONG, PROGRAM, analyze, await_entry, draw, drill, find_entry, find_kinds, find_paths,  # noqa: E402
                     read_entry, skip_without_bpf, start)

FORKING = "6" if tap.is_thorough() else "2"   # s


def check(case, function, expected, *options):
    with tempfile.TemporaryDirectory() as folder:
        report = drill(folder, case, function, *options, realtime=True)
        summary = report["summary"]
        assert summary["operation"] == f"function:{function}@slow", summary["operation"]
        assert summary["live"]["status"] == "found", summary["live"]
        assert expected in find_paths(report), (find_paths(report), find_kinds(report), summary["bins"])
        return report


@functools.cache
def find_slow_path():
    return check("peaks", "peaks_f0", ["peaks_c", "peaks_leaf_c"], *draw(17, 19))


def find_line(call):
    folder = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(folder, "../cases/programs/slow.c"), encoding="utf-8") as file:
        numbers = [number for number, line in enumerate(file, 1) if line.strip() == call]
    assert len(numbers) == 1, numbers
    return f"slow.c:{numbers[0]}"


def test_slow_path():
    """The call sites of f0 are source lines, as in recordings."""
    report = find_slow_path()
    nodes = [node for peak in report["summary"]["peaks"] for node in peak["tree"]]
    sites = [node["call_site"] for node in nodes
             if node["function"] == "peaks_c" and node["call_site"]]
    assert sites == [find_line("peaks_c ();")], (sites, nodes)
    # The state keeps the place in the code, by which another search finds the call again.
    nodes = report["summary"]["state"]["nodes"]
    assert any(node["name"] == "peaks_c" and node["call_site"].startswith("peaks_f0+0x")
               for node in nodes), nodes


def test_longest_calls():
    """Single calls of the peak are reported, each with its time, thread and main part."""
    report = find_slow_path()
    state = report["summary"]["state"]
    longest = state["longest"]
    assert 5 <= len(longest) <= 16 and len(longest) <= state["calls_looked_into"], (len(longest), state["calls_looked_into"])
    lengths = [call["latency_ns"] for call in longest]
    assert lengths == sorted(lengths, reverse=True) and 131072 <= lengths[-1] <= lengths[0] < 1048576, lengths
    assert len({call["begin_ns"] for call in longest}) == len(longest), longest
    for call in longest:
        assert state["from_ns"] <= call["begin_ns"] <= state["to_ns"] and call["tid"] == call["pid"] > 1, call
    slow = next(node["id"] for node in state["nodes"] if node["name"] == "peaks_c")
    named = []
    for call in longest:
        parts = dict(call["parts"])
        half = call["latency_ns"] // 2
        # A call from before the search of its callees has no parts, and a preempted one may be in
        # any of them.
        assert (call["mostly_in"] != "") == any(ns >= half for node, ns in parts.items() if node != 0), call
        assert call["mostly_in"].startswith("peaks_c") == (parts.get(slow, 0) >= half), call
        assert all(ns <= call["latency_ns"] for ns in parts.values()), call
        if call["mostly_in"] not in ("", "[preempted]"):
            named.append(call["mostly_in"].split(" ")[0])
    assert named.count("peaks_c") >= max(5, 0.8 * len(named)), longest
    figure = next(figure for figure in report["figures"] if figure["id"] == "calls")
    assert len(figure["rows"]) == len(longest), figure


def test_stopped():
    """A search that ends early reports how deep it came, and peaks that it was not for are not
    unsolved."""
    with tempfile.TemporaryDirectory() as folder:
        report = drill(folder, "peaks", "peaks_f0", "warmup-calls=300", "decision-calls=2000000000",
                       duration="1")
        peaks = report["summary"]["peaks"]
        if not peaks:
            raise tap.Skip("this machine was too busy for a peak")
        assert sorted(peak["status"] for peak in peaks) \
            == ["in-progress"] + (len(peaks) - 1) * ["not-examined"], peaks
        texts = [finding["text"] for finding in report["findings"]]
        stopped = "The search stopped at the first level; continue with resume."
        assert sum(stopped in text for text in texts) == 1, texts
        assert not any("Only" in text for text in texts), texts
        assert any(stopped in text for text in report["uncertain"]["warnings"]), report["uncertain"]
        assert sum("Peak " in text and " of function:" in text for text in texts) == 1, texts


def test_middle_path():
    # Above 32 µs: the cost of the probes moves some calls of the fast path above 16 µs.
    check("peaks", "peaks_f0", ["peaks_b", "peaks_leaf_b"], *draw(15, 16))


def test_calls_from_elsewhere():
    """paths_common is called on the fast path and from outside too: those calls do not count."""
    report = check("paths", "paths_f0", ["paths_slow", "paths_common"], *draw(17, 19))
    assert not any(path[:1] == ["paths_fast"] for path in find_paths(report)), find_paths(report)


def test_recursion():
    check("recursion", "recursion_f0", ["recursion_f0"] * 3 + ["recursion_work"], *draw(17, 19))


def test_pointers():
    check("pointers", "pointers_f0", ["pointers_lazy"], *draw(17, 19))


def test_loops():
    """Many short calls count for their caller, a single long call for itself."""
    check("loops", "loops_f0", ["loops_one", "loops_long"], *draw(21, 22))
    check("loops", "loops_f0", ["loops_many"], *draw(19, 20))


def test_tail_call():
    check("tail", "tail_f0", ["tail_middle", "tail_end"], *draw(16, 18))


def test_many_callees():
    """More call sites than probes: basic blocks first, and then only the calls in the block that
    matters."""
    report = check("many", "many_f0", ["many_slow"], *draw(20, 21))
    assert report["summary"]["live"]["probes"] <= 16, report["summary"]["live"]
    nodes = [node["function"] for peak in report["summary"]["peaks"] for node in peak["tree"]]
    assert not any("block" in name for name in nodes), nodes


def test_fork():
    """The fork function of libc contains a system call that must not be single-stepped: no child
    may be harmed, in this program or another."""
    many = os.path.join(tap.BUILD, "tests/fixtures/many")
    with tempfile.TemporaryDirectory() as folder, start([many, "fork", "1", LONG], prints_ready=False) as other:
        path, status = os.path.join(folder, "fork.tailback"), os.path.join(folder, "status")
        try:
            done = tap.cli("record", "--function", "libc.so.6:_Fork", "-o", path, "--option", "warmup-calls=200", "--",
                           "sh", "-c", f"{many} fork 2 {FORKING}; echo $? > {status}")
            assert other.poll() is None, "a child of another program was lost"
        finally:
            end_forking(other)
        skip_without_bpf(done)
        assert done.returncode == 0, done
        with open(status, encoding="ascii") as file:
            assert file.read().strip() == "0", "a child was lost"
        summary = analyze(path)["summary"]
        assert summary["calls"] >= 200, summary


def end_forking(program):
    """Kill the forking children first, then the program itself, which waits for them."""
    for pid in children_of(program.pid):
        os.kill(pid, signal.SIGKILL)
    program.kill()


def children_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def test_bad_input():
    with tempfile.TemporaryDirectory() as folder:
        error = drill(folder, "peaks", "no_such_function", status=1)
        assert "has no function no_such_function" in error, error
        error = drill(folder, "peaks", "syscall:no_such_call", status=2)
        assert "no system call" in error, error
        error = drill(folder, "peaks", "block:no_such_request", status=2)
        assert "unknown kind of request" in error, error
        error = drill(folder, "peaks", "network:send", status=2)
        assert "cannot be examined during a recording" in error, error
        assert "operation=network:send" in error, error


def test_never_called():
    with tempfile.TemporaryDirectory() as folder:
        report = drill(folder, "peaks", "loops_f0", duration="0.5")
        assert report["summary"]["calls"] == 0, report["summary"]
        assert any("was not called" in warning for warning in report["uncertain"]["warnings"]), report["uncertain"]


def test_never_returns():
    with tempfile.TemporaryDirectory() as folder:
        report = drill(folder, "jumps", "jumps_f0", duration="1")
        assert report["summary"]["calls"] == 0, report["summary"]
        assert any("never returned" in warning for warning in report["uncertain"]["warnings"]), report["uncertain"]


def test_system_call():
    with tempfile.TemporaryDirectory() as folder:
        report = drill(folder, "zero", "syscall:read", "warmup-calls=1000", "start-peak=1")
        assert report["summary"]["operation"] == "syscall:read", report["summary"]["operation"]
        assert report["summary"]["live"]["status"] == "found", report["summary"]["live"]


def list_agents(pid):
    """Return the agents that a client has started."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
        return [int(word) for word in file.read().split()]


def end_by(kill_process):
    if os.geteuid() != 0:
        raise tap.Skip("BPF programs need privilege")
    with tempfile.TemporaryDirectory() as folder, \
            subprocess.Popen([PROGRAM, "peaks", LONG], stdout=subprocess.DEVNULL) as program:
        try:
            address = find_entry(program.pid, "peaks_f0")
            before = read_entry(program.pid, address)
            client = subprocess.Popen([tap.CLI, "record", "--function", "peaks_f0", "--pid", str(program.pid), "-o",
                                       os.path.join(folder, "a.tailback"), "--option", "warmup-calls=2000000000"],
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            with client:
                try:
                    while client.poll() is None and read_entry(program.pid, address) == before:
                        time.sleep(0.05)
                    if client.poll() is not None:
                        raise tap.Skip("nothing is recorded here: " + client.stderr.read()[:200])
                    kill_process(client, program)
                    if program.poll() is None:
                        await_entry(program.pid, address, lambda code: code == before)
                        assert program.poll() is None
                    client.wait(120)
                finally:
                    client.kill()
        finally:
            program.kill()


def test_killed_client():
    end_by(lambda client, program: client.kill())


def test_killed_agent():
    end_by(lambda client, program: [os.kill(agent, signal.SIGKILL) for agent in list_agents(client.pid)])


def test_stopped_client():
    end_by(lambda client, program: client.send_signal(signal.SIGINT))


def test_killed_program():
    def kill(client, program):
        program.kill()
        program.wait()
        client.send_signal(signal.SIGINT)
    end_by(kill)


if __name__ == "__main__":
    sys.exit(tap.main([test_slow_path, test_longest_calls, test_middle_path, test_calls_from_elsewhere, test_recursion, test_pointers, test_loops,
                       test_tail_call, test_many_callees, test_fork, test_bad_input, test_never_called, test_never_returns,
                       test_system_call, test_stopped],
                      # In the quick mode test-latency-detach.py covers these, and it also checks the
                      # kernel.
                      thorough=[test_killed_client, test_killed_agent, test_stopped_client, test_killed_program]))
