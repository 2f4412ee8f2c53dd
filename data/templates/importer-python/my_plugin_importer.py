# my_plugin_importer.py: importer for Tailback: a log of thread switches, wake-ups and marks
# Each line has a time in seconds, a CPU and what happened; example.log is an example.
#
# SPDX-License-Identifier: MIT-0

import gi

gi.require_version("Tailback", "1")
from gi.repository import GLib, GObject, Tailback

FIRST_LINE = b"# my-plugin"
UNKNOWN = -1  # PID
NO_STACK = 0


class MyPluginImporter(GObject.Object, Tailback.Importer):
    __gtype_name__ = "MyPluginImporter"

    def do_get_options(self):
        return None

    def do_get_mime_types(self):
        return ["text/x-my-plugin"]

    def do_sniff(self, head, *_):
        """Return how certain it is from the first bytes that the file is of this kind: 0…100."""
        return 90 if bytes(head[:len(FIRST_LINE)]) == FIRST_LINE else 0

    def do_import_file(self, file, recorder, progress, cancellable):
        text = file.load_contents(cancellable)[1].decode("utf-8", "replace")
        recorder.set_fact("clock", "monotonic")
        recorder.add_host("log", "", "", 1, 0)
        lines = text.splitlines()
        for number, line in enumerate(lines, 1):
            if number % 65536 == 0:
                if cancellable is not None:
                    cancellable.set_error_if_cancelled()
                if progress is not None:
                    progress(number / len(lines), "Reading the log")
            if line.strip() and not line.startswith("#"):
                try:
                    self.add(recorder, line.split())
                except (IndexError, TypeError, ValueError, OverflowError) as error:
                    raise GLib.Error(f"line {number} cannot be read: {error}") from None
        return True

    def add(self, recorder, words):
        # Not as a float, which would round the ns of a date.
        seconds, _, fraction = words[0].partition(".")
        time = int(seconds) * 10**9 + int(f"{fraction:0<9.9}")
        cpu, tid = int(words[1]), int(words[3])
        if words[2] == "switch":  # TID NEXT STATE
            recorder.add_switch(time, cpu, tid, UNKNOWN, words[5], int(words[4]), UNKNOWN, NO_STACK)
        elif words[2] == "wakeup":  # TID WOKEN
            recorder.add_wakeup(time, cpu, tid, UNKNOWN, int(words[4]), 0, NO_STACK)
        elif words[2] == "name":  # TID NAME
            recorder.add_name(time, tid, UNKNOWN, words[4])
        elif words[2] == "mark":  # TID NAME=VALUE
            name, _, value = words[4].partition("=")
            recorder.add_mark(time, cpu, tid, UNKNOWN, name, value, NO_STACK)
        else:
            raise ValueError(f"unknown kind “{words[2]}”")
