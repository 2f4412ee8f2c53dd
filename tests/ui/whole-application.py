#!/usr/bin/env python3
# whole-application.py: the installed application, used through accessibility only
# Starts, opens a file sent to the first instance over D-Bus, switches figures, keeps running,
# quits; also without a display, and the picture.
#
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

from accessible import PATIENCE, find, wait_for, walk, application  # noqa: E402

BUILD = os.environ["TAILBACK_BUILD"]
SOURCE = os.environ["TAILBACK_SOURCE"]
TAILBACK = os.path.join(BUILD, "app/shell/tailback")
INBOX = os.path.join(BUILD, "tests/fixtures/inbox.csv")
START_PAGE = "Find What Software Waits For"

number = 0
failed = False


def check(good, what):
    global number, failed
    number += 1
    failed |= not good
    print(f"{'ok' if good else 'not ok'} {number} {what}", flush=True)
    return good


def unnamed():
    """Return interactive items without a name."""
    roles = {Atspi.Role.PUSH_BUTTON, Atspi.Role.TOGGLE_BUTTON, Atspi.Role.ENTRY, Atspi.Role.CHECK_BOX}
    result = []
    for accessible in walk(application()):
        states = accessible.get_state_set()
        if accessible.get_role() in roles and states.contains(Atspi.StateType.SHOWING) and not accessible.get_name():
            parents = []
            parent = accessible.get_parent()
            while parent is not None and len(parents) < 4:
                parents.append(f"{parent.get_role_name()}:{parent.get_name()}")
                parent = parent.get_parent()
            result.append(f"{accessible.get_role_name()} in {parents}")
    return result


def list_hidden_texts():
    """Return texts that a screen reader reads although they are not shown, such as that of a banner
    that is not revealed: it has no height."""
    result = []
    for accessible in walk(application()):
        component = accessible.get_component_iface()
        showing = accessible.get_state_set().contains(Atspi.StateType.SHOWING)
        if showing and component and accessible.get_name():
            size = component.get_size()
            if 0 in (size.x, size.y):
                result.append(accessible.get_name())
    return result


def check_pages():
    """Read the page of every analysis once."""
    for analysis in ("threads", "wait-graph", "control-paths", "latency-peaks", "calling-contexts",
                     "locks"):
        activate("show-analysis", GLib.Variant("s", analysis))
        time.sleep(0.5)
        hidden = list_hidden_texts()
        check(not hidden, f"{analysis}: only what is shown is read {hidden}")


def activate(action, parameter=None):
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    group = Gio.DBusActionGroup.get(bus, "org.tailback.Tailback", "/org/tailback/Tailback/window/1")
    group.list_actions()
    GLib.MainContext.default().iteration(False)
    group.activate_action(action, parameter)
    bus.flush_sync()


def run(*arguments, display=True):
    environment = dict(os.environ)
    if not display:
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            environment.pop(name, None)
    return subprocess.run([TAILBACK, *arguments], env=environment, capture_output=True, text=True, timeout=PATIENCE,
                          check=False)


def test_without_display():
    result = run("--version", display=False)
    check(result.returncode == 0 and result.stdout.startswith("tailback "), "--version needs no display")
    result = run("--help", display=False)
    check(result.returncode == 0 and "FILE" in result.stdout and "--picture" in result.stdout,
          "--help needs no display")
    help_text = result.stdout
    result = run(INBOX, display=False)
    check(result.returncode == 1 and "no display" in result.stderr and result.stderr.count("\n") == 1,
          "without a display it reports that in one line")
    check(run("--picture", os.path.join(tempfile.gettempdir(), "x.png"), "--size", "9x9").returncode == 2, "a bad size is a usage error")
    check(run("--dark", INBOX).returncode == 2, "what only a picture has needs --picture")
    with open(os.path.join(SOURCE, "app/shell/tailback.1"), encoding="utf-8") as file:
        man = file.read().replace("\\-", "-")
    for option in re.findall(r"--[a-z-]+", help_text):
        check(option.startswith("--help") or option in man, f"the manual page has {option}")
    result = run("--compare", INBOX, display=False)
    check(result.returncode == 2 and "BASE and OTHER" in result.stderr, "one recording cannot be compared")
    result = run("--base", INBOX, display=False)
    check(result.returncode == 2 and "--compare" in result.stderr, "a base by itself is a usage error")


def test_picture(folder):
    path = os.path.join(folder, "picture.png")
    result = run("--picture", path, "--size", "900x700", "--page", "threads", INBOX)
    good = result.returncode == 0 and os.path.getsize(path) > 10000
    check(good, "--picture writes a picture")
    with open(path, "rb") as file:
        check(file.read(8) == b"\x89PNG\r\n\x1a\n", "which is a PNG")
    hostile = os.path.join(folder, "hostile.tailback")
    with open(hostile, "wb") as file:
        file.write(b"nothing that is a recording")
    result = run("--picture", path, hostile)
    check(result.returncode == 1 and hostile in result.stderr, "a file that cannot be read: exit 1, and the reason")


def test_pages():
    with tempfile.TemporaryDirectory() as folder:
        session = os.path.join(folder, "inbox.tailback")
        program = os.path.join(BUILD, "app/cli/tailback-cli")
        subprocess.run([program, "import", INBOX, "-o", session], check=True,
                       stdout=subprocess.DEVNULL, timeout=PATIENCE)
        check(run(session).returncode == 0, "a session is handed over")
        check(wait_for(lambda: find(part="auth (1168) ran only")), "the session is open")
        check_pages()
        activate("close-tab")
        check(wait_for(lambda: find(name=START_PAGE)), "the session is closed")


def test_application():
    process = subprocess.Popen([TAILBACK])
    try:
        check(wait_for(lambda: find(name=START_PAGE)), "the start page is there")
        check(not unnamed(), f"everything to press has a name {unnamed()}")
        second = run(INBOX)
        check(second.returncode == 0, "a second start hands its file to the first and ends")
        check(wait_for(lambda: find(part="8 threads · 5 processes")), "the file is open")
        check(wait_for(lambda: find(part="auth (1168) ran only")), "its findings are there")
        check(not unnamed(), f"everything to press has a name {unnamed()}")
        button = find(role=Atspi.Role.PUSH_BUTTON, part="Show") or find(part="More")
        check(button is not None, "there are more findings to show")
        activate("show-figure", GLib.Variant("s", "off-cpu"))
        check(wait_for(lambda: find(part=" in total")), "the flame is shown")
        activate("add-bookmark")
        check(wait_for(lambda: find(part="Remove the bookmark")), "a bookmark is added")
        activate("record")
        check(wait_for(lambda: find(name="New Recording")), "the assistant is there")
        check(not unnamed(), f"everything to press has a name {unnamed()}")
        cancel = wait_for(lambda: find(role=Atspi.Role.PUSH_BUTTON, name="Cancel"))
        check(cancel and cancel.get_action_iface().do_action(0), "it can be cancelled")
        activate("close-tab")
        check(wait_for(lambda: find(name=START_PAGE)), "the tab is closed")
        check(run("--compare", INBOX, INBOX).returncode == 0, "a second start hands over what is to be compared")
        check(wait_for(lambda: find(part="base: 8 threads")), "the comparison is open")
        check(wait_for(lambda: find(part="No thread differs")), "its findings are there")
        check(not unnamed(), f"everything to press has a name {unnamed()}")
        activate("close-tab")
        check(wait_for(lambda: find(name=START_PAGE)), "the comparison is closed")
        test_pages()
        with tempfile.TemporaryDirectory() as folder:
            copies = [shutil.copy(INBOX, os.path.join(folder, f"copy-{i}.csv")) for i in range(3)]
            done = run("--compare", INBOX, copies[0], copies[1], "--base", copies[2])
            check(done.returncode == 0, "several recordings a side are handed over, too")
            check(wait_for(lambda: find(part="No thread differs")), "they are compared")
            activate("close-tab")
            check(wait_for(lambda: find(name=START_PAGE)), "their comparison is closed")
        bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        bus.call_sync("org.tailback.Tailback", "/org/tailback/Tailback", "org.gtk.Actions", "Activate",
                      GLib.Variant("(sava{sv})", ("quit", [], {})), None, Gio.DBusCallFlags.NONE, -1, None)
        try:
            status = process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            status = None
        check(status == 0, f"it quits ({status})")
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            os.environ[name] = folder
        test_without_display()
        test_picture(folder)
        os.environ["GTK_A11Y"] = "atspi"
        test_application()
        left = [entry for entry in os.listdir(os.path.join(folder, "tailback"))] if os.path.isdir(
            os.path.join(folder, "tailback")) else []
        check(not [entry for entry in left if entry.startswith("run-")], f"nothing temporary is left ({left})")
    print(f"1..{number}")
    sys.exit(failed)


main()
