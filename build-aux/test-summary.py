#!/usr/bin/env python3
"""Add up the results of the tests.

A TAP test counts each of its points, any other test counts once. The script reads meson's
testlog.json of one or several runs. It prints each failed test with the end of its output, the
slowest tests (--slowest N) and the closing line. The exit status is 1 if a test failed or none ran.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import argparse
import json
import os
import re
import sys

POINT = re.compile(r"^(not ok|ok)\b(.*)$")
PASSED, SKIPPED = {"OK", "EXPECTEDFAIL"}, {"SKIP"}
SHOWN_LINES = 30


def points(log):
    """Yield the verdict of each TAP point in the output of one test."""
    for line in log.splitlines():
        match = POINT.match(line)
        if not match:
            continue
        verdict, rest = match.groups()
        if "# SKIP" in rest.upper() or "# TODO" in rest.upper():
            yield "skipped"
        else:
            yield "passed" if verdict == "ok" else "failed"


def show(test, path):
    """Print the output of a failed test. CI keeps only the end of its log, so this may be all that
    is left of it."""
    print(f"failed: {test['name']} ({test['result']}), see {path}")
    output = (test.get("stdout") or "").splitlines()
    output = [line for line in output if not re.match(r"ok\b", line)]
    errors = (test.get("stderr") or "").splitlines()
    for line in output[-SHOWN_LINES:] + errors[-SHOWN_LINES:]:
        print("  | " + line[:300])


def add_up(path, counts, durations):
    """Count the tests of one log. A missing log is a failure, because its tests did not run."""
    try:
        log = open(path, encoding="utf-8", errors="replace")
    except FileNotFoundError:
        print(f"failed: no tests ran: {path} is missing")
        counts["failed"] += 1
        return
    with log:
        for line in log:
            test = json.loads(line)
            tree = os.path.basename(os.path.dirname(os.path.dirname(path)))
            durations.append((test.get("duration", 0), test["name"], tree))
            found = list(points(test.get("stdout") or ""))
            result = test["result"]
            if result in SKIPPED and "passed" not in found:
                found = ["skipped"]
            elif result not in PASSED | SKIPPED and "failed" not in found:
                found.append("failed")
            for verdict in found or ["passed"]:
                counts[verdict] += 1
            if "failed" in found:
                show(test, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slowest", type=int, default=0, metavar="N", help="print the N tests that took longest")
    parser.add_argument("logs", nargs="+")
    arguments = parser.parse_args()
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    durations = []
    for path in arguments.logs:
        add_up(path, counts, durations)
    for duration, name, tree in sorted(durations, reverse=True)[:arguments.slowest]:
        print(f"slow: {duration:7.2f} s  {name} ({tree})")
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**counts))
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
