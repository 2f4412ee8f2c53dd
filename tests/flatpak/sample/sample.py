# sample.py: Python analysis of the test of the Flatpak: counts threads
#
# SPDX-License-Identifier: MIT-0

import gi

gi.require_version("Json", "1.0")
gi.require_version("Tailback", "1")
from gi.repository import GObject, Json, Tailback


class SampleAnalysis(GObject.Object, Tailback.Analysis):
    def do_run(self, trace, selection, progress, cancellable):
        n = len(trace.get_session().get_threads())
        start, end = selection.get_range()
        report = Tailback.Report.new("sample", "Sample", start, end)
        text = f"{n} threads in this recording."
        finding = Tailback.Finding.new(Tailback.Severity.INFO, text, -1, 1.0)
        report.add_finding(finding)
        report.set_summary(Json.from_string('{"threads": %d}' % n))
        return report
