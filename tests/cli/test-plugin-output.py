#!/usr/bin/env python3
"""What a plug-in prints is in no report, and a plug-in that ends the program is an error."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402

FIXTURES = os.path.join(tap.BUILD, "tests/cli/fixtures")
EVENTS = os.path.join(os.environ["TAILBACK_SOURCE"], "tests/fixtures/events/pipes.csv")
DESCRIPTION = """[Plugin]
Module=printing
Name=Printing
X-Tailback-API=1
Loader=python
"""
ANALYSIS = """
import os
import gi
gi.require_version("Tailback", "1")
from gi.repository import GObject, Tailback


class Printing(GObject.Object, Tailback.Analysis):
    __gtype_name__ = "PrintingAnalysis"

    def do_run(self, trace, selection, progress, cancellable):
        print("printed by Python")
        os.write(1, b"written by Python\\n")
        return Tailback.Report.new("printing", "Printing", *selection.get_range())
"""
EXPORTER = """
import os
import gi
gi.require_version("Tailback", "1")
from gi.repository import GObject, Tailback


class Printing(GObject.Object, Tailback.Exporter):
    __gtype_name__ = "PrintingExporter"

    def do_export_trace(self, trace, stream, progress, cancellable):
        print("printed by Python")
        return stream.write_all(b"exported", cancellable)[0]

    def do_export_report(self, report, stream, cancellable):
        os.write(1, b"printed by Python\\n")
        return stream.write_all(b"exported", cancellable)[0]
"""


def write(folder, name, text):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def run_cli(folder, plugins, *arguments, **environment):
    # The typelib is found beside the library.
    kept = dict(os.environ, TAILBACK_PLUGIN_PATH=plugins, HOME=folder)
    for name in ("GI_TYPELIB_PATH", "G_DEBUG"):
        kept.pop(name, None)
    return tap.cli(*arguments, env=kept | environment)


def record(folder):
    path = os.path.join(folder, "events.tailback")
    done = tap.cli("import", EVENTS, "-o", path)
    assert done.returncode == 0, done
    return path


def test_print():
    """The error output has it; the report is JSON."""
    with tempfile.TemporaryDirectory() as folder:
        done = run_cli(folder, FIXTURES, "analyze", record(folder), "-a", "faulty",
                       "--format", "json", TAILBACK_TEST_FAULT="print")
        assert done.returncode == 0 and json.loads(done.stdout)["analysis"] == "faulty", done
        assert "hello\n" in done.stderr, done


def test_exit():
    """Exit with success in a plug-in is a failure of the command, which names the plug-in."""
    with tempfile.TemporaryDirectory() as folder:
        done = run_cli(folder, FIXTURES, "analyze", record(folder), "-a", "faulty",
                       TAILBACK_TEST_FAULT="exit")
        assert done.returncode == 1 and not done.stdout, done
        assert "“faulty” ended the program" in done.stderr and done.stderr.count("\n") == 1, done


def test_endless():
    """An analysis that goes on although it is cancelled is named; a second Ctrl+C ends it."""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, TAILBACK_PLUGIN_PATH=FIXTURES, FIXTURE_ENDLESS="ignores")
        with subprocess.Popen([tap.CLI, "analyze", record(folder), "-a", "endless"], text=True,
                              env=environment, stderr=subprocess.PIPE) as program:
            assert program.stderr.readline() == "endless: ignores\n"
            program.send_signal(signal.SIGINT)
            line = program.stderr.readline()
            program.send_signal(signal.SIGINT)
            assert program.wait(30) == -signal.SIGINT, program.returncode
        assert line.startswith("warning: the plug-in “endless” goes on"), line


def test_python():
    """In Python likewise, by the print function and by the descriptor."""
    with tempfile.TemporaryDirectory() as folder:
        plugins = os.path.join(folder, "plugins")
        write(plugins, "analyses/printing/printing.plugin", DESCRIPTION)
        write(plugins, "analyses/printing/printing.py", ANALYSIS)
        done = run_cli(folder, plugins, "analyze", record(folder), "-a", "printing",
                       "--format", "json")
        if "PyGObject" in done.stderr:
            raise tap.Skip("Python plug-ins cannot be loaded here")
        assert done.returncode == 0 and json.loads(done.stdout)["analysis"] == "printing", done
        assert "printed by Python\n" in done.stderr and "written by Python\n" in done.stderr, done


def test_export():
    """Standard output, by both its names, has only what an exporter exports."""
    with tempfile.TemporaryDirectory() as folder:
        plugins = os.path.join(folder, "plugins")
        path = record(folder)
        write(plugins, "exporters/printing/printing.plugin", DESCRIPTION)
        write(plugins, "exporters/printing/printing.py", EXPORTER)
        of_recording = ["export", path, "-e", "printing", "-o"]
        of_report = ["analyze", path, "-a", "threads", "--format", "printing", "-o"]
        both = ":".join([plugins, *tap.BUILT_PLUGINS])
        for arguments in (of_recording + ["-"], of_recording + ["/dev/stdout"], of_report + ["-"]):
            done = run_cli(folder, both, *arguments)
            if "PyGObject" in done.stderr:
                raise tap.Skip("Python plug-ins cannot be loaded here")
            assert done.returncode == 0 and done.stdout == "exported", done
            assert "printed by Python\n" in done.stderr, done


if __name__ == "__main__":
    sys.exit(tap.main([test_print, test_exit, test_endless, test_python, test_export]))
