#!/usr/bin/env python3
"""Comparison of recordings of two builds of a program: functions are matched by name."""
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402
from comparison import compare  # noqa: E402


def record_shop(folder, build):
    """Record a program named shop, of that build; return its path and the distance of two of its
    functions."""
    place = os.path.join(folder, build)
    os.makedirs(place, exist_ok=True)
    program, path = os.path.join(place, "shop"), os.path.join(place, "shop.tailback")
    shutil.copy(os.path.join(tap.BUILD, "tests/fixtures", "shop-" + build), program)
    # If callers are found by tables, the first 20 ms of a new program lack the outermost ones: its
    # functions would have two paths.
    done = tap.cli("record", "--collector", "ebpf", "--force", "--scope", "command", "--option", "syscalls=true",
                   "--option", "repair-stacks=false",
                   "--option", "syscall-stacks=true", "-o", path, "--", program)
    if done.returncode == 1 and re.search("BPF programs cannot be loaded|No BTF|without BPF", done.stderr):
        raise tap.Skip("no BPF programs here: " + done.stderr.strip()[:200])
    assert done.returncode == 0, done
    return path, int(re.search(r"^(\d+)$", done.stdout, re.MULTILINE).group(1))


def find_path(report, member, function):
    """Return the first path on which main calls this function of the program, and its frame.

    A stack taken at the first instructions of the function, before it has a frame, leaves out main:
    that is another path.
    """
    for path in report["summary"][member]:
        names = [(frame["function"], frame["module"]) for frame in path["frames"]]
        for caller, frame in zip(names, path["frames"][1:]):
            if caller == ("main", "shop") and (frame["function"], frame["module"]) == (function, "shop"):
                return path, frame
    raise AssertionError((member, function, report["summary"][member]))


def test_builds():
    """shop.c: ten rounds of 10 ms in count_stock, and 5 or 25 in price_stock; the other build has
    15 in audit_stock."""
    if os.geteuid() != 0:
        raise tap.Skip("BPF programs need privilege")
    with tempfile.TemporaryDirectory() as folder:
        (base, apart), (other, other_apart) = record_shop(folder, "base"), record_shop(folder, "other")
        assert apart != other_apart, (apart, other_apart)
        report = compare([base], [other], "calling-contexts", "--option", "process=shop", "--option", "top=0")
        warnings = report["uncertain"]["warnings"]
        assert any("different builds of shop: its functions are matched by name" in one for one in warnings), warnings
        path, frame = find_path(report, "paths", "price_stock")
        assert 50e6 <= path["base_ns"] <= 90e6 and 250e6 <= path["other_ns"] <= 350e6, path
        assert path["cost_ns"] == path["other_ns"] - path["base_ns"] and not path["within_noise"], path
        assert 250e6 <= frame["total_ns"] <= 350e6 and frame["base_own_ns"] is not None, frame
        # A new path has no base value, and counts in full except for its callers.
        path, frame = find_path(report, "paths", "audit_stock")
        assert path["base_ns"] is None and frame["base_own_ns"] is None, path
        assert 150e6 <= frame["total_ns"] <= 250e6 and 140e6 <= path["cost_ns"] <= 250e6, path
        # An unchanged path is reported neither as new nor as gone.
        path, _ = find_path(report, "paths", "count_stock")
        assert path["base_ns"] is not None and 100e6 <= path["base_ns"] <= 160e6, path
        assert abs(path["cost_ns"]) < 30e6, path
        for one in report["summary"]["gains"]:
            names = [frame["function"] for frame in one["frames"] if frame["module"] == "shop"]
            assert "main" not in names or not any(name.endswith("_stock") for name in names), one
        same = compare([base], [record_shop(folder, "base")[0]], "calling-contexts", "--option", "process=shop")
        assert not any("different builds" in one for one in same["uncertain"]["warnings"]), same["uncertain"]["warnings"]


if __name__ == "__main__":
    sys.exit(tap.main([test_builds]))
