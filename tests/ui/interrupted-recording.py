#!/usr/bin/env python3
"""A recording in the window that ends abnormally: nothing written is lost.

The application is killed and started again; the disk is full; the agent is killed.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import contextlib
import glob
import json
import os
import signal
import subprocess
import sys
import tempfile

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

sys.path.insert(0, os.path.join(os.environ["TAILBACK_SOURCE"], "tests/cli"))
import tap  # noqa: E402
from accessible import find, wait_for, walk  # noqa: E402

TAILBACK = os.path.join(tap.BUILD, "app/shell/tailback")


def expect(condition, what):
    found = wait_for(condition)
    assert found, f"waited in vain for {what}"
    return found


def find_start_button():
    """Return the Record button of the assistant; the window behind it has one with the same
    name."""
    dialog = find(role=Atspi.Role.DIALOG, name="New Recording")
    return next((child for child in walk(dialog)
                 if child.get_role() == Atspi.Role.PUSH_BUTTON and child.get_name() == "Record"
                 and child.get_state_set().contains(Atspi.StateType.SENSITIVE)), None)


def find_agents(pid):
    found = []
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        try:
            with open(path, encoding="ascii") as file:
                children = [int(word) for word in file.read().split()]
        except OSError:
            continue
        for child in children:
            with contextlib.suppress(OSError), open(f"/proc/{child}/comm", encoding="utf-8") as file:
                if file.read().strip() == "tailback-agent":
                    found.append(child)
            found += find_agents(child)
    return found


@contextlib.contextmanager
def running(folder, *arguments):
    """Run the program with a home folder of its own, where its settings persist."""
    environment = dict(os.environ, GSETTINGS_BACKEND="keyfile", GTK_A11Y="atspi")
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME"):
        environment[name] = folder
    process = subprocess.Popen([TAILBACK, *arguments], env=environment)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        while GLib.MainContext.default().iteration(False):
            pass


def start_recording():
    expect(find_start_button, "the button to record").get_action_iface().do_action(0)
    expect(lambda: find(part="Recording: "), "the recording to begin")


def list_recordings(folder):
    return glob.glob(folder + "/tailback/recordings/*.tailback")


def read_info(path):
    done = tap.cli("info", path, "--json")
    return json.loads(done.stdout) if done.returncode == 0 else None


@contextlib.contextmanager
def busy():
    """Run a load to record."""
    process = subprocess.Popen(["sh", "-c", "while :; do /bin/true; done"])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def measure(folder):
    """Return the size of all files of the recordings: committed data is in one of them."""
    return sum(os.path.getsize(path) for path in glob.glob(folder + "/tailback/recordings/*"))


def wait_for_events(folder):
    """Wait until events are committed. A recording in progress cannot be opened, but its files
    grow."""
    begun = measure(folder)
    with busy():
        expect(lambda: measure(folder) > begun + (64 << 10), "something that is kept")


def test_killed_application():
    """After a kill, the next start offers the recording up to the kill, and it is kept."""
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder:
        with running(folder, "--record") as process:
            start_recording()
            wait_for_events(folder)
            process.kill()
            process.wait()
        path, = list_recordings(folder)
        checked = tap.cli("info", path, "--check")
        assert checked.returncode == 0, checked.stderr
        before = read_info(path)
        assert before["cut_short"], "it does not know that it was cut short"
        with running(folder):
            expect(lambda: find(part="Recovered “"), "the recording to be offered")
            expect(lambda: find(part="threads · "), "the recording to be shown")
            expect(lambda: find(part="This recording was cut short"),
                   "a notice that it was cut short")
        after = read_info(path)
        assert after["events"] == before["events"], f"{after['events']} instead of {before['events']}"
        print(f"# {before['events']['switch']} switches kept")


@contextlib.contextmanager
def small_disk(folder, size):
    place = os.path.join(folder, "tailback/recordings")
    os.makedirs(place)
    if tap.run("mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", place).returncode != 0:
        raise tap.Skip("a small disk cannot be mounted here")
    try:
        yield place
    finally:
        tap.run("umount", "-l", place)


def test_full_disk():
    """The recorded part is kept and shown, with the reason for its end and a remedy."""
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder, small_disk(folder, "2m") as place:
        with running(folder, "--record"):
            start_recording()
            with busy():
                expect(lambda: find(part="The Recording Is Incomplete"), "the end of the disk")
            expect(lambda: find(part="cannot grow: No space left on device; data saved before is kept"), "why")
            expect(lambda: find(part="Free some space or choose another place"), "what to do")
            expect(lambda: find(part="threads · "), "what there is of it")
        path, = glob.glob(place + "/*.tailback")
        checked = tap.cli("info", path, "--check")
        assert checked.returncode == 0, checked.stderr
        assert read_info(path)["events"]["switch"] > 0


def test_killed_agent():
    """The part before the kill is kept and shown, with a message about it."""
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder, running(folder, "--record") as process:
        start_recording()
        wait_for_events(folder)
        agents = find_agents(process.pid)
        assert agents, "no agent"
        for agent in agents:
            os.kill(agent, signal.SIGKILL)
        expect(lambda: find(part="The Recording Is Incomplete"), "the end of the recording")
        expect(lambda: find(part="killed by signal 9"), "why")
        expect(lambda: find(part="Data recorded before that is kept"), "what became of it")
        expect(lambda: find(part="threads · "), "what there is of it")
        path, = list_recordings(folder)
        checked = tap.cli("info", path, "--check")
        assert checked.returncode == 0, checked.stderr


sys.exit(tap.main([test_killed_application, test_full_disk, test_killed_agent]))
