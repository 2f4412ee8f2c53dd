"""A worker whose end does not wake the poller (the paper's finding in curl), and the same fixed."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness.case import Case

ROUNDS, STEPS, TIMEOUT_MS = 60, 12_000_000, 20


class Resolve(Case):
    process = "resolve"
    chain = ("resolve",)
    largest = "resolve"

    def agreements(self, measures, summary):
        return [("the time of resolve", measures["wall"][0], summary["wall_ns"])]

    def command(self, stage):
        return [stage.program("timed"), stage.program("resolve"), str(ROUNDS), str(STEPS), str(TIMEOUT_MS), *self.how]


class Overslept(Resolve):
    name = "overslept"
    title = "a worker's end does not wake the poller, which sleeps on until its timeout"
    how = ()
    explained_goal = 0.95
    expects_timeouts = True   # the timeouts are the fault in this case, and reported as such

    def agreements(self, measures, summary):
        ours = sum(one["total_ns"] for one in summary["oversleeps"])
        return super().agreements(measures, summary) + [("the time overslept", measures["overslept"][0], ours)]

    def expectations(self, measures, report):
        oversleeps = report["summary"]["oversleeps"]
        stacks = [one["function"] for one in oversleeps]
        return [
            ("the oversleeping function is named", "poll_for_answer" in stacks or "poll" in stacks, str(stacks)),
            ("the awaited thread is named", any("lookup" in (one["awaited"] or "") for one in oversleeps),
             str([one["awaited"] for one in oversleeps])),
        ]


class Woken(Resolve):
    name = "woken"
    title = "the same worker wakes the poller"
    how = ("fixed",)

    def expectations(self, measures, report):
        oversleeps = report["summary"]["oversleeps"]
        return [("nothing is overslept", sum(one["total_ns"] for one in oversleeps) < report["summary"]["wall_ns"] // 100, str(oversleeps))]


CASES = [Overslept(), Woken()]
