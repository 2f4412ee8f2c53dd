#!/usr/bin/env python3
"""What makes calls of a function slow is found while it runs, and nothing is left in the program by any kind of end.

The program is tests/cases/programs/slow.c. Where peaks are drawn by hand nobody may run before it: a call that was preempted is as
long as a slow one.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402
from latency import (LONG, PROGRAM, analyze, await_entry, drill, find_entry, find_kinds, find_live_peak,  # noqa: E402
                     find_paths, read_entry, skip_without_bpf)


def check(case, function, expected, *options):
    with tempfile.TemporaryDirectory() as folder:
        report = drill(folder, case, function, *options, before_others=True)
        summary = report["summary"]
        assert summary["operation"] == f"function:{function}@slow", summary["operation"]
        assert summary["live"]["status"] == "found", summary["live"]
        assert expected in find_paths(report), (find_paths(report), find_kinds(report), summary["bins"])
        return report


def draw(first, last, start=300):
    return f"from-bin={first}", f"to-bin={last}", f"start-ops={start}"


def check_own_choice(peak, report, paths):
    """The finder's own choice: whatever it is on this machine now, what is said of it is true. paths: (first bin, last bin, path)
    of those that the program has. A peak above all of them is of calls that others took the cpu from."""
    kinds, found = find_kinds(report), find_paths(report)
    highest = max(last for _, last, _ in paths)
    reach = report["summary"]["live"]["cost"]["reach_ns"] if report["summary"]["live"]["cost"] else 0
    expected = [path for first, last, path in paths if first <= peak["to_bin"] and last >= peak["from_bin"]]
    if peak["from_bin"] > highest:
        assert kinds and kinds <= {"preemption", "interrupt"}, (peak["from_bin"], kinds, found)
    elif not peak["within_reach"] and peak["from_ns"] > reach:
        assert any(path in found for path in expected) or kinds & {"preemption", "interrupt"}, (peak, found, expected)
    return any(path in found for path in expected)


PEAKS = [(17, 20, ["peaks_c", "peaks_leaf_c"]), (14, 17, ["peaks_b", "peaks_leaf_b"]),
         (0, 14, ["peaks_a", "peaks_leaf_a"]), (0, 14, ["peaks_a"]), (0, 14, [])]


def test_own_choice():
    """No bins drawn: the slowest peak, as the finder sees them; on a busy machine that often is preemption."""
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(10):
            report = drill(folder, "peaks", "peaks_f0", "start-ops=300")
            assert report["summary"]["live"]["status"] == "found", report["summary"]["live"]
            peak = find_live_peak(report)
            assert peak is not None and peak["id"] == len(report["summary"]["peaks"]), report["summary"]["peaks"]
            check_own_choice(peak, report, PEAKS)


def test_own_choice_of_each():
    """Each peak by its number, as the paper's start_peak has it."""
    with tempfile.TemporaryDirectory() as folder:
        hits = 0
        for number in (1, 2, 3, 2, 3, 2, 3):
            report = drill(folder, "peaks", "peaks_f0", "start-ops=300", f"start-peak={number}", duration="20")
            if report["summary"]["live"]["status"] != "found":
                # There were fewer peaks, or its calls had been a moment's: that is said.
                assert report["uncertain"]["warnings"] or report["summary"]["live"]["limit"], report["summary"]["live"]
                continue
            peak = find_live_peak(report)
            hits += peak is not None and check_own_choice(peak, report, PEAKS)
        assert hits > 0, "no peak of the program was ever found"


def test_short_calls():
    """Calls as long as their probes: told as uncertain, the search ends and says so."""
    with tempfile.TemporaryDirectory() as folder:
        report = drill(folder, "short", "short_f0", "start-ops=3000", "start-peak=1", duration="60")
        live = report["summary"]["live"]
        if live["cost"] is None:
            raise tap.Skip("the machine was too busy to try out what probes cost")
        assert live["cost"]["call_ns"] >= live["cost"]["subtracted_ns"] > 0, live
        assert live["status"] == "found" and live["limit"] == "probes", live
        assert live["calls_within_reach"] > report["summary"]["calls"] // 2, live
        uncertain = [one for one in report["summary"]["bins"] if one["uncertain"]]
        assert sum(one["count"] for one in uncertain) == live["calls_within_reach"], report["summary"]["bins"]
        assert all(one["from_ns"] < live["cost"]["reach_ns"] for one in uncertain), uncertain
        assert any("no longer than the probes" in one["text"] for one in report["findings"]), report["findings"]
        assert any("were subtracted" in one["text"] for one in report["findings"]), report["findings"]


def test_slow_path():
    report = check("peaks", "peaks_f0", ["peaks_c", "peaks_leaf_c"], *draw(17, 19))
    nodes = [node for peak in report["summary"]["peaks"] for node in peak["tree"]]
    assert any(node["call_site"] and node["call_site"].startswith("peaks_f0+0x") for node in nodes), nodes


def test_middle_path():
    # Above 32 us: what the probes cost brings some calls of the fast path above 16.
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
    """Many short calls are their caller's doing, a long one is its own."""
    check("loops", "loops_f0", ["loops_one", "loops_long"], *draw(19, 20))
    check("loops", "loops_f0", ["loops_many"], *draw(16, 18))


def test_tail_call():
    check("tail", "tail_f0", ["tail_middle", "tail_end"], *draw(16, 18))


def test_many_callees():
    """More call sites than probes: blocks first, and then only the calls of the one that matters."""
    report = check("many", "many_f0", ["many_slow"], *draw(20, 21))
    assert report["summary"]["live"]["probes"] <= 16, report["summary"]["live"]
    nodes = [node["function"] for peak in report["summary"]["peaks"] for node in peak["tree"]]
    assert not any("block" in name for name in nodes), nodes


def test_fork():
    """Where libc forks there is a system call to be stepped around: no child may be harmed, of this program or another's."""
    if os.geteuid() != 0:
        raise tap.Skip("BPF programs need privilege")
    many = os.path.join(tap.BUILD, "tests/fixtures/many")
    with tempfile.TemporaryDirectory() as folder, subprocess.Popen([many, "fork", "1", LONG]) as other:
        path, status = os.path.join(folder, "fork.tailback"), os.path.join(folder, "status")
        try:
            done = tap.cli("record", "--function", "libc.so.6:_Fork", "-o", path, "--option", "start-ops=200", "--",
                           "sh", "-c", f"{many} fork 2 6; echo $? > {status}")
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
    """Whoever forks and waits for what it forked, and then the program itself."""
    for pid in children_of(program.pid):
        os.kill(pid, signal.SIGKILL)
    program.kill()


def children_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def test_resume():
    """The second run takes the decisions of the first again, and goes deeper; other latencies it refuses."""
    with tempfile.TemporaryDirectory() as folder:
        report = drill(folder, "peaks", "peaks_f0", *draw(17, 19), "max-depth=1", before_others=True)
        assert report["summary"]["live"]["status"] == "depth-reached", report["summary"]["live"]
        assert find_paths(report) == [["peaks_c"]], find_paths(report)
        state = os.path.join(folder, "state.json")
        with open(state, "w", encoding="utf-8") as file:
            json.dump(report, file)
        # On a busy machine calls may well be distributed otherwise for a moment, which it then has to refuse.
        for _ in range(20):
            report = drill(folder, "peaks", "peaks_f0", "start-ops=300", "resume=" + state, before_others=True)
            if not any("Not resumed" in warning for warning in report["uncertain"]["warnings"]):
                break
        assert report["summary"]["live"]["status"] == "found", report["summary"]["live"]
        assert find_paths(report) == [["peaks_c", "peaks_leaf_c"]], find_paths(report)
        told = drill(folder, "loops", "loops_f0", "start-ops=300", "resume=" + state, status=1)
        assert "another function" in told, told


def test_resume_of_other_latencies():
    with tempfile.TemporaryDirectory() as folder:
        report = drill(folder, "varying", "varying_f0", "start-ops=300", "from-bin=16", "to-bin=18")
        state = os.path.join(folder, "state.json")
        with open(state, "w", encoding="utf-8") as file:
            json.dump(report, file)
        report = drill(folder, "varied", "varying_f0", "start-ops=300", "resume=" + state)
        assert any("Not resumed" in warning for warning in report["uncertain"]["warnings"]), report["uncertain"]


def test_bad_input():
    with tempfile.TemporaryDirectory() as folder:
        told = drill(folder, "peaks", "no_such_function", status=1)
        assert "has no function no_such_function" in told, told
        told = drill(folder, "peaks", "syscall:no_such_call", status=2)
        assert "is no system call" in told, told


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
        report = drill(folder, "zero", "syscall:read", "start-ops=1000", "start-peak=1")
        assert report["summary"]["operation"] == "syscall:read", report["summary"]["operation"]
        assert report["summary"]["live"]["status"] == "found", report["summary"]["live"]


def list_agents(pid):
    """Agents that a client has started."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
        return [int(word) for word in file.read().split()]


def end_by(kill_whom):
    if os.geteuid() != 0:
        raise tap.Skip("BPF programs need privilege")
    with tempfile.TemporaryDirectory() as folder, \
            subprocess.Popen([PROGRAM, "peaks", LONG], stdout=subprocess.DEVNULL) as program:
        try:
            address = find_entry(program.pid, "peaks_f0")
            before = read_entry(program.pid, address)
            client = subprocess.Popen([tap.CLI, "record", "--function", "peaks_f0", "--pid", str(program.pid), "-o",
                                       os.path.join(folder, "a.tailback"), "--option", "start-ops=2000000000"],
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            with client:
                try:
                    while client.poll() is None and read_entry(program.pid, address) == before:
                        time.sleep(0.05)
                    if client.poll() is not None:
                        raise tap.Skip("nothing is recorded here: " + client.stderr.read()[:200])
                    kill_whom(client, program)
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
    sys.exit(tap.main([test_own_choice, test_own_choice_of_each, test_short_calls, test_slow_path, test_middle_path,
                       test_calls_from_elsewhere, test_recursion, test_pointers, test_loops, test_tail_call, test_many_callees,
                       test_fork, test_resume, test_resume_of_other_latencies, test_bad_input, test_never_called,
                       test_never_returns, test_system_call, test_killed_client, test_killed_agent, test_stopped_client,
                       test_killed_program]))
