#!/usr/bin/env python3
"""Opening a recording from the desktop by its MIME type."""
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ["TAILBACK_SOURCE"], "tests/cli"))
import tap  # noqa: E402

TAILBACK = os.path.join(tap.BUILD, "app/shell/tailback")
INBOX = os.path.join(tap.BUILD, "tests/fixtures/inbox.csv")
TOOLS = ("update-mime-database", "update-desktop-database")

folder = tempfile.TemporaryDirectory()
# Set before GIO is loaded: only the files installed here are visible to it.
for variable in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
    os.environ[variable] = folder.name
os.environ["GTK_A11Y"] = "atspi"

from gi.repository import Gio, GLib  # noqa: E402

from accessible import find, wait_for  # noqa: E402


def install():
    for tool in TOOLS:
        if shutil.which(tool) is None:
            raise tap.Skip(f"no {tool}")
    packages = os.path.join(folder.name, "mime/packages")
    applications = os.path.join(folder.name, "applications")
    os.makedirs(packages, exist_ok=True)
    os.makedirs(applications, exist_ok=True)
    shutil.copy(os.path.join(tap.BUILD, "data/org.tailback.Tailback.xml"), packages)
    desktop = shutil.copy(sys.argv[1], applications)
    # A desktop file whose program does not exist is not offered.
    with open(desktop, encoding="utf-8") as file:
        text = file.read().replace("Exec=tailback", "Exec=" + TAILBACK)
    with open(desktop, "w", encoding="utf-8") as file:
        file.write(text)
    for tool, place in zip(TOOLS, (os.path.dirname(packages), applications)):
        done = tap.run(tool, place)
        assert done.returncode == 0, done.stderr


def make_recording():
    path = os.path.join(folder.name, "clicked.tailback")
    if not os.path.exists(path):
        done = tap.cli("import", INBOX, "-o", path)
        assert done.returncode == 0, done.stderr
    return path


def guess(path):
    info = Gio.File.new_for_path(path).query_info("standard::content-type", Gio.FileQueryInfoFlags.NONE, None)
    return info.get_content_type()


def test_types():
    install()
    recording = make_recording()
    assert guess(recording) == "application/x-tailback", guess(recording)
    # Without the file name extension, and for recordings of other programs.
    renamed = shutil.copy(recording, os.path.join(folder.name, "renamed"))
    assert guess(renamed) == "application/x-tailback", guess(renamed)
    perf = os.path.join(folder.name, "numbers")
    with open(perf, "wb") as file:
        file.write(b"PERFILE2" + bytes(96))
    assert guess(perf) == "application/x-perf-data", guess(perf)
    for kind in ("application/x-tailback", "application/x-perf-data"):
        application = Gio.AppInfo.get_default_for_type(kind, True)
        assert application and application.get_id() == "org.tailback.Tailback.desktop", f"{kind}: {application}"


def test_open():
    install()
    recording = make_recording()
    process = subprocess.Popen([TAILBACK, "--gapplication-service"])  # as started by D-Bus
    try:
        bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        assert wait_for(lambda: bus.call_sync(
            "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "NameHasOwner",
            GLib.Variant("(s)", ("org.tailback.Tailback",)), None, Gio.DBusCallFlags.NONE, -1, None).unpack()[0])
        application = Gio.AppInfo.get_default_for_type(guess(recording), True)
        assert application.launch([Gio.File.new_for_path(recording)], None)
        assert wait_for(lambda: find(part="8 threads · 5 processes")), "it is not shown"
        assert find(part="clicked"), "it is shown without its name"
    finally:
        process.kill()
        process.wait()


status = tap.main([test_types, test_open])
folder.cleanup()
sys.exit(status)
