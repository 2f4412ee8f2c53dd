"""A program that needs much memory, and ends."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness.expert import Answer, ExpertCase


class MemoryExit(ExpertCase):
    name = "memory-exit"
    title = "a shell script that runs a program with 2 GiB of memory three times"
    answer = Answer(
        sentence="hoard runs in the kernel nearly all the time: 2 GiB are given to it page by "
                 "page, and taken back at its exit, which its parent waits for.",
        kinds=("computing",), names={"process": "hoard"}, amount="hoard ran, with its exits")

    def command(self, stage):
        program = stage.program("hoard")
        return ["sh", "-c", f"for i in 1 2 3; do {program} 2048 || exit 1; done; echo done"]

    def facts(self, truth, measures):
        return {"hoard ran, with its exits": truth.running("hoard"),
                "in the program itself": sum(measures["life"])}

    def proof(self, facts, truth):
        return [("hoard runs for 85 % of the time",
                 facts["hoard ran, with its exits"] >= 0.85 * truth.wall_ns),
                ("and a twentieth of that is after it has called exit",
                 facts["hoard ran, with its exits"] >= 1.05 * facts["in the program itself"])]


CASES = [MemoryExit()]
