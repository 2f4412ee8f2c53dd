#!/usr/bin/env python3
"""Latency search without a drawn range: the finder's own choice of a peak.

The program is tests/cases/programs/slow.c.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402
from latency import drill, find_kinds, find_live_peak, find_paths, find_values  # noqa: E402


def check_own_choice(peak, report, paths):
    """Check the finder's own choice: whichever peak it is on this machine now, its report is true.
    paths: (first bin, last bin, path) of the program's peaks. A peak above all of them contains
    preempted calls."""
    kinds, found = find_kinds(report), find_paths(report)
    highest = max(last for _, last, _ in paths)
    reach = report["summary"]["live"]["cost"]["reach_ns"] if report["summary"]["live"]["cost"] else 0
    expected = [path for first, last, path in paths if first <= peak["to_bin"] and last >= peak["from_bin"]]
    if peak["from_bin"] > highest:
        assert kinds and kinds <= {"preemption", "interrupt"}, (peak["from_bin"], kinds, found)
    elif not peak["within_reach"] and peak["from_ns"] > reach:
        # Where no cause has a third of the time, the report shows how it is shared.
        shares = [part["place"] for part in peak["shared_by"] or []]
        assert (any(path in found for path in expected) or kinds & {"preemption", "interrupt"}
                or any(path and path[0] in place for path in expected for place in shares)), (
                    peak, found, expected)
    return any(path in found for path in expected)


PEAKS = [(17, 20, ["peaks_c", "peaks_leaf_c"]), (14, 17, ["peaks_b", "peaks_leaf_b"]),
         (0, 14, ["peaks_a", "peaks_leaf_a"]), (0, 14, ["peaks_a"]), (0, 14, [])]


def test_own_choice():
    """Without drawn bins the slowest peak is searched; on a busy machine that is often
    preemption."""
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(10 if tap.is_thorough() else 2):
            report = drill(folder, "peaks", "peaks_f0", "warmup-calls=300")
            assert report["summary"]["live"]["status"] == "found", report["summary"]["live"]
            peak = find_live_peak(report)
            assert peak is not None, report["summary"]["peaks"]
            # Slower calls that came after the choice may be a peak by now: at least four calls.
            at_choice = dict(report["summary"]["state"]["bins_at_choice"])
            for later in report["summary"]["peaks"][peak["id"]:]:
                bins = range(later["from_bin"], later["to_bin"] + 1)
                assert sum(at_choice.get(k, 0) for k in bins) < 4, (peak["id"], later, at_choice)
            check_own_choice(peak, report, PEAKS)


def test_own_choice_of_each():
    """Each peak by its number, as the paper's start_peak."""
    with tempfile.TemporaryDirectory() as folder:
        hits = 0
        numbers, duration = ((1, 2, 3, 2, 3, 2, 3), "20") if tap.is_thorough() else ((1, 2, 3), "3")
        for number in numbers:
            report = drill(folder, "peaks", "peaks_f0", "warmup-calls=300", f"start-peak={number}", duration=duration)
            if report["summary"]["live"]["status"] != "found":
                # There were fewer peaks, or the peak was short-lived: the report shows that.
                assert report["uncertain"]["warnings"] or report["summary"]["live"]["limit"], report["summary"]["live"]
                continue
            peak = find_live_peak(report)
            hits += peak is not None and check_own_choice(peak, report, PEAKS)
        assert hits > 0, "no peak of the program was ever found"


def test_short_calls():
    """Calls as short as their probes are reported as uncertain; the search ends and reports it."""
    with tempfile.TemporaryDirectory() as folder:
        report = drill(folder, "short", "short_f0", "warmup-calls=3000", "start-peak=1", duration="60")
        live = report["summary"]["live"]
        if live["cost"] is None:
            raise tap.Skip("the machine was too busy to try out what probes cost")
        assert live["cost"]["call_ns"] >= live["cost"]["subtracted_ns"] > 0, live
        assert live["status"] == "found" and live["limit"] == "probes", live
        assert live["calls_within_reach"] > report["summary"]["calls"] // 2, live
        uncertain = [one for one in report["summary"]["bins"] if one["uncertain"]]
        assert sum(one["count"] for one in uncertain) == live["calls_within_reach"], report["summary"]["bins"]
        assert all(one["from_ns"] < live["cost"]["reach_ns"] for one in uncertain), uncertain
        peaks = find_values(report, "latency-peak", "unexplained-latency-peak")
        assert [values["limit"] for values in peaks].count("probes") == 1, report["findings"]
        cost, = find_values(report, "probe-cost-subtracted")
        assert cost == {"cost_ns": live["cost"]["call_ns"], "subtracted_ns": live["cost"]["subtracted_ns"]}, (cost, live)


def test_edges():
    """A function whose first and last instructions need single-stepping is probed next to them, and
    its callees too."""
    if os.uname().machine != "x86_64":
        raise tap.Skip("nothing is known of this machine's instructions")
    with tempfile.TemporaryDirectory() as folder:
        report = drill(folder, "edges", "edges_f0", "from-bin=16", "to-bin=20", "warmup-calls=50", "decision-calls=200", realtime=True)
        live = report["summary"]["live"]
        if live["cost"] is None:
            raise tap.Skip("the machine was too busy to try out what probes cost")
        # Two probes without single-stepping, nothing else.
        assert live["cost"]["call_ns"] == 2 * live["cost"]["site_ns"] > 0, live
        assert live["status"] == "found" and live["calls_left_without_return"] == 0, live
        nodes = {node["name"]: node for node in report["summary"]["state"]["nodes"] if node["kind"] == "function"}
        seen = nodes["edges_f0"]["open_calls"]
        assert nodes["edges_slow"]["calls"] >= seen >= 200 and nodes["edges_slow"]["root_cause"], nodes
        assert abs(2 * nodes["edges_fast"]["calls"] - seen) <= seen // 5 and not nodes["edges_fast"]["root_cause"], nodes
        assert ["edges_slow"] in [path[:1] for path in find_paths(report)], find_paths(report)


if __name__ == "__main__":
    sys.exit(tap.main([test_own_choice, test_own_choice_of_each, test_short_calls, test_edges]))
