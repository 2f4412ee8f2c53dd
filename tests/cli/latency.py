"""Helpers for tests of the latency search."""
# SPDX-License-Identifier: GPL-3.0-or-later

import contextlib
import errno
import fcntl
import json
import os
import re
import signal
import struct
import subprocess
import tempfile
import threading
import time

import tap

MARKED = os.path.join(tap.BUILD, "tests/fixtures/slow")
PLACE = tempfile.TemporaryDirectory()
PLAIN = ("annotations=no", "locks=no")


def remove_marks():
    """Return the program without the notes that locate its marks. Each mark is probed, and removing
    these probes takes as long as the check that most tests are about."""
    path = os.path.join(PLACE.name, os.path.basename(MARKED))
    try:
        done = tap.run("objcopy", "--remove-section", ".note.stapsdt", MARKED, path)
    except FileNotFoundError:
        return MARKED
    return path if done.returncode == 0 else MARKED


PROGRAM = remove_marks()
LONG = "600"   # s: the recording ends by itself earlier, or the test fails


def analyze(path):
    done = tap.cli("analyze", path, "--analysis", "latency-peaks", "--format", "json")
    assert done.returncode == 0, done
    return json.loads(done.stdout)


def skip_without_bpf(done):
    if done.returncode == 1 and re.search("BPF programs cannot be loaded|No BTF|without BPF|are not loaded", done.stderr):
        raise tap.Skip("no BPF programs here: " + done.stderr.strip()[:200])


def set_realtime_priority():
    """Run this process with real-time priority, so that no other load preempts it: on a busy
    machine some calls are slow because of preemption, and the search would find that. One CPU is
    left to all other load."""
    if os.cpu_count() > 1:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


def words_of(options):
    return [word for option in options for word in ("--option", option)]


@contextlib.contextmanager
def start(words, realtime=False, prints_ready=True, **options):
    """Run a program, wait until it prints "ready" if it does so, and stop it at the end of the
    block."""
    if os.geteuid() != 0:
        raise tap.Skip("BPF programs need privilege")
    with subprocess.Popen(words, stdout=subprocess.PIPE if prints_ready else subprocess.DEVNULL, text=True,
                          preexec_fn=set_realtime_priority if realtime else None, **options) as program:
        try:
            if prints_ready:
                assert program.stdout.readline() == "ready\n", words
            yield program
        finally:
            program.kill()


def drill(folder, case, function, *options, status=0, duration=None, program=PROGRAM, realtime=False, more=(), prints_ready=True):
    """Record the case, and return its latency-peaks summary. before_others: real-time priority, for
    a program with one thread."""
    path = os.path.join(folder, case + ".tailback")
    with start([program, case, LONG, *more], realtime, prints_ready) as running:
        done = tap.cli("record", "--function", function, "--pid", str(running.pid), "--force", "-o", path, *words_of(options),
                       *(["--duration", duration] if duration else []))
    skip_without_bpf(done)
    assert done.returncode == status, done
    if status != 0:
        assert len(done.stderr.strip().splitlines()) == 1, done.stderr
        return done.stderr
    return analyze(path)


@contextlib.contextmanager
def search(path, function, pid, *options):
    """Run a client on a running program, and read its first line, the estimate."""
    client = subprocess.Popen([tap.CLI, "record", "--function", function, "--pid", str(pid), "--force", "-o", path,
                               *words_of(options)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with client:
        try:
            client.estimate = client.stdout.readline()
            yield client
        finally:
            client.kill()


def await_status(client, pattern):
    """Send status requests to a client until a status line matches. All further output is read too,
    as the client would block otherwise."""
    output, deadline = [], time.monotonic() + 120
    threading.Thread(target=lambda: output.extend(client.stdout), daemon=True).start()
    while not re.search(pattern, "".join(output)):
        assert time.monotonic() < deadline, "".join(output)
        if client.poll() is not None:
            raise tap.Skip("nothing is recorded here: " + client.stderr.read()[:200])
        client.send_signal(signal.SIGUSR1)
        time.sleep(0.1)


def record(folder, words, functions, *options, seconds="0.6", realtime=True):
    """Record a program with its functions probed, and return the path. With before_others the
    program makes as many calls on a busy machine as on an idle one."""
    path = os.path.join(folder, "recorded.tailback")
    with start(words, realtime) as program:
        done = tap.cli("record", "--collector", "ebpf", "--pid", str(program.pid), "--force", "-o", path, "--duration", seconds,
                       *words_of([f"probe={function}" for function in functions] + list(options)))
    skip_without_bpf(done)
    assert done.returncode == 0, done
    return path


def analyze_operation(path, operation, *options):
    done = tap.cli("analyze", path, "--analysis", "latency-peaks", "--format", "json",
                   *words_of(["operation=" + operation, *options]))
    assert done.returncode == 0, done
    return json.loads(done.stdout)


def draw(first, last, start=300):
    """Return options for latencies drawn by hand: a range of bins."""
    return f"from-bin={first}", f"to-bin={last}", f"warmup-calls={start}"


def find_paths(report):
    """Return the paths of root causes below the operation."""
    return [cause["path"][1:] for peak in report["summary"]["peaks"] for cause in peak["root_causes"]]


def read_entry(pid, address):
    with open(f"/proc/{pid}/mem", "rb") as memory:
        memory.seek(address)
        return memory.read(1)


def find_entry(pid, function):
    """Return the address of a function in a running program."""
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
    """Return the values of the findings that have one of the codes."""
    return [finding["values"] for finding in report["findings"] if finding["code"] in codes]


def find_cause_values(report):
    """Return the values of each cause in the findings about peaks, without their prefix "cause_1_"
    and so on."""
    return [{name.removeprefix(f"cause_{i}_"): value for name, value in values.items() if name.startswith(f"cause_{i}_")}
            for values in find_values(report, "latency-peak") for i in range(1, 1 + min(values["causes"], 3))]


def find_live_peak(report):
    return next((peak for peak in report["summary"]["peaks"] if peak["drilled"] > 0), None)


# linux/loop.h
LOOP_CTL_GET_FREE, LOOP_CONFIGURE = 0x4C82, 0x4C0A
LOOP_FLAGS_AUTOCLEAR = 4
DISK_BYTES = 8 << 20


def make_loop(memory):
    """Provide a loop device with its contents in memory: its path and file. It is removed when its
    last user closes it."""
    config = struct.pack("=II", memory, 4096) + bytes(52) + struct.pack("=I", LOOP_FLAGS_AUTOCLEAR) + bytes(240)
    for _ in range(20):
        with open("/dev/loop-control", "rb") as control:
            path = f"/dev/loop{fcntl.ioctl(control, LOOP_CTL_GET_FREE)}"
        file = os.open(path, os.O_RDWR)
        try:
            fcntl.ioctl(file, LOOP_CONFIGURE, config)
            return path, file
        except OSError as error:
            os.close(file)
            # Another process was given it, too.
            if error.errno != errno.EBUSY:
                raise
    raise OSError(errno.EBUSY, "no free loop device")


@contextlib.contextmanager
def own_disk():
    """Provide the path of a device that nothing else uses, with the I/O scheduling of a disk."""
    memory = os.memfd_create("disk")
    try:
        os.write(memory, os.urandom(DISK_BYTES))
        path, device = make_loop(memory)
    except OSError as error:
        raise tap.Skip(f"no device of our own here: {error}") from error
    finally:
        os.close(memory)
    scheduler = f"/sys/block/{os.path.basename(path)}/queue/scheduler"
    try:
        with open(scheduler, "w", encoding="ascii") as file:
            file.write("mq-deadline")
        yield path
    finally:
        os.close(device)


@contextlib.contextmanager
def shared_disk_file():
    """Provide the path of a file on a disk that is in general use."""
    folder = os.environ.get("TAILBACK_DISK", "/var/tmp")
    if os.major(os.stat(folder).st_dev) == 0:
        raise tap.Skip("what is read here does not come from a disk")
    with tempfile.NamedTemporaryFile(dir=folder) as file:
        file.write(os.urandom(DISK_BYTES))
        file.flush()
        os.fsync(file.fileno())
        yield file.name
