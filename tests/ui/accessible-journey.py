#!/usr/bin/env python3
"""The application as a user without sight uses it: with keys, and through assistive technology.

A recording is opened, an interval selected and read in another figure, a text searched, a chain of
causes followed, figures exported, a command recorded. Drawn items are walked and hit like all other
widgets.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import subprocess
import sys
import tempfile

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

sys.path.insert(0, os.path.join(os.environ["TAILBACK_SOURCE"], "tests/cli"))
import tap  # noqa: E402
from accessible import application, find, wait_for, walk  # noqa: E402

TAILBACK = os.path.join(tap.BUILD, "app/shell/tailback")
INBOX = os.path.join(tap.BUILD, "tests/fixtures/inbox.csv")
SELECTED = Atspi.StateType.SELECTED
EXTENTS = Atspi.CoordType.PARENT


class Journey:
    """The running program."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([TAILBACK, *arguments])
        self.windows = wait_for(self.find_windows)
        assert self.windows, "no window"

    def find_windows(self):
        done = tap.run("xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid))
        return done.stdout.split()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        while GLib.MainContext.default().iteration(False):
            pass

    def press(self, *keys):
        for key in keys:
            done = tap.run("xdotool", "windowfocus", "--sync", self.windows[0], "key", "--clearmodifiers", key)
            assert done.returncode == 0, done.stderr

    def type(self, text):
        assert tap.run("xdotool", "type", "--delay", "20", text).returncode == 0

    def activate(self, action, parameter=None):
        bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        arguments = [] if parameter is None else [parameter]
        bus.call_sync("org.tailback.Tailback", "/org/tailback/Tailback/window/1", "org.gtk.Actions", "Activate",
                      GLib.Variant("(sava{sv})", (action, arguments, {})), None, Gio.DBusCallFlags.NONE, -1, None)


def expect(condition, what):
    found = wait_for(condition)
    assert found, f"waited in vain for {what}"
    return found


def is_selected(accessible):
    return accessible.get_state_set().contains(SELECTED)


def list_role(role):
    return [accessible for accessible in walk(application())
            if accessible.get_role() == role and accessible.get_state_set().contains(Atspi.StateType.SHOWING)]


def find_selected(role, part=""):
    return next((accessible for accessible in list_role(role)
                 if is_selected(accessible) and part in (accessible.get_description() or accessible.get_name())), None)


def describe_focus():
    return next((accessible.get_description() for accessible in walk(application())
                 if accessible.get_state_set().contains(Atspi.StateType.FOCUSED)), None)


def open_inbox():
    journey = Journey(INBOX)
    expect(lambda: find(part="auth (1168) ran only"), "the findings")
    expect(lambda: list_role(Atspi.Role.TABLE_CELL), "the intervals of the timeline")
    return journey


def choose_interval(journey):
    """With keys only: from the search to the single matching track, and its waits."""
    journey.press("ctrl+f")
    journey.type("thread:imap-login")
    expect(lambda: len([row for row in list_role(Atspi.Role.TABLE_ROW) if row.get_child_count() > 0]) == 1,
           "one track only")
    journey.press("Return", "ctrl+Home", "Down", "Right", "Right", "Right")
    return expect(lambda: find_selected(Atspi.Role.TABLE_CELL, "waited"), "the chosen wait")


def test_select_and_read():
    with open_inbox() as journey:
        interval = choose_interval(journey)
        description = interval.get_description()
        assert description.startswith("imap-login (1165)"), description
        assert interval.get_parent().get_name() == "imap-login"
        assert is_selected(interval.get_parent())
        # The row with keyboard focus has the same description.
        expect(lambda: describe_focus() == description,
               f"the row to have “{description}” instead of “{describe_focus()}”")
        # In another figure the same thread is selected, and the details describe it.
        expect(lambda: find(part="imap-login (1165)"), "the details")
        journey.activate("show-figure", GLib.Variant("s", "states"))
        expect(lambda: find(name="imap-login", role=Atspi.Role.TABLE_CELL) or find(part="imap-login", role=Atspi.Role.LABEL),
               "the row of the thread")


def test_boxes():
    """Each box stands on its caller, has a description, and is found where it is drawn."""
    with open_inbox() as journey:
        journey.activate("show-figure", GLib.Variant("s", "off-cpu"))
        boxes = expect(lambda: list_role(Atspi.Role.TREE_ITEM), "the boxes")
        tree = list_role(Atspi.Role.TREE)[0]
        nested = [box for box in boxes if box.get_parent().get_role() == Atspi.Role.TREE_ITEM]
        assert nested, "no box stands on another"
        for box in boxes:
            assert box.get_name() and box.get_component_iface(), f"{box.get_name()} has no place"
            size = box.get_component_iface().get_extents(EXTENTS)
            assert size.width > 0 and size.height > 0, f"{box.get_name()} is {size.width} × {size.height}"
        for box in nested:
            assert int(box.get_attributes()["level"]) == int(box.get_parent().get_attributes()["level"]) + 1
        assert tree.get_child_count() > 0
        # With keys: the first box, then the box above it.
        journey.press("ctrl+f", "Return", "Up")
        first = expect(lambda: find_selected(Atspi.Role.TREE_ITEM), "a chosen box").get_name()
        journey.press("Up")
        expect(lambda: (find_selected(Atspi.Role.TREE_ITEM) or tree).get_name() not in (first, tree.get_name()),
               "what stands on it")
        assert find_selected(Atspi.Role.TREE_ITEM).get_parent().get_name() == first


def test_hit():
    """The item drawn at a place of the window is the one reported there."""
    with open_inbox():
        frame = application().get_child_at_index(0).get_component_iface()
        hits = 0
        for row in list_role(Atspi.Role.TABLE_ROW):
            origin = row.get_component_iface().get_extents(Atspi.CoordType.WINDOW)
            canvas = row.get_parent().get_component_iface().get_extents(Atspi.CoordType.WINDOW)
            for i in range(row.get_child_count()):
                cell = row.get_child_at_index(i)
                place = cell.get_component_iface().get_extents(EXTENTS)
                # The last row may be drawn only in part, without its middle.
                if origin.y + place.y + place.height // 2 >= canvas.y + canvas.height:
                    continue
                # GTK is off by the window's margin where the window has no shadow.
                if place.width < 20:
                    continue
                hit = frame.get_accessible_at_point(origin.x + place.x + place.width // 2,
                                                    origin.y + place.y + place.height // 2, Atspi.CoordType.WINDOW)
                assert hit and hit.get_description() == cell.get_description(), \
                    f"{hit and hit.get_description()} instead of {cell.get_description()}"
                hits += 1
        assert hits > 10, f"only {hits}"


def test_causes():
    with open_inbox() as journey:
        chain = [choose_interval(journey).get_description()]
        journey.press("ctrl+f", "ctrl+a", "BackSpace", "Return")
        expect(lambda: len(list_role(Atspi.Role.TABLE_ROW)) > 6, "all threads again")
        for _ in range(3):
            journey.press("c")
            found = wait_for(lambda: (cell := find_selected(Atspi.Role.TABLE_CELL)) and cell.get_description() != chain[-1]
                             and cell.get_description())
            if not found:
                break
            chain.append(found)
        assert len(chain) >= 3, f"the chain ends too early: {chain}"
        print(f"# {' ← '.join(chain)}")
        for before in reversed(chain[:-1]):
            journey.press("alt+Left")
            expect(lambda before=before: find_selected(Atspi.Role.TABLE_CELL, before), f"to be back at “{before}”")


def test_export():
    with tempfile.TemporaryDirectory() as folder, open_inbox() as journey:
        for name in ("figure.svg", "figure.csv"):
            path = os.path.join(folder, name)
            journey.activate("export-figure-to", GLib.Variant("s", "file://" + path))
            expect(lambda name=name: find(part=f"“{name}” saved"), f"{name} to be saved")
            assert os.path.getsize(path) > 100
        path = os.path.join(folder, "report.html")
        journey.activate("export-report-to", GLib.Variant("s", "file://" + path))
        expect(lambda: find(part="“report.html” saved"), "the report to be saved")
        assert os.path.getsize(path) > 1000


def find_button(dialog, name):
    return next((child for child in walk(find(role=Atspi.Role.DIALOG, name=dialog))
                 if child.get_role() == Atspi.Role.PUSH_BUTTON and child.get_name() == name
                 and child.get_state_set().contains(Atspi.StateType.SENSITIVE)), None)


def find_entry(dialog):
    return next((child for child in walk(find(role=Atspi.Role.DIALOG, name=dialog))
                 if child.get_editable_text_iface() and child.get_state_set().contains(Atspi.StateType.SHOWING)), None)


def test_record():
    tap.needs_system()
    with Journey() as journey:
        expect(lambda: find(name="Find What Software Waits For"), "the start page")
        journey.activate("record-command")
        expect(lambda: find(role=Atspi.Role.DIALOG, name="New Recording"), "the assistant")
        entry = expect(lambda: find_entry("New Recording"), "the entry of the command")
        assert entry.get_editable_text_iface().set_text_contents("sh -c 'sleep 0.3; sleep 0.3'")
        button = expect(lambda: find_button("New Recording", "Record"), "the button to record")
        assert button.get_action_iface().do_action(0)
        expect(lambda: find(part="threads · "), "the recording to open by itself")
        # The recording of a command opens with its control paths.
        journey.activate("show-analysis", GLib.Variant("s", "threads"))
        # A thread is named after the programs that it was for most of its life.
        rows = expect(lambda: [row for row in list_role(Atspi.Role.TABLE_ROW)
                               if row.get_name() == "sleep"], "its threads")
        assert rows[0].get_child_count() > 0, "its thread has no intervals"


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            os.environ[name] = folder
        os.environ["GTK_A11Y"] = "atspi"
        return tap.main([test_select_and_read, test_boxes, test_hit, test_causes, test_export, test_record])


sys.exit(main())
