"""Servers of debug files for tests, elfutils' own and a counting one, and recordings of a program
without symbols whose debug file they have."""
# SPDX-License-Identifier: GPL-3.0-or-later

import contextlib
import http.server
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request

import tap

FULL = os.path.join(tap.BUILD, "tests/fixtures/unnamed")
ID = re.compile(r"Build ID: ([0-9a-f]+)")
# Metric of a server that has scanned its folder.
IDLE = r'^thread_work_pending\{role="scan"\} 0$'


class Files:
    """A program without symbols, its debug file in a folder for a server, and recordings of it."""

    def __init__(self, folder):
        self.folder = folder
        self.program = os.path.join(folder, "bin", "unnamed")
        self.served = os.path.join(folder, "served")
        for name in ("bin", "served"):
            os.makedirs(os.path.join(folder, name), exist_ok=True)
        run("objcopy", "--strip-all", FULL, self.program)
        run("objcopy", "--only-keep-debug", FULL, os.path.join(self.served, "unnamed.debug"))
        self.build_id = ID.search(run("readelf", "-n", FULL).stdout)[1]
        self.by_frames = self.record("fp")
        self.by_dumps = self.record("dwarf")

    def record(self, stacks):
        path = os.path.join(self.folder, stacks + ".data")
        done = tap.run("perf", "record", "-q", "-e", "cpu-clock:u", "-F", "499",
                       "--call-graph", stacks, "-o", path, self.program)
        if done.returncode != 0 or not os.path.exists(path):
            reason = done.stderr.strip().replace("\n", " ")[:200]
            raise tap.Skip("perf cannot record here: " + reason)
        return path


def run(*arguments):
    done = tap.run(*arguments)
    assert done.returncode == 0, (arguments, done.stderr)
    return done


class Handler(http.server.BaseHTTPRequestHandler):
    """Counts requests, and has the files that it is given."""

    def do_GET(self):
        self.server.paths.append(self.path)
        body = self.server.bodies.get(self.path)
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *_arguments):
        pass


@contextlib.contextmanager
def counting_server(bodies=None):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.paths, server.bodies = [], bodies or {}
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server, f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def find_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_indexed(server, url):
    """Wait until the server has scanned its folder: its metrics count the build IDs."""
    for _attempt in range(300):
        assert server.poll() is None, "debuginfod ended"
        with contextlib.suppress(OSError, urllib.error.URLError):
            with urllib.request.urlopen(url + "/metrics", timeout=10) as answer:
                metrics = answer.read().decode()
            if "found_debuginfo_total" in metrics and re.search(IDLE, metrics, re.MULTILINE):
                return
        time.sleep(0.1)
    raise AssertionError("debuginfod did not index the folder: " + metrics)


@contextlib.contextmanager
def elfutils_server(folder):
    if shutil.which("debuginfod") is None:
        raise tap.Skip("elfutils' debuginfod is not installed")
    port = find_port()
    with tempfile.TemporaryDirectory() as state:
        command = ["debuginfod", "-d", os.path.join(state, "index"), "-p", str(port), "-F", folder]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  env={**os.environ, "DEBUGINFOD_URLS": "", "HOME": state})
        try:
            wait_until_indexed(server, f"http://127.0.0.1:{port}")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait()


def make_env(url, cache, **more):
    return {**os.environ, "DEBUGINFOD_URLS": url, "DEBUGINFOD_CACHE_PATH": cache, **more}


def contexts(url, cache, path, *arguments, check=True, **more):
    """Return the finished command with the names of all functions in its report."""
    done = tap.cli("analyze", path, "--analysis", "calling-contexts", "--format", "json",
                   *arguments, env=make_env(url, cache, **more))
    if check:
        assert done.returncode == 0, done.stderr
        json.loads(done.stdout)
    return done


@contextlib.contextmanager
def new_cache():
    with tempfile.TemporaryDirectory() as folder:
        yield folder
