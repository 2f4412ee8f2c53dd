#!/usr/bin/env python3
"""Names of code of just-in-time compilers, by the dump files that they write, and by time."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import struct
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import perf_writer  # noqa: E402
import tap  # noqa: E402
from named_programs import ELSEWHERE, Folder  # noqa: E402

PID = 4194302  # probably no process
CODE = 0x7000_0000_0000
AREA = perf_writer.Mapping("//anon", CODE, 0x10000, 0)


def look(path):
    """Return the samples of each function, and what info has of the names, by module."""
    done = tap.cli("analyze", path, "--analysis", "calling-contexts", "--format", "json")
    assert done.returncode == 0, done
    functions = {entry["function"]: entry["own_ns"] // perf_writer.PERIOD
                 for entry in json.loads(done.stdout)["summary"]["functions_top"]}
    info = tap.cli("info", path, "--json")
    assert info.returncode == 0, info
    return functions, {os.path.basename(entry["module"]): entry
                       for entry in json.loads(info.stdout)["symbols"]}


def make_dump(pid, functions, flags=0):
    """A file that just-in-time compilers write: addresses, sizes, names and times of functions."""
    data = struct.pack("<IIIIIIQQ", 0x4A695444, 1, 40, 62, 0, pid, 0, flags)
    for index, (address, size, name, time) in enumerate(functions):
        body = struct.pack("<IIQQQQ", pid, pid, address, address, size, index)
        body += name.encode() + b"\0" + bytes(size)
        data += struct.pack("<IIQ", 0, 16 + len(body), time) + body
    body = struct.pack("<IIQQQQQ", pid, pid, 0, functions[0][0], 0x7000_0000_8000, 0x100, 0)
    return data + struct.pack("<IIQ", 1, 16 + len(body), 0) + body + b"cut"


def test_jit_dump():
    """The dump of a just-in-time compiler, which the process has mapped."""
    pid = PID
    with Folder() as folder:
        dump = folder.get(f"jit-{pid}.dump")
        with open(dump, "wb") as file:
            file.write(make_dump(pid, [(0x7000_0000_0000, 0x100, "JIT:first", 0),
                                       (0x7000_0000_1000, 0x100, "JIT:second", 0)]))
        mark = perf_writer.Mapping(dump, 0x6000_0000_0000, 4096, 0, device=os.stat(dump).st_dev,
                                   inode=os.stat(dump).st_ino)
        code = perf_writer.Mapping("//anon", 0x7000_0000_0000, 0x10000, 0)
        path = folder.get("test.data")
        addresses = [0x7000_0000_0010, 0x7000_0000_1010, 0x7000_0000_2010, 0x7000_0000_8010]
        perf_writer.write(path, pid, [mark, code], addresses)
        functions, symbols = look(path)
        assert {"JIT:first", "JIT:second"} <= set(functions), functions
        symbols = symbols["[anonymous]"]
        assert symbols["unnamed"] == 1 and symbols["reused_addresses"] == 0, symbols
        perf_writer.write(path, pid, [mark, code], addresses, host=ELSEWHERE)
        functions, symbols = look(path)
        symbols = symbols["[anonymous]"]
        assert symbols["unnamed"] == 4 and symbols["reason"] == "other-boot", symbols


# Samples are taken at START + 2000, 3000, …
REUSED = [(CODE, 0x100, "JIT:before", 0), (CODE + 0x1000, 0x100, "JIT:alone", 0),
          (CODE, 0x80, "JIT:first", perf_writer.START + 3500),
          (CODE + 0x40, 0x100, "JIT:second", perf_writer.START + 5500)]
ADDRESSES = [CODE + 0x50] * 6 + [CODE + 0x1010]


def record(folder, clock=time.CLOCK_MONOTONIC, flags=0, later=(), host=None):
    """Record a process whose compiler uses the same memory for three functions."""
    dump = folder.get(f"jit-{PID}.dump")
    with open(dump, "wb") as file:
        file.write(make_dump(PID, REUSED, flags))
    mark = perf_writer.Mapping(dump, 0x6000_0000_0000, 4096, 0, device=os.stat(dump).st_dev,
                               inode=os.stat(dump).st_ino)
    path = folder.get("test.data")
    perf_writer.write(path, PID, [mark, AREA], ADDRESSES, clock=clock, later=later, host=host)
    return path


BY_TIME = {"JIT:before": 2, "JIT:first": 2, "JIT:second": 2, "JIT:alone": 1}


def test_names_by_time():
    """An address has the name of the function that was there when the sample was taken."""
    with Folder() as folder:
        functions, symbols = look(record(folder))
        assert functions == BY_TIME, functions
        dump = symbols[f"jit-{PID}.dump"]
        assert dump["unnamed"] == 0 and not dump["unverified"] and dump["text"] is None, dump
        assert not symbols["[anonymous]"]["unverified"], symbols
        # The session has the names.
        session = folder.get("test.tailback")
        done = tap.cli("import", folder.get("test.data"), "-o", session)
        assert done.returncode == 0, done
        os.unlink(folder.get(f"jit-{PID}.dump"))
        functions, _symbols = look(session)
        assert {"JIT:before", "JIT:first", "JIT:second"} <= set(functions), functions


def test_mapped_again():
    """Compilers change the protection of their memory: perf records another mapping."""
    with Folder() as folder:
        assert look(record(folder, later=[(3, AREA), (5, AREA)]))[0] == BY_TIME


def test_other_program():
    """Another file at the addresses is not the code."""
    with Folder() as folder:
        other = perf_writer.Mapping("/gone/library.so", CODE, 0x1000, 0, build_id=bytes(range(20)))
        functions, symbols = look(record(folder, later=[(5, other)]))
        assert functions["JIT:before"] == 2 and functions["JIT:second"] == 1, functions
        assert symbols["library.so"]["unnamed"] == 1, symbols


def test_without_comparable_times():
    """Times of another clock cannot be compared with samples: the last name is unverified."""
    for options in ({"clock": None}, {"clock": time.CLOCK_MONOTONIC_RAW}, {"flags": 1}):
        with Folder() as folder:
            functions, symbols = look(record(folder, **options))
            assert functions == {"JIT:second": 6, "JIT:alone": 1}, (options, functions)
            area = symbols["[anonymous]"]
            assert area["unverified"] and area["reused_addresses"] == 1, area
            assert "several functions had it" in area["text"], area


if __name__ == "__main__":
    sys.exit(tap.main([test_jit_dump, test_names_by_time, test_mapped_again, test_other_program,
                       test_without_comparable_times]))
