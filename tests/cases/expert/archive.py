"""tar and xz in a pipe."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness.expert import Answer, ExpertCase, make_tree


class Archive(ExpertCase):
    name = "archive"
    title = "tar -cf - tree | xz -T1 -2"
    answer = Answer(
        sentence="xz computes all the time, on one CPU; tar only waits until xz has read the "
                 "pipe: compress with more threads or less.",
        kinds=("computing",), names={"process": "xz"}, amount="xz ran")

    def prepare(self, stage):
        make_tree(stage, "tree", 32)

    def command(self, stage):
        return ["sh", "-c", "tar -cf - tree | xz -T1 -2 > tree.tar.xz"]

    def facts(self, truth, measures):
        return {"xz ran": truth.running("xz"), "tar slept": truth.sleeping("tar")}

    def proof(self, facts, truth):
        return [("xz runs for 85 % of the time", facts["xz ran"] >= 0.85 * truth.wall_ns),
                ("tar sleeps for 60 % of it", facts["tar slept"] >= 0.6 * truth.wall_ns)]


CASES = [Archive()]
