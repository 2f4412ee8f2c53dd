"""Cases of the wait graph: a program before and after the fix for its knot."""
# SPDX-License-Identifier: GPL-3.0-or-later

import contextlib
import datetime
import itertools
import os
import statistics
import subprocess
import tempfile

from harness import knots
from harness.case import ATTEMPTS, Case, machine
from harness.checks import expectation
from harness.environment import SOURCE
from harness.processes import Failure
from harness.recording import Recording

ROUNDS = 5
MEMORY = "/dev/shm"
# order of the runs in a round; it rotates from round to round
ORDERS = tuple(itertools.permutations(("before", "after", "recorded")))
MEASURED = ("fix", "before", "after", "gain", "runs", "measured")   # fields of it that are kept
LIGHT = ("samples=false", "stacks=false", "annotations=false", "measure=true")


def commit():
    """Return the version of the build from git describe, if there is one."""
    done = subprocess.run(["git", "-c", "safe.directory=*", "-C", SOURCE, "describe", "--always", "--dirty"], check=False,
                          capture_output=True, text=True)
    return done.stdout.strip() or os.environ.get("TAILBACK_COMMIT", "unknown commit")


class Pair(Case):
    """A program before and after its fix. Its command takes whether the fix is applied. Both are
    measured in turn without a recording, then the program before the fix is recorded. Its known
    limit is written down here, and the analysis has to find it."""

    cause = ""        # known limit, in words
    knot = ()         # minimum contents of the first knot: thread names, "disk", "network"
    execution = ""    # or the thread that limits by its execution
    edges = ()        # one of them is the top edge: what the fix removes or shortens
    lock = ""         # part of the name of that edge's lock
    background = ()   # threads of a background knot
    target = ()       # target processes, by name; default: the measured command
    fix = ""          # in words
    least_gain = 1.1  # minimum ratio of throughput after and before the fix
    what_if = ""      # closest What-if expression to the fix; fixed before the first prediction
    prediction_analysis_options = ()        # analysis options for the prediction: target or work unit
    # number of rounds for a prediction; more where the interval would be wide by chance alone
    rounds = 9
    # functions that the change affects: their calls are recorded for the prediction
    probes = ()

    def command(self, stage):
        return [stage.program("timed"), *self.workload(stage, False)]

    def workload(self, stage, fixed):
        raise NotImplementedError

    def change(self, stage, fixed):
        """Apply or revert a fix that is not on the command line."""

    def throughput(self, output, measures):
        """Return work per second, as reported by the workload."""
        return sum(measures["work"]) / sum(measures["wall"]) * 1e9

    def run_once(self, stage, fixed):
        self.change(stage, fixed)
        done = subprocess.run(self.workload(stage, fixed), check=False, capture_output=True, text=True, timeout=120,
                              env=stage.environment, cwd=stage.folder)
        if done.returncode != 0:
            raise Failure(f"{os.path.basename(self.workload(stage, fixed)[0])}: {(done.stderr or done.stdout).strip()[-300:]}")
        return self.throughput(done.stdout, stage.take_measures())

    def measure(self, stage, result, kept):
        if kept and "gain" in kept:
            result.update({key: kept.get(key) for key in MEASURED})
        else:
            self.measure_anew(stage, result)
        result["expectations"].append(expectation("the fix raises throughput", result["gain"] >= self.least_gain,
                                                  f"{self.fix}: {result['before']:.1f} to {result['after']:.1f} a second, {result['gain']:.2f} times"))

    def measure_anew(self, stage, result):
        """Run both in turn, each one first in every other round, and compare the best of each."""
        runs = []
        for number in range(ROUNDS):
            throughputs = {fixed: self.run_once(stage, fixed) for fixed in ((False, True), (True, False))[number % 2]}
            runs.append((throughputs[False], throughputs[True]))
        before, after = max(run[0] for run in runs), max(run[1] for run in runs)
        result.update(fix=self.fix, before=before, after=after, gain=after / before, runs=runs,
                      measured={"date": datetime.date.today().isoformat(), "load": round(os.getloadavg()[0], 1), "commit": commit()})
        self.change(stage, False)

    def prediction_options(self):
        """Return collector options. Only what a prediction needs is recorded, to keep the cost of
        recording low."""
        return (*LIGHT, *([f"probe={','.join(self.probes)}"] if self.probes else []))

    def predict(self, stage, collector, result, rounds):
        """Run before and after without a recording, and record a run before, in each round. Compare
        the prediction from all recordings with the measured median speed-up. A run affects the next
        one (dirty memory, later disk work). Therefore each kind follows each of the others equally
        often, and known dirty data is written before a run."""
        with self.recordings_folder(stage) as folder:
            recordings, runs, recorded = [], [], []
            for number, order in zip(range(rounds), itertools.cycle(ORDERS)):
                recordings.append(Recording(os.path.join(folder, f"before-{number}.tailback"), collector))
                throughputs = {what: self.run_one(stage, what, recordings[-1]) for what in order}
                runs.append((throughputs["before"], throughputs["after"]))
                recorded.append(throughputs["recorded"])
            self.evaluate(collector, result, recordings, runs, recorded)

    def run_one(self, stage, what, recording):
        """Run once and return the throughput."""
        os.sync()
        if what != "recorded":
            return self.run_once(stage, what == "after")
        self.change(stage, False)
        return self.record_before(stage, recording)

    @staticmethod
    def recordings_folder(stage):
        """Return a folder for recordings: in memory where possible, because the load may wait for
        the disk; in the case's folder if everything is kept."""
        if stage.is_kept or not os.access(MEMORY, os.W_OK):
            return contextlib.nullcontext(stage.folder)
        return tempfile.TemporaryDirectory(prefix="tailback-case-", dir=MEMORY)

    def evaluate(self, collector, result, recordings, runs, recorded):
        before, after = (statistics.median(run[i] for run in runs) for i in (0, 1))
        result.update(before=before, after=after, runs=runs, recorded=recorded, load=round(os.getloadavg()[0], 1),
                      date=datetime.date.today().isoformat(), commit=commit(), machine=machine(), collector=" ".join([collector, *self.prediction_options()]))
        result["prediction"] = self.compare(recordings, runs, recorded)

    def compare(self, recordings, runs, recorded):
        """Compare the prediction from recordings with the measured runs before and after the
        fix."""
        before, after = (statistics.median(run[i] for run in runs) for i in (0, 1))
        best = max(run[1] for run in runs) / max(run[0] for run in runs)
        unrecorded = ",".join(f"{run[0] / statistics.median(recorded):.6f}" for run in runs)
        options = (f"what-if={self.what_if}", f"baseline-speedup={unrecorded}", *self.prediction_analysis_options)
        throughputs = recordings[0].analyze(self.analysis, options, recordings[1:])["summary"]["what_if"][0]
        factors = sorted(value / throughputs["before"] if throughputs["metric"] == "throughput" else throughputs["before"] / value
                         for value in (throughputs["low"], throughputs["after"], throughputs["high"]))
        return {**throughputs, "factors": factors, "measured": after / before, "best": best, "gains": sorted(run[1] / run[0] for run in runs),
                "fix": self.fix, "holds": factors[0] <= after / before <= factors[2], "best_holds": factors[0] <= best <= factors[2],
                "recording_costs": 1 - statistics.median(recorded) / before,
                "width": max(factors[2] / factors[1] - 1, 1 - factors[0] / factors[1])}

    def record_before(self, stage, recording):
        """Record until nothing is lost, as unknown events cannot be replayed. Return the throughput
        during the recording."""
        for _ in range(ATTEMPTS):
            recording.make(stage, self.command(stage), self.duration, self.prediction_options())
            measures = stage.take_measures()
            if recording.info()["lost"]["events"] == 0:
                break
        if "work" in measures:
            # the program's own time; the second is that of the enclosing command
            measures["wall"] = measures["wall"][:1]
        return self.throughput(recording.output, measures)

    def analysis_options(self, measures):
        """Return the options that a user would choose: the server as target, or the program
        itself."""
        return [*self.options, "target=" + ",".join(self.target or [str(measures["pid"][0])])]

    def explain(self, report, measures, result):
        graph = knots.Graph(report["summary"], self.process_names)
        found = knots.find(graph)
        result.update(cause=self.cause, recorded_ns=graph.recorded, found=found,
                      bottlenecks=[{key: one[key] for key in ("names", "gain_upper_bound_ns", "background")}
                                   for one in report["summary"]["bottlenecks"][:6]],
                      findings=[finding["text"] for finding in report["findings"][:8]], uncertain=report["uncertain"])
        result["expectations"] += knots.check(self, graph, found)


class Program(Pair):
    arguments = ()

    def workload(self, stage, fixed):
        words = [stage.path(word[1:]) if word.startswith("@") else word for word in self.arguments]
        return [stage.program(words[0]), *words[1:], *(["fixed"] if fixed else [])]
