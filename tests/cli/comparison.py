"""Helpers for comparison tests: run a comparison and check its shape, find a difference in it."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json

import shapes
import tap


def compare(base, other, analysis, *more):
    done = tap.cli("compare", *base, "--", *other, "--analysis", analysis, "--format", "json", *more)
    assert done.returncode == 0, done
    report = json.loads(done.stdout)
    shapes.check_report(report, analysis)
    for member in ("base", "other", "normalized_by", "differences"):
        assert member in report["summary"], report["summary"].keys()
    for difference in report["summary"]["differences"]:
        for member in ("what", "id", "base", "other", "delta", "low", "high", "within_noise"):
            assert member in difference, difference
    return report


def find(report, what, part):
    found = [d for d in report["summary"]["differences"] if d["what"] == what and part in d["id"]]
    assert found, (what, part, report["summary"]["differences"])
    return found[0]
