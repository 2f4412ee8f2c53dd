# gc_pauses_analysis.py: analysis for Tailback: pauses of a garbage collector, from the marks that a
# runtime sets at their start and end, such as the USDT probes of a Java virtual machine:
#   perf buildid-cache --add …/libjvm.so
#   perf probe sdt_hotspot:gc__begin; perf probe sdt_hotspot:gc__end
#   perf record -a -e 'sdt_hotspot:gc__*' -e sched:sched_switch -e sched:sched_waking
#
# SPDX-License-Identifier: MIT-0

import json
from bisect import bisect_right
from collections import namedtuple

import gi

gi.require_version("Json", "1.0")
gi.require_version("Tailback", "1")
from gi.repository import GObject, Json, Tailback

CELL = Tailback.CellType
RUNNING = Tailback.State.RUNNING
RUNNABLE = Tailback.State.RUNNABLE

Pause = namedtuple("Pause", "process thread start end cpu delay")


class GcPausesAnalysis(GObject.Object, Tailback.Analysis):
    __gtype_name__ = "GcPausesAnalysis"

    begin = GObject.Property(type=str, nick="Mark at the start", default="gc__begin",
                             blurb="Name of the mark, with or without its provider")
    end = GObject.Property(type=str, nick="Mark at the end", default="gc__end",
                           blurb="Name of the mark, with or without its provider")

    def do_get_options(self):
        return ["begin", "end"]

    def do_run(self, trace, selection, progress, cancellable):
        self.trace, self.session = trace, trace.get_session()
        self.threads = self.session.get_threads()
        start, end = selection.get_range()
        chosen = {thread.process for thread in self.threads if selection.has_thread(thread.id)}
        spans, unmatched = self.find_spans(chosen, cancellable)
        self.read_intervals()
        pauses = []
        for i, (process, thread, begin, stop) in enumerate(spans):
            if cancellable is not None:
                cancellable.set_error_if_cancelled()
            if progress is not None:
                progress(i / len(spans), "Measuring pauses")
            begin, stop = max(begin, start), min(stop, end)
            if begin < stop:
                times = self.measure(process, begin, stop)
                pauses.append(Pause(process, thread, begin, stop, *times))
        return self.make_report(pauses, unmatched, start, end)

    def find_spans(self, chosen, cancellable):
        """Return process, thread, start and end of each pair of marks; the number of other marks.
        A thread may end the pause that another thread of the process began."""
        def read(column, code):
            data = self.trace.read_column(Tailback.TableKind.MARK, column)  # None: cancelled
            return memoryview(data and data.get_data() or b"").cast(code)

        column, names, open_since = Tailback.MarkColumn, {}, {}
        spans, unmatched = [], 0
        for i, (time, thread, name) in enumerate(zip(
                read(column.TIME, "q"), read(column.THREAD, "I"), read(column.NAME, "I"))):
            if i % 65536 == 0 and cancellable is not None:
                cancellable.set_error_if_cancelled()
            if name not in names:
                text = self.session.get_string(name) or ""
                names[name] = [text == mark or text.endswith(":" + mark)
                               for mark in (self.begin, self.end)]
            begins, ends = names[name]
            if not (begins or ends) or thread >= len(self.threads):
                continue
            process = self.threads[thread].process
            if process not in chosen:
                continue
            if ends and process in open_since:
                since, beginner = open_since.pop(process)
                spans.append((process, beginner, since, time))
            elif begins:
                unmatched += process in open_since
                open_since[process] = time, thread
            else:
                unmatched += 1
        return spans, unmatched + len(open_since)

    def read_intervals(self):
        column = Tailback.IntervalColumn
        self.starts, self.ends, self.states = (
            memoryview(self.trace.get_interval_column(which).get_data() or b"").cast(code)
            for which, code in ((column.START, "q"), (column.END, "q"), (column.STATE, "B")))
        self.intervals = {}
        for thread in self.threads:
            of_thread = self.trace.get_thread_intervals(thread.id)
            self.intervals.setdefault(thread.process, []).append(of_thread)
        tables = Tailback.TableKind
        self.known = {RUNNING: self.session.get_table(tables.SWITCH).get_n_rows() > 0,
                      RUNNABLE: self.session.get_table(tables.WAKEUP).get_n_rows() > 0}

    def measure(self, process, start, end):
        """Return the CPU time of the process in a pause, and how long its threads waited for a
        CPU: None where that was not recorded."""
        times = {RUNNING: 0, RUNNABLE: 0}
        for first, n in self.intervals[process]:
            i = max(bisect_right(self.starts, start, first, first + n) - 1, first)
            while i < first + n and self.starts[i] < end:
                if self.states[i] in times:
                    inside = min(self.ends[i], end) - max(self.starts[i], start)
                    times[self.states[i]] += max(inside, 0)
                i += 1
        return [time if self.known[state] else None for state, time in times.items()]

    def make_report(self, pauses, unmatched, start, end):
        report = self.new_report("GC Pauses", self.trace, start, end)
        if unmatched:
            report.add_warning(f"{unmatched} marks have no counterpart: pauses begin or end "
                               "outside the recording, or events were lost. They are not counted.")
        processes = {}
        for pause in pauses:
            processes.setdefault(pause.process, []).append(pause)
        for process, own in processes.items():
            self.add_findings(report, process, own, end - start)
        report.add_figure(self.make_table(pauses))
        report.add_figure(self.make_histogram(pauses))
        total = sum(pause.end - pause.start for pause in pauses)
        report.set_headline(f"{len(pauses)} pauses, {Tailback.format_duration(total)} in total"
                            if pauses else "No pauses of a garbage collector were recorded")
        summary = {"pauses": len(pauses), "total_ns": total, "unmatched": unmatched}
        report.set_summary(Json.from_string(json.dumps(summary)))
        return report

    def add_findings(self, report, process, pauses, duration):
        times = sorted(pause.end - pause.start for pause in pauses)
        total, share = sum(times), sum(times) / duration
        longest = max(pauses, key=lambda pause: pause.end - pause.start)
        name = self.session.get_processes()[process].name
        text = (f"Garbage collection paused {name} for {100 * share:.1f} % of the time: "
                f"{len(times)} times, {Tailback.format_duration(times[-1])} at most, "
                f"{Tailback.format_duration(times[len(times) // 2])} in the median")
        if self.known[RUNNING]:
            text += f", on {sum(pause.cpu for pause in pauses) / total:.1f} CPUs"
        severity = Tailback.Severity
        finding = Tailback.Finding.new(severity.HIGH if share > 0.1 else severity.MEDIUM
                                       if share > 0.02 else severity.INFO, text + ".", total, share)
        finding.set_code("gc-pauses")
        finding.set_integer("pauses", len(times))
        finding.set_time("longest_ns", times[-1])
        finding.set_range(longest.start, longest.end)
        finding.add_thread(longest.thread)
        finding.set_place("pauses", str(longest.start))
        report.add_finding(finding)
        delay = sum(pause.delay or 0 for pause in pauses)
        if delay > total / 10:
            text = (f"In pauses of {name}, threads waited {Tailback.format_duration(delay)} for a "
                    "CPU: the collector has more threads than it gets CPUs.")
            late = Tailback.Finding.new(severity.MEDIUM, text, delay, min(1, delay / duration))
            late.set_code("gc-delayed")
            late.set_place("pauses", None)
            report.add_finding(late)

    def make_table(self, pauses):
        table = Tailback.TableFigure.new("pauses", "Pauses")
        for name, title, kind in (("start", "Start", CELL.TIME), ("pause", "Pause", CELL.DURATION),
                                  ("process", "Process", CELL.TEXT),
                                  ("cpu", "CPU Time", CELL.DURATION),
                                  ("delay", "Waited for a CPU", CELL.DURATION)):
            table.add_column(name, title, kind)
        for pause in sorted(pauses, key=lambda pause: pause.start - pause.end):
            row = table.add_row(str(pause.start))
            table.set_integer(row, 0, pause.start)
            table.set_integer(row, 1, pause.end - pause.start)
            table.set_text(row, 2, self.session.get_processes()[pause.process].name)
            for column, time in ((3, pause.cpu), (4, pause.delay)):
                if time is not None:  # else the cell stays unknown
                    table.set_integer(row, column, time)
            table.set_place(row, pause.thread, pause.start, pause.end)
        table.set_histogram(1, "durations")
        return table

    def make_histogram(self, pauses):
        """Count the pauses in bins that double in width."""
        histogram = Tailback.HistogramFigure.new("durations", "Durations of Pauses", "ns")
        histogram.set_logarithmic(True)
        times = [pause.end - pause.start for pause in pauses]
        edges = [2 ** i for i in range(min(times, default=1).bit_length() - 1,
                                       max(times, default=1).bit_length() + 1)]
        for low, high in zip(edges, edges[1:]):
            histogram.add_bin(low, high)
        series = histogram.add_series("pauses", "Pauses")
        for i, (low, high) in enumerate(zip(edges, edges[1:])):
            inside = [time for time in times if low <= time < high]
            histogram.set_count(series, i, len(inside), sum(inside))
        return histogram
