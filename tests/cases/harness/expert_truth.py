"""What bpftrace counts beside a recording: the facts that an expert's answer is measured by.

Counted are the processes of the case's network namespace, by process and name: time on a CPU, time
ready to run, sleeps, waits of the kernel (state D), and the time of each system call.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import collections
import contextlib
import json
import os
import re
import signal
import subprocess

from harness.processes import Failure, await_true, die_with_parent

PROGRAM = """
BEGIN { printf("ready\\n"); }

tracepoint:sched:sched_process_fork /@known[(uint64) tid]/
{
  @known[(uint64) args.child_pid] = (uint64) 1;
  @state[(uint64) args.child_pid] = (uint64) 4;
  @since[(uint64) args.child_pid] = nsecs;
}

tracepoint:sched:sched_switch
{
  $left = (uint64) args.prev_pid;
  $next = (uint64) args.next_pid;
  $now = nsecs;
  if ($left != 0) {
    if (!@known[$left] && curtask->nsproxy != 0) {
      if (curtask->nsproxy->net_ns->ns.inum == $1) {
        @known[$left] = (uint64) 1;
        @process[$left] = (uint64) pid;
      }
    }
    if (@known[$left]) {
      @process[$left] = (uint64) pid;
      if (@state[$left] == 3) { @ran[(uint64) pid, args.prev_comm] = sum($now - @since[$left]); }
      @state[$left] = (uint64) 5;
      if ((args.prev_state & 0xff) == 0) { @state[$left] = (uint64) 4; }
      if (args.prev_state & 1) { @state[$left] = (uint64) 1; }
      if (args.prev_state & 2) { @state[$left] = (uint64) 2; }
      @since[$left] = $now;
      @last[(uint64) pid] = $now;
    }
  }
  if ($next != 0 && @known[$next]) {
    $process = @process[$next];
    if ($process == 0) { $process = $next; }
    $spent = $now - @since[$next];
    if (@state[$next] == 4) { @ready[$process, args.next_comm] = sum($spent); }
    if (@state[$next] == 1) { @slept[$process, args.next_comm] = sum($spent); }
    if (@state[$next] == 2) { @blocked[$process, args.next_comm] = sum($spent); }
    @state[$next] = (uint64) 3;
    @since[$next] = $now;
  }
}

tracepoint:sched:sched_waking /@state[(uint64) args.pid] == 1 || @state[(uint64) args.pid] == 2/
{
  $t = (uint64) args.pid;
  $spent = nsecs - @since[$t];
  if (@state[$t] == 1) { @slept[(uint64) @process[$t], args.comm] = sum($spent); }
  if (@state[$t] == 2) { @blocked[(uint64) @process[$t], args.comm] = sum($spent); }
  @state[$t] = (uint64) 4;
  @since[$t] = nsecs;
}

tracepoint:sched:sched_process_exec /@known[(uint64) tid] && !@executed[(uint64) pid]/
{
  @executed[(uint64) pid] = nsecs;
}

tracepoint:raw_syscalls:sys_enter /@known[(uint64) tid]/ { @entered[(uint64) tid] = nsecs; }

tracepoint:raw_syscalls:sys_exit /@known[(uint64) tid] && @entered[(uint64) tid]/
{
  @calls[(uint64) pid, comm, args.id] = sum(nsecs - @entered[(uint64) tid]);
  @counts[(uint64) pid, comm, args.id] = count();
  delete(@entered[(uint64) tid]);
}

END { clear(@known); clear(@state); clear(@since); clear(@process); clear(@entered); }
"""
KEPT = ("ran", "ready", "slept", "blocked")
# Numbers differ between architectures; these are of x86-64 and, second, of the generic table.
CALLS = {"x86_64": {"pread64": 17, "nanosleep": 35, "flock": 73, "fsync": 74, "fdatasync": 75,
                    "futex": 202, "clock_nanosleep": 230, "fcntl": 72, "epoll_wait": 232},
         "aarch64": {"pread64": 67, "nanosleep": 101, "flock": 32, "fsync": 82, "fdatasync": 83,
                     "futex": 98, "clock_nanosleep": 115, "fcntl": 25, "epoll_pwait": 22}}


class Truth:
    """Times in ns, by program name: a regular expression for the whole name."""

    def __init__(self, maps, own):
        self.own = own
        self.maps = {name: self.read(maps.get("@" + name, {}))
                     for name in (*KEPT, "calls", "counts", "executed", "last")}
        self.wall_ns = 0

    def read(self, values):
        found = {}
        for key, value in values.items():
            parts = key.split(",")
            if int(parts[0]) not in self.own:
                found[tuple(parts)] = value
        return found

    def to_kept(self):
        return {"wall_ns": self.wall_ns,
                "maps": {name: [[*key, value] for key, value in values.items()]
                         for name, values in self.maps.items()}}

    @classmethod
    def from_kept(cls, kept):
        truth = cls({}, set())
        truth.wall_ns = kept["wall_ns"]
        truth.maps = {name: {tuple(row[:-1]): row[-1] for row in rows}
                      for name, rows in kept["maps"].items()}
        return truth

    def knows(self, pid):
        return any(key[0] == str(pid) for key in self.maps["ran"])

    def sum(self, what, name, pid=None):
        return sum(value for key, value in self.maps[what].items()
                   if (pid is None or int(key[0]) == pid) and re.fullmatch(name, key[1]))

    def running(self, name, pid=None):
        return self.sum("ran", name, pid)

    def running_by_process(self, name):
        found = collections.Counter()
        for key, value in self.maps["ran"].items():
            if re.fullmatch(name, key[1]):
                found[key[0]] += value
        return list(found.values())

    def sleeping(self, name, pid=None):
        return self.sum("slept", name, pid)

    def in_disk(self, name, pid=None):
        """Return the time in waits of the kernel that no signal ends: those for a disk."""
        return self.sum("blocked", name, pid)

    def ready(self, name, pid=None):
        return self.sum("ready", name, pid)

    def in_calls(self, name, call, pid=None):
        number = CALLS[os.uname().machine].get(call)
        return sum(value for key, value in self.maps["calls"].items()
                   if (pid is None or int(key[0]) == pid) and re.fullmatch(name, key[1])
                   and int(key[2]) == number)

    def take_wall(self, pid):
        """Take the time from the execution to the last run of this process as the wall time."""
        first, last = self.maps["executed"].get((str(pid),)), self.maps["last"].get((str(pid),))
        if first is None or last is None:
            raise Failure(f"bpftrace did not see process {pid}")
        self.wall_ns = last - first

    def as_json(self):
        """Return all times by program, processes of one name together."""
        found = collections.defaultdict(collections.Counter)
        for what in KEPT:
            for key, value in self.maps[what].items():
                found[key[1]][what + "_ns"] += value
        names = {number: name for name, number in CALLS[os.uname().machine].items()}
        for key, value in self.maps["calls"].items():
            if int(key[2]) in names:
                found[key[1]][names[int(key[2])] + "_ns"] += value
        return {name: dict(values) for name, values in sorted(found.items())
                if values["ran_ns"] > 1e6}


@contextlib.contextmanager
def counted(stage, own):
    """Count while the context lasts. Yields a function that ends the counting and returns the
    truth. own: the processes of the harness itself."""
    script, output = stage.write("facts.bt", PROGRAM), stage.path("facts.json")
    environment = dict(stage.environment, BPFTRACE_MAX_MAP_KEYS="65536")
    with open(output, "wb") as file, open(stage.path("facts.log"), "wb") as log:
        process = subprocess.Popen(["bpftrace", "-q", "-f", "json", script,
                                    str(os.stat("/proc/self/ns/net").st_ino)],
                                   stdout=file, stderr=log, env=environment,
                                   preexec_fn=die_with_parent)

    def is_ready():
        if process.poll() is not None:
            with open(stage.path("facts.log"), encoding="utf-8", errors="replace") as text:
                raise Failure(f"bpftrace ended with status {process.returncode}: "
                              f"{text.read()[-400:].strip()}")
        with open(output, encoding="utf-8") as text:
            return "ready" in text.read()

    def finish():
        process.send_signal(signal.SIGINT)
        process.wait(60)
        maps = {}
        with open(output, encoding="utf-8") as lines:
            for line in lines:
                with contextlib.suppress(ValueError):
                    read = json.loads(line)
                    if read.get("type") == "map":
                        maps.update(read["data"])
        return Truth(maps, {*own, process.pid})

    try:
        await_true(is_ready, "bpftrace", 60)
        yield finish
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
