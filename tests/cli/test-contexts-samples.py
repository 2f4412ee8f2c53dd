#!/usr/bin/env python3
"""Own shares of functions in recordings of samples agree with those of perf report.

Each of the first ten functions of perf report has the same share of all samples within 1 %.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import perf_files  # noqa: E402
import tap  # noqa: E402

RECORDINGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fixtures", "perf-data")
N_FUNCTIONS = 10
TOLERANCE = 0.01


def run_perf(path):
    return tap.run("perf", "report", "-i", path, "--no-children", "--stdio", "-g", "none",
                   "--sort", "sym,dso")


def report_by_perf(path, folder):
    """Return the lines of perf report as (share, symbol), largest first."""
    if not shutil.which("perf"):
        raise tap.Skip("no perf here")
    done = run_perf(path)
    if "incompatible file format" in done.stderr:
        copy = os.path.join(folder, "shortened.data")
        with open(path, "rb") as source, open(copy, "wb") as target:
            target.write(perf_files.shorten_descriptions(source.read()))
        done = run_perf(copy)
    if done.returncode != 0:
        reason = done.stderr.strip().replace("\n", " ")[:200]
        raise tap.Skip("perf cannot read the recording: " + reason)
    found = re.findall(r"^ +([0-9.]+)% +\[[.k]\] (\S+).* (\S+) *$", done.stdout, re.MULTILINE)
    return [(float(share) / 100, module if module == "[vdso]" and symbol.startswith("0x")
             else symbol) for share, symbol, module in found]


def simplify(symbol):
    """Return what names of one function have in common: an address without the module, or the name
    without version, prefix of an alias and suffix of a clone. Addresses of the vDSO are one: where
    this kernel has the same, they are shown by their functions."""
    if symbol.startswith("[vdso]"):
        return "[vdso]"
    address = re.fullmatch(r"(?:.*\+)?0x0*([0-9a-f]+)", symbol)
    if address:
        return "0x" + address[1]
    return re.sub(r"^(__GI_)?_*", "", re.sub(r"(@.*|\.constprop.*)$", "", symbol))


def add_up(shares):
    """Return the sum of the shares of each function."""
    sums = {}
    for share, symbol in shares:
        sums[simplify(symbol)] = sums.get(simplify(symbol), 0) + share
    return sums


def analyze(path):
    done = tap.cli("analyze", path, "--analysis", "calling-contexts", "--format", "json",
                   "--option", "top=0")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def agree_with_perf(name, n_samples):
    path = os.path.join(RECORDINGS, name)
    report = analyze(path)
    summary = report["summary"]
    assert report["evidence"]["switches"] == "none", report["evidence"]
    assert summary["samples"] == n_samples, summary["samples"]
    assert sum(function["samples"] for function in summary["functions_top"]) == n_samples
    assert summary["instances"] is None and summary["coverage"]["wall_share"] is None
    ours = add_up((function["own_ns"] / summary["own_ns"], function["function"])
                  for function in summary["functions_top"])
    with tempfile.TemporaryDirectory() as folder:
        lines = report_by_perf(path, folder)
    theirs = add_up(lines)
    assert len(lines) >= N_FUNCTIONS, lines
    for _, symbol in lines[:N_FUNCTIONS]:
        key = simplify(symbol)
        print(f"# {name} {symbol}: {theirs[key]:.4f} by perf, {ours.get(key, 0):.4f} here")
        assert abs(theirs[key] - ours.get(key, 0)) < TOLERANCE, (symbol, theirs[key], ours.get(key))
    # Shares of all functions: an equal sum does not hide one that is missing.
    assert abs(sum(ours.values()) - 1) < 1e-6, sum(ours.values())


def test_process_samples():
    agree_with_perf("process-samples.data", 433)


def test_deep_recursion():
    agree_with_perf("deep-recursion.data", 381)


# What has called the kernel to execute another program, and is not mapped any more.
EXECUTED = {"0x7febbb4e9b57", "0x7f5546a8fb57"}


def find_texts(value):
    """All texts in a report."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from find_texts(part)


def test_broken_stacks():
    """Callers of code without frame pointers are numbers that are not in any mapping: stacks end
    there, and are counted."""
    agree_with_perf("recorded-command-own.data", 349)
    report = analyze(os.path.join(RECORDINGS, "recorded-command-own.data"))
    numbers = {text for text in find_texts(report) if text.startswith("0x")}
    assert numbers <= EXECUTED, numbers
    counts = report["summary"]["events"]
    assert counts["broken_used"] >= 12, counts
    assert any("do not reach the start of their thread" in text for text in find_texts(report))


def test_unmapped_caller():
    """An address at which nothing is mapped is not named as a caller."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "unmapped.csv")
        with open(path, "w", encoding="ascii") as file:
            file.write("time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,"
                       "text,stack\n"
                       "100,-1,name,,,,7,,,7,,,worker,\n")
            for i in range(20):
                caller, share = ("0x1c2a3fe", 3) if i % 2 else ("main@worker", 1)
                file.write(f"{1000 + i},-1,sample,,,,,,,7,,{share},,{caller};work{i % 2}@worker\n")
        findings = [finding["text"] for finding in analyze(path)["findings"]]
    assert any("work0 called from main" in text for text in findings), findings
    assert any("work1 " in text for text in findings), findings
    assert not any("0x1c2a3fe" in text for text in findings), findings


if __name__ == "__main__":
    sys.exit(tap.main([test_process_samples, test_deep_recursion,
                       test_broken_stacks, test_unmapped_caller]))
