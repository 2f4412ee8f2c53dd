"""What the tests of looking into latencies share: the programs, a recording and what it found, the code of a program."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import re
import subprocess
import time

import tap

PROGRAM = os.path.join(tap.BUILD, "tests/fixtures/slow")
LONG = "600"   # s: the recording ends by itself, or something else is wrong


def analyze(path):
    done = tap.cli("analyze", path, "--analysis", "latency-peaks", "--format", "json")
    assert done.returncode == 0, done
    return json.loads(done.stdout)


def skip_without_bpf(done):
    if done.returncode == 1 and re.search("BPF programs cannot be loaded|No BTF|without BPF|are not loaded", done.stderr):
        raise tap.Skip("no BPF programs here: " + done.stderr.strip()[:200])


def run_before_others():
    """Of a busy machine's calls some are slow because others ran, and that is what is found then: to see what else makes calls slow,
    nobody runs before the program. One cpu is left to all else."""
    if os.cpu_count() > 1:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


def drill(folder, case, function, *options, status=0, duration=None, program=PROGRAM, before_others=False, more=()):
    """Record the case, and return its summary of latency-peaks. before_others: a program of one thread that nothing preempts."""
    if os.geteuid() != 0:
        raise tap.Skip("BPF programs need privilege")
    path = os.path.join(folder, case + ".tailback")
    words = [word for option in options for word in ("--option", option)]
    with subprocess.Popen([program, case, LONG, *more], stdout=subprocess.DEVNULL,
                          preexec_fn=run_before_others if before_others else None) as running:
        try:
            done = tap.cli("record", "--function", function, "--pid", str(running.pid), "--force", "-o", path, *words,
                           *(["--duration", duration] if duration else []))
        finally:
            running.kill()
    skip_without_bpf(done)
    assert done.returncode == status, done
    if status != 0:
        assert len(done.stderr.strip().splitlines()) == 1, done.stderr
        return done.stderr
    return analyze(path)


def words_of(options):
    return [word for option in options for word in ("--option", option)]


def record(folder, words, functions, *options, seconds="2", before_others=False):
    """A recording of a program with its functions probed; the path."""
    if os.geteuid() != 0:
        raise tap.Skip("BPF programs need privilege")
    path = os.path.join(folder, "recorded.tailback")
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, preexec_fn=run_before_others if before_others else None) as program:
        try:
            time.sleep(0.3)   # it tries out how fast it is
            done = tap.cli("record", "--collector", "ebpf", "--pid", str(program.pid), "--force", "-o", path, "--duration", seconds,
                           *words_of([f"probe={function}" for function in functions] + list(options)))
        finally:
            program.kill()
    skip_without_bpf(done)
    assert done.returncode == 0, done
    return path


def look_into(path, operation, *options):
    done = tap.cli("analyze", path, "--analysis", "latency-peaks", "--format", "json",
                   *words_of(["operation=" + operation, *options]))
    assert done.returncode == 0, done
    return json.loads(done.stdout)


def draw(first, last, start=300):
    """Latencies drawn by hand: a range of bins."""
    return f"from-bin={first}", f"to-bin={last}", f"start-ops={start}"


def find_paths(report):
    """The paths of root causes below the operation."""
    return [cause["path"][1:] for peak in report["summary"]["peaks"] for cause in peak["root_causes"]]




def read_entry(pid, address):
    with open(f"/proc/{pid}/mem", "rb") as memory:
        memory.seek(address)
        return memory.read(1)


def find_entry(pid, function):
    """The address of a function in a running program."""
    done = tap.run("nm", PROGRAM)
    offset = next(int(line.split()[0], 16) for line in done.stdout.splitlines() if line.split()[-1] == function)
    with open(f"/proc/{pid}/maps", encoding="utf-8") as maps:
        base = next(int(line.split("-")[0], 16) for line in maps if line.rstrip().endswith(PROGRAM))
    return base + offset


def await_entry(pid, address, is_wanted):
    deadline = time.monotonic() + 120
    while not is_wanted(read_entry(pid, address)):
        assert time.monotonic() < deadline, read_entry(pid, address)
        time.sleep(0.05)


def find_kinds(report):
    return {cause["kind"] for peak in report["summary"]["peaks"] for cause in peak["root_causes"]}


def find_values(report, *codes):
    """The values of the findings that have one of the codes."""
    return [finding["values"] for finding in report["findings"] if finding["code"] in codes]


def find_cause_values(report):
    """What the findings about peaks say of each cause: its values without what they begin with, "cause_1_" and so on."""
    return [{name.removeprefix(f"cause_{i}_"): value for name, value in values.items() if name.startswith(f"cause_{i}_")}
            for values in find_values(report, "latency-peak") for i in range(1, 1 + min(values["causes"], 3))]


def find_live_peak(report):
    return next((peak for peak in report["summary"]["peaks"] if peak["drilled"] > 0), None)
