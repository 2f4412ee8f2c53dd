"""Programs that tests build, and their mappings in recordings."""
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import re
import shutil
import struct
import tempfile

import perf_writer
import tap

ELSEWHERE = ("elsewhere", "1.0")
ADDRESS = 0x555500000000
CODE = """
volatile unsigned long sink;
static __attribute__ ((noinline)) void counting (void) { for (int i = 0; i < 9; i++) sink += i; }
__attribute__ ((noinline)) void working (void) { counting (); sink++; }
int main (void) { working (); return 0; }
"""
INLINE = """
volatile unsigned long sink;
static inline __attribute__ ((always_inline)) void innermost (void) { sink *= 3; sink += 7; }
__attribute__ ((noinline)) void outer (int n) { for (int i = 0; i < n; i++) innermost (); }
int main (void) { outer (3); return 0; }
"""

def run(*command, **options):
    done = tap.run(*command, **options)
    assert done.returncode == 0, (command, done)
    return done.stdout


class Folder:
    """A temporary folder with programs and recordings of them."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="tailback-names-")
        self.path = self.folder.name

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def get(self, name):
        return os.path.join(self.path, name)

    def build(self, name, code, *options, build_id="none"):
        if shutil.which("gcc") is None:
            raise tap.Skip("there is no compiler")
        with open(self.get(name + ".c"), "w", encoding="utf-8") as file:
            file.write(code)
        run("gcc", "-O1", "-g", "-fno-omit-frame-pointer", f"-Wl,--build-id={build_id}",
            *options, "-o", name, name + ".c", cwd=self.path)
        return self.get(name)


def read_segment(program):
    """The file offset, the size in memory and the address of the executable segment."""
    with open(program, "rb") as file:
        data = file.read()
    offset, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    for i in range(count):
        kind, flags, start, address, _, length = struct.unpack_from("<IIQQQQ", data,
                                                                    offset + i * size)
        if kind == 1 and flags & 1:
            begin = start & ~4095
            return begin, (start + length + 4095 & ~4095) - begin, address - start
    raise AssertionError("no executable segment")


def find_functions(program, names):
    functions = {}
    for line in run("nm", program).splitlines():
        fields = line.split()
        if len(fields) == 3 and fields[2] in names:
            functions[fields[2]] = int(fields[0], 16)
    return functions


def make_mapping(program, **changes):
    start, length, _ = read_segment(program)
    status = os.stat(program)
    values = {"path": program, "address": ADDRESS, "length": length, "offset": start,
              "device": status.st_dev, "inode": status.st_ino, "generation": 7, **changes}
    return perf_writer.Mapping(**values)


def get_addresses(program, functions):
    start, _, distance = read_segment(program)
    return [ADDRESS + address + 4 - distance - start for address in functions]


def read_build_id(program):
    return re.search("Build ID: ([0-9a-f]+)", run("readelf", "-n", program))[1]
