"""Lags in one calling context of our own programs, with and without symbols."""
# SPDX-License-Identifier: GPL-3.0-or-later

import os

from harness import builds
from harness.contrast import Contrast


class Works(Contrast):
    name = "shift"
    title = "a function called from two places, slow from one of them"
    program = "works"
    cause = "a lag in stage_three when shift_late calls it"
    path = ("main", "run", "shift_late", "stage_three")
    module = "works"
    turns = (0, 12000000)

    def prepare(self, stage):
        self.built = builds.own(stage, "works")

    def command(self, stage, is_slow):
        return [self.built, "150"]


class Bare:
    """The same without symbols: functions are identified by their start address."""

    def locate(self, stage):
        return tuple(f"{os.path.basename(path)}+0x{builds.find_offset(whole, function):x}" for path, whole, function in self.places)


class BareWorks(Bare, Works):
    name = "shift-bare"
    title = "the same program without symbols"
    program = "works, stripped"

    def prepare(self, stage):
        stage.make_folder("whole")
        whole = builds.own(stage, "works", output="whole/works")
        self.built = builds.strip(whole, stage.path("works"))
        self.places = [(self.built, whole, function) for function in self.path]


class Walk(Contrast):
    name = "depth"
    title = "a recursion that is slow at one depth"
    program = "walk"
    cause = "a lag in close_folder at depth 9"
    path = ("main", *["descend"] * 2, "close_folder")
    module = "walk"
    turns = (0, 15000000)

    def prepare(self, stage):
        self.built = builds.own(stage, "walk")

    def command(self, stage, is_slow):
        return [self.built, "30"]


class Desk(Contrast):
    name = "desk"
    title = "threads that wait for one that is slow while it holds a lock"
    program = "desk"
    cause = "a lag in enter_large, behind the lock, which by its construction costs at least three times what others wait for it"
    path = ("clerk", "enter_large")
    module = "desk"
    turns = (0, 20000000)

    def prepare(self, stage):
        self.built = builds.own(stage, "desk")

    def command(self, stage, is_slow):
        return [self.built, "60"]


class Host(Contrast):
    name = "part"
    title = "one of three plug-ins with the same functions"
    program = "host"
    is_internal = False
    cause = "a lag in fit of the second plug-in"
    path = ("main", "pass_on", "handle", "fit")
    module = "part-two.so"
    parts = ("part-one.so", "part-two.so", "part-three.so")
    turns = (0, 12000000)

    def prepare(self, stage, folder="."):
        stage.make_folder(folder)
        self.built = [builds.own(stage, "host", "-ldl", output=f"{folder}/host")]
        for part in self.parts:
            lag = ["-DTURNS=turns"] if part == self.module else []
            self.built.append(builds.own(stage, "part", "-shared", "-fPIC", *lag, output=f"{folder}/{part}"))

    def command(self, stage, is_slow):
        return [self.built[0], "150", *self.built[1:]]


class BareHost(Bare, Host):
    name = "part-bare"
    title = "the same program and plug-ins without symbols"
    program = "host, stripped"

    def prepare(self, stage, folder="whole"):
        super().prepare(stage, folder)
        whole = self.built
        self.built = [builds.strip(path, stage.path(os.path.basename(path))) for path in whole]
        self.places = [(self.built[0], whole[0], "main"), (self.built[0], whole[0], "pass_on"), (self.built[2], whole[2], "fit")]


class Extension(Contrast):
    name = "extension"
    title = "an extension of the sqlite3 shell"
    program = "sqlite3"
    is_internal = False
    cause = "a lag in weigh of the extension"
    path = ("sqlite3_step", "weigh")
    module = "grade.so"
    turns = (0, 400000)

    def prepare(self, stage):
        self.built = builds.own(stage, "grade", "-shared", "-fPIC", output="grade.so")
        self.script = stage.write("script.sql", f".load {self.built}\n"
                                  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) SELECT sum(grade(i)) FROM n;\n")

    def command(self, stage, is_slow):
        return ["sqlite3", "-batch", "-init", self.script, ":memory:", "SELECT 1"]


CASES = [Works(), BareWorks(), Walk(), Desk(), Host(), BareHost(), Extension()]
