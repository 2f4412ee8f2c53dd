#!/usr/bin/env python3
"""Functions probed by name: every call is recorded, and nothing is left behind.

The program is tests/fixtures/calls/known-calls.c, which calls bake_bread() 5 times, one of which
takes 60 ms, and heat_oven() of a library that it loads itself 3 times. With "again" a child does
the same and a thread calls bake_bread() 5 more times.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shapes  # noqa: E402
import tap  # noqa: E402

PROGRAM = os.path.join(tap.BUILD, "tests/fixtures/known-calls")
LIBRARY = os.path.join(tap.BUILD, "tests/fixtures/libknown-oven.so")
LONG_NS = 60_000_000


def probes(wanted):
    return [part for probe in wanted for part in ("--option", "probe=" + probe)]


def record(folder, wanted, *arguments, status=0):
    if os.geteuid() != 0:
        raise tap.Skip("BPF programs need privilege")
    path = os.path.join(folder, "calls.tailback")
    done = tap.cli("record", "--collector", "ebpf", "--force", "-o", path, *probes(wanted), *arguments)
    if done.returncode == 1 and re.search("BPF programs cannot be loaded|No BTF|without BPF", done.stderr):
        raise tap.Skip("no BPF programs here: " + done.stderr.strip()[:200])
    assert done.returncode == status, done
    if status != 0:
        assert len(done.stderr.strip().splitlines()) == 1, done.stderr
        return done.stderr
    info = json.loads(tap.cli("info", path, "--json").stdout)
    shapes.check_info(info)
    return info


def functions(info):
    return {function["name"]: function for function in info["functions"]}


def test_calls():
    with tempfile.TemporaryDirectory() as folder:
        info = record(folder, ["bake_bread", LIBRARY + ":heat_oven"], "--", PROGRAM, "again")
        bake, heat = functions(info)["bake_bread"], functions(info)[LIBRARY + ":heat_oven"]
        # The program, its other thread, and the child, which has another address space after its
        # exec.
        assert bake["calls"] == 15 and heat["calls"] == 6, info["functions"]
        assert bake["open"] == heat["open"] == 0, info["functions"]
        assert bake["longest_ns"] >= LONG_NS and bake["total_ns"] >= 3 * LONG_NS, bake
        assert info["events"]["call"] == 21, info["events"]
        done = tap.cli("info", os.path.join(folder, "calls.tailback"))
        assert "\nFunction bake_bread: 15 calls, " in done.stdout, done.stdout[:500]
        csv = os.path.join(folder, "calls.csv")
        assert tap.cli("export", os.path.join(folder, "calls.tailback"), "--exporter", "events-csv", "-o", csv).returncode == 0
        with open(csv, encoding="utf-8") as file:
            calls = [line for line in file if ",call," in line and "bake_bread@known-calls" in line]
        assert len(calls) == 15, calls[:2]


def test_tree():
    """A recording of the command alone gives the same, filtered in the kernel by process."""
    with tempfile.TemporaryDirectory() as folder:
        info = record(folder, ["bake_bread"], "--scope", "command", "--", PROGRAM, "again")
        assert functions(info)["bake_bread"]["calls"] == 15, info["functions"]


def test_no_traces():
    """Neither stacks nor system calls show the probes, which intercept returns and execute
    instructions out of line."""
    with tempfile.TemporaryDirectory() as folder:
        info = record(folder, ["bake_bread"], "--scope", "command", "--option", "syscalls=true", "--option", "syscall-stacks=true",
                      "--option", "repair-stacks=true", "--", PROGRAM, "again")
        assert functions(info)["bake_bread"]["calls"] == 15, info["functions"]
        csv = os.path.join(folder, "calls.csv")
        assert tap.cli("export", os.path.join(folder, "calls.tailback"), "--exporter", "events-csv", "-o", csv).returncode == 0
        with open(csv, encoding="utf-8") as file:
            lines = file.readlines()
        assert sum(",sys_enter," in line for line in lines) > 20, len(lines)
        info = [line for line in lines if "[uprobes]" in line or re.search(r",sys_enter,.*(uretprobe|uprobe|,335,|,336,)", line)]
        assert not info, info[:3]


def test_filter():
    with tempfile.TemporaryDirectory() as folder:
        info = record(folder, ["bake_bread>30ms"], "--", PROGRAM, "again")
        bake = functions(info)["bake_bread"]
        assert 3 <= bake["calls"] <= 15 and bake["total_ns"] >= bake["calls"] * 30_000_000, bake
        assert any("shorter than requested" in warning for warning in info["warnings"]) or bake["calls"] == 15, info


def test_saved():
    """A flight recorder ends after a long call, while the command still waits."""
    with tempfile.TemporaryDirectory() as folder:
        fifo = os.path.join(folder, "fifo")
        os.mkfifo(fifo)
        info = record(folder, [PROGRAM + ":bake_bread"], "--option", "flight-recorder=60s", "--option", "trigger=function>50ms", "--",
                      "sh", "-c", f"{PROGRAM}; exec cat {fifo} >/dev/null 2>&1")
        with open(fifo, "w", encoding="utf-8"):
            pass
        assert functions(info)[PROGRAM + ":bake_bread"]["longest_ns"] >= LONG_NS, info["functions"]


def read_code(pid, offset):
    """Return the first byte of a process's executable mapping at an offset of the program."""
    with open(f"/proc/{pid}/maps", encoding="utf-8") as maps:
        for line in maps:
            place, mode, start = line.split()[:3]
            begin, end = (int(part, 16) for part in place.split("-"))
            first = int(start, 16)
            if "x" in mode and line.rstrip().endswith("/known-calls") and first <= offset < first + end - begin:
                with open(f"/proc/{pid}/mem", "rb") as memory:
                    memory.seek(begin + offset - first)
                    return memory.read(16)
    raise AssertionError("known-calls is not mapped")


def find_offset():
    done = tap.run("readelf", "-lsW", PROGRAM)
    assert done.returncode == 0, done
    address = int(re.search(r": ([0-9a-f]+) +\d+ FUNC .* bake_bread$", done.stdout, re.M).group(1), 16)
    for part in re.findall(r"^ +LOAD +0x([0-9a-f]+) 0x([0-9a-f]+) 0x[0-9a-f]+ 0x([0-9a-f]+)", done.stdout, re.M):
        offset, start, size = (int(number, 16) for number in part)
        if start <= address < start + size:
            return address - start + offset
    raise AssertionError("bake_bread is nowhere")


def test_nothing_left():
    """For a process that existed before and continues: its code is restored, and its calls are seen
    in between."""
    with tempfile.TemporaryDirectory() as folder:
        with subprocess.Popen([PROGRAM, "stay"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
            try:
                assert program.stdout.readline() == "ready\n"
                offset = find_offset()
                before = read_code(program.pid, offset)
                info = record(folder, ["known-calls:bake_bread"], "--pid", str(program.pid), "--scope", "process",
                              "--duration", "0.2")
                assert any("was not called" in warning for warning in info["warnings"]), info["warnings"]
                assert read_code(program.pid, offset) == before
                # Several functions without calls are reported in one line.
                info = record(folder, ["known-calls:bake_bread", "known-calls:main"], "--pid", str(program.pid), "--scope", "process",
                              "--duration", "0.2")
                silent = [warning for warning in info["warnings"] if "not called" in warning]
                assert len(silent) == 1 and "2 functions were not called" in silent[0] and "known-calls:bake_bread, known-calls:main" in silent[0], silent
                # In the whole system, by path; the client is killed in the middle.
                with subprocess.Popen([tap.CLI, "record", "--collector", "ebpf", "-o", os.path.join(folder, "b.tailback"),
                                       "--option", f"probe={PROGRAM}:bake_bread"], stderr=subprocess.DEVNULL) as recording:
                    while read_code(program.pid, offset) == before:
                        assert recording.poll() is None
                        time.sleep(0.01)
                    recording.kill()
                while read_code(program.pid, offset) != before:
                    time.sleep(0.01)
                if os.path.exists("/sys/kernel/tracing/uprobe_events"):
                    with open("/sys/kernel/tracing/uprobe_events", encoding="utf-8") as events:
                        assert "known-calls" not in events.read()
            finally:
                program.kill()


def test_refusals():
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "script")
        with open(script, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n")
        os.chmod(script, 0o755)
        stripped = os.path.join(folder, "stripped")
        assert tap.run("strip", "-o", stripped, PROGRAM).returncode == 0
        for wanted, program, text in (
                ("no_such_function", PROGRAM, "unknown function “no_such_function” in"),
                ("knead_dough", PROGRAM, "inlined where it is called"),
                ("usleep", PROGRAM, "give the library too (LIBRARY:usleep)"),
                ("heat_oven", stripped, "were stripped"),
                ("libno-such:f", PROGRAM, "unknown program or library “libno-such”"),
                ("libc:memcpy", PROGRAM, "is resolved to one of several functions"),
                ("run", script, "perhaps a script"),
                ("0x10", PROGRAM, "no code at address 0x10"),
                (folder + ":f", PROGRAM, "is not a file")):
            message = record(folder, [wanted], "--", program, status=1)
            assert text in message and "probe: " in message, (wanted, message)
        assert "libc:malloc" in record(folder, ["malloc"], "--duration", "1", status=2)
        assert "given twice" in record(folder, ["bake_bread", "bake_bread"], "--", PROGRAM, status=2)
        assert "[LIBRARY-OR-PROGRAM:]FUNCTION" in record(folder, [":f"], "--", PROGRAM, status=2)
        message = record(folder, [], "--option", "flight-recorder=1s", "--option", "trigger=function>1ms", "--", PROGRAM, status=2)
        assert "needs probe" in message, message
        message = tap.cli("record", "--collector", "perf", "--option", "probe=f", "--", PROGRAM)
        assert message.returncode == 2 and "probe" in message.stderr, message


if __name__ == "__main__":
    sys.exit(tap.main([test_calls, test_tree, test_no_traces, test_filter, test_saved, test_nothing_left, test_refusals]))
