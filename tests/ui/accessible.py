"""Search for widgets and drawn items in a running application through assistive technology."""
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

# Builds with sanitizers are slower.
PATIENCE = 60 * int(os.environ.get("TAILBACK_TEST_PATIENCE", "1"))


def wait_for(find):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            found = find()
        except GLib.Error:  # the item no longer exists
            found = None
        if found:
            return found
        time.sleep(0.05)
    return None


def walk(accessible, depth=0):
    if accessible is None or depth > 60:
        return
    yield accessible
    for i in range(accessible.get_child_count()):
        yield from walk(accessible.get_child_at_index(i), depth + 1)


def application():
    desktop = Atspi.get_desktop(0)
    for i in range(desktop.get_child_count()):
        child = desktop.get_child_at_index(i)
        if child and "tailback" in (child.get_name() or "").lower():
            return child
    return None


def find(role=None, name=None, part=None):
    for accessible in walk(application()):
        label = accessible.get_name() or ""
        if not accessible.get_state_set().contains(Atspi.StateType.SHOWING):
            continue
        if (role is None or accessible.get_role() == role) and (name is None or label == name) and (
                part is None or part in label):
            return accessible
    return None
