"""Cases of calling contexts: a normal and a slow run, and the path known to be the cause."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import subprocess
import traceback

from harness import case as cases
from harness.checks import expectation
from harness.processes import Failure
from harness.recording import cli

ESTIMATES = ("conservative", "aggressive", "refined")
ANALYSIS_OPTIONS = ("syscalls=true", "syscall-stacks=true", "ring-size=67108864")
# As in the paper's recordings: no samples.
KERNEL_EVENTS = "syscall,switch"
NEAR = 3


class Contrast(cases.Case):
    """A program with a known cause. The cause is written down here only: the programs' names and
    command lines do not reveal it."""

    program = ""          # name for readers
    is_internal = True    # the cause is in the program itself, not in a plug-in or library
    is_injected = True    # the lag is injected, not a real bug
    bug = ""              # bug report
    cause = ""            # in words
    path = ()             # functions from an outer one to the cause; others may lie between them
    module = ""           # module of the last function
    process = None        # process of interest, if others are recorded too
    # programs whose stacks are dumped: frame pointers miss callers, for example of the C library's
    # functions
    dumped = "all"
    dump_bytes = 8192
    turns = (0, 0)        # length of the loop in programs with a lag

    def command(self, stage, is_slow):
        raise NotImplementedError

    def locate(self, stage):
        """Return the path as it appears in the recording."""
        return self.path

    def record(self, stage, is_slow):
        path = stage.path("slow.tailback" if is_slow else "fine.tailback")
        words = ["record", "--force", "--scope", "command", "--collector", "ebpf", "-o", path]
        for option in (*ANALYSIS_OPTIONS, f"dump-stacks={self.dumped}", f"dump-bytes={self.dump_bytes}", *self.recording_options):
            words += ["--option", option]
        done = cli(*words, "--", *self.command(stage, is_slow), cwd=stage.folder,
                   environment=dict(stage.environment, CASE_TURNS=str(self.turns[is_slow])))
        if "status 0" not in done.stdout:
            raise Failure(f"{self.name}: {(done.stdout + done.stderr).strip()[-400:]}")
        return path

    def compare(self, stage, recordings, *options):
        output = stage.path("compared.json")
        words = ["compare", recordings[0], "--", recordings[1], "--analysis", "calling-contexts", "--format", "json", "-o", output]
        for option in (*options, "top=0", *([f"process={self.process}"] if self.process else [])):
            words += ["--option", option]
        cli(*words)
        with open(output, encoding="utf-8") as file:
            return json.load(file)


def find_cause(frames, path, module):
    """Return the index of the frame that is the cause and is called through the path; None if there
    is none."""
    wanted = list(path)
    for number, frame in enumerate(frames):
        if frame["function"] == wanted[0] and (len(wanted) > 1 or frame["module"] == module):
            wanted.pop(0)
            if not wanted:
                return number
    return None


def rank_cause(paths, path, module):
    """Return the rank of the first path that contains the cause with its known callers, and the
    number of calls between the cause and the costliest function. These are the paper's p_min and
    f_min; p_min requires the whole path."""
    for one in paths:
        found = find_cause(one["frames"], path, module)
        if found is not None:
            hot = next(number for number, frame in enumerate(one["frames"]) if frame["hot"])
            return one["rank"], abs(hot - found)
    return None, None


def rank_module(modules, module):
    grown = sorted(modules, key=lambda one: (one["base_ns"] or 0) - (one["own_ns"] or 0))
    return next((number for number, one in enumerate(grown, 1) if one["module"] == module), None)


def describe(report):
    """Return |I|, |P|, |F| and the mean path length of the slow recording, as in the paper's
    table."""
    summary = report["summary"]
    paths = summary["paths"]
    return {"modules": len([one for one in summary["modules"] if one["own_ns"] is not None]), "paths": summary["n_paths"],
            "functions": summary["functions"], "length": sum(len(path["frames"]) for path in paths) / max(len(paths), 1)}


def load_of_machine():
    return round(os.getloadavg()[0], 1)


def run_case(one, keep=False):
    """Return the result of one case as data, with failures among its expectations."""
    result = {"case": one.name, "title": one.title, "program": one.program, "internal": one.is_internal, "injected": one.is_injected,
              "bug": one.bug, "cause": one.cause, "path": list(one.path), "module": one.module, "load": load_of_machine(),
              "ranks": {}, "expectations": []}
    with cases.stage_for(one.name, None, keep) as stage:
        try:
            one.prepare(stage)
            recordings = [one.record(stage, is_slow) for is_slow in (False, True)]
            explain(one, stage, recordings, result)
        except (Failure, subprocess.TimeoutExpired, OSError) as error:
            result["expectations"].append(expectation("the case ran", False, str(error)))
        except (KeyError, IndexError, TypeError, ValueError, StopIteration):
            result["expectations"].append(expectation("the report can be read", False, traceback.format_exc()))
    return result


def explain(one, stage, recordings, result):
    path = one.locate(stage)
    for estimate in ESTIMATES:
        report = one.compare(stage, recordings, f"estimate={estimate}")
        result["ranks"][estimate] = rank_cause(report["summary"]["paths"], path, one.module)
    kernel = one.compare(stage, recordings, f"events={KERNEL_EVENTS}")
    result["without_samples"] = rank_cause(kernel["summary"]["paths"], path, one.module)
    result.update(describe(report), lost=report["uncertain"]["lost_events"], warnings=report["uncertain"]["warnings"],
                  findings=[finding["text"] for finding in report["findings"][:3]],
                  module_rank=rank_module(report["summary"]["modules"], one.module),
                  first=[f"{frame['function']}{' *' if frame['hot'] else ''}" for frame in report["summary"]["paths"][0]["frames"]],
                  recording_bytes=os.path.getsize(recordings[1]))
    result["rank"], result["distance"] = result["ranks"]["refined"]
    result["expectations"] += check(one, result)


def check(one, result):
    rank, distance = result["rank"], result["distance"]
    done = [expectation(f"the true path is among the first {NEAR}", rank is not None and rank <= NEAR, f"rank {rank}"),
            expectation("nothing was lost", result["lost"] == 0, f"{result['lost']} events")]
    if one.is_injected:
        done += [expectation("the costliest function of the path is the cause", distance == 0, f"distance {distance}"),
                 expectation("its module is among those that cost more", result["module_rank"] in range(1, NEAR + 1),
                             f"{one.module} is number {result['module_rank']}")]
    return done
