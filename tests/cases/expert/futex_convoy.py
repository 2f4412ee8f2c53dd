"""Threads in a row before one mutex."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness.expert import Answer, ExpertCase


class FutexConvoy(ExpertCase):
    name = "futex-convoy"
    title = "eight threads that do two thirds of their work under one mutex"
    answer = Answer(
        sentence="The eight threads wait for one mutex (locks), which is held nearly all the "
                 "time; they hold it in turn.",
        kinds=("lock",), names={"process": "convoy", "object": "locks"},
        amount="waited for the mutex")

    def command(self, stage):
        return [stage.program("convoy"), "8", "1200", "100000"]

    def facts(self, truth, measures):
        # the main thread waits in futex too, for the others to end
        return {"waited for the mutex": truth.in_calls("convoy", "futex") - truth.wall_ns,
                "convoy ran": truth.running("convoy")}

    def proof(self, facts, truth):
        return [("the threads wait for more than four times the wall time",
                 facts["waited for the mutex"] >= 4 * truth.wall_ns),
                ("and compute for less than twice of it", facts["convoy ran"] <= 2 * truth.wall_ns)]


CASES = [FutexConvoy()]
