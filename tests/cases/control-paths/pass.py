"""The paper's toy program."""
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
        return [
            ("the time of ping", measures["ping-wall"][0], summary["wall_ns"]),
            ("the work of ping", measures["ping-cpu"][0], checks.clock_of(summary, "ping")),
            ("the work of pong", measures["pong-cpu"][0], checks.clock_of(summary, "pong")),
        ]


CASES = [Pass()]
