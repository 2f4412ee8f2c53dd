#!/usr/bin/env python3
"""The application is killed at random times of recording: every recording opens, or there is none.

Nothing is left behind: no agent, and tracing as it was. TAILBACK_KILLS sets how often: by default
three times where TAILBACK_TEST_MODE is thorough, else twice.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import glob
import os
import random
import subprocess
import sys
import tempfile
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

sys.path.insert(0, os.path.join(os.environ["TAILBACK_SOURCE"], "tests/cli"))
import tap  # noqa: E402
from accessible import find, wait_for, walk  # noqa: E402

THOROUGH = os.environ.get("TAILBACK_TEST_MODE") == "thorough"
KILLS = int(os.environ.get("TAILBACK_KILLS", "3" if THOROUGH else "2"))
TAILBACK = os.path.join(tap.BUILD, "app/shell/tailback")
TRACING = ["/sys/kernel/tracing/" + name for name in ("tracing_on", "events/enable", "current_tracer", "kprobe_events")]


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return None


def descendants(pid):
    found = set()
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        for child in map(int, (read(path) or "").split()):
            found |= {child} | descendants(child)
    return found


def is_agent(pid):
    return (read(f"/proc/{pid}/comm") or "").strip() == "tailback-agent" and ") Z" not in (read(f"/proc/{pid}/stat") or ") Z")


def start_button():
    """Return the button of the assistant; the window behind it has one with the same name."""
    dialog = find(role=Atspi.Role.DIALOG, name="New Recording")
    buttons = [child for child in walk(dialog) if child.get_role() == Atspi.Role.PUSH_BUTTON and child.get_name() == "Record"]
    return next((button for button in buttons if button.get_state_set().contains(Atspi.StateType.SENSITIVE)), None)


def start_recording():
    button = wait_for(start_button)
    assert button, "no button to record"
    button.get_action_iface().do_action(0)


def kill_once(folder, delay, begun):
    """Kill the application a time after the start of recording was requested, or (begun) after
    recording has begun."""
    process = subprocess.Popen([TAILBACK, "--record"], stderr=subprocess.DEVNULL)
    try:
        start_recording()
        if begun:
            assert wait_for(lambda: find(part="Recording: ")), "the recording does not begin"
        time.sleep(delay)
        agents = {pid for pid in descendants(process.pid) if is_agent(pid)}
    finally:
        process.kill()
        process.wait()
    end = time.monotonic() + 5
    while any(map(is_agent, agents)):
        assert time.monotonic() < end, f"the agent outlives the application killed after {delay:.3f} s"
        time.sleep(0.02)

    outcomes = []
    for path in glob.glob(folder + "/**/*.tailback", recursive=True):
        done = tap.cli("info", path, "--check")
        assert done.returncode == 0, f"killed after {delay:.3f} s: {done.stderr}"
        outcomes.append(os.path.getsize(path))
        os.unlink(path)
    return "recording" if outcomes else "none"


def test_kill_application():
    tap.needs_system()
    tracing = {path: read(path) for path in TRACING}
    seed = random.randrange(1 << 32)
    print(f"# seed {seed}")
    source = random.Random(seed)
    outcomes = {}
    os.environ["GTK_A11Y"] = "atspi"
    for i in range(KILLS):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME"):
                os.environ[name] = folder
            # then events were committed, which happens at least once a second
            begun = i == KILLS - 1 or i % 3 == 2
            outcome = kill_once(folder, source.uniform(0.0, 3.0) + 2 * begun, begun)
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
            while GLib.MainContext.default().iteration(False):
                pass
    assert {path: read(path) for path in TRACING} == tracing
    assert outcomes.get("recording"), "nothing was kept, though recordings had begun"
    print(f"# application killed {KILLS} times: {outcomes}")


if __name__ == "__main__":
    sys.exit(tap.main([test_kill_application]))
