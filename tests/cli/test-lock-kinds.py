#!/usr/bin/env python3
"""Waits of a recorded program for locks, conditions, timeouts, the end of threads and locks of
files are in groups of their own, with the times of the program's own clock.

The program is tests/fixtures/waits/lock-kinds.c.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402

PROGRAM = os.path.join(tap.BUILD, "tests/fixtures/lock-kinds")
FILES = ("flock-unlocked", "flock-left", "fcntl-unlocked", "fcntl-closed")
# The program's clocks are read one after the other, and each of many waits begins a little late.
LATE_NS = 4_000_000
LATE_SHARE = 0.02


def check(*arguments):
    done = tap.cli(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Recording:
    """command: what runs the program, which takes a folder. collector: with its options."""

    def __init__(self, *command, collector=("ebpf", "--scope", "command")):
        self.folder = tempfile.TemporaryDirectory()
        self.session = os.path.join(self.folder.name, "kinds.tailback")
        if os.geteuid() != 0:
            raise tap.Skip("BPF programs need privilege")
        done = tap.cli("record", "--collector", *collector, "-o", self.session, "--", *command
                       or (PROGRAM,), self.folder.name)
        if done.returncode == 1 and not os.path.exists(self.session):
            raise tap.Skip("not recorded here: " + done.stderr.strip()[:200])
        assert done.returncode == 0, done.stderr
        lines = [line.split() for line in done.stdout.splitlines()]
        parts = [line for line in lines if len(line) == 4 and line[2] in ("joined", "keeper")]
        self.own = {name: int(ns) for name, ns, _, _ in parts}
        self.joined = sum(int(last) for _, _, what, last in parts if what == "joined")
        self.keepers = {name: int(last) for name, _, what, last in parts if what == "keeper"}
        description = json.loads(check("info", self.session, "--json"))
        self.has_all, self.is_reported = tap.has_all(description), tap.is_reported(description)
        self.report = self.analyze(self.session)

    def analyze(self, session):
        return json.loads(check("analyze", session, "--analysis", "locks", "--process",
                                "lock-kinds", "--option", "top=0",
                                "--format", "json"))

    @property
    def locks(self):
        return self.report["summary"]["locks"]

    def find(self, waiter):
        """Return the lock for which the threads of a part waited longest."""
        return max((lock for lock in self.locks if waiter in lock["waiters"]),
                   key=lambda lock: lock["wait_ns"])


@functools.cache
def get():
    for _ in range(8):
        recording = Recording()
        if recording.has_all and recording.is_reported:
            return recording
    raise tap.Skip("events are missing in each recording: this machine is too busy")


def assert_close(recorded, own, lock=None):
    assert abs(recorded - own) <= own * LATE_SHARE + LATE_NS, (recorded, own, lock)


def assert_idle(recording, condition):
    """Check the waits of the idle workers for their condition. On a busy machine the thread that
    wakes them may lose its CPU while it holds their mutex: they sleep for that one as well, and
    the program's own clock counts both."""
    own = recording.own["idler"]
    mutexes = sum(lock["wait_ns"] for lock in recording.locks
                  if "idler" in lock["waiters"] and lock["group"] == "lock")
    late = own * LATE_SHARE + LATE_NS
    assert condition["wait_ns"] - late <= own <= condition["wait_ns"] + mutexes + late, (
        condition["wait_ns"], mutexes, own)


def test_lock():
    lock = get().find("convoy")
    assert (lock["name"] == "convoy_lock" and lock["group"] == "lock"
            and lock["kind"] == "word"), lock
    assert lock["holders"] == ["convoy"] and lock["timed_out"] == 0, lock
    assert lock["members"] == [] and lock["n_members"] == 1, lock


def test_condition():
    """Idle workers wait for a condition, which no thread holds."""
    recording = get()
    lock = recording.find("idler")
    assert lock["group"] == "condition" and lock["name"].startswith("work_ready"), lock
    assert (lock["holders"] is None and lock["holder_threads"] == []
            and lock["ended_by"] == ["lock-kinds"]), lock
    assert_idle(recording, lock)


def test_timeouts():
    recording = get()
    lock = recording.find("ticker")
    assert (lock["group"] == "timed" and lock["timed_out"] == lock["waits"] == 6
            and lock["holders"] is None), lock
    assert_close(lock["wait_ns"], recording.own["ticker"])


def test_class():
    """Locks of one place in the code are one row with its locks."""
    lock = get().find("object")
    assert (lock["group"] == "lock" and lock["address"] is None
            and lock["n_members"] == len(lock["members"]) > 3), lock
    assert re.fullmatch(r"\d+ locks (from|in) \w+", lock["name"]), lock["name"]
    for member in ("waits", "wait_ns", "released_ns"):
        assert sum(part[member] for part in lock["members"]) == lock[member], (member, lock)
    assert len({part["address"] for part in lock["members"]}) == lock["n_members"], lock
    text = check("analyze", get().session, "--analysis", "locks", "--process", "lock-kinds")
    table = text[text.index("\nLocks\n─"):text.index("\nLengths of Waits\n")]
    assert table.count(lock["name"]) == 1, table
    assert not any(part["name"] in table for part in lock["members"]), table


def test_semaphore():
    """What the threads hand on to each other may be a lock. It is not certain to be one."""
    lock = get().find("token")
    assert lock["group"] == "lock" and lock["use"] in ("semaphore", "not-mutex"), lock
    assert set(lock["ended_by"]) == {"token"}, lock


def test_joins():
    recording = get()
    group, = [group for group in recording.report["summary"]["groups"] if group["group"] == "join"]
    assert group["rows"] == 1, group
    assert_close(group["wait_ns"], recording.joined)
    finding, = [finding for finding in recording.report["findings"]
                if finding["code"] == "join-wait"]
    assert re.fullmatch(r"lock-kinds joined threads: [\d.]+ m?s\.", finding["text"]), finding
    assert finding["severity"] == "info" and finding["values"]["holder_thread"] is None, finding


def test_files():
    check_files(get())


def check_files(recording):
    for name in FILES:
        path = os.path.join(recording.folder.name, name)
        lock, = [lock for lock in recording.locks if lock["name"] == path]
        assert lock["kind"] == "file" and lock["use"] == "file" and lock["group"] == "lock", lock
        assert (lock["holders"] == ["keeper"] and lock["waiters"] == ["lock-kinds"]
                and lock["process"] is None), lock
        assert lock["holder_threads"][0]["tid"] == recording.keepers[name], (lock,
                                                                             recording.keepers)
        assert_close(lock["wait_ns"], recording.own[name], lock)
        finding, = [finding for finding in recording.report["findings"]
                    if finding["values"].get("lock") == path]
        assert (finding["code"] == "file-lock-contention"
                and finding["values"]["holder_tid"] == recording.keepers[name]), finding


def test_ranks():
    """Locks come first, by what their holders cost; what no thread holds costs nothing."""
    report = get().report
    groups = [lock["group"] for lock in report["summary"]["locks"]]
    order = ["lock", "unknown", "condition", "timed", "join"]
    assert groups == sorted(groups, key=order.index), groups
    costs = [lock["wait_ns"] - lock["timed_out_ns"] for lock in report["summary"]["locks"]
             if lock["group"] == "lock"]
    assert costs == sorted(costs, reverse=True), costs
    codes = [finding["code"] for finding in report["findings"]]
    first = codes.index("condition-wait")
    assert set(codes[:first]) <= {"lock-contention", "file-lock-contention"}, codes
    assert not set(codes[first:]) & {"lock-contention", "file-lock-contention"}, codes


def test_text_export():
    """Text has the operations: an import has the same groups."""
    recording = get()
    events, again = recording.session + ".csv", recording.session + ".again"
    check("export", recording.session, "--exporter", "events-csv", "-o", events)
    check("import", events, "-o", again)
    summaries = [recording.analyze(session)["summary"] for session in (recording.session, again)]
    assert [(lock["name"], lock["group"], lock["use"], lock["wait_ns"])
            for lock in summaries[0]["locks"]] \
        == [(lock["name"], lock["group"], lock["use"], lock["wait_ns"])
            for lock in summaries[1]["locks"]], summaries


def test_paths():
    """A file has the path at which the process sees it."""
    if shutil.which("unshare") is None:
        raise tap.Skip("there is no unshare")
    place = "/mnt"
    script = f'mount --bind "$1" {place} && exec "{PROGRAM}" {place}'
    with tempfile.TemporaryDirectory() as folder:
        if subprocess.run(["unshare", "--mount", "mount", "--bind", folder, place],
                          capture_output=True, check=False).returncode != 0:
            raise tap.Skip("no mount namespaces here")
    recording = Recording("unshare", "--mount", "sh", "-c", script, "sh")
    names = {lock["name"] for lock in recording.locks if lock["kind"] == "file"}
    assert names == {os.path.join(place, name) for name in FILES}, names


def test_perf():
    """Without BPF programs, the arguments of system calls have addresses and operations, and
    tracepoints show the locks of files."""
    for _ in range(8):
        recording = Recording(collector=("perf", "--option", "syscalls=true"))
        files = [lock for lock in recording.locks if lock["kind"] == "file"]
        if recording.has_all and recording.is_reported \
                and not any(lock["uncertain_waits"] or lock["ended_by_unknown"] for lock in files):
            break
    else:
        raise tap.Skip("events are missing in each recording: this machine is too busy")
    convoy, idler, objects = (recording.find(name) for name in ("convoy", "idler", "object"))
    assert convoy["group"] == "lock" and convoy["holders"] == ["convoy"], convoy
    assert idler["group"] == "condition" and idler["holders"] is None, idler
    assert_idle(recording, idler)
    assert objects["group"] == "lock" and objects["n_members"] > 3, objects
    join, = [group for group in recording.report["summary"]["groups"] if group["group"] == "join"]
    assert_close(join["wait_ns"], recording.joined)
    check_files(recording)


if __name__ == "__main__":
    sys.exit(tap.main([test_lock, test_condition, test_timeouts, test_class, test_semaphore,
                       test_joins, test_files, test_ranks,
                       test_text_export, test_paths, test_perf]))
