#!/usr/bin/env python3
"""Print the ninja targets for the tests of some suites: test-targets.py BUILD-FOLDER SUITE…"""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import sys


def read(folder, name):
    with open(os.path.join(folder, "meson-info", name), encoding="utf-8") as file:
        return json.load(file)


def main(folder, suites):
    files = {target["id"]: target["filename"] for target in read(folder, "intro-targets.json")}
    needed = set()
    for test in read(folder, "intro-tests.json"):
        if suites & {suite.rpartition(":")[2] for suite in test["suite"]}:
            needed.update(test["depends"])
    for name in sorted(path for target in needed for path in files.get(target, [])):
        print(os.path.relpath(name, folder))


if __name__ == "__main__":
    main(os.path.realpath(sys.argv[1]), set(sys.argv[2:]))
