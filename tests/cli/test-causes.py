#!/usr/bin/env python3
"""Calling contexts show the cause of a slow run, in the cases that need no package."""
# SPDX-License-Identifier: GPL-3.0-or-later

import importlib.util
import os
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = os.path.join(os.path.dirname(HERE), "cases")

sys.path.insert(0, HERE)
sys.path.insert(0, CASES)
sys.dont_write_bytecode = True
import tap  # noqa: E402
from harness import contrast, processes  # noqa: E402


def load_cases():
    spec = importlib.util.spec_from_file_location("own", os.path.join(CASES, "calling-contexts", "own.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {case.name: case for case in module.CASES}


OWN = load_cases()


def check(name):
    """Compares only the part of the ranking that the case is about: other growth depends on the
    machine."""
    tap.needs_system()
    if not all(map(shutil.which, ("gcc", "nm", "readelf", "strip"))):
        raise tap.Skip("the program is compiled here, with gcc and binutils")
    case = OWN[name]
    with tempfile.TemporaryDirectory() as folder:
        stage = processes.Stage(folder, None)
        case.prepare(stage)
        recordings = [case.record(stage, is_slow) for is_slow in (False, True)]
        summary = case.compare(stage, recordings)["summary"]
        rank, distance = contrast.rank_cause(summary["paths"], case.locate(stage), case.module)
        named = contrast.rank_module(summary["modules"], case.module)
        first = [frame["function"] for frame in summary["paths"][0]["frames"]]
    assert rank is not None and rank <= contrast.NEAR, (rank, first)
    assert distance == 0, (rank, distance, first)
    assert named is not None and named <= contrast.NEAR, named


def test_one_caller():
    check("shift")


def test_one_caller_without_symbols():
    check("shift-bare")


def test_plug_in():
    check("part")


def test_plug_in_without_symbols():
    check("part-bare")


os.environ["PATH"] = os.path.dirname(tap.CLI) + os.pathsep + os.environ["PATH"]
sys.exit(tap.main([test_one_caller, test_plug_in_without_symbols], thorough=[test_one_caller_without_symbols, test_plug_in]))
