"""Recording and analysis of a command, with tailback-cli as a user would."""
# SPDX-License-Identifier: GPL-3.0-or-later

import contextlib
import json
import os
import re
import subprocess
import sys

from harness.processes import Failure, die_with_parent, set_autogroup


@contextlib.contextmanager
def busy_cpus(wanted):
    """Keep CPUs from idling, at the lowest priority: on some machines perf buffers miss events of
    idle tasks."""
    spinners = []
    for cpu in sorted(os.sched_getaffinity(0)) if wanted else ():
        def settle(cpu=cpu):
            die_with_parent()
            os.setsid()    # a separate session, which the kernel may weigh as a whole
            with contextlib.suppress(OSError):
                set_autogroup(os.getpid(), 19)
            os.sched_setaffinity(0, {cpu})
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        spinners.append(subprocess.Popen([sys.executable, "-c", "while True: pass"], preexec_fn=settle))
    try:
        yield
    finally:
        for spinner in spinners:
            spinner.kill()
            spinner.wait()


def cli(*arguments, environment=None, patience=600, cwd=None):
    done = subprocess.run(["tailback-cli", *arguments], check=False, capture_output=True, text=True, timeout=patience,
                          env=environment, cwd=cwd)
    if done.returncode != 0:
        raise Failure(f"tailback-cli {arguments[0]}: {done.stderr.strip()[-500:] or done.stdout.strip()[-500:]}")
    return done


def collectors():
    """Return the available collectors, the preferred ones first."""
    found = [plugin["id"] for plugin in json.loads(cli("list", "--json").stdout)["plugins"]
             if plugin["kind"] == "collector" and not plugin["error"]]
    return sorted(found, key=lambda name: (name != "ebpf", name))


def has_analysis(name):
    return any(plugin["kind"] == "analysis" and plugin["id"] == name and not plugin["error"]
               for plugin in json.loads(cli("list", "--json").stdout)["plugins"])


class Recording:
    def __init__(self, path, collector):
        self.path = path
        self.collector = collector
        self.output = ""

    def make(self, stage, command, duration=None, options=()):
        words = ["record", "--force", "--collector", self.collector, "-o", self.path]
        for option in options:
            words += ["--option", option]
        if duration:
            words += ["--duration", str(duration)]
        if command:
            words += ["--", *command]
        with busy_cpus(self.collector == "perf"):
            done = cli(*words, environment=stage.environment, cwd=stage.folder)
        self.output = done.stdout + done.stderr
        if command and not duration and "status 0" not in done.stdout:
            raise Failure(f"{command[0]} failed: {done.stdout.strip()[-400:]}")
        return self

    def info(self):
        return json.loads(cli("info", self.path, "--json").stdout)

    def processes_of_threads(self):
        return {thread["id"]: process["names"] for process in self.info()["processes"] for thread in process["threads"]}

    def count_contradictions(self):
        """Return the number of contradictory switches, each of which shows that some switches are
        missing."""
        report = cli("analyze", self.path, "--analysis", "threads", "--format", "json").stdout
        uncertain = json.loads(report)["uncertain"]
        found = [re.search(r"^The kernel did not report ([\d,]+) switch", text)
                 for text in uncertain["warnings"] + uncertain["remarks"]]
        return sum(int(match.group(1).replace(",", "")) for match in found if match)

    def analyze(self, analysis, options=(), further_recordings=()):
        """again: recordings of the same load, which the analysis includes."""
        words = ["analyze", self.path, *(one.path for one in further_recordings), "--analysis", analysis, "--format", "json"]
        for option in options:
            words += ["--option", option]
        return json.loads(cli(*words).stdout)
