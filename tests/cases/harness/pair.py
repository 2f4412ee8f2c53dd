"""Cases of the wait graph: a program before and after the fix that its knot points to."""
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import subprocess

from harness.case import Case
from harness.checks import expectation
from harness.processes import Failure

ROUNDS = 5


class Pair(Case):
    """Its command takes whether the fix is applied; both are measured in turn without a recording, then the one before is
    recorded."""

    knot = ()         # threads and devices that the first bottleneck names
    fix = ""          # in words
    least_gain = 1.1  # what the fix raises throughput to, at least
    what_if = ""      # what comes nearest to the fix in the words of the analysis; fixed before any prediction was looked at
    asked = ()        # options of the analysis for the prediction: whose time, or which unit

    def command(self, stage):
        return [stage.program("timed"), *self.workload(stage, False)]

    def workload(self, stage, fixed):
        raise NotImplementedError

    def change(self, stage, fixed):
        """Where the fix is not on the command line."""

    def throughput(self, output, measures):
        """Work a second, as the workload tells it."""
        return sum(measures["work"]) / sum(measures["wall"]) * 1e9

    def run_once(self, stage, fixed):
        self.change(stage, fixed)
        done = subprocess.run(self.workload(stage, fixed), check=False, capture_output=True, text=True, timeout=120,
                              env=stage.environment, cwd=stage.folder)
        if done.returncode != 0:
            raise Failure(f"{os.path.basename(self.workload(stage, fixed)[0])}: {(done.stderr or done.stdout).strip()[-300:]}")
        return self.throughput(done.stdout, stage.take_measures())

    def measure(self, stage, result):
        runs = [(self.run_once(stage, False), self.run_once(stage, True)) for _ in range(ROUNDS)]
        before, after = max(run[0] for run in runs), max(run[1] for run in runs)
        result.update(fix=self.fix, before=before, after=after, gain=after / before, runs=runs)
        result["expectations"].append(expectation("the fix raises throughput", after / before >= self.least_gain,
                                                  f"{self.fix}: {before:.1f} to {after:.1f} a second, {after / before:.2f} times"))
        self.change(stage, False)

    def predict(self, recording, result):
        """From the recording before the fix, how many times as fast it would be; beside what was measured."""
        options = (f"what-if={self.what_if}", *self.asked)
        report = recording.analyze(self.analysis, None, options)
        told = report["summary"]["what_if"][0]
        factors = sorted(value / told["before"] if told["metric"] == "throughput" else told["before"] / value
                         for value in (told["low"], told["after"], told["high"]))
        measured = result["after"] / result["before"]
        result["prediction"] = {**told, "factors": factors, "measured": measured, "holds": factors[0] <= measured <= factors[2],
                                "width": max(factors[2] / factors[1] - 1, 1 - factors[0] / factors[1])}

    def explain(self, report, measures, result):
        bottlenecks = report["summary"]["bottlenecks"]
        result.update(bottlenecks=[{key: one[key] for key in ("names", "gain_upper_bound_ns")} for one in bottlenecks[:5]],
                      findings=[finding["text"] for finding in report["findings"][:6]], uncertain=report["uncertain"])
        names = bottlenecks[0]["names"] if bottlenecks else []
        result["expectations"].append(expectation("the first bottleneck is the true one", set(self.knot) <= set(names),
                                                  ", ".join(names) or "none"))
