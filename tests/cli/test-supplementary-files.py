#!/usr/bin/env python3
"""Names of inlined functions in debug files that share a supplementary file, as dwz makes them."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import perf_writer  # noqa: E402
import tap  # noqa: E402
from debug_servers import counting_server, new_cache  # noqa: E402
from named_programs import (ELSEWHERE, INLINE, Folder, find_functions, get_addresses,  # noqa: E402
                            make_mapping, read_build_id, run)


# The inlined function is large enough for dwz to move it. Of INLINE it moves strings only.
LARGE = """
struct part { int a; long b; struct part *next; };
static inline __attribute__ ((always_inline)) long innermost (long x)
{
  struct part part = { (int) x, x * 3, 0 };
  for (int i = 0; i < 9; i++)
    { part.b = part.b * 1103515245 + 12345; part.a ^= (int) (part.b >> 16); }
  return part.b + part.a;
}
__attribute__ ((noinline)) long outer (long n)
{ long s = 0; for (long i = 0; i < n; i++) s += innermost (i); return s; }
int main (int c, char **v) { return (int) outer (c) & 1; }
"""
HEADER, FUNCTIONS = LARGE.split("__attribute__ ((noinline))")


def make_supplemented(folder, code=None):
    """Two stripped programs whose debug files share one by dwz, and a recording of the first."""
    if shutil.which("dwz") is None:
        raise tap.Skip("there is no dwz")
    with open(folder.get("shared.h"), "w", encoding="ascii") as file:
        file.write(HEADER)
    code = code or '#include "shared.h"\n__attribute__ ((noinline))' + FUNCTIONS
    for name in ("first", "second"):
        program = folder.build(name, code.replace("outer", "outer_" + name), "-O2",
                               build_id="sha1")
        run("objcopy", "--only-keep-debug", program, program + ".debug")
    run("dwz", "-m", "shared.debug", "-r", "first.debug", "second.debug", cwd=folder.path)
    program = folder.get("first")
    start = find_functions(program, {"outer_first"})["outer_first"]
    size = next(int(line.split()[1], 16) for line in run("nm", "-S", program).splitlines()
                if line.endswith(" outer_first"))
    mapping = make_mapping(program, build_id=bytes.fromhex(read_build_id(program)))
    addresses = get_addresses(program, range(start - 4, start + size - 4))
    run("objcopy", "--strip-all", program)
    path = folder.get("test.data")
    perf_writer.write(path, 4321, [mapping], addresses, host=ELSEWHERE)
    return path


def check_supplement(path, folder, *, found):
    """Check the names with a symbol folder."""
    settings = {**os.environ, "TAILBACK_SYMBOL_PATH": folder}
    done = tap.cli("analyze", path, "--analysis", "calling-contexts", "--format", "json",
                   env=settings)
    assert done.returncode == 0, done
    paths = json.loads(done.stdout)["summary"]["paths"]
    pairs = {tuple(frame["function"] for frame in entry["frames"])[-2:] for entry in paths}
    expected = {("outer_first", "innermost"), ("outer_first",)}
    assert pairs <= expected if found else pairs == {("outer_first",)}, pairs
    assert (("outer_first", "innermost") in pairs) == found, pairs
    info = tap.cli("info", path, "--json", env=settings)
    symbols = json.loads(info.stdout)["symbols"][0]
    assert (symbols["missing_supplement"] is None) == found, symbols
    assert symbols["unnamed"] == 0 and symbols["reason"] is None, symbols
    assert (symbols["text"] is None) == found, symbols
    return symbols


def test_supplementary_file():
    """Names of inlined functions in a file that dwz made of what several debug files share."""
    with Folder() as folder:
        path = make_supplemented(folder)
        shared = folder.get("shared.debug")
        assert ".debug_info" in run("readelf", "-SW", shared)
        debug = folder.get("debug")
        os.mkdir(debug)
        os.rename(folder.get("first.debug"), os.path.join(debug, "first.debug"))
        symbols = check_supplement(path, debug, found=False)
        assert read_build_id(shared) == symbols["missing_supplement"], symbols
        assert "Install the debug symbols of its package again" in symbols["text"], symbols
        # A file of that name at that place, with another build ID, is not used.
        other = os.path.join(debug, "shared.debug")
        with open(shared, "rb") as file:
            data = file.read()
        build_id = bytes.fromhex(read_build_id(shared))
        with open(other, "wb") as file:
            file.write(data.replace(build_id, build_id[::-1]))
        check_supplement(path, debug, found=False)
        # Beside the debug file, in a folder of distributions, by build ID, and where the debug file
        # is a link.
        places = ["shared.debug", ".dwz/shared.debug",
                  f".build-id/{build_id.hex()[:2]}/{build_id.hex()[2:]}.debug"]
        for place in places:
            os.unlink(other)
            other = os.path.join(debug, place)
            os.makedirs(os.path.dirname(other), exist_ok=True)
            shutil.copy(shared, other)
            check_supplement(path, debug, found=True)
        os.unlink(other)
        own_id = read_build_id(folder.get("first"))
        link = os.path.join(debug, ".build-id", own_id[:2], own_id[2:] + ".debug")
        os.makedirs(os.path.dirname(link), exist_ok=True)
        os.rename(os.path.join(debug, "first.debug"), folder.get("first.debug"))
        os.symlink(folder.get("first.debug"), link)
        check_supplement(path, debug, found=True)
        os.unlink(shared)
        os.mkfifo(shared)
        check_supplement(path, debug, found=False)


def test_strings_only():
    """libdw opens no file in which debug files share nothing but strings."""
    with Folder() as folder:
        path = make_supplemented(folder, INLINE)
        assert ".debug_info" not in run("readelf", "-SW", folder.get("shared.debug"))
        check_supplement(path, folder.path, found=True)
        os.unlink(folder.get("shared.debug"))
        check_supplement(path, folder.path, found=False)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def test_server():
    """The supplementary file is received after the debug file that refers to it, and shown if it is
    not there."""
    with Folder() as folder:
        path = make_supplemented(folder)
        own_id, shared_id = (read_build_id(folder.get(name)) for name in ("first", "shared.debug"))
        bodies = {f"/buildid/{own_id}/debuginfo": read(folder.get("first.debug"))}
        shared = {f"/buildid/{shared_id}/debuginfo": read(folder.get("shared.debug"))}
        for name in ("first.debug", "shared.debug"):
            os.unlink(folder.get(name))
        for served in (bodies, {**bodies, **shared}):
            with counting_server(served) as (server, url), new_cache() as cache:
                done = tap.cli("analyze", path, "--analysis", "calling-contexts", "--format",
                               "json", "--debuginfod", env={
                                   **os.environ, "DEBUGINFOD_URLS": url,
                                   "DEBUGINFOD_CACHE_PATH": cache})
                assert done.returncode == 0, done
                functions = {frame["function"]
                             for entry in json.loads(done.stdout)["summary"]["paths"]
                             for frame in entry["frames"]}
                assert "outer_first" in functions, functions
                assert ("innermost" in functions) == (served is not bodies), functions
                assert server.paths[-2:] == [*bodies, *shared], server.paths
                assert ("no debuginfod server" in done.stderr) == (served is bodies), done.stderr


def test_nothing_is_sent():
    """libdw would search for the file, too: no server is asked without the option."""
    with Folder() as folder:
        path = make_supplemented(folder)
        os.unlink(folder.get("shared.debug"))
        with counting_server() as (server, url), new_cache() as cache:
            for command in (("info", path, "--json"),
                            ("analyze", path, "--analysis", "calling-contexts")):
                done = tap.cli(*command, env={
                    **os.environ, "DEBUGINFOD_URLS": url, "DEBUGINFOD_CACHE_PATH": cache,
                    "TAILBACK_SYMBOL_PATH": folder.path})
                assert done.returncode == 0, done
            assert server.paths == [] and os.listdir(cache) == [], server.paths


if __name__ == "__main__":
    sys.exit(tap.main([test_supplementary_file, test_strings_only, test_server,
                       test_nothing_is_sent]))
