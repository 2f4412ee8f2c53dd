"""Programs that people run, and what an expert answers first about each."""
# SPDX-License-Identifier: GPL-3.0-or-later

import contextlib
import dataclasses
import glob
import os
import subprocess

from harness.case import CASES, Case, find_cases
from harness.processes import die_with_parent

SEALED = os.path.join(CASES, "expert", "sealed.txt")


@dataclasses.dataclass(frozen=True)
class Answer:
    """What an expert answers, and how it is recognized in a finding."""

    sentence: str
    kinds: tuple           # any of these; see expert_check.CODES
    names: dict            # what is named: regular expression; see expert_check.NAMED
    amount: str = ""       # name of the fact whose time the finding has, within TOLERANCE
    share: tuple = ()      # instead: bounds of the finding's time as a share of the wall time


class ExpertCase(Case):
    """A program, the answer, and the facts that prove it. Answers were written before the first
    recording; a later change needs facts that refute the answer, and a comment beside it."""

    answer = None

    def facts(self, truth, measures):
        """Return {name: ns}, from bpftrace (truth) or the program's own clock (measures)."""
        raise NotImplementedError

    def proof(self, facts, truth):
        """Return [(what has to be so for the answer to be true, whether it is)]."""
        raise NotImplementedError


def find_expert_cases():
    return find_cases(("expert",))


def read_sealed():
    with open(SEALED, encoding="utf-8") as lines:
        return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def collect_bytes(mebibytes):
    """Return that much of the system's libraries: data as archives and packages have them."""
    parts, missing = [], mebibytes << 20
    for path in sorted(glob.glob("/usr/lib/x86_64-linux-gnu/*.so*") or
                       glob.glob("/usr/lib/*/*.so*")):
        if missing > 0 and os.path.isfile(path) and not os.path.islink(path):
            with open(path, "rb") as file:
                parts.append(file.read(missing))
            missing -= len(parts[-1])
    return b"".join(parts)


def make_data(stage, name, mebibytes):
    with open(stage.path(name), "wb") as file:
        file.write(collect_bytes(mebibytes))


def make_tree(stage, name, mebibytes):
    """Make a folder with files of 512 KiB."""
    data = collect_bytes(mebibytes)
    os.makedirs(stage.path(name))
    for i in range(0, len(data), 512 << 10):
        with open(stage.path(name, f"file-{i >> 19:03}"), "wb") as file:
            file.write(data[i:i + (512 << 10)])


@contextlib.contextmanager
def busy_loops(wanted):
    """Keep two CPUs busy with ordinary programs, which compete with the case on equal terms. Yields
    their process IDs."""
    loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"], preexec_fn=die_with_parent,
                              start_new_session=True)
             for _ in range(2 if wanted else 0)]
    try:
        yield {loop.pid for loop in loops}
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
