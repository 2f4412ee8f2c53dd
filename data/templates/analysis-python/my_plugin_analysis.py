# my_plugin_analysis.py: analysis for Tailback: the longest wait of each thread
#
# SPDX-License-Identifier: MIT-0

import gi

gi.require_version("Json", "1.0")
gi.require_version("Tailback", "1")
from gi.repository import GObject, Json, Tailback

WAITING = {Tailback.State.INTERRUPTIBLE, Tailback.State.UNINTERRUPTIBLE}


class MyPluginAnalysis(GObject.Object, Tailback.Analysis):
    __gtype_name__ = "MyPluginAnalysis"

    # A row in the window, and "--option shortest=1ms" on the command line.
    shortest = GObject.Property(type=GObject.TYPE_INT64, nick="Shortest wait",
                                blurb="Threads that wait less at a time are left out",
                                minimum=0, maximum=GObject.G_MAXINT64, default=0)

    def do_get_options(self):
        return ["shortest"]

    def do_run(self, trace, selection, progress, cancellable):
        longest = self.find_longest_waits(trace, selection, progress, cancellable)
        start, end = selection.get_range()
        report = self.new_report("My Plug-In", trace, start, end)
        table = Tailback.TableFigure.new("waits", "Longest Waits")
        table.add_column("thread", "Thread", Tailback.CellType.TEXT)
        table.add_column("wait", "Longest Wait", Tailback.CellType.DURATION)
        for thread, (wait, begin) in sorted(longest.items(), key=lambda item: -item[1][0]):
            row = table.add_row(str(thread))
            table.set_text(row, 0, trace.describe_thread(thread))
            table.set_integer(row, 1, wait)
            table.set_place(row, thread, begin, begin + wait)  # where the timeline shows it
            if row == 0:
                report.add_finding(self.make_finding(trace, thread, wait, begin, end - start))
        report.add_figure(table)
        report.set_headline(f"{len(longest)} threads waited")
        report.set_summary(Json.from_string('{"threads": %d}' % len(longest)))
        return report

    def find_longest_waits(self, trace, selection, progress, cancellable):
        """Return the longest wait of each thread, and its start."""
        def read(column, code):
            return memoryview(trace.get_interval_column(column).get_data() or b"").cast(code)

        column = Tailback.IntervalColumn
        rows = zip(read(column.START, "q"), read(column.END, "q"), read(column.THREAD, "I"),
                   read(column.STATE, "B"))
        n = len(read(column.START, "q"))
        start, end = selection.get_range()
        longest = {}
        for i, (begin, stop, thread, state) in enumerate(rows):
            if i % 65536 == 0:
                if cancellable is not None:
                    cancellable.set_error_if_cancelled()
                if progress is not None:
                    progress(i / n, "Looking for waits")
            begin, stop = max(begin, start), min(stop, end)  # of the selected time only
            wait = stop - begin
            if (state in WAITING and wait >= max(self.shortest, 1)
                    and selection.has_thread(thread) and wait > longest.get(thread, (0, 0))[0]):
                longest[thread] = wait, begin
        return longest

    def make_finding(self, trace, thread, wait, begin, total):
        name, time = trace.describe_thread(thread), Tailback.format_duration(wait)
        text = f"{name} waited for {time} at a time."
        finding = Tailback.Finding.new(Tailback.Severity.INFO, text, wait, wait / total)
        finding.set_code("longest-wait")
        finding.add_thread(thread)
        finding.set_range(begin, begin + wait)
        finding.set_place("waits", str(thread))
        return finding


Tailback.option_set_unit(MyPluginAnalysis.find_property("shortest"), "ns")
