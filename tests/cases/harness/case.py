"""The base class of a case, and the steps of a run: prepare, record, analyze, check, clean up."""
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
    """One workload and the expectations of its recording. A file NAME.py in a folder of cases
    defines CASES, a list of them."""

    name = ""
    title = ""
    analysis = ""         # set from the folder of the case
    process = None        # process of interest
    chain = ()            # processes of the base path, in order of their first appearance
    largest = ""          # process with most of the time
    explained_goal = 0.9  # goal for the explained share, as opposed to the accounted share
    expects_timeouts = False  # timeouts are the purpose of the workload: they count as explained
    process_names = {}       # of the recording: process names by thread ID
    held_out = False      # set from the case's file: nothing was developed with this case in view
    only_predicted = False  # the case tests the prediction for its change only, not the findings
    duration = None       # seconds; None: the recording ends with the command
    options = ()          # options of the analysis
    recording_options = ()  # options of the collector, KEY=VALUE

    def fetch(self):
        """Fetch what comes over the network: cases run in a network namespace without access to
        it."""

    def prepare(self, stage):
        """Start services and warm them up before the recording."""

    def measure(self, stage, result, kept):
        """Measure what does not need a recording, before the recording. kept: an earlier result
        whose measures are reused, None for new ones."""

    def explain(self, report, measures, result):
        """Check a report and add the excerpt that is kept to the result."""
        result.update(checks.excerpt(report), explained_goal=self.explained_goal, expects_timeouts=self.expects_timeouts)
        result["agreements"] = checks.compare(self.agreements(measures, report["summary"]))
        result["expectations"] += checks.list_common_expectations(self, report, result["agreements"])
        result["expectations"] += [checks.expectation(*expected) for expected in self.expectations(measures, report)]

    def command(self, stage):
        """Return the recorded command."""
        raise NotImplementedError

    def analysis_options(self, measures):
        """Return KEY=VALUE options. The process is given by PID if known, as other users may run
        the same program."""
        process = str(measures["pid"][0]) if self.process and "pid" in measures else self.process
        return [*self.options, *([f"process={process}"] if process else [])]

    def agreements(self, measures, summary):
        """Return pairs to compare: [(name, ns measured by the workload, ns reported by the
        analysis)]."""
        return []

    def expectations(self, measures, report):
        """Return further expectations of this case: [(name, whether it holds, detail)]."""
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
    case.process_names = recording.processes_of_threads()
    case.explain(recording.analyze(case.analysis, case.analysis_options(measures)), measures, result)


@contextlib.contextmanager
def built_programs():
    """Provide a folder with the compiled programs of the cases."""
    with tempfile.TemporaryDirectory(prefix="tailback-case-programs-", dir="/var/tmp") as folder:
        os.chmod(folder, 0o755)
        build_programs(folder)
        yield folder


@contextlib.contextmanager
def stage_for(name, programs, keep=False):
    """Provide a folder and processes that are removed afterwards."""
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
    """Return the recording, and the measures of the workload. Some machines hide a few switches
    from every tracer. Therefore the recording with the fewest contradictions of up to three is
    taken, whatever it shows."""
    found = []
    for attempt in range(ATTEMPTS):
        recording = Recording(stage.path(f"recording-{attempt}.tailback"), collector)
        recording.make(stage, case.command(stage), case.duration, case.recording_options)
        found.append((recording.count_contradictions(), attempt, recording, stage.take_measures()))
        # threads that run at the start of the recording are unknown
        if found[-1][0] <= os.cpu_count():
            break
    return min(found)[2:]


def run_case(case, programs, collector, arguments, kept=None):
    """Return the result of one case as data, with failures among its expectations. kept: an earlier
    result whose throughput is reused instead of measured again."""
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
