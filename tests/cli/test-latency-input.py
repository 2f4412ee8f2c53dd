#!/usr/bin/env python3
"""Searches that cannot work: each is reported clearly, and nothing stays attached.

Functions that do not exist, are not called, are called once, end with their program, have no name
or no peaks; functions of the kernel, of many threads, of a command and of the whole system."""
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import shutil
import signal
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402
from latency import (LONG, PROGRAM, analyze, await_entry, await_status, drill, find_entry, find_live_peak, find_paths,  # noqa: E402
                     find_values, read_entry, search, skip_without_bpf, start)

ENDLESS = 2000000000   # calls


def warnings(report):
    return " ".join(report["uncertain"]["warnings"])


def test_inlined():
    """An inlined function has no code of its own: it is reported as missing, and the message
    mentions inlining."""
    with tempfile.TemporaryDirectory() as folder:
        error = drill(folder, "inlined", "inlined_f0", status=1)
        assert "has no function inlined_f0" in error and "inlined" in error.split("inlined_f0", 1)[1], error


def test_no_symbols():
    with tempfile.TemporaryDirectory() as folder:
        stripped = os.path.join(folder, "bare")
        shutil.copy(PROGRAM, stripped)
        if shutil.which("strip") is None:
            raise tap.Skip("no strip here")
        assert tap.run("strip", stripped).returncode == 0
        error = drill(folder, "peaks", "peaks_f0", status=1, program=stripped)
        assert "has no function peaks_f0" in error or "no symbols" in error, error


def test_one_call():
    """The only call of a command is seen from its beginning; it is reported, and that one call is
    too few."""
    if os.geteuid() != 0:
        raise tap.Skip("BPF programs need privilege")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.tailback")
        done = tap.cli("record", "--function", "once_f0", "--scope", "command", "-o", path, "--", PROGRAM, "once", "0.2")
        skip_without_bpf(done)
        assert done.returncode == 0, done
        report = analyze(path)
        assert report["summary"]["calls"] == 1, report["summary"]
        assert report["summary"]["peaks"] == [] or report["summary"]["peaks"][0]["drilled"] == 0, report["summary"]["peaks"]
        assert "only 1 time of the 100" in warnings(report), warnings(report)


def test_no_peaks():
    """Fewer calls than a peak needs: this is reported, and nothing is searched."""
    if os.geteuid() != 0:
        raise tap.Skip("BPF programs need privilege")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.tailback")
        done = tap.cli("record", "--function", "once_f0", "--scope", "command", "-o", path, "--option", "warmup-calls=1", "--", PROGRAM,
                       "once", "0.2")
        skip_without_bpf(done)
        assert done.returncode == 0, done
        report = analyze(path)
        assert report["summary"]["peaks"] == [] and report["summary"]["live"]["status"] == "in-progress", report["summary"]
        assert "has no peak" in warnings(report), warnings(report)


def search_ceasing_calls(folder):
    """Return the report for calls that cease while a level is searched; the level would need two
    thousand calls, three seconds or more."""
    path = os.path.join(folder, "a.tailback")
    with start([PROGRAM, "fading", LONG], realtime=True) as running:
        address = find_entry(running.pid, "fading_f0")
        before = read_entry(running.pid, address)
        with search(path, "fading_f0", running.pid, "from-bin=20", "to-bin=20", "warmup-calls=100", "decision-calls=2000") as client:
            await_status(client, r"examined calls of the peak: [1-9]")
            running.send_signal(signal.SIGUSR1)
            client.wait(250)
        assert client.returncode == 0, client.returncode
        await_entry(running.pid, address, lambda code: code == before)
    return analyze(path)


def test_calls_cease():
    """The calls of the peak cease: the search is cancelled and reports it, and nothing stays
    attached."""
    with tempfile.TemporaryDirectory() as folder:
        report = search_ceasing_calls(folder)
        assert report["summary"]["live"]["limit"] == "calls" and report["summary"]["live"]["status"] == "in-progress", \
            report["summary"]["live"]
        peaks = find_values(report, "latency-peak", "unexplained-latency-peak")
        assert "calls" in [values["limit"] for values in peaks], report["findings"]


def test_no_calls_yet():
    """The drawn bins contain no call yet, preempted ones included: later calls are searched."""
    with tempfile.TemporaryDirectory() as folder, start([PROGRAM, "late", LONG], realtime=True) as running:
        path = os.path.join(folder, "a.tailback")
        with search(path, "late_f0", running.pid, "from-bin=19", "to-bin=24", "warmup-calls=100", "decision-calls=200") as client:
            await_status(client, r"examined calls of the peak: [0-9]")
            running.send_signal(signal.SIGUSR1)
            client.wait(120)
        assert client.returncode == 0, client.returncode
        report = analyze(path)
        assert report["summary"]["live"]["status"] == "found", report["summary"]["live"]
        assert ["late_slow"] in find_paths(report), find_paths(report)
        # Each call whose entry is seen has its return seen, also when the probes have just been
        # attached.
        assert report["summary"]["live"]["calls_left_without_return"] == 0, report["summary"]["live"]


def test_ends_in_the_middle():
    """The program ends in a call: that call is in no figure, and is counted separately."""
    with tempfile.TemporaryDirectory() as folder, start([PROGRAM, "ending", LONG]) as running:
        path = os.path.join(folder, "a.tailback")
        with search(path, "ending_f0", running.pid, f"warmup-calls={ENDLESS}") as client:
            await_status(client, r"ending_f0\S*: [1-9]\S* of the \S+ calls")
            running.send_signal(signal.SIGUSR1)
            assert running.wait(60) == 3
            client.send_signal(signal.SIGINT)
            client.wait(120)
        assert client.returncode == 0, client.returncode
        summary = analyze(path)["summary"]
        assert summary["calls"] > 0 and summary["open_calls"] >= 1, summary
        assert summary["live"]["calls_entered"] > summary["calls"], summary["live"]


def test_no_such_peak():
    with tempfile.TemporaryDirectory() as folder:
        report = drill(folder, "overlap", "overlap_f0", "warmup-calls=500", "start-peak=9", duration="2", realtime=True)
        assert "There is no peak 9" in warnings(report), warnings(report)


def test_overlapping_peaks():
    """A single peak of all lengths; the calls themselves are the cause, unless they were
    preempted."""
    with tempfile.TemporaryDirectory() as folder:
        report = drill(folder, "overlap", "overlap_f0", "warmup-calls=500", "start-peak=1")
        assert report["summary"]["live"]["status"] == "found", report["summary"]["live"]
        peak = find_live_peak(report)
        assert peak["to_bin"] - peak["from_bin"] >= 3, peak
        assert all(len(cause["path"]) == 1 for cause in peak["root_causes"]), peak["root_causes"]


def test_many_threads():
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(5):
            report = drill(folder, "threads", "peaks_f0", "from-bin=18", "to-bin=18", "warmup-calls=300")
            assert report["summary"]["live"]["status"] == "found", report["summary"]["live"]
            assert report["summary"]["live"]["calls_without_room"] == 0, report["summary"]["live"]
            causes = [cause for peak in report["summary"]["peaks"] for cause in peak["root_causes"]]
            if ["peaks_c", "peaks_leaf_c"] in [cause["path"][1:] for cause in causes]:
                return
            # On a busy machine equally many shorter calls may have been preempted for as long.
            assert all(cause["kind"] == "preemption" for cause in causes), causes
        raise AssertionError("the slow path was never the cause")


def test_exceptions():
    """An exception is thrown through a searched function: the program is not disturbed."""
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        raise tap.Skip("no compiler for C++ here")
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "throws.cc"), os.path.join(folder, "throws")
        with open(source, "w", encoding="utf-8") as file:
            file.write("""#include <cstdio>
#include <unistd.h>
extern "C" __attribute__ ((noinline)) void leaf (int n) { usleep (100); if (n % 3 == 0) throw n; }
extern "C" __attribute__ ((noinline)) void throws_f0 (int n) { leaf (n); asm volatile (""); }
int main () { for (int n = 0;; n++) try { throws_f0 (n); } catch (int) { } }
""")
        assert tap.run(compiler, "-O1", "-o", program, source).returncode == 0
        report = drill(folder, "", "throws_f0", "warmup-calls=200", "from-bin=15", "to-bin=22", program=program, prints_ready=False,
                       duration="20")
        summary = report["summary"]
        # A call that ends by an exception does not return: a third of the calls.
        assert summary["calls"] > 0 and summary["live"]["calls_left_without_return"] > 0, summary["live"]


def test_kernel_function():
    """Kernel functions are searched if the kernel allows it, otherwise refused in one clear line
    with nothing attached."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.tailback")
        with start([PROGRAM, "zero", LONG]) as running:
            done = tap.cli("record", "--function", "kernel:vfs_read", "--pid", str(running.pid), "-o", path, "--duration", "5")
        skip_without_bpf(done)
        if os.path.exists("/sys/bus/event_source/devices/kprobe/type"):
            assert done.returncode == 0, done
            assert analyze(path)["summary"]["operation"] == "function:vfs_read@kernel"
            return
        assert done.returncode == 1 and not os.path.exists(path), done
        assert len(done.stderr.strip().splitlines()) == 1 and "no kprobes" in done.stderr, done.stderr
        done = tap.cli("record", "--function", "kernel:no spaces", "--pid", str(os.getpid()), "-o", path)
        assert done.returncode == 2 and "of a function of the kernel" in done.stderr, done


def test_whole_system():
    """A function of a file, in every process that calls it; without a file there is no program to
    search."""
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder, start([PROGRAM, "peaks", LONG]):
        path = os.path.join(folder, "a.tailback")
        done = tap.cli("record", "--function", PROGRAM + ":peaks_f0", "--scope", "system", "-o", path, "--option",
                       "from-bin=17", "--option", "to-bin=19", "--option", "warmup-calls=300")
        skip_without_bpf(done)
        assert done.returncode == 0, done
        assert analyze(path)["summary"]["live"]["status"] == "found"
        done = tap.cli("record", "--function", "peaks_f0", "--scope", "system", "-o", path, "--force")
        assert done.returncode != 0 and "name the program or library" in done.stderr, done


def test_refused():
    """An agent without permission: one error line, and the program's code is unchanged."""
    with tempfile.TemporaryDirectory() as folder, start([PROGRAM, "peaks", LONG]) as running:
        address = find_entry(running.pid, "peaks_f0")
        before = read_entry(running.pid, address)
        agent = os.path.join(folder, "agent")
        with open(agent, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec "{os.environ["TAILBACK_AGENT"]}" "$@" --backend perf\n')
        os.chmod(agent, 0o755)
        done = tap.cli("record", "--function", "peaks_f0", "--pid", str(running.pid), "-o", os.path.join(folder, "a.tailback"),
                       env={**os.environ, "TAILBACK_AGENT": agent})
        assert done.returncode == 1 and len(done.stderr.strip().splitlines()) == 1, done
        assert read_entry(running.pid, address) == before


def test_status():
    """The estimate is printed first. SIGUSR1 prints the status, and does not end the search."""
    with tempfile.TemporaryDirectory() as folder, start([PROGRAM, "peaks", LONG]) as running:
        address = find_entry(running.pid, "peaks_f0")
        before = read_entry(running.pid, address)
        with search(os.path.join(folder, "a.tailback"), "peaks_f0", running.pid, f"warmup-calls={ENDLESS}") as client:
            while client.poll() is None and read_entry(running.pid, address) == before:
                time.sleep(0.05)
            if client.poll() is not None:
                raise tap.Skip("nothing is recorded here: " + client.stderr.read()[:200])
            assert "call sites" in client.estimate, client.estimate
            await_status(client, r"peaks_f0@slow: [0-9]+ of the \S+ calls")
            assert client.poll() is None
            client.send_signal(signal.SIGINT)
            client.wait(120)
            await_entry(running.pid, address, lambda code: code == before)


if __name__ == "__main__":
    sys.exit(tap.main([test_inlined, test_no_symbols, test_one_call, test_no_peaks, test_calls_cease, test_no_calls_yet,
                       test_ends_in_the_middle, test_no_such_peak,
                       test_overlapping_peaks, test_many_threads, test_exceptions, test_kernel_function, test_whole_system,
                       test_refused, test_status]))
