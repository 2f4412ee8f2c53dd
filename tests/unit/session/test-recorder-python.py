#!/usr/bin/env python3
# test-recorder-python.py: test of recording from Python: a function for each kind of event, columns
# of events, columns as memory without a copy
#
# SPDX-License-Identifier: LGPL-2.1-or-later

import array
import os
import sys
import tempfile

import gi
import gi.overrides

sys.path.insert(0, os.path.join(os.environ["TAILBACK_SOURCE"], "tests/cli"))
import tap  # noqa: E402

gi.overrides.__path__.append(os.path.join(os.environ["TAILBACK_SOURCE"],
                                          "app/extend/python/overrides"))
gi.require_version("Tailback", "1")
from gi.repository import Gio, GLib, Tailback  # noqa: E402

T = Tailback
N = 100000


def record(function):
    """The session that a function records."""
    with tempfile.TemporaryDirectory() as folder:
        file = Gio.File.new_for_path(os.path.join(folder, "a.tailback"))
        recorder = T.Recorder.new(file, True)
        recorder.add_host("host", None, None, 2, 0)
        function(recorder)
        recorder.finish()
        session = T.Session.open(file, None)
        session.keep_in_memory()
        trace = T.Trace.new(session, None, None, None)
        return session, trace


def read(trace, table, columns):
    """The rows of a table, with the named columns."""
    kind = getattr(T.TableKind, table)
    numbers = getattr(T, "".join(word.title() for word in table.split("_")) + "Column")
    return list(zip(*(trace.read_view(kind, getattr(numbers, column))
                      for column in columns.split())))


def add_all_kinds(recorder):
    """One event of each kind, with numbers of its own."""
    kinds = T.InterruptKind
    frame = recorder.intern_named_frame("main", "program", False)
    stack = recorder.intern_stack([frame], [0])
    disk = recorder.intern_device(0, "sda", "disk", "8:0")
    module = recorder.intern_module(T.ModuleKind.FILE, "/bin/program", "12ab", -1)
    recorder.add_existing(1, 10, 10, 1, "old")
    recorder.add_command(1, 10, "old --option")
    recorder.add_mapping(1, 10, 0x1000, 0x2000, 0, module)
    recorder.add_process_name(2, 10, "process")
    recorder.add_name(3, 10, 10, "thread")
    recorder.add_switch(10, 0, 0, -1, "R", 10, 10, 0)
    recorder.add_fork(11, 0, 10, 10, 11, 11, stack)
    recorder.add_exec(12, 0, 11, 11, "/bin/new", 0, 0)
    recorder.add_sample(13, 0, 10, 10, 1000, stack)
    recorder.choose_chain([0x1010, 0x1020])
    recorder.add_sample(14, 0, 10, 10, 1001, 0)
    recorder.add_counter(15, 0, 10, 10, T.CounterKind.EVENTS, "misses", 7, stack)
    recorder.add_interrupt_entry(16, 0, 5, kinds.HARD, "timer", disk)
    recorder.add_wakeup(17, 0, -1, -1, 11, 0, 0)
    recorder.add_interrupt_exit(18, 0, 5, kinds.HARD)
    recorder.add_softirq_entry(19, 0, T.SoftirqVector.BLOCK)
    recorder.add_softirq_exit(20, 0, T.SoftirqVector.BLOCK)
    recorder.add_block_insert(21, 0, 10, 10, disk, 77, 4096, "R", "/file", stack)
    recorder.add_block_issue(22, 0, 10, 10, disk, 77, 4096, "R", "/file", stack)
    recorder.add_block_complete(23, 0, 10, 10, disk, 77, 4096, "R", "/file", 0)
    recorder.add_network(24, 0, T.NetworkEvent.RECEIVE, 10, 10, 99, 512, "tcp", "a:1", "b:2", 0)
    recorder.add_syscall_enter(25, 0, 10, 10, "read", [3, 4, 5], stack)
    recorder.add_syscall_exit(26, 0, 10, 10, "read", -9)
    recorder.add_whole_syscall(28, 27, 0, 10, 10, "write", [1, 2, 3, 4, 5, 6], 6, stack)
    recorder.add_call(29, 0, 10, 10, "work", 0x1234, stack)
    recorder.add_return(30, 0, 10, 10, "work")
    recorder.add_spin_begin(31, 0, 10, 10, "lock", stack)
    recorder.add_spin_end(32, 0, 10, 10, "lock", 11, stack)
    recorder.add_false_wakeup(33, 0, 10, 10, stack)
    recorder.add_mark(34, 0, 10, 10, "phase", "two", stack)
    recorder.add_lost(35, 36, 1, 5)
    recorder.add_file_lock(37, 10, 10, T.FileLockCall.FCNTL, T.FileLockMode.EXCLUSIVE,
                           T.FileLockResult.WAITS, "/lock", 8, 0, 9)
    recorder.add_sleep(40, 10, 10, T.SleepKind.PIPE, "read", "pipe:[1]", 3, -1)
    recorder.add_switch(40, 0, 10, 10, "S", 11, 11, stack)
    recorder.add_exit(41, 0, 11, 11, 0)
    recorder.add_switch(41, 0, 11, 11, "X", 0, 0, 0)
    recorder.add_warning("of the importer")


def check_scheduling(trace, ten, eleven):
    assert read(trace, "SWITCH", "TIME PREV NEXT PREV_STATE") == [
        (10, 0, ten, ord("R")), (40, ten, eleven, ord("S")), (41, eleven, 0, ord("X"))]
    assert read(trace, "WAKEUP", "TIME WAKER WAKEE FLAGS") == [
        (17, ten, eleven, int(T.WakeupFlags.HARDIRQ))]
    assert [time for time, in read(trace, "PROCESS", "TIME")] == [1, 3, 11, 12, 41]
    rows = read(trace, "SAMPLE", "TIME THREAD WEIGHT STACK")
    assert [row[:3] for row in rows] == [(13, ten, 1000), (14, ten, 1001)], rows
    assert rows[0][3] and rows[1][3] and rows[0][3] != rows[1][3]
    assert read(trace, "LOST", "FROM TO CPU COUNT") == [(35, 36, 1, 5)]


def check_devices(trace, name):
    assert read(trace, "COUNTER", "TIME NAME WEIGHT") == [(15, name("misses"), 7)]
    assert read(trace, "INTERRUPT", "ENTER EXIT KIND VECTOR") == [(16, 18, 0, 5), (19, 20, 1, 4)]
    assert read(trace, "BLOCK", "INSERT ISSUE COMPLETE SECTOR BYTES FILE") == [
        (21, 22, 23, 77, 4096, name("/file"))]
    assert read(trace, "NETWORK", "TIME KIND SOCKET LOCAL REMOTE BYTES") == [
        (24, 1, 99, name("a:1"), name("b:2"), 512)]


def check_calls(trace, name, eleven):
    assert read(trace, "SYSCALL", "ENTER EXIT NUMBER ARG0 ARG2 ARG5 RESULT") == [
        (25, 26, name("read"), 3, 5, 0, -9), (27, 28, name("write"), 1, 3, 6, 6)]
    assert read(trace, "CALL", "ENTER EXIT FUNCTION SITE") == [(29, 30, name("work"), 0x1234)]
    assert read(trace, "MARK", "TIME KIND RELEASER NAME VALUE") == [
        (31, 1, T.ID_NONE, 0, name("lock")), (32, 2, eleven, 0, name("lock")),
        (33, 3, T.ID_NONE, 0, 0), (34, 0, T.ID_NONE, name("phase"), name("two"))]
    assert read(trace, "FILE_LOCK", "TIME CALL MODE RESULT FILE OWNER TO") == [
        (37, 1, 1, 2, name("/lock"), 8, 9)]
    assert read(trace, "SLEEP", "TIME KIND CALL OBJECT TIMEOUT") == [
        (40, int(T.SleepKind.PIPE), name("read"), name("pipe:[1]"), -1)]


def test_typed_rows():
    session, trace = record(add_all_kinds)
    tids = {thread.tid: thread.id for thread in session.get_threads()}

    def name(text):
        return next(i for i in range(100) if session.get_string(i) == text)

    check_scheduling(trace, tids[10], tids[11])
    check_devices(trace, name)
    check_calls(trace, name, tids[11])
    process = session.get_processes()[session.get_threads()[tids[10]].process]
    assert (process.name, process.command) == ("process", "old --option")
    assert "of the importer" in session.get_warnings(), session.get_warnings()


def test_every_kind_has_a_function():
    """A new kind of event needs one, too."""
    by_name = {
        "irq_entry": "interrupt_entry", "irq_exit": "interrupt_exit", "io_insert": "block_insert",
        "io_issue": "block_issue", "io_complete": "block_complete", "sys_enter": "syscall_enter",
        "sys_exit": "syscall_exit", "net_send": "network", "net_receive": "network",
        "net_connect": "network", "net_accept": "network",
    }
    kinds = [T.EventKind(i).value_nick.replace("-", "_") for i in range(T.N_EVENT_KINDS)]
    assert len(kinds) >= 35, kinds
    for kind in kinds:
        name = "add_" + by_name.get(kind, kind)
        assert hasattr(T.Recorder, name), name


def make_columns():
    return {
        "time": array.array("q", range(1000, 1000 + N)),
        "tid": array.array("i", (i % 5 * 10 for i in range(N))),
        "a": array.array("Q", ((i + 1) % 5 * 10 for i in range(N))),
        "code": array.array("B", b"S" * N),
    }


def test_columns():
    def add(recorder):
        recorder.add_rows(T.EventKind.SWITCH, cpu=1, **make_columns())

    session, trace = record(add)
    column = T.SwitchColumn
    table, threads = T.TableKind.SWITCH, session.get_threads()
    assert trace.read_view(table, column.TIME).tolist() == list(range(1000, 1000 + N))
    assert set(trace.read_view(table, column.CPU)) == {1}
    tids = [thread.tid for thread in threads]
    found = [tids[thread] for thread in trace.read_view(table, column.NEXT)]
    assert found == list(make_columns()["a"])


def test_wrong_columns():
    def add(recorder):
        columns = make_columns()
        for wrong, error in (({"tid": array.array("q", [1] * N)}, TypeError),
                             ({"tid": array.array("i", [1])}, GLib.Error), ({"kind": 99}, None)):
            try:
                recorder.add_rows(T.EventKind.SWITCH, **dict(columns, **wrong))
                assert error is None
            except (TypeError, GLib.Error) as found:
                assert error is not None and isinstance(found, error), found
        assert recorder.get_statistics().mismatched >= 0
        for kind, wrong, error, part in (
                (T.EventKind.WHOLE_SYSCALL, {}, GLib.Error, "need the column “b”"),
                (T.EventKind.SAMPLE, {"chains": chains([7], [2])}, GLib.Error, "call chains"),
                (T.EventKind.SAMPLE, {"chains": chains([7] * 3, [1])}, GLib.Error, "call chains"),
                (T.EventKind.SAMPLE, {"chains": chains([7] * 3, [2, 1])}, GLib.Error, "chains"),
                (T.EventKind.SAMPLE, {"chains": chains([7] * 5000, [5000])}, GLib.Error, "4096"),
                (T.EventKind.SAMPLE, {"chains": [array.array("Q")]}, ValueError, ""),
                (T.EventKind.SAMPLE, {"chains": [array.array("H")] * 2}, TypeError, "addresses")):
            try:
                recorder.add_rows(kind, time=array.array("q", [5]), **wrong)
                raise AssertionError(kind)
            except error as found:
                assert part in str(found), found

    record(add)


def chains(addresses, lengths):
    return array.array("Q", addresses), array.array("H", lengths)


def test_columns_with_arguments():
    """System calls of all three kinds, some with arguments and some without, and call chains."""
    kind = T.EventKind

    def add(recorder):
        text = recorder.intern_string("read", -1)
        module = recorder.intern_module(T.ModuleKind.FILE, "/bin/program", "12ab", -1)
        recorder.add_mapping(1, 10, 0x1000, 0x2000, 0, module)
        times = array.array("q", [10, 30])
        recorder.add_rows(kind.SYS_ENTER, time=times, tid=10, pid=10, text=text,
                          arg0=array.array("Q", [3, 4]), arg5=9,
                          chains=chains([0x1010, 0x1020, 0x1030], [3, 0]))
        recorder.add_rows(kind.SYS_EXIT, time=array.array("q", [20, 40]), tid=10, pid=10, text=text,
                          a=array.array("Q", [5, 2**64 - 9]))
        recorder.add_rows(kind.WHOLE_SYSCALL, time=array.array("q", [60, 80]), tid=10, pid=10,
                          text=text, b=array.array("Q", [50, 70]), a=7, arg1=8)
        recorder.add_rows(kind.SYS_ENTER, time=array.array("q", [90]), tid=10, pid=10, text=text)

    _, trace = record(add)
    rows = read(trace, "SYSCALL", "ENTER EXIT ARG0 ARG1 ARG5 RESULT")
    assert rows == [(10, 20, 3, 0, 9, 5), (30, 40, 4, 0, 9, -9), (50, 60, 0, 8, 0, 7),
                    (70, 80, 0, 8, 0, 7), (90, -1, 0, 0, 0, -2**63)], rows
    stacks = [stack for stack, in read(trace, "SYSCALL", "STACK")]
    assert stacks[0] != 0 and stacks[1:] == [0] * 4, stacks
    depth, frame = 0, stacks[0]
    while frame != 0:  # the chain is a stack of three frames
        depth, frame = depth + 1, trace.read_view(T.TableKind.STACK, T.StackColumn.PARENT)[frame]
    assert depth == 3, depth


def make_event(kind, time, **fields):
    event = T.Event()
    event.kind, event.time, event.tid, event.pid = int(kind), time, 10, 10
    for name, value in fields.items():
        setattr(event, name, value)
    return event


def test_events():
    """Any event of C can be added: its fields are set, its arrays are given beside it."""
    def add(recorder):
        text = recorder.intern_string("read", -1)
        kind = T.EventKind
        recorder.add(make_event(kind.SYS_ENTER, 10, text=text), args=[1, 2])
        recorder.add(make_event(kind.SYS_EXIT, 20, text=text, a=3), chain=[])
        recorder.add(make_event(kind.WHOLE_SYSCALL, 40, text=text), args=[1, 2, 3, 4, 5, 6, 30, 8])
        recorder.add(make_event(kind.SAMPLE, 50, a=1), chain=[0x1010, 0x1020])
        recorder.add(make_event(kind.SLEEP, 60, code=int(T.SleepKind.LOCK), text=text, c=77,
                                module=T.ID_NONE, b=2**64 - 1, device=2))
        recorder.add(make_event(kind.SWITCH, 60, a=0, code=ord("S")))
        recorder.add(make_event(kind.IRQ_EXIT, 70, a=5, b=65, cpu=1, device=T.ID_NONE))
        recorder.advance(75)
        assert recorder.get_statistics().mismatched == 0
        recorder.add(make_event(kind.WHOLE_SYSCALL, 80, text=text), args=[1, 2])  # has no times
        recorder.advance(90)
        assert recorder.get_statistics().mismatched == 1

    _, trace = record(add)
    assert read(trace, "SYSCALL", "ENTER EXIT ARG0 ARG1 ARG5 RESULT") == [
        (10, 20, 1, 2, 0, 3), (30, 40, 1, 2, 6, 8)]
    assert [stack for stack, in read(trace, "SAMPLE", "STACK")] != [0]
    assert read(trace, "SLEEP", "TIME KIND OFFSET OPERATION TIMEOUT") == [
        (60, int(T.SleepKind.LOCK), 77, 2, -1)]
    assert read(trace, "INTERRUPT", "ENTER EXIT VECTOR") == [(65, 70, 5)]


def test_views():
    """A view of bytes is the memory itself, and keeps it."""
    data = GLib.Bytes.new(array.array("q", [1, -2, 3]).tobytes())
    address, size = T.bytes_get_address(data)
    seen = T.view(data, "q")
    assert size == 24 and seen.tolist() == [1, -2, 3] and seen.readonly
    first = T.bytes_get_address(seen.obj.owner)[0]
    assert first == address
    del data
    assert seen.tolist() == [1, -2, 3]
    assert T.view(GLib.Bytes.new(b""), "I").tolist() == []


def test_numpy():
    """Columns come to numpy without a copy."""
    try:
        import numpy
    except ImportError:
        raise tap.Skip("numpy is not installed") from None

    def add(recorder):
        columns = {name: numpy.frombuffer(column, dtype=column.typecode)
                   for name, column in make_columns().items()}
        recorder.add_rows(T.EventKind.SWITCH, cpu=1, **columns)

    _, trace = record(add)
    column = trace.read_column(T.TableKind.SWITCH, T.SwitchColumn.TIME)
    times = numpy.frombuffer(T.view(column), dtype="int64")
    assert times.ctypes.data == T.bytes_get_address(column)[0]
    assert times.sum() == sum(range(1000, 1000 + N)) and not times.flags.owndata
    states = numpy.asarray(trace.get_interval_view(T.IntervalColumn.STATE))
    assert states.dtype == numpy.uint8 and len(states) > 0 and not states.flags.owndata


if __name__ == "__main__":
    sys.exit(tap.main([test_typed_rows, test_every_kind_has_a_function, test_columns,
                       test_wrong_columns, test_columns_with_arguments, test_events, test_views,
                       test_numpy]))
