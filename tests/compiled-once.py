#!/usr/bin/env python3
"""Check that no source file is compiled twice. Precompiled headers are ignored: each target
compiles its own."""
# SPDX-License-Identifier: GPL-3.0-or-later

import collections
import json
import os
import sys


def find_repeats(commands):
    """Return the files that more than one command compiles, with the number of commands."""
    counts = collections.Counter(os.path.normpath(os.path.join(command["directory"], command["file"])) for command in commands)
    return {path: count for path, count in sorted(counts.items()) if count > 1 and not path.endswith(".h")}


def main(folder):
    with open(os.path.join(folder, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    repeats = find_repeats(commands)
    for path, count in repeats.items():
        print(f"# compiled {count} times: {path}: make it part of a static library, and link that")
    # Check that a repeat would be found.
    seen = commands and find_repeats(commands + commands[:1])
    print("TAP version 14\n1..2")
    print("ok 1 every source is compiled once" if commands and not repeats else "not ok 1 every source is compiled once")
    print("ok 2 a repeat is seen" if seen else "not ok 2 a repeat is seen")
    return 0 if commands and seen and not repeats else 1


if __name__ == "__main__":
    sys.exit(main(os.environ["TAILBACK_BUILD"]))
