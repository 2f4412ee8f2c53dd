"""A small TAP producer for tests that drive the programs as a user does."""
# SPDX-License-Identifier: GPL-3.0-or-later

import argparse
import functools
import os
import signal
import subprocess
import tempfile
import time
import traceback

BUILD = os.environ["TAILBACK_BUILD"]
# The prefix of an installed program, which is tested instead of the built one (tests/installed).
INSTALLED = os.environ.get("TAILBACK_INSTALLED")
CLI = os.path.join(INSTALLED or BUILD, "bin" if INSTALLED else "app/cli", "tailback-cli")
# Folders that a test names after its own plug-ins; an installed program has its own without that.
BUILT_PLUGINS = [] if INSTALLED else [os.path.join(BUILD, "plugins")]

# Programs inherit ignored signals: nohup ignores SIGHUP, and a shell ignores SIGINT for background
# commands.
for inherited in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
    signal.signal(inherited, signal.SIG_DFL)


class Skip(Exception):
    """Raised by a test that cannot run here; the text gives the reason."""


def run(*argv, **options):
    """Run a program to its end and capture its output as text."""
    options.setdefault("timeout", 300)
    return subprocess.run(argv, capture_output=True, text=True, check=False, **options)


def cli(*arguments, **options):
    return run(CLI, *arguments, **options)


def has_all(info):
    """Whether nothing of a recording is missing, by its description: neither events, nor times in
    which the kernel skipped programs, as events of those are not counted."""
    return info["lost"] == {"events": 0, "ranges": []}


def is_reported(info):
    """Whether the kernel reported each switch and each wake-up that a recording needs. Where a
    virtual machine has an agent of its host, no tracepoint may report while that runs: perf has
    none of these switches and wake-ups either."""
    return not any("did not report" in text for text in info["warnings"] + info["remarks"])


@functools.cache
def try_system():
    """Return the program's message if the whole system cannot be recorded here; None if it can, or
    if the attempt fails in another way."""
    with tempfile.TemporaryDirectory() as folder:
        done = cli("record", "--scope", "system", "--duration", "0.1", "-o", os.path.join(folder, "try.tailback"))
    return done.stderr.strip() if done.returncode == 1 and "whole system cannot be recorded" in done.stderr else None


def needs_system():
    """Skip the test if the kernel allows recording of own processes only: root may lack the
    capabilities."""
    if os.geteuid() != 0:
        raise Skip("recording the whole system needs privilege")
    if try_system():
        raise Skip(try_system())


def parse_arguments():
    """Parse arguments as GLib's tests take them: -m thorough, -p POINT (repeatable)."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("-m", dest="mode")
    parser.add_argument("-p", dest="points", action="append")
    return parser.parse_known_args()[0]


def is_thorough():
    """Return whether to run everything, or only what a developer waits for: from the environment or
    the test's arguments."""
    return "thorough" in (os.environ.get("TAILBACK_TEST_MODE"), parse_arguments().mode)


def name_of(test):
    return test.__name__.removeprefix("test_").replace("_", "-")


def main(tests, thorough=()):
    """Run functions as the points of a plan, and return the exit status: 0 if all passed. thorough:
    points of the thorough mode only, which are not in the plan of the quick mode."""
    wanted = parse_arguments().points
    tests = [test for test in (*tests, *(thorough if is_thorough() or wanted else ())) if not wanted or name_of(test) in wanted]
    print("TAP version 14")
    print(f"1..{len(tests)}", flush=True)
    failed = 0
    for number, test in enumerate(tests, 1):
        name = name_of(test)
        since = time.monotonic()
        try:
            test()
            print(f"ok {number} {name}")
        except Skip as reason:
            print(f"ok {number} {name} # SKIP {reason}")
        except Exception:  # a failed check or a crash of the test itself: both are failures
            failed += 1
            print(f"not ok {number} {name}")
            for line in traceback.format_exc().splitlines():
                print(f"# {line}")
        print(f"# {name}: {time.monotonic() - since:.1f} s", flush=True)
    return 1 if failed else 0
