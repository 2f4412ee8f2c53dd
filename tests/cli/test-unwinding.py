#!/usr/bin/env python3
"""Dumped user stacks are unwound with files that were recorded without a build ID, by the rules of
function names: never with a file that contradicts, and with a mark where nothing but the code shows
that it is the recorded file."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402
from named_programs import Folder  # noqa: E402

CODE = """
volatile unsigned long sink;
__attribute__ ((noinline)) void innermost (long n)
{ for (long i = 0; i < n; i++) sink += i; __asm__ volatile ("" ::: "memory"); }
__attribute__ ((noinline)) void middle (long n) { innermost (n); sink++; }
__attribute__ ((noinline)) void outermost (long n) { middle (n); sink++; }
int main (void) { outermost (400000000); return 0; }   /* long beside its start */
"""
OTHER = CODE + "\n".join(f"int further_{i} (int n) {{ return n * sink + {i}; }}"
                         for i in range(600))
CHAIN = ["main", "outermost", "middle", "innermost"]


def record(folder):
    if not shutil.which("perf"):
        raise tap.Skip("there is no perf")
    program = folder.build("program", CODE, "-fomit-frame-pointer")
    path = folder.get("test.data")
    done = tap.run("perf", "record", "-q", "-e", "cpu-clock:u", "-F", "499", "--call-graph",
                   "dwarf,4096", "-o", path, program)
    if done.returncode != 0 or not os.path.exists(path):
        raise tap.Skip("perf cannot record here: " + done.stderr.strip().replace("\n", " ")[:200])
    return program, path


def look(path, **environment):
    """Return the share of samples whose stack has the whole chain, the counts of dumps, and the
    warnings."""
    settings = {**os.environ, **environment}
    done = tap.cli("analyze", path, "--analysis", "calling-contexts", "--option", "top=0",
                   "--format", "json", env=settings)
    assert done.returncode == 0, done
    summary = json.loads(done.stdout)["summary"]
    whole = sum(entry["frames"][-1]["own_samples"] for entry in summary["paths"]
                if [frame["function"] for frame in entry["frames"]][-4:] == CHAIN)
    done = tap.cli("info", path, "--json", env=settings)
    assert done.returncode == 0, done
    info = json.loads(done.stdout)
    return whole / summary["samples"], info["stacks"]["dumps"], " ".join(info["warnings"])


def check_whole(path, *, unverified, **environment):
    share, dumps, warnings = look(path, **environment)
    assert share > 0.9, share
    assert (dumps["unverified"] > 0.9 * dumps["count"]) == unverified, dumps
    assert dumps["unverified"] == 0 or unverified, dumps
    assert ("their callers are unverified" in warnings) == unverified, warnings


def check_broken(path, **environment):
    share, dumps, warnings = look(path, **environment)
    assert share == 0 and dumps["unverified"] == 0, (share, dumps)
    assert dumps["partly"] > 0.9 * dumps["count"], dumps
    assert "could not be unwound to their start" in warnings, warnings


def replace(program, source):
    """Put another file in the place of the program."""
    os.unlink(program)
    shutil.copy(source, program)


def test_files_without_build_id():
    with Folder() as folder:
        program, path = record(folder)
        copy = folder.get("copy")
        shutil.copy(program, copy)
        check_whole(path, unverified=False)
        # Another file with the same code.
        replace(program, copy)
        check_whole(path, unverified=True)
        # A file with other code at the path, and no file.
        other = folder.build("other", OTHER, "-fomit-frame-pointer")
        replace(program, other)
        check_broken(path)
        os.unlink(program)
        check_broken(path)
        # The program in a symbol folder.
        symbols = folder.get("symbols")
        os.mkdir(symbols)
        shutil.copy(copy, os.path.join(symbols, "program"))
        check_whole(path, unverified=True, TAILBACK_SYMBOL_PATH=symbols)
        shutil.copy(other, os.path.join(symbols, "program"))
        check_broken(path, TAILBACK_SYMBOL_PATH=symbols)


if __name__ == "__main__":
    sys.exit(tap.main([test_files_without_build_id]))
