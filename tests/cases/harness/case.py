"""What a case is, and how one is run: prepared, recorded, explained, checked, cleaned up."""
# SPDX-License-Identifier: GPL-3.0-or-later

import contextlib
import datetime
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import traceback

from harness import checks, disk
from harness.environment import SOURCE
from harness.processes import Failure, Stage, stop_descendants
from harness.recording import Recording, has_analysis

CASES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ATTEMPTS = 3
HELD_OUT = ("blind.py",)
COMPILE = ["gcc", "-std=gnu17", "-D_GNU_SOURCE", "-O1", "-g", "-Wall", "-Wextra", "-Wno-unused-parameter", "-Werror",
           "-fno-omit-frame-pointer", "-pthread", "-I" + os.path.join(SOURCE, "app", "annotate")]


class Case:
    """One workload and what its recording must show. A file NAME.py in a folder of cases defines CASES, a list of these."""

    name = ""
    title = ""
    analysis = ""         # set by the folder the case lies in
    process = None        # of interest
    chain = ()            # processes of the base path, in the order in which they first appear
    largest = ""          # the process that most of the time goes to
    explained_goal = 0.9  # of the share that is explained, as against merely accounted for
    awaits_timeouts = False  # waits that time out are what the workload is about: they count as explained towards the goal
    process_of = {}       # of the recording: names of processes by ids of threads
    held_out = False      # set by the file it lies in: nothing was made with it in view
    only_predicted = False  # it is there for what its change would bring, not for what is found
    duration = None       # seconds; otherwise the command's end ends the recording
    options = ()          # of the analysis
    recording_options = ()  # of the collector, KEY=VALUE

    def fetch(self):
        """Get what comes over the network, while there is one: cases run in a network of their own."""

    def prepare(self, stage):
        """Start what must run before, and warm it up."""

    def measure(self, stage, result, kept):
        """Before the recording: what can be learnt without one. kept: an earlier result whose measures are taken, None for new ones."""

    def explain(self, report, measures, result):
        """Check a report and add what is kept of it to the result."""
        result.update(checks.excerpt(report), explained_goal=self.explained_goal, awaits_timeouts=self.awaits_timeouts)
        result["agreements"] = checks.compare(self.agreements(measures, report["summary"]))
        result["expectations"] += checks.of_every_case(self, report, result["agreements"])
        result["expectations"] += [checks.expectation(*told) for told in self.expectations(measures, report)]

    def command(self, stage):
        """What is recorded."""
        raise NotImplementedError

    def analysis_options(self, measures):
        """KEY=VALUE. By pid, where that is known: others on the machine may run the same program."""
        process = str(measures["pid"][0]) if self.process and "pid" in measures else self.process
        return [*self.options, *([f"process={process}"] if process else [])]

    def agreements(self, measures, summary):
        """Pairs to compare: [(what, what the workload measured in ns, what the analysis says in ns)]."""
        return []

    def expectations(self, measures, report):
        """Beyond those of every case: [(what, whether it holds, detail)]."""
        return []


def find_cases(folders=("control-paths", "wait-graph")):
    found = []
    for folder in folders:
        for file in sorted(os.listdir(os.path.join(CASES, folder))):
            if not file.endswith(".py"):
                continue
            spec = importlib.util.spec_from_file_location(file[:-3], os.path.join(CASES, folder, file))
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            for case in module.CASES:
                case.analysis = folder
                case.held_out = file in HELD_OUT
                found.append(case)
    return found


def build_programs(folder):
    sources = os.path.join(CASES, "programs")
    for file in sorted(os.listdir(sources)):
        if file.endswith(".c"):
            done = subprocess.run([*COMPILE, os.path.join(sources, file), "-o", os.path.join(folder, file[:-2])], check=False,
                                  capture_output=True, text=True)
            if done.returncode != 0:
                raise Failure(f"{file}: {done.stderr.strip()}")


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown cpu")
    return f"{model}, {os.cpu_count()} cpus, Linux {os.uname().release}"


def describe(case, recording):
    info = recording.info()
    return {
        "collector": " ".join([recording.collector, *case.recording_options]),
        "date": datetime.date.today().isoformat(), "machine": machine(), "load": round(os.getloadavg()[0], 1),
        "recording": {"ns": info["to_ns"] - info["from_ns"], "events": sum(info["events"].values()),
                      "lost": info["lost"]["events"], "contradictions": recording.count_contradictions(), "bytes": os.path.getsize(recording.path),
                      "warnings": info["warnings"]},
    }


def explain(case, recording, measures, result):
    if not has_analysis(case.analysis):
        raise Failure(f"no analysis {case.analysis} in this build: recorded, not explained")
    case.process_of = recording.processes_of_threads()
    case.explain(recording.analyze(case.analysis, case.analysis_options(measures)), measures, result)


@contextlib.contextmanager
def built_programs():
    """A folder with the programs of the cases, compiled."""
    with tempfile.TemporaryDirectory(prefix="tailback-case-programs-", dir="/var/tmp") as folder:
        os.chmod(folder, 0o755)
        build_programs(folder)
        yield folder


@contextlib.contextmanager
def stage_for(name, programs, keep=False):
    """A folder and processes that are gone afterwards."""
    folder = tempfile.mkdtemp(prefix=f"tailback-case-{name}-", dir="/var/tmp")
    os.chmod(folder, 0o755)
    try:
        yield Stage(folder, programs, keep)
    finally:
        stop_descendants()
        disk.remove_group()
        if keep:
            print(f"{name}: kept in {folder}", file=sys.stderr)
        else:
            shutil.rmtree(folder)


def record(case, stage, collector):
    """The recording, and what the workload measured meanwhile. Some machines hide a few switches from every tracer: of up to
    three recordings the one is taken that contradicts itself least, whatever it shows."""
    found = []
    for attempt in range(ATTEMPTS):
        recording = Recording(stage.path(f"recording-{attempt}.tailback"), collector)
        recording.make(stage, case.command(stage), case.duration, case.recording_options)
        found.append((recording.count_contradictions(), attempt, recording, stage.take_measures()))
        if found[-1][0] <= os.cpu_count():   # what ran when the recording began is not known
            break
    return min(found)[2:]


def run_case(case, programs, collector, arguments, kept=None):
    """The result of one case as data; what went wrong is among its expectations. kept: an earlier result whose throughput is
    taken, instead of measuring anew."""
    result = {"case": case.name, "title": case.title, "analysis": case.analysis, "undisturbed": arguments.undisturbed, "expectations": []}
    with stage_for(case.name, programs, arguments.keep) as stage:
        try:
            case.prepare(stage)
            stage.take_measures()
            if arguments.predict:
                case.predict(stage, collector, result, arguments.rounds or case.rounds)
                return result
            case.measure(stage, result, kept)
            recording, measures = record(case, stage, collector)
            result.update(describe(case, recording))
            result["expectations"].append(checks.expectation("nothing was lost", result["recording"]["lost"] == 0,
                                                             f"{result['recording']['lost']} events"))
            explain(case, recording, measures, result)
        except (Failure, subprocess.TimeoutExpired, OSError) as error:
            result["expectations"].append(checks.expectation("the case ran", False, str(error)))
        except (KeyError, IndexError, TypeError, ValueError):
            result["expectations"].append(checks.expectation("the report can be read", False, traceback.format_exc()))
    return result
