#!/usr/bin/env python3
"""Plug-ins by others: each fault is an error that names its plug-in, and does no harm to others."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402

EVENTS = os.path.join(os.environ["TAILBACK_SOURCE"], "tests/fixtures/events/pipes.csv")
TESTS = os.path.join(tap.BUILD, "tests")
HOSTILE = os.path.join(TESTS, "cli/fixtures/hostile")
MISSING_SYMBOL = os.path.join(TESTS, "plugins/fixtures/analyses/missing-symbol")

HEAD = """import gi
gi.require_version("Tailback", "1")
from gi.repository import GLib, GObject, Tailback
"""
ANALYSIS = HEAD + """
class Analysis(GObject.Object, Tailback.Analysis):
    __gtype_name__ = "{name}"
    def do_run(self, trace, selection, progress, cancellable):
        {body}
"""
HANGING = """import signal
import sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
sys.stderr.write("endless\\n")
sys.stderr.flush()
while True:
    pass
"""
CONSTRUCTOR = """
    def __init__(self):
        super().__init__()
        raise ValueError("born dead")
"""


class Plugins:
    """A folder of plug-ins, searched before the built-in ones, and the user's data folder."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.top = os.path.join(self.folder.name, "plugins")
        self.data = os.path.join(self.folder.name, "data")
        os.mkdir(self.top)
        os.mkdir(self.data)
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def write(self, path, text, top=None):
        path = os.path.join(top or self.top, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def describe(self, kind, name, module=None, lines="X-Tailback-API=1", top=None):
        text = f"[Plugin]\nModule={module or name}\nName=Test\n{lines}\n"
        return self.write(f"{kind}/{name}/{name}.plugin", text, top)

    def add_python(self, kind, name, text):
        self.describe(kind, name, "py_" + name, "X-Tailback-API=1\nLoader=python")
        self.write(f"{kind}/{name}/py_{name}.py", text)

    def environment(self, *folders):
        folders = [self.top, *folders, *tap.BUILT_PLUGINS]
        result = dict(os.environ, TAILBACK_PLUGIN_PATH=":".join(folders), XDG_DATA_HOME=self.data)
        # The typelib is found beside the library, and no bytecode is written.
        for name in ("GI_TYPELIB_PATH", "G_DEBUG", "PYTHONDONTWRITEBYTECODE"):
            result.pop(name, None)
        return result

    def cli(self, *arguments, folders=(), **options):
        return tap.run(tap.CLI, *arguments, env=self.environment(*folders), timeout=60, **options)

    def list(self, *folders):
        done = self.cli("list", "--json", folders=folders)
        assert done.returncode == 0, done
        found = json.loads(done.stdout)
        return {f"{plugin['kind']}/{plugin['id']}": plugin for plugin in found["plugins"]}, found

    def check_others(self, *folders):
        """Analyses and files of other people still work."""
        done = self.cli("analyze", EVENTS, "--analysis", "threads", "--format", "json",
                        folders=folders)
        assert done.returncode == 0, done
        assert json.loads(done.stdout)["analysis"] == "threads"


def needs_python():
    if not os.path.exists(os.path.join(tap.BUILD, "app/Tailback-1.typelib")):
        raise tap.Skip("built without introspection, which plug-ins in Python need")


def find_installed_plugins():
    done = tap.run("pkg-config", "--variable=plugindir", "libtailback-1")
    assert done.returncode == 0, done
    return done.stdout.strip()


def test_versions():
    with Plugins() as plugins:
        plugins.describe("analyses", "none", lines="")
        plugins.describe("analyses", "newer", lines="X-Tailback-API=2")
        plugins.describe("importers", "odd", lines="X-Tailback-API=one")
        shutil.copytree(MISSING_SYMBOL, os.path.join(plugins.top, "analyses/missing-symbol"))
        found, _ = plugins.list()
        assert "does not state" in found["analysis/none"]["error"], found["analysis/none"]
        assert "version 2 of the plug-in interface" in found["analysis/newer"]["error"]
        assert "X-Tailback-API=one" in found["importer/odd"]["error"]
        error = found["analysis/missing-symbol"]["error"]
        assert "tb_function_of_a_newer_version" in error, error
        text = plugins.cli("list").stdout
        for name in ("none", "newer", "odd", "missing-symbol"):
            assert f"\n  {name}  Test\n" in text or name == "missing-symbol", text
        assert text.count("cannot be used: ") == 4, text
        for name in ("none", "newer", "missing-symbol"):
            done = plugins.cli("analyze", EVENTS, "--analysis", name)
            assert done.returncode == 1 and name in done.stderr, done
            assert done.stderr.count("\n") == 1, done
        plugins.check_others()


def test_origins():
    with Plugins() as plugins:
        ours, = tap.BUILT_PLUGINS or [find_installed_plugins()]
        plugins.describe("analyses", "mine", top=os.path.join(plugins.data, "tailback/plugins"))
        plugins.describe("analyses", "threads", "own-threads")
        found, _ = plugins.list()
        assert found["analysis/mine"]["origin"] == "user", found["analysis/mine"]
        assert found["importer/events-csv"]["origin"] == "built-in"
        assert found["importer/events-csv"]["replaces"] is None
        assert found["analysis/threads"]["origin"] == "path"
        assert found["analysis/threads"]["replaces"] == {
            "folder": os.path.join(ours, "analyses/threads"), "built_in": True}
        text = plugins.cli("list").stdout
        assert f"installed by this user, from {plugins.data}" in text, text
        assert "it has the name of a built-in plug-in" in text, text


def test_wrong_places():
    with Plugins() as plugins:
        user = os.path.join(plugins.data, "tailback/plugins")
        description = "[Plugin]\nModule=x\nX-Tailback-API=1\nName=X\n"
        targets = {
            "plugins/lost.plugin": f"{user}/KIND/lost/lost.plugin",
            "plugins/lost2/lost2.plugin": f"{user}/KIND/lost2/lost2.plugin",
            "plugins/analysis/one/one.plugin": f"{user}/KIND/one/one.plugin",
            "plugins/analyses/two.plugin": f"{user}/analyses/two/two.plugin",
            "plugins/analyses/other/three.plugin": f"{user}/analyses/three/three.plugin",
            "analyses/four/four.plugin": f"{user}/analyses/four/four.plugin",
        }
        for path in targets:
            plugins.write(path, description, os.path.join(plugins.data, "tailback"))
        plugins.describe("analyses", "right", top=user)
        _, whole = plugins.list()
        text = plugins.cli("list").stdout
        assert len(whole["misplaced"]) == len(targets), whole["misplaced"]
        for path, target in targets.items():
            path = os.path.join(plugins.data, "tailback", path)
            lines = [line for line in whole["misplaced"] if f"“{path}”" in line]
            assert len(lines) == 1 and target in lines[0], (path, whole["misplaced"])
            assert lines[0] in text, text
            # The place is quoted, and what follows is not.
            assert f"to “{target}”" in lines[0] and lines[0].endswith("."), lines[0]


def test_python_errors():
    needs_python()
    with Plugins() as plugins:
        plugins.add_python("analyses", "syntax", "def (\n")
        plugins.add_python("analyses", "imports", HEAD + "\nimport no_such_module\n")
        plugins.add_python("analyses", "constructor", ANALYSIS.format(
            name="TestConstructor", body="return None") + CONSTRUCTOR)
        bodies = {
            "raises": "raise ValueError('an accident')",
            "exits": "import sys; sys.exit(3)",
            "nothing": "return None",
            "text": "return 'a report'",
            "object": "return GObject.Object()",
        }
        for name, body in bodies.items():
            plugins.add_python("analyses", name, ANALYSIS.format(name="Test" + name, body=body))
        found, _ = plugins.list()
        errors = {
            "syntax": r".*: SyntaxError: .* \(py_syntax.py, line 1\)",
            "imports": r".*: ModuleNotFoundError: No module named 'no_such_module' "
                       r"\(py_imports.py, line 5\)",
            "constructor": r".*: ValueError: born dead.*",
        }
        for name, error in errors.items():
            found_error = found["analysis/" + name]["error"]
            assert re.fullmatch(error, found_error), found_error
        words = {
            "raises": "raises: ValueError: an accident (py_raises.py, line 8)",
            "exits": "exits: RuntimeError: sys.exit(3) called in a plug-in",
            "nothing": "nothing: the function run() of the plug-in (do_run() in Python) ended "
                       "without a result and without an error",
            "text": "text: TypeError: ",
            "object": "object: TypeError: ",
            "constructor": "ValueError: born dead",
            "syntax": "SyntaxError: ",
        }
        for name, word in words.items():
            done = plugins.cli("analyze", EVENTS, "--analysis", name)
            assert done.returncode == 1, done
            assert word in done.stderr.splitlines()[-1], done
        plugins.check_others()
        for folder, folders, _ in os.walk(plugins.top):
            assert "__pycache__" not in folders, folder


def test_type_names():
    """A name of a type that GObject refuses is an error with the reason."""
    needs_python()
    words = {
        "short": ("Ab", "it must have at least 3 characters"),
        "blank": ("Two Words", "all of them letters"),
        "twice": ("TestFirst", "which another class has"),
    }
    with Plugins() as plugins:
        plugins.add_python("analyses", "first", ANALYSIS.format(name="TestFirst", body="pass"))
        for name, (type_name, _) in words.items():
            plugins.add_python("analyses", name, ANALYSIS.format(name=type_name, body="pass"))
        found, _ = plugins.list()
        assert found["analysis/first"]["error"] is None, found
        for name, (type_name, word) in words.items():
            error = found["analysis/" + name]["error"]
            assert f"__gtype_name__ is '{type_name}'" in error and word in error, error
            assert error.endswith(f"(py_{name}.py, line 5)"), error


def test_missing_packages():
    """What is not installed is named with its package."""
    needs_python()
    with Plugins() as plugins:
        for name, namespace in ("typelib", "Tailback"), ("json", "Json"):
            plugins.add_python("analyses", name,
                               f"raise ValueError('Namespace {namespace} not available')")
        found, _ = plugins.list()
        for name, package in ("typelib", "gir1.2-tailback-1"), ("json", "gir1.2-json-1.0"):
            assert package in found["analysis/" + name]["error"], found
        # PyGObject itself: the loader imports it.
        absent = os.path.dirname(plugins.write("gi/__init__.py",
                                               "raise ModuleNotFoundError('No module named gi')",
                                               plugins.data))
        environment = dict(plugins.environment(), PYTHONPATH=os.path.dirname(absent))
        done = tap.run(tap.CLI, "list", "--json", env=environment, timeout=60)
        errors = [plugin["error"] for plugin in json.loads(done.stdout)["plugins"]
                  if plugin["id"] == "json"]
        assert "python3-gi" in errors[0], (errors, done.stderr)


def test_faults_of_figures():
    """A fault in a figure is named with its place."""
    needs_python()
    table = """start, end = selection.get_range()
        report = self.new_report("Cells", trace, start, end)
        table = Tailback.TableFigure.new("cells", "Cells")
        table.add_column("wait", "Wait", Tailback.CellType.DURATION)
        table.add_row("a")
        table.add_row("b")
        table.set_integer(0, 0, 1)
        {fault}
        report.add_figure(table)
        return report"""
    faults = {
        "text": ("table.set_text(1, 0, 'long')", "(row 1, column “wait”)"),
        "share": ("table.set_double(1, 0, 0.5)", "(row 1, column “wait”)"),
        "outside": ("table.set_integer(2, 5, 1)", "(row 2 of 2, column 5 of 1)"),
        "place": ("table.set_place(1, 999, 0, 0)", "row 1 shows a thread"),
    }
    with Plugins() as plugins:
        for name, (fault, _) in faults.items():
            plugins.add_python("analyses", name, ANALYSIS.format(
                name="Test" + name, body=table.format(fault=fault)))
        for name, (_, place) in faults.items():
            done = plugins.cli("analyze", EVENTS, "--analysis", name)
            assert done.returncode == 1 and place in done.stderr, done


BLIND = HEAD + """
class Exporter(GObject.Object, Tailback.Exporter):
    __gtype_name__ = "Test{name}"
    def do_get_extension(self):
        return "txt"
    def do_export_trace(self, trace, stream, progress, cancellable):
        try:
            {body}
        except GLib.Error:
            pass
        stream.write_all(b"looks whole", cancellable)
        return True
"""


def damage(path, table):
    """Overwrite all columns of a table of a session."""
    import sqlite3  # not in every Python
    with sqlite3.connect(path) as database:
        done = database.execute(
            "UPDATE chunk_data SET data = zeroblob (length (data)) WHERE id >> 40 = "
            "(SELECT id FROM event_table WHERE name = ?)", (table,))
        assert done.rowcount > 0, table
    database.close()


def test_damaged_recordings():
    """An export that lacks what cannot be read fails, whatever the exporter makes of it, and leaves
    no file; one that does not need it succeeds."""
    needs_python()
    bodies = {
        "columns": "trace.read_column(Tailback.TableKind.WAKEUP, 0)",
        "session": "trace.get_session().get_table(Tailback.TableKind.WAKEUP).get_column(0)",
        "crashes": "len(trace.read_view(Tailback.TableKind.WAKEUP, 0))",
        "others": "trace.read_view(Tailback.TableKind.SWITCH, 0)",
    }
    with Plugins() as plugins:
        for name, body in bodies.items():
            plugins.add_python("exporters", name, BLIND.format(name=name, body=body))
        session = os.path.join(plugins.data, "a.tailback")
        assert plugins.cli("import", EVENTS, "-o", session).returncode == 0
        assert plugins.cli("analyze", session, "-a", "threads").returncode == 0
        damage(session, "wakeup")
        out = os.path.join(plugins.data, "out")
        for name in ("columns", "session", "crashes", "events-csv"):
            done = plugins.cli("export", session, "-e", name, "-o", out)
            assert done.returncode == 1 and not os.path.exists(out), (name, done)
            line = done.stderr.splitlines()[-1]
            for word in (f"{name}: ", "is damaged in table “wakeup”", f"“{out}” was not written",
                         "copy the recording again"):
                assert word in line, (name, word, done)
            assert name == "crashes" or done.stderr.count("\n") == 1, done
            done = plugins.cli("export", session, "-e", name, "-o", "-")
            assert done.returncode == 1 and "the output is not complete" in done.stderr, done
        plugins.write("out", "older", plugins.data)
        assert plugins.cli("export", session, "-e", "columns", "-o", out,
                           "--force").returncode == 1
        with open(out, encoding="utf-8") as file:
            assert file.read() == "older"
        done = plugins.cli("export", session, "-e", "others", "-o", out, "--force")
        assert done.returncode == 0 and not done.stderr, done
        plugins.add_python("analyses", "crashing", ANALYSIS.format(
            name="TestCrashing", body=bodies["crashes"]))
        done = plugins.cli("analyze", session, "-a", "crashing")
        assert done.returncode == 1 and "crashing: “" in done.stderr.splitlines()[-1], done
        assert "is damaged in table “wakeup”" in done.stderr.splitlines()[-1], done


def test_damaged_names():
    """An export that asks for a function name that may be a damaged one fails likewise; an analysis
    shows the address instead."""
    import sqlite3
    needs_python()
    body = "trace.get_session().get_frame_names(0)"
    with Plugins() as plugins:
        for name, what in ("names", body), ("others", "trace.get_session().get_threads()"):
            plugins.add_python("exporters", name, BLIND.format(name=name, body=what))
        plugins.add_python("analyses", "asking", ANALYSIS.format(
            name="TestAsking", body=body + "\n        return self.new_report('Asking', trace, "
                                           "*selection.get_range())"))
        session = os.path.join(plugins.data, "a.tailback")
        assert plugins.cli("import", EVENTS, "-o", session).returncode == 0
        assert plugins.cli("info", session, "--check").returncode == 0
        out = os.path.join(plugins.data, "out")
        assert plugins.cli("export", session, "-e", "names", "-o", out).returncode == 0
        with sqlite3.connect(session) as database:
            database.execute("INSERT INTO symbol VALUES (700, 'f', '')")
        database.close()
        done = plugins.cli("export", session, "-e", "names", "-o", out + "2")
        assert done.returncode == 1 and not os.path.exists(out + "2"), done
        line = done.stderr.splitlines()[-1]
        for word in "names: ", "function names cannot be read", "2” was not written":
            assert word in line, (word, done)
        done = plugins.cli("export", session, "-e", "others", "-o", out, "--force")
        assert done.returncode == 0, done
        assert plugins.cli("analyze", session, "-a", "asking").returncode == 0
        done = plugins.cli("info", session, "--check")
        assert done.returncode == 1 and "function names cannot be read" in done.stderr, done


def test_reports():
    """Reports that contradict themselves or the recording are refused, with the plug-in's name."""
    words = {
        "type": "object of the type GObject instead of a report",
        "nothing": "ended without a result and without an error",
        "error": "�� <b>&",
        "range": "time ends before it begins",
        "column": "two columns have the same ID",
        "row": "a thread that the recording does not have",
        "figure": "another figure has the same ID",
        "severity": "its severity does not exist",
        "thread": "a thread that the recording does not have",
        "late": "a time outside of the recording",
        "backward": "its time ends before it begins",
    }
    with Plugins() as plugins:
        for how, word in words.items():
            done = plugins.cli("analyze", EVENTS, "--analysis", "hostile", "--option", f"how={how}",
                               "--format", "json", folders=[HOSTILE])
            assert done.returncode == 1 and not done.stdout, done
            assert "hostile: " in done.stderr and word in done.stderr, done
            assert done.stderr.count("\n") == 1, done
        plugins.check_others(HOSTILE)


def test_text():
    """Text that is not UTF-8 is made valid in all outputs."""
    with Plugins() as plugins:
        for form in ("json", "text", "html"):
            done = plugins.cli("analyze", EVENTS, "--analysis", "hostile", "--format", form,
                               folders=[HOSTILE])
            assert done.returncode == 0 and "�� " in done.stdout, done
            if form == "json":
                report = json.loads(done.stdout)
                assert report["headline"] == report["findings"][0]["text"] == "�� <b>&", report
                assert report["summary"] == {"text": "�� <b>&"}, report
        found, _ = plugins.list(HOSTILE)
        assert found["analysis/hostile"]["options"][0]["label"] == "How �� <b>&", found
        assert "�� " in plugins.cli("list", folders=[HOSTILE]).stdout


def test_options():
    """An option that is no property of the plug-in is listed as unknown."""
    needs_python()
    with Plugins() as plugins:
        plugins.add_python("analyses", "options", ANALYSIS.format(
            name="TestOptions", body="return None") + """
    def do_get_options(self):
        return ["missing"]
""")
        text = plugins.cli("list").stdout
        assert "missing  unknown: the plug-in has no such property" in text, text
        done = plugins.cli("analyze", EVENTS, "--analysis", "options", "--option", "missing=1")
        assert done.returncode == 2 and "missing" in done.stderr, done


def test_importers():
    """An importer that claims every file does not take those of others, nor end the program."""
    needs_python()
    with Plugins() as plugins:
        plugins.add_python("importers", "claims", HEAD + """
class Importer(GObject.Object, Tailback.Importer):
    __gtype_name__ = "TestClaims"
    def do_sniff(self, head, length, name):
        return 100
""")
        plugins.add_python("importers", "stumbles", HEAD + """
class Importer(GObject.Object, Tailback.Importer):
    __gtype_name__ = "TestStumbles"
    def do_sniff(self, head, length, name):
        raise KeyError("no such key")
    def do_import_file(self, file, recorder, progress, cancellable):
        return "yes"
""")
        plugins.check_others(HOSTILE)
        foreign = plugins.write("foreign", "what is this", plugins.data)
        done = plugins.cli("info", foreign, folders=[HOSTILE])
        assert done.returncode == 1, done
        assert "stumbles (KeyError: 'no such key'" in done.stderr.splitlines()[-1], done
        for name in ("lacking", "claims"):
            done = plugins.cli("import", EVENTS, "--importer", name, "-o",
                               os.path.join(plugins.data, "x.tailback"), folders=[HOSTILE])
            assert done.returncode == 1, done
            assert name in done.stderr and "import_file()" in done.stderr, done


def test_importer_as_columns():
    """An importer in Python that adds events as columns records what the one in C records."""
    needs_python()
    python = os.path.join(os.environ["TAILBACK_SOURCE"], "tests/plugins/python")
    with Plugins() as plugins:
        with open(EVENTS, encoding="utf-8") as file:
            lines = [line for line in file if not line.startswith("#")]
        head, *rows = [line.rstrip("\n").split(",")[:13] + [""] for line in lines]
        head[-1] = "stack"
        rows = [row for row in rows if row[2] in ("name", "switch", "wakeup")]
        text = "".join(",".join(row) + "\n" for row in [head, *rows])
        reports = []
        for name in ("events.csv", "events.lines"):
            path = plugins.write(name, text, plugins.data)
            done = plugins.cli("analyze", path, "--analysis", "threads", "--format", "json",
                               folders=[python])
            assert done.returncode == 0, done
            reports.append(json.loads(done.stdout)["summary"])
        assert reports[0] == reports[1] and len(reports[0]["threads"]) >= 2, reports


def wait_for_line(process):
    """Wait until the plug-in runs; it prints a line then."""
    line = process.stderr.readline()
    while line and "endless" not in line:
        line = process.stderr.readline()
    assert line, process.wait()


def interrupt_twice(plugins, name, n_needed=2, **variables):
    environment = dict(plugins.environment(os.path.join(TESTS, "cli/fixtures")), **variables)
    with subprocess.Popen([tap.CLI, "analyze", EVENTS, "--analysis", name], env=environment,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        wait_for_line(process)
        time.sleep(0.5)  # handlers are set again five times a second
        try:
            process.send_signal(signal.SIGINT)
            if n_needed == 2:
                time.sleep(0.3)
                assert process.poll() is None, "the plug-in obeys"
                process.send_signal(signal.SIGINT)
            assert process.wait(5) == -signal.SIGINT, process.returncode
        finally:
            process.kill()


def test_interrupts():
    """Two Ctrl+C end the command line, whatever a plug-in does."""
    with Plugins() as plugins:
        interrupt_twice(plugins, "endless", FIXTURE_ENDLESS="ignores")
        interrupt_twice(plugins, "endless", FIXTURE_ENDLESS="takes-signals")
        needs_python()
        plugins.add_python("analyses", "loops", ANALYSIS.format(name="TestLoops", body="""import sys
        sys.stderr.write('endless\\n')
        sys.stderr.flush()
        while True:
            pass"""))
        interrupt_twice(plugins, "loops")
        plugins.add_python("analyses", "stays", HANGING)
        interrupt_twice(plugins, "stays", n_needed=1)


if __name__ == "__main__":
    sys.exit(tap.main([test_versions, test_origins, test_wrong_places, test_python_errors,
                       test_type_names, test_missing_packages, test_faults_of_figures,
                       test_damaged_recordings, test_damaged_names, test_reports, test_text,
                       test_options, test_importers, test_importer_as_columns, test_interrupts]))
