#!/usr/bin/env python3
"""The application without some plug-ins, which offers no action that needs them."""
# SPDX-License-Identifier: GPL-3.0-or-later

import contextlib
import os
import subprocess
import sys
import tempfile

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

sys.path.insert(0, os.path.join(os.environ["TAILBACK_SOURCE"], "tests/cli"))
import tap  # noqa: E402
from accessible import find, wait_for  # noqa: E402

TAILBACK = os.path.join(tap.BUILD, "app/shell/tailback")
INBOX = os.path.join(tap.BUILD, "tests/fixtures/inbox.csv")


@contextlib.contextmanager
def application(*plugins):
    """Run the application with the inbox recording open and only these plug-ins (KIND/ID)."""
    with tempfile.TemporaryDirectory() as folder:
        for plugin in plugins:
            kind = os.path.dirname(plugin)
            os.makedirs(os.path.join(folder, "plugins", kind), exist_ok=True)
            os.symlink(os.path.join(tap.BUILD, "plugins", plugin), os.path.join(folder, "plugins", plugin))
        environment = dict(os.environ, GTK_A11Y="atspi", TAILBACK_PLUGIN_PATH=os.path.join(folder, "plugins"))
        for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            environment[name] = folder
        process = subprocess.Popen([TAILBACK, INBOX], env=environment)
        try:
            assert wait_for(lambda: find(part="8 threads · 5 processes")), "the file is not open"
            yield process
        finally:
            process.kill()
            process.wait()


def window_actions():
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    answer = bus.call_sync("org.tailback.Tailback", "/org/tailback/Tailback/window/1", "org.gtk.Actions", "List", None,
                           GLib.VariantType("(as)"), Gio.DBusCallFlags.NONE, -1, None)
    return set(answer.unpack()[0])


def activate(action):
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    bus.call_sync("org.tailback.Tailback", "/org/tailback/Tailback/window/1", "org.gtk.Actions", "Activate",
                  GLib.Variant("(sava{sv})", (action, [], {})), None, Gio.DBusCallFlags.NONE, -1, None)


def test_explain_needs_control_paths():
    with application("importers/events-csv", "analyses/threads", "analyses/control-paths"):
        assert wait_for(lambda: "explain" in window_actions()), "it is not offered to explain"
    with application("importers/events-csv", "analyses/threads"):
        assert wait_for(lambda: find(part="auth (1168) ran only")), "no findings"
        actions = window_actions()
        assert "analyse-selection" in actions and "explain" not in actions and "explain-process" not in actions, actions


def test_no_analyses():
    with application("importers/events-csv"):
        assert wait_for(lambda: find(name="No Analyses")), "it is not said that there are no analyses"


def test_no_collectors():
    with application("importers/events-csv", "analyses/threads"):
        activate("record")
        assert wait_for(lambda: find(part="No collector is installed")), "no message of it"


if __name__ == "__main__":
    sys.exit(tap.main([test_explain_needs_control_paths, test_no_analyses, test_no_collectors]))
