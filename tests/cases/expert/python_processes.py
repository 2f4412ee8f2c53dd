"""An interpreter with worker processes."""
# SPDX-License-Identifier: GPL-3.0-or-later

import sys

from harness.expert import Answer, ExpertCase

PROGRAM = """
import multiprocessing

def count(steps):
    value = 0
    for i in range(steps):
        value = (value * 31 + i) % 1000003
    return value

if __name__ == "__main__":
    with multiprocessing.Pool(2) as pool:
        print(pool.map(count, [2000000, 40000000, 2000000, 2000000], chunksize=1))
"""


class PythonProcesses(ExpertCase):
    name = "python-processes"
    title = ("a pool of two Python processes, with one task that is twenty times as long "
             "as the others")
    answer = Answer(
        sentence="One worker computes nearly all the time, for the long task; the other one and "
                 "the parent only wait for it: divide that task.",
        kinds=("computing",), names={"process": "python3"}, amount="the busiest worker ran")

    def prepare(self, stage):
        stage.write("pool.py", PROGRAM)

    def command(self, stage):
        return [sys.executable, "pool.py"]

    def facts(self, truth, measures):
        each = sorted(truth.running_by_process("python3"), reverse=True)
        return {"the busiest worker ran": each[0], "the next one ran": each[1]}

    def proof(self, facts, truth):
        return [("one process runs for 80 % of the time",
                 facts["the busiest worker ran"] >= 0.8 * truth.wall_ns),
                ("the next one for less than a third of that",
                 facts["the next one ran"] <= facts["the busiest worker ran"] / 3)]


CASES = [PythonProcesses()]
