"""sort with little memory."""
# SPDX-License-Identifier: GPL-3.0-or-later

import random

from harness.expert import Answer, ExpertCase


class Sort(ExpertCase):
    name = "sort"
    title = "sort -g of 400,000 numbers with a buffer of 4 MB"
    answer = Answer(
        sentence="sort computes nearly all the time, on one CPU: it compares numbers "
                 "(general_numcompare, strtold); temporary files and the disk do not matter.",
        kinds=("computing",),
        names={"process": "sort", "function": "numcompare|strtold|compare|strtof|mpn"},
        amount="sort ran")

    def prepare(self, stage):
        chance = random.Random(1)
        stage.write("numbers", "".join(f"{chance.random() * 1e6:.6f}\n" for _ in range(400000)))

    def command(self, stage):
        return ["sort", "-g", "--parallel=1", "-S", "4M", "-T", ".", "-o", "sorted", "numbers"]

    def facts(self, truth, measures):
        return {"sort ran": truth.running("sort")}

    def proof(self, facts, truth):
        return [("sort runs for 80 % of the time", facts["sort ran"] >= 0.8 * truth.wall_ns)]


CASES = [Sort()]
