#!/usr/bin/env python3
"""Locks without a name are named by their creating function.

The program is tests/fixtures/waits/known-locks.c: threads wait for one of two locks of the heap.
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
import shapes  # noqa: E402
import tap  # noqa: E402

BUSY = r"heap 0x[0-9a-f]+ from make_busy_table"


def get_recording():
    return recorded_locks.get("known-locks", refused="Where locks are made was not recorded")


def test_created():
    """Each of the two locks is recorded once, with its size and the caller of the library
    function."""
    lines = get_recording().marks("lock_created")
    makers = {frame: [line for line in lines if f";{frame}@known-locks;" in line["stack"]] for frame in ("make_busy_table", "make_idle_table")}
    assert all(len(made) == 1 for made in makers.values()), lines
    places = {made[0]["text"] for made in makers.values()}
    assert len(places) == 2 and all(re.fullmatch(r"lock_created=0x[0-9a-f]+\+40", place) for place in places), places


def test_name():
    recording = get_recording()
    summary = recording.locks(recording.session)
    named = [lock for lock in summary["locks"] if lock["made_by"] is not None]
    assert [lock["made_by"] for lock in named] == ["make_busy_table"], summary
    assert re.fullmatch(BUSY, named[0]["name"]) and named[0] == summary["locks"][0], summary
    assert summary["without_maker"] == 0, summary


def test_agreement():
    get_recording().assert_agreement()


def test_what_if():
    """The wait graph's edge has the name, which selects the lock for What-if whatever its
    address."""
    report = json.loads(check("analyze", get_recording().session, "--analysis", "wait-graph", "--process", "known-locks",
                              "--option", "what-if=lock:heap * from make_busy_table=free", "--format", "json"))
    assert any(re.fullmatch(BUSY, edge["lock"] or "") for edge in report["summary"]["edges"]), report["summary"]["edges"]
    refused = tap.cli("analyze", get_recording().session, "--analysis", "wait-graph", "--option", "what-if=lock:heap * from make_idle_table=free")
    assert refused.returncode == 2 and "from make_busy_table" in refused.stderr, refused.stderr


def test_holders():
    """The lock's edge lists the threads that released it; a wait for the end of threads has no
    lock."""
    report = json.loads(check("analyze", get_recording().session, "--analysis", "wait-graph", "--process", "known-locks", "--format", "json"))
    shapes.check_wait_graph(report)
    edges = report["summary"]["edges"]
    held = [edge for edge in edges if re.fullmatch(BUSY, edge["lock"] or "")]
    threads = {holder["id"] for edge in held for holder in edge["holders"]}
    assert len(threads) > 1 and all(holder["name"] == "known-locks" for edge in held for holder in edge["holders"]), held
    members = {vertex["id"]: vertex["members"] for vertex in report["summary"]["vertices"]}
    assert all(holder["id"] in members[edge["to"]] for edge in held for holder in edge["holders"]), (held, members)
    ends = [edge for edge in edges if re.fullmatch(r"end of (known-locks \(\d+\)|\d+ threads)", edge["lock"] or "")]
    assert ends and all(edge["longest_ns"] > 0 for edge in ends), edges
    ours = {vertex["id"] for vertex in report["summary"]["vertices"] if not vertex["outside"]}
    assert all(edge["lock"] is None or edge in held + ends for edge in edges if edge["from"] in ours), edges


def test_switched_off():
    """Without creation records the lock is named by its waiters, and no creator counts as
    missing."""
    recording = get_recording()
    without = os.path.join(recording.folder.name, "without.tailback")
    done = recording.record(without, "--option", "locks=no")
    assert done.returncode == 0, done.stderr
    assert json.loads(check("info", without, "--json"))["events"].get("mark", 0) == 0
    summary = recording.locks(without)
    assert re.fullmatch(r"heap 0x[0-9a-f]+ \(\w+\)", summary["locks"][0]["name"]), summary
    assert summary["without_maker"] == 0, summary


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

    def make(self, time, pid, place, *functions, kind="lock_created"):
        stack = ";".join(f"{function}@{'libc.so.6' if 'mtx' in function else 'app'}" for function in ("main", *functions))
        self.add_event(time, pid, "mark", tid=pid, text=f"{kind}={place}", stack=stack + ";pthread_mutex_init@libc.so.6")

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


def test_origins():
    """A lock is named by the creator of the object at its address at the time of the wait, in this
    process."""
    writer = EventWriter()
    writer.begin(1, 10, 11, 12, 13, 15, 16, 17, 18, 19)
    writer.make(100, 10, "0x1000+40", "make_a")
    writer.wait(200, 10, 0x1008)  # another word of it
    writer.make(100, 11, "0x2000+40", "make_b")
    writer.make(150, 11, "0x2000+40", "drop_b", kind="lock_destroyed")
    writer.wait(200, 11, 0x2000)  # the object there now has no creator
    writer.make(100, 12, "0x3000+40", "make_c")
    writer.wait(200, 12, 0x3000)
    writer.make(300, 12, "0x3000+40", "make_d")
    writer.wait(400, 12, 0x3000)  # another lock
    writer.make(100, 13, "0x4000+40", "make_e")
    writer.add_event(150, 13, "fork", waker=13, wakee=14)
    writer.add_event(151, 14, "name", tid=14, waker=14, text="app14")
    writer.make(180, 13, "0x4100+40", "make_late")
    writer.wait(200, 14, 0x4000)  # created by the parent
    writer.wait(300, 14, 0x4100)  # created by the parent for itself
    writer.make(100, 15, "0x5000+40", "make_f")
    writer.add_event(150, 15, "exec", tid=15, text="/bin/app")
    writer.wait(200, 15, 0x5000)  # a lock of another program
    writer.wait(200, 16, 0x6000)
    writer.make(300, 16, "0x6000+40", "make_g")  # created after the wait
    writer.make(100, 17, "0x7000+40", "make_h", "mtx_init")
    # called by the former: without frames the creator is missing
    writer.make(101, 17, "0x7000+40", "mtx_init")
    writer.wait(200, 17, 0x7000)
    writer.make(100, 18, "0x8000+40", "make_i")
    writer.wait(200, 18, 0x8028)  # beyond its end
    for place in ("", "8000", "0x", "0x8028+", "0x8028+0", "0x8028+-1", "0x8028x"):
        writer.make(150, 18, place, "make_nonsense")
    writer.make(100, 19, "0x9000+64", "make_large")
    writer.make(150, 19, "0x9010+4", "make_small")
    writer.wait(200, 19, 0x9010)
    writer.wait(300, 19, 0x9020)
    expected = {(10, "heap 0x1008 from make_a"), (11, "heap 0x2000 (use)"), (12, "heap 0x3000 from make_c"), (12, "heap 0x3000 from make_d"),
                (14, "heap 0x4000 from make_e"), (14, "heap 0x4100 (use)"), (15, "heap 0x5000 (use)"), (16, "heap 0x6000 (use)"),
                (17, "heap 0x7000 from make_h"), (18, "heap 0x8028 (use)"), (19, "heap 0x9010 from make_small"), (19, "heap 0x9020 from make_large")}
    with tempfile.TemporaryDirectory() as folder:
        events, session = os.path.join(folder, "events.csv"), os.path.join(folder, "origins.tailback")
        writer.write(events)
        check("import", events, "-o", session)
        summary = json.loads(check("analyze", session, "--analysis", "locks", "--format", "json"))["summary"]
        found = {(lock["pid"], lock["name"]) for lock in summary["locks"]}
        assert found == expected, (found - expected, expected - found)
        assert summary["without_maker"] == sum(name.endswith("(use)") for _, name in expected), summary["without_maker"]
        assert "The functions that made 5 locks" in check("analyze", session, "--analysis", "locks")
        # An export is imported unchanged, and these marks are not the program's annotations.
        check("export", session, "--exporter", "events-csv", "-o", events + ".again")
        check("import", events + ".again", "-o", session + ".again")
        again = json.loads(check("analyze", session + ".again", "--analysis", "locks", "--format", "json"))["summary"]
        assert {(lock["pid"], lock["name"]) for lock in again["locks"]} == expected, again
        assert "lock_created" not in check("analyze", session, "--analysis", "threads", "--format", "json")


if __name__ == "__main__":
    sys.exit(tap.main([test_origins, test_created, test_name, test_agreement, test_what_if, test_holders,
                       test_switched_off]))
