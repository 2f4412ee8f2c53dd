"""Search for busy waits without symbols: functions with the CPU's spin-wait hint."""
# SPDX-License-Identifier: GPL-3.0-or-later

import bisect
import csv
import struct

PAUSE = b"\xf3\x90"
EH_FRAME_HDR = 0x6474E550
# A longer function does more than wait: the spin loop was inlined into its caller, whose other time
# is no waiting.
LONGEST = 700


def segments(program):
    """Yield (type, flags, offset, address, length in the file) of each segment."""
    first, = struct.unpack_from("<Q", program, 32)
    size, count = struct.unpack_from("<HH", program, 54)
    for i in range(count):
        kind, flags, offset, address, _, length = struct.unpack_from("<IIQQQQ", program, first + size * i)
        yield kind, flags, offset, address, length


def read_function_addresses(program):
    """Read the function addresses from the sorted exception-handler table, which lists every
    function even in a stripped file."""
    offset, address = next((found[2], found[3]) for found in segments(program) if found[0] == EH_FRAME_HDR)
    version, _, count_as, table_as = program[offset:offset + 4]
    # 4-byte count; 4-byte pairs relative to the start of the table
    if (version, count_as, table_as) != (1, 3, 0x3B):
        raise ValueError("the table of functions has a form that is not known here")
    count, = struct.unpack_from("<I", program, offset + 8)
    return [address + struct.unpack_from("<i", program, offset + 12 + 8 * i)[0] for i in range(count)]


def find_spinning_functions(path):
    """Return the addresses of short functions that contain the hint; x86-64 only."""
    with open(path, "rb") as file:
        program = file.read()
    starts = read_function_addresses(program)
    found = set()
    for kind, flags, offset, address, length in segments(program):
        at = program.find(PAUSE, offset, offset + length) if kind == 1 and flags & 1 else -1
        while at >= 0:
            place = bisect.bisect_right(starts, at - offset + address)
            if place > 0 and place < len(starts) and starts[place] - starts[place - 1] <= LONGEST:
                found.add(starts[place - 1])
            at = program.find(PAUSE, at + 2, offset + length)
    return sorted(found)


def compute_long_share(lines, least):
    """Return the share of calls in which a thread waited at least this many ns, and the number of
    calls. The input is events as CSV, recorded with one function marked."""
    begun, calls, long = {}, 0, 0
    for row in csv.reader(lines):
        if len(row) > 9 and row[2] == "spin_begin":
            begun[row[9]] = int(row[0])
        elif len(row) > 9 and row[2] == "spin_end" and row[9] in begun:
            calls += 1
            long += int(row[0]) - begun.pop(row[9]) >= least
    return long / max(calls, 1), calls
