"""A build with make."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness import sources
from harness.expert import Answer, ExpertCase

OBJECTS = ["lapi.o", "lcode.o", "ldebug.o", "lparser.o", "lvm.o", "ltable.o", "lgc.o", "lstrlib.o",
           "loadlib.o"]


class MakeBuild(ExpertCase):
    name = "make-build"
    title = "make -j2 of a part of Lua"
    answer = Answer(
        sentence="The compiler computes: cc1 takes most of the time, on both CPUs.",
        kinds=("computing",), names={"process": "cc1"}, amount="cc1 ran")

    def fetch(self):
        sources.fetch_source("lua5.4")

    def prepare(self, stage):
        self.source = sources.unpack("lua5.4", stage)
        stage.run("make", "-C", self.source, *OBJECTS)

    def command(self, stage):
        stage.run("make", "-C", self.source, "clean")
        return ["make", "-C", self.source, "-j2", *OBJECTS]

    def facts(self, truth, measures):
        return {"cc1 ran": truth.running("cc1")}

    def proof(self, facts, truth):
        return [("cc1 runs for more than the wall time", facts["cc1 ran"] >= truth.wall_ns)]


CASES = [MakeBuild()]
