"""Files of perf: changes that an older perf needs to read them, and files made by hand."""
# SPDX-License-Identifier: GPL-3.0-or-later

import struct

# Size of an event's description in bytes, in files that perf 6.12 reads.
KNOWN_SIZE = 136


def shorten_descriptions(data):
    """Return a file with events' descriptions of the known size: perf refuses longer ones, even if
    the rest is zero."""
    data = bytearray(data)
    entry_size, begin, size = struct.unpack_from("<QQQ", data, 16)
    n = size // entry_size
    new_size = KNOWN_SIZE + 16  # a description is followed by the place of its IDs
    for i in range(n):
        entry = bytes(data[begin + i * entry_size:begin + (i + 1) * entry_size])
        old = struct.unpack_from("<I", entry, 4)[0]
        assert not any(entry[KNOWN_SIZE:old]), "the event needs a newer perf"
        shorter = entry[:4] + struct.pack("<I", KNOWN_SIZE) + entry[8:KNOWN_SIZE]
        shorter += entry[old:old + 16]
        data[begin + i * new_size:begin + (i + 1) * new_size] = shorter
    struct.pack_into("<QQQ", data, 16, new_size, begin, n * new_size)
    return data


HEADER_SIZE = 104
EVENT_DESC = 12  # the feature with the names of events
SAMPLE = 9
COMM = 3
EXIT = 4
MMAP2 = 10
SOFTWARE = 1
CPU_CLOCK = 0
BPF_OUTPUT = 10
IP, TID, TIME, CPU, PERIOD, CALLCHAIN, IDENTIFIER, RAW = (
    1 << bit for bit in (0, 1, 2, 7, 8, 5, 16, 10))
USER = 0xfffffffffffffe00  # the marker before the addresses of a program
ID_ALL = 1 << 18


def make_record(kind, misc, body):
    body += bytes(-len(body) % 8)
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def make_attr(config, period, sample_type):
    attr = struct.pack("<IIQQQQQ", SOFTWARE, KNOWN_SIZE, config, period, sample_type, 0, ID_ALL)
    return attr + bytes(KNOWN_SIZE - len(attr))


def pad_text(text):
    data = text.encode() + b"\0"
    data += bytes(-len(data) % 64)
    return struct.pack("<I", len(data)) + data


def make_file(events, records):
    """Return a file. events: (name, description) for each; the ID of event n is n + 1."""
    attrs = [attr for _, attr in events]
    ids_at = HEADER_SIZE
    attrs_at = ids_at + 8 * len(attrs)
    data_at = attrs_at + len(attrs) * (KNOWN_SIZE + 16)
    out = b"".join(struct.pack("<Q", n + 1) for n in range(len(attrs)))
    for n, attr in enumerate(attrs):
        out += attr + struct.pack("<QQ", ids_at + 8 * n, 8)
    out += records
    description = struct.pack("<II", len(attrs), KNOWN_SIZE)
    for n, (name, attr) in enumerate(events):
        description += attr + struct.pack("<I", 1) + pad_text(name) + struct.pack("<Q", n + 1)
    out += struct.pack("<QQ", HEADER_SIZE + len(out) + 16, len(description)) + description
    header = b"PERFILE2" + struct.pack(
        "<QQQQQQQQQ", HEADER_SIZE, KNOWN_SIZE + 16, attrs_at, len(attrs) * (KNOWN_SIZE + 16),
        data_at, len(records), 0, 0, 1 << EVENT_DESC)
    return header + bytes(HEADER_SIZE - len(header)) + out
