#!/usr/bin/env python3
"""Check the lines that a diff adds: no listed words (build-aux/words.txt), no more than 100 columns.

git diff --unified=0 --find-renames COMMIT | check-words.py
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LONGEST = 100
# Words count in code, in what users read and in the guide, the width in code alone.
WORDS_IN = (".c", ".h", ".py", ".sh", ".ui", ".blp", ".page", ".md", ".xml", ".in", ".build", ".txt")
WIDTH_IN = (".c", ".h", ".py", ".sh")
# The lists of words themselves, and texts of the past.
NOT_IN = ("build-aux/words.txt", "CONTRIBUTING.md", "NEWS.md")


def read_words():
    """Pairs of a pattern and what to write instead."""
    with open(os.path.join(ROOT, "build-aux/words.txt"), encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                pattern, _, instead = line.rstrip("\n").partition("\t")
                # Parts of identifiers count: a word ends where a letter does not follow.
                yield re.compile(rf"(?<![A-Za-z])(?:{pattern})(?![A-Za-z])", re.IGNORECASE), instead


def list_added(diff):
    """Path, line number and text of each added line."""
    path, number = "", 0
    for line in diff:
        line = line.rstrip("\n")
        if line.startswith("+++ "):
            path = line[len("+++ b/"):]
        elif line.startswith("@@ "):
            number = int(re.match(r"@@ -\S+ \+(\d+)", line)[1])
        elif line.startswith("+"):
            yield path, number, line[1:]
            number += 1


def check(diff):
    words = list(read_words())
    failures = []
    for path, number, text in list_added(diff):
        if path.endswith(WORDS_IN) and path not in NOT_IN:
            for pattern, instead in words:
                if found := pattern.search(text):
                    failures.append(f"{path}:{number}: “{found[0]}”: write {instead}")
        if path.endswith(WIDTH_IN) and len(text) > LONGEST:
            failures.append(f"{path}:{number}: {len(text)} columns, at most {LONGEST}")
    return failures


if __name__ == "__main__":
    sys.stdin.reconfigure(errors="replace")
    FOUND = check(sys.stdin)
    print("\n".join(FOUND))
    sys.exit(1 if FOUND else 0)
