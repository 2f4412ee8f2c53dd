# my_plugin_importer.py: importer for Tailback: a log of thread switches, wake-ups and marks
# Each line has a time in seconds, a CPU and what happened; example.log is an example.
#
# SPDX-License-Identifier: MIT-0

import gi

gi.require_version("Tailback", "1")
from gi.repository import GLib, GObject, Tailback

FIRST_LINE = b"# my-plugin"


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
        host = recorder.add_host("log", "", "", 1, 0)
        lines = text.splitlines()
        for number, line in enumerate(lines, 1):
            if number % 65536 == 0:
                if cancellable is not None:
                    cancellable.set_error_if_cancelled()
                if progress is not None:
                    progress(number / len(lines), "Reading the log")
            if not line.strip() or line.startswith("#"):
                continue
            try:
                recorder.add(self.parse(recorder, host, line.split()))
            except (IndexError, TypeError, ValueError, OverflowError) as error:
                raise GLib.Error(f"line {number} cannot be read: {error}") from None
        return True

    def parse(self, recorder, host, words):
        kinds = Tailback.EventKind
        event = Tailback.Event()
        event.time = int(float(words[0]) * 1e9)
        event.cpu, event.host = int(words[1]), host
        event.tid, event.pid = int(words[3]), -1  # -1: unknown
        if words[2] == "switch":  # TID, NEXT, STATE
            event.kind, event.a, event.code = kinds.EVENT_SWITCH, int(words[4]), ord(words[5])
        elif words[2] == "wakeup":  # TID, WOKEN
            event.kind, event.a = kinds.EVENT_WAKEUP, int(words[4])
        elif words[2] == "name":  # TID, NAME
            event.kind, event.text = kinds.EVENT_NAME, recorder.intern_string(words[4], -1)
        elif words[2] == "mark":  # TID, NAME=VALUE
            name, _, value = words[4].partition("=")
            event.kind, event.text = kinds.EVENT_MARK, recorder.intern_string(name, -1)
            event.text2 = recorder.intern_string(value, -1)
        else:
            raise ValueError(f"unknown kind “{words[2]}”")
        return event
