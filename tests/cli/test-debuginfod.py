#!/usr/bin/env python3
"""Names of a program without symbols, from debuginfod servers: elfutils' own and a counting one."""
# SPDX-License-Identifier: GPL-3.0-or-later

import functools
import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402
from debug_servers import (Files, contexts, counting_server, elfutils_server,  # noqa: E402
                           find_port, make_env, new_cache, run)


@functools.cache
def get_files():
    return Files(MAIN_FOLDER)


def test_elfutils_server():
    """Names come from the server, then from the cache that elfutils' client has too."""
    files = get_files()
    with elfutils_server(files.served) as url, new_cache() as cache:
        without = contexts(url, cache, files.by_frames)
        assert "hidden_burner" not in without.stdout
        assert os.listdir(cache) == []
        named = contexts(url, cache, files.by_frames, "--debuginfod")
        assert "hidden_burner" in named.stdout and "mix_inlined" in named.stdout, named.stderr
        path = os.path.join(cache, files.build_id, "debuginfo")
        assert os.path.getsize(path) > 0
        asked = tap.run("debuginfod-find", "debuginfo", files.build_id,
                        env=make_env("http://127.0.0.1:1", cache))
        assert asked.stdout.strip() == path, (asked.stdout, asked.stderr)


def test_cache_without_network():
    """What elfutils' client received names functions, without the option and without a server."""
    files = get_files()
    with elfutils_server(files.served) as url, new_cache() as cache:
        found = tap.run("debuginfod-find", "debuginfo", files.build_id, env=make_env(url, cache))
        assert found.returncode == 0, found.stderr
        assert "hidden_burner" in contexts("", cache, files.by_frames).stdout


def test_program_is_gone():
    """The program itself comes from the server, too."""
    files = get_files()
    with tempfile.TemporaryDirectory() as served, new_cache() as cache:
        shutil.copy(files.program, served)
        shutil.copy(os.path.join(files.served, "unnamed.debug"), served)
        aside = files.program + ".aside"
        os.rename(files.program, aside)
        try:
            with elfutils_server(served) as url:
                # perf keeps a copy in the home folder
                done = contexts(url, cache, files.by_frames, "--debuginfod", HOME=served)
        finally:
            os.rename(aside, files.program)
        assert "hidden_burner" in done.stdout, done.stderr + done.stdout
        received = sorted(os.listdir(os.path.join(cache, files.build_id)))
        assert received == ["debuginfo", "executable"], received


def test_nothing_is_sent():
    """Without the option no server is asked, whatever kind of stacks the recording has."""
    files = get_files()
    with counting_server() as (server, url), new_cache() as cache:
        for path in (files.by_frames, files.by_dumps):
            contexts(url, cache, path)
            done = tap.cli("info", path, env=make_env(url, cache))
            assert done.returncode == 0, done.stderr
            with tempfile.TemporaryDirectory() as folder:
                done = tap.cli("import", path, "-o", os.path.join(folder, "a.tailback"),
                               env=make_env(url, cache))
                assert done.returncode == 0, done.stderr
        assert server.paths == [], server.paths
        assert os.listdir(cache) == []


def test_absent():
    """A file that no server has is a warning, and is not asked for again soon."""
    files = get_files()
    with counting_server() as (server, url), new_cache() as cache:
        done = contexts(url, cache, files.by_frames, "--debuginfod")
        assert re.search(f"no debuginfod server has the debug file.*{files.program}",
                         done.stderr), done.stderr
        assert f"/buildid/{files.build_id}/debuginfo" in server.paths, server.paths
        first = len(server.paths)
        contexts(url, cache, files.by_frames, "--debuginfod")
        assert len(server.paths) == first, server.paths
        assert os.path.getsize(os.path.join(cache, files.build_id, "debuginfo")) == 0


def test_limit():
    """More than the limit is not received; the warning has the size and the limit that suffices."""
    files = get_files()
    with open(os.path.join(files.served, "unnamed.debug"), "rb") as file:
        body = file.read()
    bodies = {f"/buildid/{files.build_id}/debuginfo": body}
    with counting_server(bodies) as (_server, url), new_cache() as cache:
        done = contexts(url, cache, files.by_frames, "--debuginfod", "--debuginfod-limit", "1k")
        assert "hidden_burner" not in done.stdout
        wanted = re.search(r"debug files? exceeds? the limit .*unnamed: [0-9.]+\s?kB.*"
                           r"(--debuginfod-limit) ([0-9]+M)", done.stderr)
        assert wanted, done.stderr
        done = contexts(url, cache, files.by_frames, "--debuginfod", wanted[1], wanted[2])
        assert "hidden_burner" in done.stdout, done.stderr


def test_session_is_retried():
    """Functions that a session had no names for get them later."""
    files = get_files()
    with (elfutils_server(files.served) as url, new_cache() as cache,
          tempfile.TemporaryDirectory() as folder):
        session = os.path.join(folder, "a.tailback")
        done = tap.cli("import", files.by_frames, "-o", session, env=make_env(url, cache))
        assert done.returncode == 0, done.stderr
        assert "hidden_burner" not in contexts(url, cache, session).stdout
        assert "hidden_burner" in contexts(url, cache, session, "--debuginfod").stdout
        assert "hidden_burner" in contexts("", folder, session).stdout


def test_usage():
    files = get_files()
    cases = (
        ("", ["--debuginfod"], "no server is given"),
        ("http://127.0.0.1:1", ["--debuginfod-limit", "5M"], "needs --debuginfod"),
        ("http://127.0.0.1:1", ["--debuginfod", "--debuginfod-limit", "much"], "invalid"),
    )
    with new_cache() as cache:
        for url, arguments, message in cases:
            done = contexts(url, cache, files.by_frames, *arguments, check=False)
            assert done.returncode == 2 and message in done.stderr, done.stderr
            assert done.stderr.count("\n") == 1, done.stderr


def test_server_is_down():
    """A server that cannot be reached is a warning in one line; the report is there."""
    files = get_files()
    with new_cache() as cache:
        url = f"http://127.0.0.1:{find_port()}"
        done = contexts(url, cache, files.by_frames, "--debuginfod")
        lines = [line for line in done.stderr.splitlines() if "debuginfod server" in line]
        assert len(lines) == 1 and "refused" in lines[0], done.stderr
        assert os.listdir(cache) == []


def test_libraries_do_without_network():
    """The library, the plug-ins, the agent and the command line are not linked with libsoup. The
    command line loads a module that is."""
    def needs(path):
        return "libsoup" in run("readelf", "-d", path).stdout

    built = [os.path.join(folder, name)
             for folder, _folders, names in os.walk(os.path.join(tap.BUILD, "plugins"))
             for name in names if name.endswith(".so")]
    assert len(built) > 5
    built.append(os.path.join(tap.BUILD, "app/libtailback-1.so"))
    built.append(os.path.join(tap.BUILD, "app/agent/tailback-agent"))
    built.append(tap.CLI)
    for path in built:
        assert not needs(path), path
    assert needs(os.path.join(tap.BUILD, "app/libtailback-debuginfod-http.so"))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as MAIN_FOLDER:
        sys.exit(tap.main([
            test_elfutils_server, test_cache_without_network, test_program_is_gone,
            test_nothing_is_sent, test_absent, test_limit, test_session_is_retried, test_usage,
            test_server_is_down, test_libraries_do_without_network,
        ]))
