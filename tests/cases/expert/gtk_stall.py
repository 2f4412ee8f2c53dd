"""A program with a window whose main loop writes files."""
# SPDX-License-Identifier: GPL-3.0-or-later

import sys

from harness import disk, services
from harness.expert import Answer, ExpertCase

PROGRAM = """
import os, gi
gi.require_version("Gtk", "4.0")
from gi.repository import Gtk, GLib

saves = 0

def save(app):
    global saves
    file = os.open("notes.txt", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    for i in range(40):               # the error: a sync for each part, in the main loop
        os.write(file, b"0123456789abcde\\n" * 256)
        os.fsync(file)
    os.close(file)
    saves += 1
    if saves == 10:
        app.quit()
    return saves < 10

def activate(app):
    window = Gtk.ApplicationWindow(application=app, title="Notes")
    window.set_child(Gtk.Spinner(spinning=True))
    window.present()
    GLib.timeout_add(100, save, app)

app = Gtk.Application(application_id="org.example.Notes")
app.connect("activate", activate)
app.run()
"""


class GtkStall(ExpertCase):
    name = "gtk-stall"
    title = ("a GTK program that saves in its main loop, with fsync after each part, "
             "on a disk with 300 writes a second")
    # Changed after the first recording, because bpftrace refuted it: a part of these calls is spent
    # on a CPU or waiting for one. What is compared is the time in which the kernel blocked the
    # thread.
    answer = Answer(
        sentence="The main loop stands still in fsync of notes.txt, that is, it waits for the "
                 "disk: the window does not react meanwhile.",
        kinds=("disk",), names={"process": "python3", "object": "notes\\.txt|fsync"},
        amount="blocked in fsync")

    def prepare(self, stage):
        services.start_display(stage)
        stage.write("notes.py", PROGRAM)
        self.group, _ = disk.make_group(stage.folder, 300)

    def command(self, stage):
        return ["sh", "-c", f"echo $$ > {self.group}/cgroup.procs; exec {sys.executable} notes.py"]

    def facts(self, truth, measures):
        return {"blocked in fsync": truth.in_disk("python3"),
                "spent in fsync": truth.in_calls("python3", "fsync")}

    def proof(self, facts, truth):
        return [("more than a third of the time is spent in fsync",
                 facts["spent in fsync"] >= truth.wall_ns / 3),
                ("more of it blocked than waiting for a CPU",
                 facts["blocked in fsync"] > truth.ready("python3"))]


CASES = [GtkStall()]
