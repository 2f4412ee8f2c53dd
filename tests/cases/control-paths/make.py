"""make of a real package, with its compiler and sources out of the page cache and in it."""
# SPDX-License-Identifier: GPL-3.0-or-later

import os

from harness import checks, sources
from harness.case import Case

OBJECTS = ["lapi.o", "lcode.o", "ldebug.o", "lparser.o", "lvm.o", "ltable.o"]


class Make(Case):
    process = "make"
    chain = ("make", "gcc", "cc1", "as")
    largest = "cc1"
    explained_goal = 0.9

    def fetch(self):
        sources.fetch_source("lua5.4")

    def prepare(self, stage):
        self.source = sources.unpack("lua5.4", stage)
        stage.run("make", "-C", self.source, *OBJECTS)

    def command(self, stage):
        stage.run("make", "-C", self.source, "clean")
        self.settle(stage)
        return [stage.program("timed"), "make", "-C", self.source, *OBJECTS]

    def agreements(self, measures, summary):
        return [("the time of make", measures["wall"][0], summary["wall_ns"])]


class Cold(Make):
    name = "make-cold"
    title = "make of a part of Lua, nothing of it or of the compiler in the cache"

    def settle(self, stage):
        os.sync()
        for folder in (self.source, "/usr/lib/gcc", "/usr/libexec/gcc", "/usr/include", "/usr/lib/x86_64-linux-gnu"):
            forget(folder)
        for name in ("make", "gcc", "as", "rm", "x86_64-linux-gnu-gcc", "x86_64-linux-gnu-as"):
            forget_file(os.path.join("/usr/bin", name))

    def expectations(self, measures, report):
        io = checks.contributor(report["summary"], "cc1")["io_ns"]
        return [("cc1 is seen to read", io > 0, f"{io / 1e6:.1f} ms"),
                ("what was read is named", any(one["files"] for one in report["summary"]["contributors"]), "")]


class Warm(Make):
    name = "make-warm"
    title = "the same with everything in the cache"

    def settle(self, stage):
        stage.run("make", "-C", self.source, *OBJECTS)
        stage.run("make", "-C", self.source, "clean")


def forget_file(path):
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(file)


def forget(folder):
    """Drop only the files of this folder from the page cache."""
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            if os.path.isfile(path):
                forget_file(path)


CASES = [Cold(), Warm()]
