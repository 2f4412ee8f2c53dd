#!/usr/bin/env python3
"""Checks that POTFILES.in names every file with strings for people, each once, sorted, and no other.

With --fix it is written anew; the files that are no C and no templates stay as they are named.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
LIST = TOP / "po/POTFILES.in"
HEAD = "# Files with strings for people; one a line, sorted.\n"
MARKS = {
    ".c": re.compile(r'(?<!\w)(_|N_|C_|NC_|ngettext|g_dn?gettext) ?\(\s*("|GETTEXT_PACKAGE)'),
    ".ui": re.compile(r'translatable="yes"'),
}
MARKS[".h"] = MARKS[".c"]


def has_strings(path):
    return bool(MARKS[path.suffix].search(path.read_text(encoding="utf-8")))


def main():
    named = [line for line in LIST.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    others = {name for name in named if pathlib.PurePath(name).suffix not in MARKS and (TOP / name).exists()}
    found = {str(path.relative_to(TOP)) for room in ("app", "plugins") for path in (TOP / room).rglob("*")
             if path.suffix in MARKS and has_strings(path)}
    wanted = sorted(found | others)
    if "--fix" in sys.argv[1:]:
        LIST.write_text(HEAD + "".join(name + "\n" for name in wanted), encoding="utf-8")
        return 0
    for name in sorted(set(wanted) - set(named)):
        print(f"{name} has strings for people and is not in po/POTFILES.in: run po/check-potfiles.py --fix")
    for name in sorted(set(named) - set(wanted)):
        print(f"{name} is in po/POTFILES.in and has no strings for people: run po/check-potfiles.py --fix")
    if sorted(named) != named or len(set(named)) != len(named):
        print("po/POTFILES.in is not sorted, or names a file twice: run po/check-potfiles.py --fix")
    return int(named != wanted)


if __name__ == "__main__":
    sys.exit(main())
