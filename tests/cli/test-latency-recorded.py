#!/usr/bin/env python3
"""Causes of slow calls from a recording, and searches continued from it.

The programs are those of the live search (test-latency.py).
Functions are probed, so the recording contains their calls. The drawn bins are the same: so low
that no preempted call is in them.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402
from latency import (LONG, PLAIN, PROGRAM, shared_disk_file, drill, find_cause_values, find_kinds, find_paths, analyze_operation,  # noqa: E402
                     own_disk, record, set_realtime_priority, skip_without_bpf, words_of)

MANY = os.path.join(tap.BUILD, "tests/fixtures/many")
OFTEN = "4"   # factor on the program's default frequency: once every 150 ms


def draw(first, last):
    return f"from-bin={first}", f"to-bin={last}"


def check(case, functions, bins, expected, *options):
    """Check the causes in a recording; the operation is the first function."""
    with tempfile.TemporaryDirectory() as folder:
        path = record(folder, [PROGRAM, case, LONG], functions, *PLAIN, *options)
        for drawn, wanted in zip(bins, expected):
            report = analyze_operation(path, "function:" + functions[0], *draw(*drawn))
            assert wanted in find_paths(report), (
                drawn, find_paths(report), report["summary"]["bins"], report["summary"]["peaks"],
                [finding["text"] for finding in report["findings"]])


def test_slow_path():
    check("peaks", ["peaks_f0", "peaks_c", "peaks_leaf_a", "peaks_leaf_c"], [(18, 19)], [["peaks_c", "peaks_leaf_c"]])


def test_slow_path_of_all():
    """All functions of the case are probed."""
    check("peaks", ["peaks_f0", "peaks_a", "peaks_b", "peaks_c", "peaks_leaf_a", "peaks_leaf_b", "peaks_leaf_c"], [(18, 19)],
          [["peaks_c", "peaks_leaf_c"]])


def find_line(function, text):
    """Return the place of a text in a function of the program: "slow.c:88"."""
    source = os.path.join(os.environ["TAILBACK_SOURCE"], "tests/cases/programs/slow.c")
    with open(source, encoding="utf-8") as file:
        lines = file.read().splitlines()
    begin = lines.index(f"{function} (void)")
    return "slow.c:" + str(next(number for number, line in enumerate(lines[begin:], begin + 1) if text in line))


def test_lines():
    """Only the operation is probed: samples show its callees and the line in which they spend time;
    the stack of a wait shows the line that began it."""
    with tempfile.TemporaryDirectory() as folder:
        path = record(folder, [PROGRAM, "peaks", LONG], ["peaks_f0"], *PLAIN, "frequency=5000", "dump-stacks=slow", "dump-bytes=1024")
        report = analyze_operation(path, "function:peaks_f0", *draw(18, 19))
        cause = report["summary"]["peaks"][0]["root_causes"][0]
        place = find_line("peaks_leaf_c", "SPIN")
        assert cause["path"][1:] == ["peaks_c", "peaks_leaf_c"] and cause["kind"] == "function", report["summary"]["peaks"]
        assert cause["lines"][0]["line"] == place and cause["lines"][0]["function"] == "peaks_leaf_c", cause
        assert 0.8 <= cause["lines"][0]["share"] <= 1, cause
        # The function itself, not its callees.
        assert any(one["path"][-1] == "peaks_leaf_c" and one["part"] == "self" and one["line"] == place
                   and one["line_function"] == "peaks_leaf_c" for one in find_cause_values(report)), report["findings"]
        path = record(folder, [PROGRAM, "lock", LONG, OFTEN], ["lock_f0"], "dump-stacks=slow", seconds="1")
        report = analyze_operation(path, "function:lock_f0", *draw(24, 26), "decision-calls=3")
        cause = report["summary"]["peaks"][0]["root_causes"][0]
        place = find_line("lock_take", "pthread_mutex_lock")
        assert cause["lines"][0] == {"function": "lock_take", "line": place, "share": 1.0}, cause
        assert any(one["line"] == place and one["line_function"] == "lock_take" and one["path"][-1] != "lock_take"
                   for one in find_cause_values(report)), report["findings"]


def test_calls_from_elsewhere():
    with tempfile.TemporaryDirectory() as folder:
        path = record(folder, [PROGRAM, "paths", LONG], ["paths_f0", "paths_fast", "paths_slow", "paths_common"], *PLAIN)
        report = analyze_operation(path, "function:paths_f0", *draw(18, 19))
        assert find_paths(report) == [["paths_slow", "paths_common"]], find_paths(report)
        # The calls from outside f0 take longest.
        outside_calls = analyze_operation(path, "function:paths_common")
        calls_of_f0 = report["summary"]["calls"]
        assert outside_calls["summary"]["calls"] > calls_of_f0, (calls_of_f0, outside_calls)
        # A call path excludes those.
        filtered = analyze_operation(path, "function:paths_common", "call-path=paths_f0/paths_slow")["summary"]
        assert filtered["call_path"] == ["paths_f0", "paths_slow"] and 0 < filtered["calls"] < outside_calls["summary"]["calls"], filtered["calls"]
        assert filtered["calls"] <= 2 * analyze_operation(path, "function:paths_slow")["summary"]["calls"], filtered["calls"]


def test_recursion():
    check("recursion", ["recursion_f0", "recursion_work"], [(18, 19)], [["recursion_f0"] * 3 + ["recursion_work"]])


def test_pointers():
    check("pointers", ["pointers_f0", "pointers_quick", "pointers_lazy"], [(18, 19)], [["pointers_lazy"]])


def test_loops():
    check("loops", ["loops_f0", "loops_many", "loops_one", "loops_long"], [(21, 22)], [["loops_one", "loops_long"]])
    # Where probes are slow, those of loops_short take most of the time of loops_many.
    functions = ["loops_f0", "loops_many", "loops_short"]
    check("loops", functions, [(19, 21)], [["loops_many"]], "measure=yes")


def test_many_callees():
    check("many", ["many_f0", "many_slow", "many_quick"], [(20, 21)], [["many_slow"]])


def test_tail_call():
    check("tail", ["tail_f0", "tail_middle", "tail_end"], [(17, 18)], [["tail_middle", "tail_end"]])


def assert_flusher_period(path, bins, period_ns):
    """The flusher's own period plus its waits for a processor; all calls together are less
    regular."""
    peak = analyze_operation(path, "function:lock_f0", *draw(*bins))["summary"]["peaks"][0]
    period = peak["periodicity"]
    assert period is not None and 0.983 * period_ns <= period["period_ns"] <= 1.2 * period_ns, (period, peak["count"])
    assert period["bursts"] >= 12 and period["strength_of_all_calls"] < period["strength"] / 2, period


def check_lock(often, seconds, bins):
    """A lock held by a flusher, which sleeps meanwhile, at regular times: twenty bursts are enough
    to detect the period. bins: bins of the calls that wait for it."""
    first, last = bins
    with tempfile.TemporaryDirectory() as folder:
        path = record(folder, [PROGRAM, "lock", LONG, often], ["lock_f0", "lock_take"], "syscalls=true", seconds=seconds)
        assert_flusher_period(path, bins, 600e6 / int(often))
        report = analyze_operation(path, "function:lock_f0", *draw(*bins), "decision-calls=5")
        causes = [cause for peak in report["summary"]["peaks"] for cause in peak["root_causes"]]
        assert any(cause["path"][1:] == ["lock_take", "syscall:futex"] and "lock" in cause["detail"] and "slow" in cause["detail"]
                   for cause in causes), causes
        # The slow calls coincide with the sleeps of the flusher, which holds the lock meanwhile.
        correlated = analyze_operation(path, "function:lock_f0", *draw(*bins), "correlate-with=lock-hold:lock")["summary"]["beside"]
        assert correlated["operation"] == "lock-hold:lock" and correlated["coincidence"]["coincident"], correlated["coincidence"]
        held = analyze_operation(path, "lock-hold:lock", *draw(first - 1, last + 1), "decision-calls=1")
        assert find_paths(held) and 3 <= held["summary"]["calls"] <= 30, held["summary"]
        mean = held["summary"]["total_ns"] / held["summary"]["calls"]
        assert 100e6 <= mean * int(often) <= 400e6, held["summary"]["bins"]
        assert any("waits (sleep)" in (cause["detail"] or "") for peak in held["summary"]["peaks"] for cause in peak["root_causes"]), held["summary"]["peaks"]


def test_lock():
    check_lock(OFTEN, "3", (24, 26))


def test_seldom_lock():
    check_lock("1", "12", (26, 28))


def check_files(disk):
    """Reads from the disk wait for it; their peak is above that of the page cache."""
    with tempfile.TemporaryDirectory() as folder, disk() as file:
        path = record(folder, [PROGRAM, "files", LONG, file], ["files_read"], *PLAIN, "syscalls=true", realtime=False)
        report = analyze_operation(path, "syscall:pread64")
        waiting = [(peak, cause) for peak in report["summary"]["peaks"] for cause in peak["root_causes"]
                   if cause["kind"] == "asynchronous"]
        if not any(operation["operation"].startswith("block:") for operation in analyze_all(path)):
            raise tap.Skip("what was read did not come from a disk here")
        drawn = analyze_operation(path, "syscall:pread64", *draw(16, 62))
        waiting += [(peak, cause) for peak in drawn["summary"]["peaks"] for cause in peak["root_causes"]
                    if cause["kind"] == "asynchronous" or (cause["detail"] and "block-io" in cause["detail"])]
        assert waiting or find_kinds(drawn) <= {"preemption"}, (report["summary"]["bins"], find_kinds(drawn))


def test_files():
    check_files(own_disk)


def test_files_of_shared_disk():
    check_files(shared_disk_file)


def analyze_all(path):
    return analyze_operation(path, "")["summary"]["operations"]


def record_zero_bytes(folder, *options):
    """Record two processes that share a processor, which has no other load: each switch makes the
    next call slow, as the caches have the data of others, and a busy machine switches more often
    than its timer interrupts."""
    path = os.path.join(folder, "zero.tailback")
    done = tap.cli("record", "--collector", "ebpf", "--force", "-o", path, "--scope", "command", *words_of(PLAIN + options), "--",
                   MANY, "zero", "2", "1.5", *(["in-turns"] if os.cpu_count() > 1 else []))
    skip_without_bpf(done)
    assert done.returncode == 0, done
    return path


def count_pauses():
    """Return the pauses of a program that only reads the clock, and the interrupts in that time.
    Without other load on its processor all of the interrupts are in that program."""
    done = tap.run(os.path.join(tap.BUILD, "tests/fixtures/pauses"), "3",
                   preexec_fn=set_realtime_priority)
    return map(int, done.stdout.split())


def test_zero_bytes():
    """Two processes on one processor, as in the paper's Figure 7. Calls longer by some µs are
    caused by the timer interrupt, reported by number and handler. Calls longer by a time slice are
    caused by the other process. The kernel switches to it only at the end of a system call, which
    is in the enclosing function."""
    if os.geteuid() != 0:
        raise tap.Skip("BPF programs need privilege")
    with tempfile.TemporaryDirectory() as folder:
        path = record_zero_bytes(folder, "probe=" + MANY + ":read_once")
        report = analyze_operation(path, "function:" + MANY + ":read_once", *draw(20, 26))
        assert find_kinds(report) == {"preemption"}, (find_kinds(report), report["summary"]["bins"])
        path = record_zero_bytes(folder, "syscalls=true", "syscall-min=2000")
        peak = analyze_operation(path, "syscall:read", *draw(12, 16))["summary"]["peaks"][0]
        interrupts = peak["parts"]["interrupts"]
        assert interrupts and sum(one["total_ns"] for one in interrupts) == peak["parts"]["interrupt_ns"], peak["parts"]
        timer = next((one for one in interrupts if one["kind"] == "timer"), None)
        assert timer is not None and timer["number"] > 0 and "timer" in timer["name"], interrupts
        if any(cause["kind"] == "interrupt" and cause["detail"].startswith("timer interrupt") for cause in peak["root_causes"]):
            return
        pauses, n_interrupts = count_pauses()
        if n_interrupts < 0.75 * pauses:
            raise tap.Skip(f"this machine pauses without an interrupt in it: {n_interrupts} in {pauses}")
        raise AssertionError(peak)


def test_fork():
    """With four processes, calls far above the usual ones were preempted, or waited."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "fork.tailback")
        done = tap.cli("record", "--collector", "ebpf", "-o", path, "--scope", "command", "--option", "probe=" + MANY + ":fork_once",
                       "--", MANY, "fork", "4", "1.5")
        skip_without_bpf(done)
        assert done.returncode == 0, done
        report = analyze_operation(path, "function:" + MANY + ":fork_once", *draw(21, 40), "decision-calls=5")
        assert find_kinds(report) and find_kinds(report) <= {"preemption", "wait", "asynchronous"}, (find_kinds(report),
                                                                                                   report["summary"]["bins"])


def test_overlapping():
    """A single peak of all lengths; the calls themselves are the cause, unless they were
    preempted."""
    with tempfile.TemporaryDirectory() as folder:
        path = record(folder, [PROGRAM, "overlap", LONG], ["overlap_f0"], *PLAIN)
        report = analyze_operation(path, "function:overlap_f0", *draw(14, 19))
        assert [] in find_paths(report) and find_kinds(report) <= {"function", "preemption", "interrupt"}, report["summary"]["peaks"]


def resume_live(folder, case, functions, bins, *options, duration="60"):
    """Return a recording's report, and that of a live search resumed from it. Latencies have to be
    unchanged, otherwise the search refuses to resume."""
    state = os.path.join(folder, "state.json")
    # Whole stacks of samples would already show what the live search is to find.
    path = record(folder, [PROGRAM, case, LONG], functions, *PLAIN, "repair-stacks=no")
    recorded = analyze_operation(path, "function:" + functions[0], *draw(*bins))
    with open(state, "w", encoding="utf-8") as file:
        json.dump(recorded, file)
    live = drill(folder, case, functions[0], "warmup-calls=300", "resume=" + state, *options, duration=duration, realtime=True)
    assert not any("Not resumed" in warning for warning in live["uncertain"]["warnings"]), live["uncertain"]
    return recorded, live


def test_recording_then_live():
    """The decisions of the recording are not repeated: decision-calls is unreachably high. The
    search continues below them."""
    with tempfile.TemporaryDirectory() as folder:
        recorded, live = resume_live(folder, "steady", ["steady_f0", "steady_middle"], (19, 21), "decision-calls=2000000000", duration="2")
        assert ["steady_middle"] in find_paths(recorded), find_paths(recorded)
        nodes = {node["name"]: node for node in live["summary"]["state"]["nodes"]}
        drilled = recorded["summary"]["peaks"][0]["drilled"]
        assert nodes["steady_f0"]["open_calls"] == drilled and nodes["steady_middle"]["root_cause"], nodes
        assert not any(node["root_cause"] for node in live["summary"]["state"]["nodes"]
                       if node["parent"] == nodes["steady_middle"]["id"]), nodes
        assert live["summary"]["live"]["status"] == "in-progress", live["summary"]["live"]
        assert live["summary"]["live"]["calls_looked_into"] >= drilled, live["summary"]["live"]
        recorded, live = resume_live(folder, "steady", ["steady_f0", "steady_middle"], (19, 21))
        assert live["summary"]["live"]["status"] == "found", live["summary"]["live"]
        assert ["steady_middle", "steady_leaf"] in find_paths(live) or "function" not in find_kinds(live), find_paths(live)


def test_live_then_recording():
    """The counters of the earlier search are added; the cause is found again with more calls."""
    with tempfile.TemporaryDirectory() as folder:
        state = os.path.join(folder, "state.json")
        live = drill(folder, "steady", "steady_f0", "warmup-calls=300", *draw(19, 21), "decision-calls=50", duration="60",
                     realtime=True)
        with open(state, "w", encoding="utf-8") as file:
            json.dump(live, file)
        path = record(folder, [PROGRAM, "steady", LONG], ["steady_f0", "steady_middle", "steady_leaf"], *PLAIN)
        both = analyze_operation(path, "function:steady_f0", "resume=@" + state)
        assert both["summary"]["distance"]["same"], both["summary"]["distance"]
        alone = analyze_operation(path, "function:steady_f0", *draw(19, 21))
        peaks = [report["summary"]["peaks"][0] for report in (live, alone, both)]
        assert peaks[2]["drilled"] == peaks[0]["drilled"] + peaks[1]["drilled"] and peaks[0]["drilled"] >= 50, peaks
        if ["steady_middle", "steady_leaf"] in find_paths(live) and ["steady_middle", "steady_leaf"] in find_paths(alone):
            assert ["steady_middle", "steady_leaf"] in find_paths(both), find_paths(both)


def test_of_another_function():
    with tempfile.TemporaryDirectory() as folder:
        path = record(folder, [PROGRAM, "steady", LONG], ["steady_f0", "steady_leaf"], *PLAIN, seconds="0.3")
        state = os.path.join(folder, "state.json")
        with open(state, "w", encoding="utf-8") as file:
            json.dump(analyze_operation(path, "function:steady_leaf", *draw(19, 21)), file)
        done = tap.cli("analyze", path, "--analysis", "latency-peaks", *words_of(["operation=function:steady_f0", "resume=@" + state]))
        assert done.returncode != 0 and "the state is of function:steady_leaf" in done.stderr, done
        error = drill(folder, "steady", "steady_f0", "warmup-calls=300", "resume=" + state, status=1)
        assert "another function" in error, error


if __name__ == "__main__":
    sys.exit(tap.main([test_slow_path, test_lines, test_calls_from_elsewhere, test_recursion, test_pointers, test_loops, test_many_callees,
                       test_tail_call, test_lock, test_files, test_zero_bytes, test_fork, test_overlapping, test_recording_then_live,
                       test_live_then_recording, test_of_another_function],
                      thorough=[test_slow_path_of_all, test_seldom_lock, test_files_of_shared_disk]))
