"""Writes small perf.data files with samples at chosen addresses of mapped files."""
# SPDX-License-Identifier: GPL-3.0-or-later

import dataclasses
import os
import struct

SAMPLE_TYPE = 1 | 2 | 4 | 32 | 128 | 256  # IP, TID, TIME, CALLCHAIN, CPU, PERIOD
FLAGS = 1 << 8 | 1 << 9 | 1 << 10 | 1 << 13 | 1 << 18 | 1 << 23 | 1 << 24
KERNEL = 1
USER = 2
BUILD_ID_FLAG = 1 << 14
START = 10 ** 12
PERIOD = 250000  # of samples, ns


@dataclasses.dataclass
class Mapping:
    """A mapping, with device and inode, or with a build ID."""
    path: str
    address: int
    length: int
    offset: int
    protection: int = 5
    device: int = 0
    inode: int = 0
    generation: int = 0
    build_id: bytes = None  # b"": as perf inject writes it for files without one
    with_build_id_flag: bool = False


def pad(data):
    return data + bytes(-len(data) % 8)


def make_record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def make_trailer(pid, time):
    return struct.pack("<IIQII", pid, pid, time, 0, 0)


def make_mapping(pid, mapping, time):
    misc = USER
    if mapping.build_id is not None:
        misc |= BUILD_ID_FLAG
        identity = struct.pack("<BBH20s", len(mapping.build_id), 0, 0, mapping.build_id)
    else:
        identity = struct.pack("<IIQQ", os.major(mapping.device), os.minor(mapping.device),
                               mapping.inode, mapping.generation)
        misc |= BUILD_ID_FLAG if mapping.with_build_id_flag else 0
    body = struct.pack("<IIQQQ", pid, pid, mapping.address, mapping.length, mapping.offset)
    body += identity + struct.pack("<II", mapping.protection, 2)
    body += pad(mapping.path.encode() + b"\0")
    return make_record(10, misc, body + make_trailer(pid, time))


def make_text_feature(text):
    data = pad(text.encode() + b"\0")
    return struct.pack("<I", len(data)) + data


def make_build_ids(build_ids):
    """build_ids: bytes by path; as perf writes them, with their length."""
    data = b""
    for path, build_id in build_ids.items():
        body = struct.pack("<i20sB3x", -1, build_id, len(build_id)) + pad(path.encode() + b"\0")
        data += make_record(67, 1 << 15 | USER, body)
    return data


def write(path, pid, mappings, addresses, *, command="program", host=None, build_ids=None,
          kernel_stacks=(), features=None, names=(), clock=None, later=()):
    """addresses: each is sampled once, with no callers. host: name and kernel, None: this one.
    kernel_stacks: lists of addresses of the kernel, the innermost first, each sampled once.
    features: the content of further sections, by number. names: later names of the process, each
    with the number of samples before it and whether it was an exec. clock: number of the clock,
    None: the default one. later: mappings, each with the number of samples before it."""
    records = [make_record(3, 1 << 13 | USER, struct.pack("<II", pid, pid)
                           + pad(command.encode() + b"\0") + make_trailer(pid, START))]
    records += [make_mapping(pid, mapping, START + 1) for mapping in mappings]
    for n_samples, name, is_exec in names:
        records.append(make_record(3, (1 << 13 if is_exec else 0) | USER,
                                   struct.pack("<II", pid, pid) + pad(name.encode() + b"\0")
                                   + make_trailer(pid, START + 1000 * (n_samples + 2) - 1)))
    records += [make_mapping(pid, mapping, START + 1000 * (n_samples + 2) - 1)
                for n_samples, mapping in later]
    for i, address in enumerate(addresses):
        body = struct.pack("<QIIQIIQQQQ", address, pid, pid, START + 1000 * (i + 2), 0, 0, PERIOD,
                           2, 2 ** 64 - 512, address)
        records.append(make_record(9, USER, body))
    for i, stack in enumerate(kernel_stacks):
        body = struct.pack("<QIIQIIQQQ", stack[0], pid, pid, START + 1000 * (i + 2) + 500, 0, 0,
                           PERIOD, 1 + len(stack), 2 ** 64 - 128)
        records.append(make_record(9, KERNEL, body + struct.pack(f"<{len(stack)}Q", *stack)))
    data = b"".join(records)
    flags = FLAGS | (1 << 25 if clock is not None else 0)
    attr = struct.pack("<IIQQQQQ", 1, 112, 0, 4000, SAMPLE_TYPE, 4, flags).ljust(92, b"\0")
    attr = (attr + struct.pack("<i", clock or 0)).ljust(112, b"\0") + struct.pack("<QQ", 0, 0)
    own = os.uname()
    name, kernel = host or (own.nodename, own.release)
    features = {**(features or {}), 3: make_text_feature(name), 4: make_text_feature(kernel),
                6: make_text_feature(own.machine)}
    if build_ids:
        features[2] = make_build_ids(build_ids)
    bits = sum(1 << feature for feature in features)
    end = 104 + len(attr) + len(data)
    at = end + 16 * len(features)
    index = content = b""
    for feature in sorted(features):
        index += struct.pack("<QQ", at + len(content), len(features[feature]))
        content += features[feature]
    header = struct.pack("<8sQQQQQQQQ", b"PERFILE2", 104, len(attr), 104, len(attr),
                         104 + len(attr), len(data), 0, 0)
    header += bits.to_bytes(32, "little")
    with open(path, "wb") as file:
        file.write(header + attr + data + index + content)
