# counting.py: Python analysis with options, columns as arrays, findings and a table
#
# SPDX-License-Identifier: GPL-3.0-or-later

import gi

gi.require_version('Json', '1.0')
gi.require_version('Tailback', '1')
from gi.repository import GObject, Json, Tailback


class CountingAnalysis(GObject.Object, Tailback.Analysis):
    __gtype_name__ = 'CountingAnalysis'

    count = GObject.Property(type=str, nick='What to count', blurb='Which of the two threads of a switch',
                             default='next')
    least = GObject.Property(type=int, nick='Least', blurb='Threads with fewer are left out',
                             minimum=0, maximum=1000000, default=1)
    grace = GObject.Property(type=GObject.TYPE_INT64, nick='Grace',
                             blurb='A time that is only reported',
                             minimum=0, maximum=GObject.G_MAXINT64, default=0)

    def do_get_options(self):
        return ['count', 'least', 'grace']

    def do_run(self, trace, selection, progress, cancellable):
        session = trace.get_session()
        table = session.get_table(Tailback.TableKind.SWITCH)
        column = Tailback.SwitchColumn.NEXT if self.count == 'next' else Tailback.SwitchColumn.PREV
        threads = memoryview(table.get_column(column).get_data() or b'').cast('I')
        counts = {}
        for i, thread in enumerate(threads):
            if selection.has_thread(thread):
                counts[thread] = counts.get(thread, 0) + 1
        if progress is not None:
            progress(0.5, 'counting')

        start, end = selection.get_range()
        report = Tailback.Report.new('counting', 'Counting', start, end)
        figure = Tailback.TableFigure.new('counts', 'Switches')
        figure.add_column('thread', 'Thread', Tailback.CellType.COUNT)
        figure.add_column('count', 'Count', Tailback.CellType.COUNT)
        for thread, n in sorted(counts.items(), key=lambda item: -item[1]):
            if n >= self.least:
                row = figure.add_row(str(thread))
                figure.set_integer(row, 0, thread)
                figure.set_integer(row, 1, n)
        finding = Tailback.Finding.new(Tailback.Severity.INFO, f'{len(counts)} threads were switched to', -1, 1.0)
        finding.set_place('counts', None)
        report.add_finding(finding)
        report.add_figure(figure)
        report.set_summary(Json.from_string('{"switches": %d}' % len(threads)))
        return report


Tailback.option_set_choices(CountingAnalysis.find_property('count'), ['next', 'prev'])
Tailback.option_set_choice_labels(CountingAnalysis.find_property('count'),
                                  ['Which is next', 'Which was before'])
Tailback.option_set_unit(CountingAnalysis.find_property('grace'), 'ns')
