"""A process with 128 worker threads, as the database in the paper."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness import checks
from harness.case import Case

STEPS = "2000000"


class Crew(Case):
    name = "crew"
    title = "one client of a server with 128 worker threads"
    process = "asker"
    chain = ("asker", "crew")
    largest = "crew"
    explained_goal = 0.9

    def prepare(self, stage):
        stage.serve(stage.program("crew"), "serve", "7070", "128", STEPS, address=7070)
        stage.run(stage.program("crew"), "ask", "7070", "20", "1000")

    def command(self, stage):
        stage.run("cp", stage.program("crew"), stage.path("asker"))
        return [stage.program("timed"), stage.path("asker"), "ask", "7070", "200", "200000"]

    def agreements(self, measures, summary):
        return [
            ("the client's time", measures["wall"][0], summary["wall_ns"]),
            ("the workers' work", sum(measures["worker-cpu"]), checks.clock_of(summary, "crew")),
        ]


CASES = [Crew()]
