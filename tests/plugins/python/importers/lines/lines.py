# lines.py: importer of the plain-text events of Tailback, as far as they are switches, wake-ups and
# names, as columns: a call for each event would take long
#
# SPDX-License-Identifier: GPL-3.0-or-later

import csv
from array import array

import gi

gi.require_version('Tailback', '1')
from gi.repository import GObject, Tailback

HEAD = b'time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack'
ROWS = 65536
KIND = Tailback.EventKind


class Columns:
    """Events that were read, in their order."""

    def __init__(self):
        self.time, self.cpu, self.kind, self.code = array('q'), array('H'), array('B'), array('B')
        self.tid, self.a, self.text = array('i'), array('Q'), array('I')

    def add_to(self, recorder):
        recorder.add_rows(None, time=self.time, cpu=self.cpu, kind=self.kind, code=self.code,
                          tid=self.tid, a=self.a, text=self.text)
        recorder.advance(self.time[-1])


class Lines(GObject.Object, Tailback.Importer):
    __gtype_name__ = 'LinesImporter'

    def do_sniff(self, head, length, name):
        return 100 if bytes(head).startswith(HEAD) and name.endswith('.lines') else 0

    def do_import_file(self, file, recorder, progress, cancellable):
        recorder.add_host('lines', None, None, 0, 0)
        recorder.set_fact('clock', 'monotonic')
        with open(file.get_path(), encoding='utf-8', newline='') as text:
            lines = csv.reader(text)
            next(lines)
            columns = Columns()
            for line in lines:
                self.add(columns, line, recorder)
                if len(columns.time) == ROWS:
                    columns.add_to(recorder)
                    columns = Columns()
                    if cancellable is not None and cancellable.is_cancelled():
                        cancellable.set_error_if_cancelled()
            if columns.time:
                columns.add_to(recorder)
        return True

    def add(self, columns, line, recorder):
        time, cpu, kind = line[:3]
        if kind == 'switch':
            columns.kind.append(KIND.SWITCH)
            columns.code.append(ord(line[4]))
            columns.tid.append(int(line[3]))
            columns.a.append(int(line[5]))
            columns.text.append(0)
        elif kind == 'wakeup':
            columns.kind.append(KIND.WAKEUP)
            columns.code.append(0)
            columns.tid.append(int(line[6]))
            columns.a.append(int(line[7]))
            columns.text.append(0)
        elif kind == 'name':
            columns.kind.append(KIND.NAME)
            columns.code.append(0)
            columns.tid.append(int(line[9]))
            columns.a.append(0)
            columns.text.append(recorder.intern_string(line[12], -1))
        else:
            return
        columns.time.append(int(time))
        columns.cpu.append(int(cpu))
