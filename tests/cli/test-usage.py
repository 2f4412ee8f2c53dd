#!/usr/bin/env python3
"""Wrong calls: exit statuses, one clear line on stderr, nothing left behind."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402

COMMANDS = ["record", "import", "info", "analyze", "compare", "export", "report", "list",
            "new-plugin", "check-plugin"]


def assert_refused(status, *arguments, words=None, cwd=None):
    done = tap.cli(*arguments, cwd=cwd)
    assert done.returncode == status, f"{arguments}: exit {done.returncode}, {done.stderr}"
    assert done.stdout == "", f"{arguments}: {done.stdout}"
    assert done.stderr.startswith("tailback-cli") and done.stderr.count("\n") == 1, f"{arguments}: {done.stderr}"
    for word in words or []:
        assert word in done.stderr, f"{arguments}: \"{word}\" is not in {done.stderr}"


def test_help_and_version():
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    for arguments in [["--version"], ["--help"]] + [[command, "--help"] for command in COMMANDS]:
        done = tap.cli(*arguments, env=environment)
        assert done.returncode == 0 and done.stdout and not done.stderr, f"{arguments}: {done}"
    assert tap.cli("--version").stdout.startswith("tailback-cli ")
    for command in COMMANDS:
        assert command in tap.cli("--help").stdout


def test_wrong_calls():
    assert_refused(2)
    assert_refused(2, "explain")
    assert_refused(2, "--verbose")
    assert_refused(2, "info")
    assert_refused(2, "info", "a", "b", words=["b"])
    assert_refused(2, "info", "--yaml", "a", words=["--yaml"])
    assert_refused(2, "list", "all")
    assert_refused(2, "import")
    assert_refused(2, "analyze", "--analysis", "threads")
    assert_refused(2, "analyze", "a", words=["threads"])
    assert_refused(2, "analyze", "a", "--analysis", "thread", words=["thread", "threads"])
    assert_refused(2, "analyze", "a", "--analysis", "threads", "--format", "yaml", words=["yaml", "json"])
    assert_refused(2, "analyze", "a", "--analysis", "threads", "--option", "colour=red", words=["colour"])
    assert_refused(2, "analyze", "a", "--analysis", "threads", "--option", "colour", words=["KEY=VALUE"])
    assert_refused(2, "analyze", "a", "--analysis", "threads", "--from", "soon", words=["soon"])
    assert_refused(2, "analyze", "a", "--analysis", "threads", "--to", "+5 parsecs", words=["parsecs"])
    assert_refused(2, "analyze", "a", "--analysis", "threads", "--values", "work", words=["--values", "work"])
    assert_refused(2, "analyze", "a", "--analysis", "wait-graph", "--values", "threshold", words=["threshold"])
    assert_refused(2, "analyze", "a", "--analysis", "wait-graph", "--values", "work", "--format", "html", words=["html"])
    assert_refused(2, "analyze", "a", "--analysis", "wait-graph", "--values", "work", "--keep", words=["--keep"])
    assert_refused(2, "analyze", "a", "--analysis", "wait-graph", "--keep", "--option", "threshold=1", words=["--keep"])
    assert_refused(2, "compare", "a", "--analysis", "threads", words=["OTHER"])
    for arguments in ((), ("--exporter", "")):
        assert_refused(2, "export", "a", "-o", "b", *arguments,
                       words=["--exporter ID is missing", "events-csv"])
    assert_refused(2, "analyze", "a", "--analysis", "", words=["--analysis ID", "threads"])
    assert_refused(2, "report", "a", "--analysis", "", "-o", "b.html",
                   words=["no analysis was named", "threads"])
    assert_refused(2, "check-plugin", "", words=["ID"])
    assert_refused(2, "report", "a")
    assert_refused(2, "check-plugin", words=["ID"])
    assert_refused(2, "new-plugin", words=["NAME"])
    assert_refused(2, "new-plugin", "a", words=["--kind", "analysis"])
    assert_refused(2, "new-plugin", "a", "--kind", "analysis", words=["--language", "python"])
    assert_refused(2, "new-plugin", "a", "-k", "collector", "-l", "c", words=["collector"])
    assert_refused(2, "new-plugin", "a", "-k", "analysis", "-l", "rust", words=["rust"])
    assert_refused(2, "new-plugin", "a", "b", "excess", "-k", "analysis", "-l", "c",
                   words=["excess"])
    assert_refused(2, "report", "a", "--analysis", "nothing", "-o", "b.html", words=["nothing"])


def test_wrong_recordings():
    with tempfile.TemporaryDirectory() as folder:
        assert_refused(2, "record", "--scope", "galaxy", cwd=folder, words=["galaxy", "system"])
        assert_refused(2, "record", "--scope", "command", cwd=folder)
        assert_refused(2, "record", "--scope", "process", cwd=folder)
        assert_refused(2, "record", "--pid", "me", cwd=folder)
        assert_refused(2, "record", "--pid", "-1", cwd=folder)
        assert_refused(2, "record", "--duration", "long", cwd=folder)
        assert_refused(2, "record", "--duration", "0", cwd=folder)
        assert_refused(2, "record", "--duration", "-3", cwd=folder)
        assert_refused(2, "record", "--collector", "camera", "--duration", "0.1", cwd=folder, words=["camera", "perf"])
        assert_refused(2, "record", "--option", "speed=1", "--duration", "0.1", cwd=folder, words=["speed"])
        assert_refused(1, "record", "--pid", "2147483646", cwd=folder, words=["2147483646"])
        assert_refused(1, "record", "-o", "x.tailback", "--", "no-such-command-here", cwd=folder, words=["no-such-command-here"])
        assert_refused(1, "record", "-o", "x.tailback", "--", folder, cwd=folder, words=[folder])
        assert os.listdir(folder) == [], os.listdir(folder)


def test_wrong_files():
    with tempfile.TemporaryDirectory() as folder:
        for name, content in {"empty": b"", "foreign": b"what is this?\n" * 9, "cut": b"SQLite format 3\0" + bytes(84),
                              "binary": bytes(range(256)) * 16}.items():
            path = os.path.join(folder, name)
            with open(path, "wb") as file:
                file.write(content)
            assert_refused(1, "info", path, words=[name])
            assert_refused(1, "analyze", path, "--analysis", "threads", words=[name])
        assert_refused(1, "info", os.path.join(folder, "nothing"), words=["nothing"])
        assert_refused(1, "info", folder)
        assert_refused(1, "import", os.path.join(folder, "foreign"), "-o", os.path.join(folder, "out"), words=["foreign"])
        assert sorted(os.listdir(folder)) == ["binary", "cut", "empty", "foreign"], os.listdir(folder)


def test_place_of_import():
    """Without -o, a session is written to the current folder, as the help states, and its path is
    printed; the folder of the input is left as it is."""
    events = os.path.join(os.environ["TAILBACK_SOURCE"], "tests/fixtures/events/pipes.csv")
    assert "in the current folder" in " ".join(tap.cli("import", "--help").stdout.split())
    with tempfile.TemporaryDirectory() as folder:
        source, here = os.path.join(folder, "source"), os.path.join(folder, "here")
        os.mkdir(source)
        os.mkdir(here)
        shutil.copy(events, source)
        done = tap.cli("import", os.path.join(source, "pipes.csv"), cwd=here)
        assert done.returncode == 0, done
        assert os.listdir(here) == ["pipes.csv.tailback"], os.listdir(here)
        assert os.listdir(source) == ["pipes.csv"], os.listdir(source)
        assert os.path.join(here, "pipes.csv.tailback") in done.stdout, done


def test_list():
    done = tap.cli("list")
    assert done.returncode == 0 and not done.stderr, done
    for word in ["analysis:", "threads", "collector:", "perf", "importer:", "events-csv", "perf-data"]:
        assert word in done.stdout, word
    plugins = json.loads(tap.cli("list", "--json").stdout)
    assert plugins["format"] == "tailback-list"
    for plugin in plugins["plugins"]:
        assert plugin["error"] is None, plugin
        for option in plugin["options"]:
            assert option["name"] in option["text"], option
            # Each choice has a label for users of the window, other than the value used by
            # programs.
            assert option["choices"] is None or len(option["choice_labels"]) == len(option["choices"]), option


if __name__ == "__main__":
    sys.exit(tap.main([test_help_and_version, test_wrong_calls, test_wrong_recordings,
                       test_wrong_files, test_place_of_import, test_list]))
