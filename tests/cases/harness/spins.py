"""Where a program waits busily, found without its symbols: functions with the cpu's hint for spinning in them."""
# SPDX-License-Identifier: GPL-3.0-or-later

import bisect
import csv
import struct

PAUSE = b"\xf3\x90"
EH_FRAME_HDR = 0x6474E550
# What is longer does more than to wait: a loop was put into what calls it, and all of that is no waiting.
LONGEST = 700


def segments(program):
    """(type, flags, offset, address, length in the file) of each."""
    first, = struct.unpack_from("<Q", program, 32)
    size, count = struct.unpack_from("<HH", program, 54)
    for i in range(count):
        kind, flags, offset, address, _, length = struct.unpack_from("<IIQQQQ", program, first + size * i)
        yield kind, flags, offset, address, length


def function_starts(program):
    """From the sorted table by which exceptions find their handlers; it knows every function, also where names are stripped."""
    offset, address = next((found[2], found[3]) for found in segments(program) if found[0] == EH_FRAME_HDR)
    version, _, count_as, table_as = program[offset:offset + 4]
    if (version, count_as, table_as) != (1, 3, 0x3B):   # 4-byte count; 4-byte pairs, from where the table begins
        raise ValueError("the table of functions has a form that is not known here")
    count, = struct.unpack_from("<I", program, offset + 8)
    return [address + struct.unpack_from("<i", program, offset + 12 + 8 * i)[0] for i in range(count)]


def spinning_functions(path):
    """Addresses of the functions that are short and have the hint in them; x86-64 only."""
    with open(path, "rb") as file:
        program = file.read()
    starts = function_starts(program)
    found = set()
    for kind, flags, offset, address, length in segments(program):
        at = program.find(PAUSE, offset, offset + length) if kind == 1 and flags & 1 else -1
        while at >= 0:
            place = bisect.bisect_right(starts, at - offset + address)
            if place > 0 and place < len(starts) and starts[place] - starts[place - 1] <= LONGEST:
                found.add(starts[place - 1])
            at = program.find(PAUSE, at + 2, offset + length)
    return sorted(found)


def long_share(lines, least):
    """Share of the calls in which a thread waited at least so many ns, and the number of calls, of events as CSV that were
    recorded with one function marked."""
    begun, calls, long = {}, 0, 0
    for row in csv.reader(lines):
        if len(row) > 9 and row[2] == "spin_begin":
            begun[row[9]] = int(row[0])
        elif len(row) > 9 and row[2] == "spin_end" and row[9] in begun:
            calls += 1
            long += int(row[0]) - begun.pop(row[9]) >= least
    return long / max(calls, 1), calls
