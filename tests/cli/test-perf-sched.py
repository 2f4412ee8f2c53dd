#!/usr/bin/env python3
"""Times that threads run, wait for a CPU and wait, beside the raw switches of a recording and what
perf sched makes of them.

The reference computes both from the output of perf script: the states, and by perf's rules its
columns. Ours must equal the first to the nanosecond, and perf sched the second within its
rounding. Each difference between both columns has one of these reasons:

- exit: perf timehist forgets a thread at its EXIT record, which precedes its last switch. It loses
  the waits before its last run, and shows a second thread without a name.
- fork: without the event sched_wakeup_new perf shows no wait for a CPU between fork and first run;
  with it, the wait begins at that event, some microseconds after the FORK record.
- first: perf shows no wait before the first run of a thread, as far as it was recorded.
- end: perf shows nothing after the last switch of a thread; ours is shown up to the end.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import collections
import dataclasses
import json
import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402

RECORDINGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fixtures", "perf-data")
TRACED = ("ended-threads.data", "sched-record.data")
RECORDS = "ended-threads-records.data"
LINE = re.compile(r"^.*?\s(-?\d+)/(-?\d+)\s+\[(\d+)\]\s+(\d+)\.(\d{9}):\s+(.*)$")
SWITCH = re.compile(r"sched:sched_switch: .* prev_pid=(\d+) \S+ prev_state=(\S+) ==> "
                    r".* next_pid=(\d+) ")
WAKING = re.compile(r"sched:sched_wak(ing|eup_new): .* pid=(\d+) ")
RUNTIME = re.compile(r"sched:sched_stat_runtime: .* pid=(\d+) runtime=(\d+) ")
TASK = re.compile(r"PERF_RECORD_(FORK|EXIT)\(\d+:(\d+)\)")
RECORD = re.compile(r"PERF_RECORD_SWITCH_CPU_WIDE (OUT|IN) .* "
                    r"(?:next|prev) pid/tid:\s*-?\d+/(-?\d+)")
ROW = re.compile(r"^\s*\d+\.\d+ \[\d+\]\s+(\S.*?)\s+([\d.]+)\s+([\d.]+)\s+([\d.]+)\s*$")
LATENCY = re.compile(r"^\s*\S.*:(\d+)\s+\|\s+([\d.]+) ms \|\s+(\d+) \| avg:\s+([\d.]+) ms")


def perf(name, *arguments):
    if shutil.which("perf") is None:
        raise tap.Skip("perf is not installed")
    done = tap.run("perf", *arguments, "-i", os.path.join(RECORDINGS, name))
    if done.returncode != 0:
        raise tap.Skip("this perf does not read the recording: " + done.stderr.strip()[:200])
    return done.stdout.splitlines()


@dataclasses.dataclass
class Event:
    time: int
    cpu: int
    thread: int
    text: str


def read_events(name):
    events = []
    for line in perf(name, "script", "--ns", "--show-task-events", "--show-switch-events",
                     "-F", "comm,pid,tid,cpu,time,event,trace"):
        found = LINE.match(line)
        time = int(found[4]) * 10 ** 9 + int(found[5]) if found else 0
        if time > 0:  # others list what was there before
            events.append(Event(time, int(found[3]), int(found[2]), found[6]))
    return events


class Thread:
    """The time of a thread in each of its states, and the reasons why perf has another time."""

    def __init__(self):
        self.state = self.since = self.exit = self.last = self.cpu = None
        self.times = collections.Counter()
        self.at_last = collections.Counter()  # the times up to its last switch

    def enter(self, time, state):
        if self.state is not None:
            self.times[self.state] += time - self.since
        self.state, self.since = state, time

    def switch(self, time, state):
        self.enter(time, state)
        self.last, self.at_last = time, self.times.copy()


def get_state(letter):
    return {"R": "runnable", "R+": "runnable", "X": "dead", "Z": "dead"}.get(letter, "waiting")


def handle_record(threads, event, is_leaving, other):
    """Each switch has two records, of which one may be missing. The thread that leaves is -1 once
    its parent knows that it has ended."""
    prev, next_ = (event.thread, other) if is_leaving else (other, event.thread)
    running = next((tid for tid, thread in threads.items()
                    if thread.state == "running" and thread.cpu == event.cpu), 0)
    if not is_leaving and running == next_:
        return
    if prev < 0:
        prev = running
    if prev > 0:
        threads[prev].switch(event.time, "runnable" if "preempt" in event.text else "waiting")
    if next_ > 0:
        threads[next_].switch(event.time, "running")
        threads[next_].cpu = event.cpu


def handle(threads, event):
    switch, waking = SWITCH.search(event.text), WAKING.search(event.text)
    task, record = TASK.search(event.text), RECORD.search(event.text)
    if switch and int(switch[1]) > 0:
        threads[int(switch[1])].switch(event.time, get_state(switch[2]))
    if switch and int(switch[3]) > 0:
        threads[int(switch[3])].switch(event.time, "running")
    if record:
        handle_record(threads, event, record[1] == "OUT", int(record[2]))
    if waking and threads[int(waking[2])].state in (None, "waiting"):
        threads[int(waking[2])].enter(event.time, "runnable")
    if task and task[1] == "FORK":
        threads[int(task[2])].enter(event.time, "runnable")
    if task and task[1] == "EXIT":
        threads[int(task[2])].exit = event.time


def find_states(events):
    """By thread: the times in its states, up to the last event."""
    threads = collections.defaultdict(Thread)
    for event in events:
        handle(threads, event)
    for thread in threads.values():
        thread.enter(events[-1].time, "end")
    return {tid: thread for tid, thread in threads.items() if thread.last is not None}


@dataclasses.dataclass
class Columns:
    """What perf sched timehist shows of a thread."""
    run: int = 0
    delay: int = 0
    wait: int = 0
    rows: int = 0
    lost: int = 0  # between its EXIT record and its last switch, in waits before that run
    last: int = 0
    ready: int = 0


def find_columns(events):
    """By thread: the columns of perf sched timehist by its rules."""
    columns = collections.defaultdict(Columns)
    previous = {}
    for event in events:
        switch, waking, task = (form.search(event.text) for form in (SWITCH, WAKING, TASK))
        if waking and columns[int(waking[2])].ready == 0:
            columns[int(waking[2])].ready = event.time
        if task and task[1] == "EXIT":
            columns[int(task[2])].last = columns[int(task[2])].ready = 0
        if not switch:
            continue
        before = previous.get(event.cpu, 0)
        previous[event.cpu] = event.time
        column = columns[int(switch[1])]
        column.rows += 1
        if before > 0:
            column.run += event.time - before
            if 0 < column.ready <= before:
                column.delay += before - column.ready
            if 0 < column.last < before:
                column.wait += before - column.last
        column.last = event.time
        column.ready = event.time if switch[2].startswith("R") else 0
    return columns


def read_timehist(name):
    columns = collections.defaultdict(Columns)
    for line in perf(name, "sched", "timehist"):
        row = ROW.match(line)
        task = re.search(r"\[(\d+)(/\d+)?\]$", row[1]) if row else None
        if task is None:  # the head of the table, and idle CPUs
            continue
        column = columns[int(task[1])]
        column.rows += 1
        column.wait += round(float(row[2]) * 1e6)
        column.delay += round(float(row[3]) * 1e6)
        column.run += round(float(row[4]) * 1e6)
    return columns


def read_ours(name):
    path = os.path.join(RECORDINGS, name)
    done = tap.cli("analyze", path, "--analysis", "threads", "--scope", "all",
                   "--format", "json")
    assert done.returncode == 0, done
    return {thread["tid"]: thread for thread in json.loads(done.stdout)["summary"]["threads"]}


def is_perf_itself(thread):
    """perf switches its events on one CPU after the other, and moves to that CPU for it."""
    return thread["name"] == "perf"


def check_ours(name, states):
    threads = read_ours(name)
    ended = 0
    for tid, state in states.items():
        thread = threads[tid]
        if is_perf_itself(thread):
            continue
        assert thread["running_ns"] == state.times["running"], (name, thread, state.times)
        if state.exit is not None and state.last > state.exit:
            assert thread["last_ns"] == state.last, (name, thread, state.last)
            ended += 1
    return threads, ended


def test_switches():
    """Each thread ran from its switches in to its switches out, also after its EXIT record."""
    for name in TRACED:
        states = find_states(read_events(name))
        threads, ended = check_ours(name, states)
        assert ended == 16, ended
        for tid, state in states.items():
            thread = threads[tid]
            if is_perf_itself(thread):
                continue
            assert thread["runnable_ns"] == state.times["runnable"], (name, thread, state.times)
            assert thread["waiting_ns"] == state.times["waiting"], (name, thread, state.times)


def test_records_of_switches():
    """Records of switches have no state that shows the end of a thread."""
    states = find_states(read_events(RECORDS))
    threads, ended = check_ours(RECORDS, states)
    assert ended > 10, ended
    for tid, state in states.items():
        if state.exit is not None and not is_perf_itself(threads[tid]):
            life = sum(state.at_last[key] for key in ("running", "runnable", "waiting"))
            low = threads[tid]["running_ns"] + threads[tid]["runnable_low_ns"]
            assert low + threads[tid]["waiting_high_ns"] >= life > 0, (threads[tid], state.at_last)


def assert_rounded(found, exact, rows, where):
    """perf cuts each row to microseconds."""
    assert exact - 1000 * rows <= found <= exact, (found, exact, rows, where)


def test_timehist():
    """The columns of perf sched timehist follow from the same events by its own rules."""
    for name in TRACED:
        events = read_events(name)
        states, columns, found = find_states(events), find_columns(events), read_timehist(name)
        threads = read_ours(name)
        assert len(found) > 20, found
        for tid, column in found.items():
            rule, state = columns[tid], states[tid]
            for key in ("run", "delay", "wait"):
                shown, expected = getattr(column, key), getattr(rule, key)
                assert_rounded(shown, expected, rule.rows, (name, tid, key))
            # Which thread ran is clear: where perf saw its run begin, ours agrees with it.
            if not is_perf_itself(threads[tid]):
                assert_rounded(column.run, state.at_last["running"], rule.rows, (name, tid))


def test_timehist_reasons():
    """Without one of the reasons above, perf's waits for a CPU are ours within 1 %."""
    n_compared = 0
    for name in TRACED:
        events = read_events(name)
        states, found, threads = find_states(events), read_timehist(name), read_ours(name)
        tasks = [task for event in events if (task := TASK.search(event.text))]
        forked = {int(task[2]) for task in tasks if task[1] == "FORK"}
        for tid, column in found.items():
            if is_perf_itself(threads[tid]) or tid in forked or states[tid].exit is not None:
                continue
            ours = states[tid].at_last["runnable"]
            allowed = max(0.01 * ours, 1000 * column.rows)
            assert abs(column.delay - ours) <= allowed, (name, tid, column, ours)
            n_compared += 1
    assert n_compared >= 15, n_compared


def test_latency():
    """perf sched latency does not forget ended threads: its delays are ours, from the event
    sched_wakeup_new on. Its runtime is the scheduler's own (sched_stat_runtime): without interrupts
    and the time that the hypervisor took, and from before the first switch on."""
    name = "sched-record.data"
    events = read_events(name)
    states, threads = find_states(events), read_ours(name)
    runtimes, forks = collections.Counter(), collections.Counter()
    for event in events:
        runtime, task, waking = (form.search(event.text) for form in (RUNTIME, TASK, WAKING))
        if runtime:
            runtimes[int(runtime[1])] += int(runtime[2])
        if task and task[1] == "FORK":
            forks[int(task[2])] -= event.time
        if waking and waking[1] == "eup_new":
            forks[int(waking[2])] += event.time
    rows = [row for line in perf(name, "sched", "latency", "-p") if (row := LATENCY.match(line))]
    assert len(rows) > 20, rows
    for row in rows:
        tid, count = int(row[1]), int(row[3])
        assert abs(float(row[2]) * 1e6 - runtimes[tid]) <= 1000, (row[0], runtimes[tid])
        if is_perf_itself(threads[tid]):
            continue
        delay = states[tid].at_last["runnable"] - forks[tid]
        allowed = max(0.01 * delay, 1000 * count)
        assert abs(float(row[4]) * 1e6 * count - delay) <= allowed, (row[0], delay)


def test_injected():
    """perf inject --sched-stat replaces switches by copies at the times of sched_stat_runtime."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "injected.data")
        perf("sched-record.data", "inject", "--sched-stat", "-o", path)
        done = tap.cli("info", path, "--json")
        threads = tap.cli("analyze", path, "--analysis", "threads", "--scope", "all",
                          "--format", "json")
    assert done.returncode == 0 and threads.returncode == 0, (done, threads)
    info, report = json.loads(done.stdout), json.loads(threads.stdout)
    assert info["events"]["switch"] == 0 and info["events"]["mark"] > 100, info["events"]
    assert any("perf inject --sched-stat" in warning for warning in info["warnings"]), info
    assert all(thread["running_ns"] is None for thread in report["summary"]["threads"]), report


def test_wait_graph():
    """Other threads are unknown for half of the time and more, and both CPUs are full: nothing is
    called idle. The knot is the one of the command, and perf is no part of the graph."""
    for name, members in (("ended-threads.data", "sh"), ("sched-record.data", "sh"),
                          ("recorded-command.data", "locker")):
        for scope in ("command", "system"):
            done = tap.cli("analyze", os.path.join(RECORDINGS, name), "--analysis", "wait-graph",
                           "--scope", scope, "--format", "json")
            assert done.returncode == 0, done
            report = json.loads(done.stdout)
            codes = [finding["code"] for finding in report["findings"]]
            assert "no-saturation" not in codes and "mostly-asleep" not in codes, codes
            assert "request" not in report["headline"], report["headline"]
            names = {vertex["name"] for vertex in report["summary"]["vertices"]}
            assert "perf" not in names, names
            if scope == "command":
                assert codes[0] == "bottleneck-knot", codes
                assert members in report["headline"], report["headline"]


if __name__ == "__main__":
    sys.exit(tap.main([test_switches, test_wait_graph, test_records_of_switches, test_timehist,
                       test_timehist_reasons, test_latency, test_injected]))
