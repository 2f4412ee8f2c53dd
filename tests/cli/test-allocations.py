#!/usr/bin/env python3
"""Locks without a creating function are named by the function that allocated their memory.

The program is tests/fixtures/waits/known-blocks.c: threads wait in one function for locks of
several others.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import recorded_locks  # noqa: E402
from recorded_locks import check  # noqa: E402
import tap  # noqa: E402

# The C library may lack frame pointers.
WAITERS = r"\((use_table|run)\)$"
MAKERS = ("red", "blue", "array", "new", "large", "early", "late")


def get_recording():
    return recorded_locks.get("known-blocks", "--option", "lock-allocations=yes", refused="Where locks are allocated was not recorded")


def get_tables(summary):
    """Return the program's own locks by their allocating function, without those of the C
    library."""
    return {lock["made_by"]: lock for lock in summary["locks"] if (lock["made_by"] or "").startswith("make_")}


def test_names():
    """Each lock is named by its own function, though all waits are in the same one."""
    recording = get_recording()
    summary = recording.locks(recording.session)
    tables = get_tables(summary)
    assert set(tables) == {"make_" + maker for maker in MAKERS}, summary
    for maker, lock in tables.items():
        assert re.fullmatch(rf"\S* ?0x[0-9a-f]+ from {maker}", lock["name"]), lock
    assert not any(re.search(WAITERS, lock["name"]) for lock in summary["locks"]), summary


def test_reused():
    """A lock in memory that was freed and allocated by another function is another lock, at the
    same address."""
    recording = get_recording()
    assert "same" in recording.output, recording.output
    tables = get_tables(recording.locks(recording.session))
    addresses = [re.search("0x[0-9a-f]+", tables[maker]["name"])[0] for maker in ("make_early", "make_late")]
    assert addresses[0] == addresses[1], addresses
    early = [int(line["time_ns"]) for line in recording.marks("lock_allocated") if f"={addresses[0]}@" in line["text"]]
    freed = [int(line["time_ns"]) for line in recording.marks("lock_freed")]
    assert len(early) >= 2 and any(early[0] < time < early[-1] for time in freed), (early, freed)


def test_agreement():
    get_recording().assert_agreement()


def test_what_if():
    """The wait graph's edge has the name, which selects the lock for What-if whatever its
    address."""
    recording = get_recording()
    red = os.path.join(recording.folder.name, "red.tailback")
    done = recording.record(red, "--option", "lock-allocations=yes", words=("red",))
    assert done.returncode == 0, done.stderr
    report = json.loads(check("analyze", red, "--analysis", "wait-graph", "--process", "known-blocks",
                              "--option", "what-if=lock:heap * from make_red=free", "--format", "json"))
    assert any(re.fullmatch(r"heap 0x[0-9a-f]+ from make_red", edge["lock"] or "") for edge in report["summary"]["edges"]), report["summary"]
    refused = tap.cli("analyze", red, "--analysis", "wait-graph", "--option", "what-if=lock:heap * from make_blue=free")
    assert refused.returncode == 2 and "from make_red" in refused.stderr, refused.stderr


def test_without_allocations():
    """By default no allocations are recorded, and locks are named by their waiters. Those of one
    place in the code are members of one row."""
    recording = get_recording()
    without = os.path.join(recording.folder.name, "without.tailback")
    done = recording.record(without)
    assert done.returncode == 0, done.stderr
    summary = recording.locks(without)
    names = [part["name"] for lock in summary["locks"] for part in lock["members"] or [lock]]
    assert not get_tables(summary) and any(re.search(WAITERS, name) for name in names), summary


class EventWriter:
    """Write events of synthetic processes with one thread each; PID, TID and CPU are the same
    number."""

    COLUMNS = ("prev", "prev_state", "next", "waker", "wakee", "vec", "tid", "dev", "bytes", "text", "stack", "sector", "socket")

    def __init__(self):
        self.lines = []

    def add_event(self, time, cpu, kind, **cells):
        self.lines.append((time, ",".join([str(time), str(cpu), kind] + [str(cells.get(name, "")) for name in self.COLUMNS])))

    def begin(self, *pids):
        for pid in pids:
            self.add_event(0, pid, "name", tid=pid, waker=pid, text=f"app{pid}")

    def mark(self, time, pid, text, function=None, last="malloc"):
        self.add_event(time, pid, "mark", tid=pid, text=text, stack=f"main@app;{function}@app;{last}@libc.so.6" if function else "")

    def wait(self, time, pid, address):
        self.add_event(time - 5, pid, "switch", prev=0, prev_state="R", next=pid)
        self.add_event(time, pid, "sleep", tid=pid, prev_state="lock", dev="[heap]", bytes=-1, text="futex", sector=address)
        self.add_event(time, pid, "switch", prev=pid, prev_state="S", next=0, stack="main@app;use@app;pthread_mutex_lock@libc.so.6")
        self.add_event(time + 5, 0, "wakeup", waker=1, wakee=pid)
        self.add_event(time + 6, pid, "switch", prev=0, prev_state="R", next=pid)
        self.add_event(time + 7, pid, "switch", prev=pid, prev_state="S", next=0)

    def write(self, path):
        with open(path, "w", encoding="utf-8") as file:
            print("time_ns", "cpu", "kind", *self.COLUMNS, sep=",", file=file)
            for _, line in sorted(self.lines, key=lambda line: line[0]):
                print(line, file=file)


def test_synthetic_events():
    """The last allocation at a lock's address before the wait names it, in this process and
    program; or a later creation of a lock."""
    writer = EventWriter()
    writer.begin(1, 10, 11, 12, 13, 14, 16, 17, 18, 19)
    writer.wait(200, 10, 0x1008)
    writer.mark(201, 10, "lock_allocated=0x1008@0x1000-101", "make_a")
    writer.wait(300, 10, 0x1010)  # another word of it, without an allocation record
    writer.wait(200, 11, 0x2000)
    writer.mark(200, 11, "lock_allocated=0x2000@0x2000-100", "make_b")
    writer.mark(250, 11, "lock_freed=0x2000")
    writer.wait(300, 11, 0x2000)  # the contents at that time are unknown
    writer.wait(500, 11, 0x2000)
    writer.mark(500, 11, "lock_allocated=0x2000@0x1ff0-100", "make_c")  # another block over it
    writer.mark(100, 12, "lock_created=0x3000+40", "make_d", "pthread_mutex_init")
    writer.wait(200, 12, 0x3000)
    # before the lock was created
    writer.mark(200, 12, "lock_allocated=0x3000@0x3000-150", "allocate_d")
    writer.mark(100, 13, "lock_created=0x4000+40", "make_e", "pthread_mutex_init")
    writer.wait(200, 13, 0x4000)
    # after it, which replaces the lock
    writer.mark(200, 13, "lock_allocated=0x4000@0x4000-50", "make_f")
    writer.mark(100, 14, "lock_created=0x5000+40", "make_g", "pthread_mutex_init")
    writer.wait(150, 14, 0x5000)
    writer.mark(150, 14, "lock_allocated=0x5000@0x5000-60", "allocate_g")
    writer.mark(170, 14, "lock_freed=0x5000")
    writer.wait(200, 14, 0x5000)
    writer.wait(110, 16, 0x6000)
    writer.mark(110, 16, "lock_allocated=0x6000@0x6000-10", "make_h")
    writer.add_event(150, 16, "exec", tid=16, text="/bin/app")
    writer.wait(200, 16, 0x6000)  # a lock of another program
    writer.wait(110, 17, 0x7000)
    writer.mark(110, 17, "lock_allocated=0x7000@0x7000-10", "make_i")
    writer.add_event(150, 17, "fork", waker=17, wakee=15)
    writer.add_event(151, 15, "name", tid=15, waker=15, text="app15")
    writer.wait(200, 15, 0x7000)  # unknown whether the child still has it
    for i, text in enumerate(("", "0x", "0x8000", "0x8000@", "0x8000@0x", "0x8000@0x8000", "0x8000@0x8000-", "0x8000@0x8000--1",
                              "0x8000@0x8000+1", "0x8000@0x8000-99999999999999999999", "8000@8000-1")):
        writer.mark(100 + i, 18, "lock_allocated=" + text, "make_nonsense")
    writer.wait(200, 18, 0x8000)
    writer.wait(200, 19, 0x9000)
    writer.mark(200, 19, "lock_allocated=0x9000@0x9000-100", "make_j")
    writer.mark(260, 19, "lock_destroyed=0x9000+40")
    writer.wait(300, 19, 0x9000)  # the memory allocated before
    expected = {(10, "heap 0x1008 from make_a"), (10, "heap 0x1010 (use)"), (11, "heap 0x2000 from make_b"), (11, "heap 0x2000 (use)"),
                (11, "heap 0x2000 from make_c"), (12, "heap 0x3000 from make_d"), (13, "heap 0x4000 from make_f"),
                (14, "heap 0x5000 from make_g"), (14, "heap 0x5000 (use)"), (15, "heap 0x7000 (use)"), (16, "heap 0x6000 from make_h"),
                (16, "heap 0x6000 (use)"), (17, "heap 0x7000 from make_i"), (18, "heap 0x8000 (use)"), (19, "heap 0x9000 from make_j")}
    with tempfile.TemporaryDirectory() as folder:
        events, session = os.path.join(folder, "events.csv"), os.path.join(folder, "allocations.tailback")
        writer.write(events)
        check("import", events, "-o", session)
        summary = json.loads(check("analyze", session, "--analysis", "locks", "--format", "json"))["summary"]
        found = {(lock["pid"], lock["name"]) for lock in summary["locks"]}
        assert found == expected, (found - expected, expected - found)
        assert summary["without_maker"] == sum(name.endswith("(use)") for _, name in expected), summary["without_maker"]
        assert "lock_allocated" not in check("analyze", session, "--analysis", "threads", "--format", "json")


if __name__ == "__main__":
    sys.exit(tap.main([test_synthetic_events, test_names, test_reused, test_agreement, test_what_if, test_without_allocations]))
