#!/usr/bin/env python3
"""Names of functions that came with a recording: by perf record --kcore, and by simpleperf."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import struct
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import perf_writer  # noqa: E402
import tap  # noqa: E402

LIBRARY = "/data/app/game/lib/arm64/libgame.so"
ELSEWHERE = ("other-host", "1.0.0")
KERNEL = 0xFFFF_FFFF_A000_0000
# by the distance from the start of the kernel
FUNCTIONS = {0: "_text", 0x100: "entry_SYSCALL_64_after_hwframe", 0x200: "do_syscall_64",
             0x300: "x64_sys_futex", 0x400: "futex_wait"}
STACK = [KERNEL + place + 8 for place in (0x400, 0x300, 0x200, 0x100)]


def run(*words):
    done = tap.cli(*words)
    assert done.returncode == 0, done
    return json.loads(done.stdout)


def get_functions(path):
    """All functions in the stacks of samples."""
    report = run("analyze", path, "--analysis", "calling-contexts", "--format", "json")
    return {frame["function"] for row in report["summary"]["paths"] for frame in row["frames"]}


def get_symbols(path, module):
    modules = run("info", path, "--json")["symbols"]
    return next(entry for entry in modules if entry["module"] == module)


def write_kcore(folder, functions):
    """perf record --kcore: a folder with the records, and a copy of kallsyms."""
    path = os.path.join(folder, "perf.data")
    os.makedirs(os.path.join(path, "kcore_dir"))
    perf_writer.write(os.path.join(path, "data"), 4321, [], [], host=ELSEWHERE,
                      kernel_stacks=[STACK] * 4)
    with open(os.path.join(path, "kcore_dir", "kallsyms"), "w", encoding="ascii") as file:
        for place, name in functions.items():
            file.write(f"{KERNEL + place:x} T {name}\n{KERNEL + place + 4:x} d a_variable\n")
    return path


def test_kcore():
    """The recorded kernel's functions are those of the copy, on any machine."""
    with tempfile.TemporaryDirectory() as folder:
        path = write_kcore(folder, FUNCTIONS)
        for name in (path, os.path.join(path, "data")):
            expected = set(FUNCTIONS.values()) - {"_text"}
            assert expected <= get_functions(name), get_functions(name)
        symbols = get_symbols(path, "[kernel]")
        assert symbols["unnamed"] == 0 and not symbols["unverified"], symbols
        assert symbols["file"] == "embedded in the recording", symbols
        # The session has the names, without the folder.
        session = os.path.join(folder, "copied.tailback")
        done = tap.cli("import", path, "-o", session)
        assert done.returncode == 0, done
        os.remove(os.path.join(path, "kcore_dir", "kallsyms"))
        assert expected <= get_functions(session), get_functions(session)


def test_wrong_kcore():
    """A list that contradicts the recording names nothing."""
    with tempfile.TemporaryDirectory() as folder:
        path = write_kcore(folder, {place + 0x100: name for place, name in FUNCTIONS.items()})
        assert not get_functions(path) & set(FUNCTIONS.values()), get_functions(path)
        symbols = get_symbols(path, "[kernel]")
        assert symbols["unnamed"] == 4 and symbols["reason"] == "kernel", symbols
        assert "another kernel than the recorded one" in symbols["text"], symbols


def pack_varint(number):
    data = b""
    while number > 127:
        data += bytes([number & 127 | 128])
        number >>= 7
    return data + bytes([number])


def pack_number(field, number):
    return pack_varint(field << 3) + pack_varint(number)


def pack_bytes(field, data):
    return pack_varint(field << 3 | 2) + pack_varint(len(data)) + data


# Addresses in the library: its first executable segment is at 0x4000 in its own addresses, and at
# 0x1000 in the file.
SYMBOLS = [(0x4100, 0x80, "_ZN4game4tickEv"), (0x4200, 0x40, "draw")]
KERNEL_SYMBOLS = [(KERNEL + place, 0x80, name) for place, name in FUNCTIONS.items()]
FILES = [(LIBRARY, 2, 0x4000, SYMBOLS, 0x1000), ("[kernel.kallsyms]", 0, 0, KERNEL_SYMBOLS, None)]


def make_file_section(files):
    """Section 128: symbols as structures."""
    section = b""
    for path, kind, first, symbols, offset in files:
        data = path.encode() + b"\0" + struct.pack("<IQI", kind, first, len(symbols))
        for address, length, name in symbols:
            data += struct.pack("<QI", address, length) + name.encode() + b"\0"
        if offset is not None:
            data += struct.pack("<Q", offset)
        section += struct.pack("<I", len(data)) + data
    return section


def make_message_section(files):
    """Section 132: symbols as protocol buffers."""
    section = b""
    for path, kind, first, symbols, offset in files:
        data = pack_bytes(1, path.encode()) + pack_number(2, kind) + pack_number(3, first)
        for address, length, name in symbols:
            data += pack_bytes(4, pack_number(1, address) + pack_number(2, length)
                               + pack_bytes(3, name.encode()))
        if offset is not None:
            data += pack_bytes(6, pack_number(1, offset))
        section += struct.pack("<I", len(data)) + data
    return section


def write_simpleperf(path, features, *, offsets=(0x1000,), lengths=(0x10000,)):
    mappings = [perf_writer.Mapping(LIBRARY, 0x7000_0000_0000 + i * 0x10000, lengths[i], offset,
                                    build_id=bytes(range(20)))
                for i, offset in enumerate(offsets)]
    perf_writer.write(path, 4321, mappings,
                      [0x7000_0000_0110, 0x7000_0000_0210, 0x7000_0000_0F00], host=ELSEWHERE,
                      kernel_stacks=[STACK], features=features)


def test_simpleperf():
    """Sections of both formats, for the library and the kernel."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "perf.data")
        for features in ({128: make_file_section(FILES)}, {132: make_message_section(FILES)}):
            write_simpleperf(path, features)
            functions = get_functions(path)
            assert {"game::tick()", "draw", "futex_wait", "do_syscall_64"} <= functions, functions
            symbols = get_symbols(path, LIBRARY)
            assert symbols["file"] == "embedded in the recording", symbols
            assert symbols["unnamed"] == 1 and not symbols["unverified"], symbols


def test_place_by_mapping():
    """Before Android 11 the offset of the first segment is that of the only mapping that has room
    for all symbols."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "perf.data")
        for make, number in ((make_file_section, 128), (make_message_section, 132)):
            features = {number: make([(LIBRARY, 2, 0x4000, SYMBOLS, None)])}
            write_simpleperf(path, features)
            assert {"game::tick()", "draw"} <= get_functions(path), get_functions(path)
            write_simpleperf(path, features, offsets=(0x1000, 0x9000), lengths=(0x10000, 0x23f))
            assert {"game::tick()", "draw"} <= get_functions(path), get_functions(path)
            write_simpleperf(path, features, offsets=(0x1000, 0x9000), lengths=(0x10000, 0x240))
            assert get_symbols(path, LIBRARY)["unnamed"] == 3, get_symbols(path, LIBRARY)


def test_damaged():
    """A damaged section is reported, and what precedes the damage is used."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "perf.data")
        for make, number in ((make_file_section, 128), (make_message_section, 132)):
            section = make(FILES)
            for cut in (section[:-3], section + b"\xff\xff\xff\xff", section + b"\1\0\0\0\x0c"):
                write_simpleperf(path, {number: cut})
                assert {"game::tick()", "draw"} <= get_functions(path), (number, cut)
                warnings = run("info", path, "--json")["warnings"]
                assert any("Names of functions" in text for text in warnings), warnings


if __name__ == "__main__":
    sys.exit(tap.main([test_kcore, test_wrong_kcore, test_simpleperf, test_place_by_mapping,
                       test_damaged]))
