#!/usr/bin/env python3
"""Checks that POTFILES.in names every file with strings for people, each once, sorted, and no other, and that xgettext
reads each of them whole: at a macro it does not know it cuts the string, which then is never translated.

With --fix POTFILES.in is written anew; the files that are no C and no templates stay as they are named.
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
PLUGIN = ".plugin.desktop.in"
CALL = re.compile(r"(?<!\w)(?:_|N_|Q_|C_|NC_|ngettext|g_d[cnp]*gettext2?) ?(?=\()")
TOKEN = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|\w+|\S""", re.DOTALL)
KNOWN = re.compile(r"PRI[diouxX](?:8|16|32|64|LEAST\d+|FAST\d+|MAX|PTR)")  # to xgettext, inside of a string


def has_strings(path):
    if path.name.endswith(PLUGIN):
        return True
    marks = MARKS.get(path.suffix)
    return marks is not None and bool(marks.search(path.read_text(encoding="utf-8")))


def list_arguments(text, start):
    """The tokens between the parentheses that open at start, without comments."""
    depth = 0
    for token in TOKEN.finditer(text, start):
        if token[0].startswith(("//", "/*")):
            continue
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        if depth == 0:
            return
        yield token


def list_cutting_macros(text):
    """Offset and name of each macro that stands inside a string for people and is not known to xgettext."""
    found = {}
    for call in CALL.finditer(text):
        tokens = list(list_arguments(text, call.end()))
        for left, right in zip(tokens, tokens[1:]):
            pair = {token[0][0] == '"': token for token in (left, right)}
            if len(pair) == 2 and re.match(r"[A-Za-z_]", pair[False][0]) and not KNOWN.fullmatch(pair[False][0]):
                found[pair[False].start()] = pair[False][0]
    return sorted(found.items())


def check_strings(name):
    """Whether all strings of this C file are whole; prints those that are not."""
    text = (TOP / name).read_text(encoding="utf-8")
    macros = list_cutting_macros(text)
    for offset, macro in macros:
        print(f"{name}:{text.count(chr(10), 0, offset) + 1}: {macro} stands inside a string for people, which xgettext"
              " cuts there, so it is never translated: use PRIu64, PRId64 or %zu")
    return not macros


def main():
    named = [line for line in LIST.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    others = {name for name in named if pathlib.PurePath(name).suffix not in MARKS and (TOP / name).exists()}
    found = {str(path.relative_to(TOP)) for room in ("app", "plugins") for path in (TOP / room).rglob("*")
             if has_strings(path)}
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
    whole = [check_strings(name) for name in wanted if name.endswith((".c", ".h"))]
    return int(named != wanted or not all(whole))


if __name__ == "__main__":
    sys.exit(main())
