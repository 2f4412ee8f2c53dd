"""The paper's toy."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness import checks
from harness.case import Case


class Pass(Case):
    name = "pass"
    title = "two processes pass work back and forth over pipes"
    process = "ping"
    chain = ("ping", "pong")
    largest = "pong"
    explained_goal = 0.95

    def command(self, stage):
        return [stage.program("pass"), "300", "1000000", "3000000"]

    def agreements(self, measures, summary):
        """A process's own clock counts the interrupts that it is stopped by; here they are involuntary sleeps."""
        worked = sum(summary["categories"][key] for key in ("understood_functions", "inferred_functions", "not_sampled",
                                                            "involuntary"))
        return [
            ("the time of ping", measures["ping-wall"][0], summary["wall_ns"]),
            ("the work of both with interrupts", measures["ping-cpu"][0] + measures["pong-cpu"][0], worked),
            ("the work of pong", measures["pong-cpu"][0], checks.contributor(summary, "pong")["running_ns"]),
        ]


CASES = [Pass()]
