"""Cases of the wait graph: a program before and after the fix that its knot points to."""
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
ORDERS = tuple(itertools.permutations(("before", "after", "recorded")))   # of a round's runs, round after round
MEASURED = ("fix", "before", "after", "gain", "runs", "measured")   # what is kept of it
LIGHT = ("samples=false", "stacks=false", "annotations=false", "measure=true")


def commit():
    """What was built, as git calls it, where there is one."""
    done = subprocess.run(["git", "-c", "safe.directory=*", "-C", SOURCE, "describe", "--always", "--dirty"], check=False,
                          capture_output=True, text=True)
    return done.stdout.strip() or os.environ.get("TAILBACK_COMMIT", "unknown commit")


class Pair(Case):
    """Its command takes whether the fix is applied; both are measured in turn without a recording, then the one before is
    recorded. What limits it is known, and written down here: the analysis has to find it."""

    cause = ""        # what is known to limit it, in words
    knot = ()         # what the first knot has in it at least: names of threads, "disk", "network"
    execution = ""    # or whose execution limits it
    edges = ()        # of which the top edge is one: what the fix removes or shortens
    lock = ""         # part of the name of that edge's lock
    background = ()   # threads of a knot in the background
    target = ()       # processes asked about, by name; otherwise the command that is measured
    fix = ""          # in words
    least_gain = 1.1  # what the fix raises throughput to, at least
    what_if = ""      # what comes nearest to the fix in the words of the analysis; fixed before any prediction was looked at
    asked = ()        # options of the analysis for the prediction: whose time, or which unit
    rounds = 9        # of what is measured and recorded for a prediction; more where chance alone makes its interval wide
    probes = ()       # functions that the change is about: their calls are recorded for the prediction

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

    def measure(self, stage, result, kept):
        if kept and "gain" in kept:
            result.update({key: kept.get(key) for key in MEASURED})
        else:
            self.measure_anew(stage, result)
        result["expectations"].append(expectation("the fix raises throughput", result["gain"] >= self.least_gain,
                                                  f"{self.fix}: {result['before']:.1f} to {result['after']:.1f} a second, {result['gain']:.2f} times"))

    def measure_anew(self, stage, result):
        """In turn, and each first in every other round; the best of each are compared."""
        runs = []
        for number in range(ROUNDS):
            told = {fixed: self.run_once(stage, fixed) for fixed in ((False, True), (True, False))[number % 2]}
            runs.append((told[False], told[True]))
        before, after = max(run[0] for run in runs), max(run[1] for run in runs)
        result.update(fix=self.fix, before=before, after=after, gain=after / before, runs=runs,
                      measured={"date": datetime.date.today().isoformat(), "load": round(os.getloadavg()[0], 1), "commit": commit()})
        self.change(stage, False)

    def prediction_options(self):
        """Of the collector. What a prediction needs and no more: what recording costs is not what is asked about."""
        return (*LIGHT, *([f"probe={','.join(self.probes)}"] if self.probes else []))

    def predict(self, stage, collector, result, rounds):
        """Before, after, both without a recording, and a recording before. What all recordings together predict, beside what was
        measured: how many times as fast it is in the median. What one run leaves behind (memory to be written, what a disk does later)
        is the next one's: each comes after each of the others equally often, and what is known to be written is before it begins."""
        with self.recordings_folder(stage) as folder:
            recordings, runs, recorded = [], [], []
            for number, order in zip(range(rounds), itertools.cycle(ORDERS)):
                recordings.append(Recording(os.path.join(folder, f"before-{number}.tailback"), collector))
                told = {what: self.run_one(stage, what, recordings[-1]) for what in order}
                runs.append((told["before"], told["after"]))
                recorded.append(told["recorded"])
            self.tell(collector, result, recordings, runs, recorded)

    def run_one(self, stage, what, recording):
        """The throughput."""
        os.sync()
        if what != "recorded":
            return self.run_once(stage, what == "after")
        self.change(stage, False)
        return self.record_before(stage, recording)

    @staticmethod
    def recordings_folder(stage):
        """Not on the disk that the load may be waiting for, where there is memory to hold them; unless all is kept."""
        if stage.is_kept or not os.access(MEMORY, os.W_OK):
            return contextlib.nullcontext(stage.folder)
        return tempfile.TemporaryDirectory(prefix="tailback-case-", dir=MEMORY)

    def tell(self, collector, result, recordings, runs, recorded):
        before, after = (statistics.median(run[i] for run in runs) for i in (0, 1))
        result.update(before=before, after=after, runs=runs, recorded=recorded, load=round(os.getloadavg()[0], 1),
                      date=datetime.date.today().isoformat(), commit=commit(), machine=machine(), collector=" ".join([collector, *self.prediction_options()]))
        result["prediction"] = self.compare(recordings, runs, recorded)

    def compare(self, recordings, runs, recorded):
        """What recordings predict, beside what runs before and after took."""
        before, after = (statistics.median(run[i] for run in runs) for i in (0, 1))
        best = max(run[1] for run in runs) / max(run[0] for run in runs)
        unrecorded = ",".join(f"{run[0] / statistics.median(recorded):.6f}" for run in runs)
        options = (f"what-if={self.what_if}", f"unrecorded={unrecorded}", *self.asked)
        told = recordings[0].analyze(self.analysis, options, recordings[1:])["summary"]["what_if"][0]
        factors = sorted(value / told["before"] if told["metric"] == "throughput" else told["before"] / value
                         for value in (told["low"], told["after"], told["high"]))
        return {**told, "factors": factors, "measured": after / before, "best": best, "gains": sorted(run[1] / run[0] for run in runs),
                "fix": self.fix, "holds": factors[0] <= after / before <= factors[2], "best_holds": factors[0] <= best <= factors[2],
                "recording_costs": 1 - statistics.median(recorded) / before,
                "width": max(factors[2] / factors[1] - 1, 1 - factors[0] / factors[1])}

    def record_before(self, stage, recording):
        """Again where something was lost: what is not known cannot be played. The throughput meanwhile."""
        for _ in range(ATTEMPTS):
            recording.make(stage, self.command(stage), self.duration, self.prediction_options())
            measures = stage.take_measures()
            if recording.info()["lost"]["events"] == 0:
                break
        if "work" in measures:
            measures["wall"] = measures["wall"][:1]   # the program's own; then that of the command around it
        return self.throughput(recording.output, measures)

    def analysis_options(self, measures):
        """As a user would ask: about the server, or about the program itself."""
        return [*self.options, "target=" + ",".join(self.target or [str(measures["pid"][0])])]

    def explain(self, report, measures, result):
        graph = knots.Graph(report["summary"], self.process_of)
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
