#!/usr/bin/env python3
"""Own shares of functions in recordings of samples agree with those of perf report.

Each of the first ten functions of perf report has the same share of all samples within 1 %.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import re
import shutil
import struct
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402

RECORDINGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fixtures", "perf-data")
N_FUNCTIONS = 10
TOLERANCE = 0.01
# Size of an event's description in bytes, in files that perf 6.12 reads.
KNOWN_SIZE = 136


def shorten_descriptions(data):
    """Return a file with events' descriptions of the known size: perf refuses longer ones, even if
    the rest is zero."""
    data = bytearray(data)
    entry_size, begin, size = struct.unpack_from("<QQQ", data, 16)
    n = size // entry_size
    new_size = KNOWN_SIZE + 16  # a description is followed by the place of its IDs
    for i in range(n):
        entry = bytes(data[begin + i * entry_size:begin + (i + 1) * entry_size])
        old = struct.unpack_from("<I", entry, 4)[0]
        assert not any(entry[KNOWN_SIZE:old]), "the event needs a newer perf"
        shorter = entry[:4] + struct.pack("<I", KNOWN_SIZE) + entry[8:KNOWN_SIZE]
        shorter += entry[old:old + 16]
        data[begin + i * new_size:begin + (i + 1) * new_size] = shorter
    struct.pack_into("<QQQ", data, 16, new_size, begin, n * new_size)
    return data


def run_perf(path):
    return tap.run("perf", "report", "-i", path, "--no-children", "--stdio", "-g", "none",
                   "--sort", "sym")


def report_by_perf(path, folder):
    """Return the lines of perf report as (share, symbol), largest first."""
    if not shutil.which("perf"):
        raise tap.Skip("no perf here")
    done = run_perf(path)
    if "incompatible file format" in done.stderr:
        copy = os.path.join(folder, "shortened.data")
        with open(path, "rb") as source, open(copy, "wb") as target:
            target.write(shorten_descriptions(source.read()))
        done = run_perf(copy)
    if done.returncode != 0:
        reason = done.stderr.strip().replace("\n", " ")[:200]
        raise tap.Skip("perf cannot read the recording: " + reason)
    found = re.findall(r"^ +([0-9.]+)% +\[[.k]\] (\S+)", done.stdout, re.MULTILINE)
    return [(float(share) / 100, symbol) for share, symbol in found]


def simplify(symbol):
    """Return what names of one function have in common: an address without the module, or the name
    without version, prefix of an alias and suffix of a clone."""
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


if __name__ == "__main__":
    sys.exit(tap.main([test_process_samples, test_deep_recursion]))
