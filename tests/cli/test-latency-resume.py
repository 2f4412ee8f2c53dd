#!/usr/bin/env python3
"""A second search reuses the decisions of the first, or refuses an unsuitable state.

The program is tests/cases/programs/slow.c.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402
from latency import draw, drill, find_paths  # noqa: E402


def test_resume():
    """The second run reuses the decisions of the first and goes deeper; a state with other
    latencies is refused."""
    with tempfile.TemporaryDirectory() as folder:
        report = drill(folder, "peaks", "peaks_f0", *draw(17, 19), "max-depth=1", realtime=True)
        assert report["summary"]["live"]["status"] == "depth-reached", report["summary"]["live"]
        assert find_paths(report) == [["peaks_c"]], find_paths(report)
        state = os.path.join(folder, "state.json")
        with open(state, "w", encoding="utf-8") as file:
            json.dump(report, file)
        report = drill(folder, "peaks", "peaks_f0", "warmup-calls=300", "resume=" + state, realtime=True)
        assert not any("Not resumed" in warning for warning in report["uncertain"]["warnings"]), report["uncertain"]
        assert report["summary"]["live"]["status"] == "found", report["summary"]["live"]
        assert find_paths(report) == [["peaks_c", "peaks_leaf_c"]], find_paths(report)
        error = drill(folder, "loops", "loops_f0", "warmup-calls=300", "resume=" + state, status=1)
        assert "another function" in error, error


def test_resume_of_other_latencies():
    with tempfile.TemporaryDirectory() as folder:
        report = drill(folder, "varying", "varying_f0", "warmup-calls=300", "from-bin=16", "to-bin=18")
        state = os.path.join(folder, "state.json")
        with open(state, "w", encoding="utf-8") as file:
            json.dump(report, file)
        report = drill(folder, "varied", "varying_f0", "warmup-calls=300", "resume=" + state)
        assert any("Not resumed" in warning for warning in report["uncertain"]["warnings"]), report["uncertain"]


if __name__ == "__main__":
    sys.exit(tap.main([test_resume, test_resume_of_other_latencies]))
