"""A package manager: a Debian package is built."""
# SPDX-License-Identifier: GPL-3.0-or-later

import os

from harness.expert import Answer, ExpertCase, make_tree

CONTROL = """Package: case
Version: 1
Architecture: all
Maintainer: Case <case@example.org>
Description: files of a case
"""


class DpkgBuild(ExpertCase):
    name = "dpkg-build"
    title = "dpkg-deb --build of a tree of 24 MB, with xz and one thread"
    answer = Answer(
        sentence="dpkg-deb compresses (lzma) all the time, on one CPU; tar and the disk do not "
                 "matter.",
        kinds=("computing",),
        names={"process": "dpkg-deb", "function": "lzma|lz_|bt[234]|hc[34]|rc_|crc"},
        amount="dpkg-deb ran")

    def prepare(self, stage):
        make_tree(stage, "tree", 24)
        os.mkdir(stage.path("tree", "DEBIAN"), 0o755)
        stage.write("tree/DEBIAN/control", CONTROL)

    def command(self, stage):
        return ["dpkg-deb", "--threads-max=1", "-Zxz", "-z2", "--root-owner-group", "--build",
                "tree", "case.deb"]

    def facts(self, truth, measures):
        return {"dpkg-deb ran": truth.running("dpkg-deb")}

    def proof(self, facts, truth):
        return [("dpkg-deb runs for 85 % of the time",
                 facts["dpkg-deb ran"] >= 0.85 * truth.wall_ns)]


CASES = [DpkgBuild()]
