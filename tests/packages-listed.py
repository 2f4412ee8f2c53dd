#!/usr/bin/env python3
"""Check that README, build environment and Debian packages name the same libraries.

usage: packages-listed.py SOURCE
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])


def find_libraries(text):
    """Return the development packages and the tools that are named in a text."""
    tools = "clang|bpftool|gobject-introspection|itstool|gettext"
    return set(re.findall(rf"(?<![\w.-])(lib[a-z0-9.+-]+-dev|{tools})(?![\w.-])", text))


def read_part(path, start, end):
    text = (source / path).read_text(encoding="utf-8")
    return text[text.index(start):text.index(end, text.index(start))]


build_list = (source / "build-aux/packages/build.txt").read_text(encoding="utf-8")
environment = find_libraries(re.sub("#.*", "", build_list)) - {"libc6-dev"}   # gcc depends on it
readme = read_part("README.md", "sudo apt install gcc", "```")
control = read_part("packaging/debian/control", "Build-Depends:", "\n\n")
failed = not environment
for name, text in (("README.md", readme), ("packaging/debian/control", control)):
    listed = find_libraries(text) - {"libglib2.0-dev"}   # GTK depends on it
    for package in sorted(environment ^ listed):
        print(f"{name} {'has' if package in listed else 'lacks'} {package}, "
              f"build-aux/packages/build.txt {'has' if package in environment else 'lacks'} it")
        failed = True
sys.exit(1 if failed else 0)
