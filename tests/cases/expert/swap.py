"""A program whose memory is on the swap device."""
# SPDX-License-Identifier: GPL-3.0-or-later

import sys

from harness import disk, quota
from harness.expert import Answer, ExpertCase

PROGRAM = """
import random

memory = bytearray(256 << 20)
chance = random.Random(1)
for _ in range(20000):
    memory[chance.randrange(len(memory) // 4096) * 4096] = 1
"""


class Swap(ExpertCase):
    name = "swap"
    title = ("random writes to 256 MB of memory in a control group with 96 MB, and a disk with 200 "
             "reads a second")
    # Changed after the first recording, because its proof failed: swapping to a disk that answers
    # out of its own memory costs more CPU time than waiting.
    answer = Answer(
        sentence="python3 waits for its own memory, which is on the swap device: it has more than "
                 "its limit allows.",
        kinds=("swap", "disk"), names={"process": "python3"}, share=(0.3, 1.05))

    def prepare(self, stage):
        stage.write("touch.py", PROGRAM)
        self.group = quota.make_memory_group(96)
        self.disk, _ = disk.make_group(stage.folder, 200, "read")

    def command(self, stage):
        return ["sh", "-c", f"echo $$ > {self.group}/cgroup.procs; "
                f"echo $$ > {self.disk}/cgroup.procs; exec {sys.executable} touch.py"]

    def facts(self, truth, measures):
        return {"waited for the disk": truth.in_disk("python3")}

    def proof(self, facts, truth):
        return [("a third of the time is waits for the disk",
                 facts["waited for the disk"] >= truth.wall_ns / 3)]


CASES = [Swap()]
