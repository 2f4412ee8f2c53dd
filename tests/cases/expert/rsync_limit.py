"""rsync with a limit."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness.expert import Answer, ExpertCase, make_tree


class RsyncLimit(ExpertCase):
    name = "rsync-limit"
    title = "rsync -a --bwlimit=4m of 14 MB to another folder"
    answer = Answer(
        sentence="rsync sleeps on purpose most of the time, to stay under its bandwidth limit; "
                 "neither the disk nor a CPU limits it.",
        kinds=("sleep",), names={"process": "rsync"}, share=(0.5, 1.05))

    def prepare(self, stage):
        make_tree(stage, "source", 14)

    def command(self, stage):
        stage.run("rm", "-rf", "copy")
        return ["rsync", "-a", "--whole-file", "--bwlimit=4m", "source/", "copy/"]

    def facts(self, truth, measures):
        return {"rsync ran": truth.running("rsync"),
                "rsync waited for the disk": truth.in_disk("rsync")}

    def proof(self, facts, truth):
        return [("the run takes the three seconds that the limit asks for",
                 2.5e9 <= truth.wall_ns <= 6e9),
                ("rsync runs and waits for the disk for less than a third of the time",
                 sum(facts.values()) <= truth.wall_ns / 3)]


CASES = [RsyncLimit()]
