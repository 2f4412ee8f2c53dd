#!/usr/bin/env python3
# test-session-python.py: test of reading sessions from Python, and of adding data to them
#
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# usage: test-session-python.py MAKE-SESSION

import array
import os
import subprocess
import sys
import tempfile

import gi

gi.require_version("Tailback", "1")
from gi.repository import Gio, GLib, Tailback  # noqa: E402


def columns(session):
    table = session.get_table(Tailback.TableKind.SWITCH)
    info = table.get_info()
    assert info.name == "switch" and info.n_columns == 6
    times = array.array("q", table.get_column(0).get_data())
    assert len(times) == table.get_n_rows() > 0
    assert list(times) == sorted(times)
    found, first, last = table.get_time_range()
    assert found and (first, last) == (times[0], times[-1])
    part = array.array("q", table.get_column_range(0, 70000, 10).get_data())
    assert part == times[70000:70010]
    start, n = table.find_rows(times[-1], times[-1] + 1)
    assert start + n == len(times)
    begin, end = session.get_range()
    assert begin <= times[0] and times[-1] <= end


def facts(session):
    assert [host.name for host in session.get_hosts()] == ["spica"]
    threads = session.get_threads()
    assert len(threads) == 50 and threads[13].name == "thread 13" and threads[13].process == 3
    assert session.get_processes()[9].command == "ls -l"
    assert session.get_modules()[5].build_id == "12ab"
    assert session.get_string(39) == "string 39" and session.get_string(40) == ""
    assert session.get_fact("clock") == "monotonic" and session.get_fact("none") is None
    assert session.get_warnings() == ["A warning"]
    assert not session.is_cut_short() and session.is_writable()


def additions(session):
    session.set_fact("python", "1")
    assert session.get_fact("python") == "1"
    assert session.add_bookmark("here", 1, 2, 3) == 1
    assert [mark.name for mark in session.get_bookmarks()] == ["here"]
    session.save_report("one", "threads", GLib.Bytes.new(b"{}"))
    assert session.list_reports() == ["one"]
    assert session.load_report("one").get_data() == b"{}"
    try:
        session.load_report("two")
        assert False
    except GLib.Error as error:
        assert (error.domain, error.code) == ("tb-session-error-quark", int(Tailback.SessionError.IO))


def refusals(folder):
    path = os.path.join(folder, "foreign")
    with open(path, "w") as file:
        file.write("nothing")
    try:
        Tailback.Session.open(Gio.File.new_for_path(path), None)
        assert False
    except GLib.Error as error:
        assert (error.domain, error.code) == ("tb-session-error-quark", int(Tailback.SessionError.FOREIGN))


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.tailback")
        subprocess.run([sys.argv[1], path, "200000"], check=True)
        session = Tailback.Session.open(Gio.File.new_for_path(path), None)
        print("1..4")
        for number, test in enumerate((columns, facts, additions), 1):
            test(session)
            print(f"ok {number} {test.__name__}")
        refusals(folder)
        print("ok 4 refusals")


main()
