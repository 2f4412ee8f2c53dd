#!/usr/bin/env python3
"""Wrong calls: exit statuses, one clear line on stderr, nothing left behind."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402

COMMANDS = ["record", "import", "info", "analyze", "compare", "export", "report", "list"]


def refuses(status, *arguments, says=None, cwd=None):
    done = tap.cli(*arguments, cwd=cwd)
    assert done.returncode == status, f"{arguments}: exit {done.returncode}, {done.stderr}"
    assert done.stdout == "", f"{arguments}: {done.stdout}"
    assert done.stderr.startswith("tailback-cli") and done.stderr.count("\n") == 1, f"{arguments}: {done.stderr}"
    for word in says or []:
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
    refuses(2)
    refuses(2, "explain")
    refuses(2, "--verbose")
    refuses(2, "info")
    refuses(2, "info", "a", "b", says=["b"])
    refuses(2, "info", "--yaml", "a", says=["--yaml"])
    refuses(2, "list", "all")
    refuses(2, "import")
    refuses(2, "analyze", "--analysis", "threads")
    refuses(2, "analyze", "a", says=["threads"])
    refuses(2, "analyze", "a", "--analysis", "thread", says=["thread", "threads"])
    refuses(2, "analyze", "a", "--analysis", "threads", "--format", "yaml", says=["yaml", "json"])
    refuses(2, "analyze", "a", "--analysis", "threads", "--option", "colour=red", says=["colour"])
    refuses(2, "analyze", "a", "--analysis", "threads", "--option", "colour", says=["KEY=VALUE"])
    refuses(2, "analyze", "a", "--analysis", "threads", "--from", "soon", says=["soon"])
    refuses(2, "analyze", "a", "--analysis", "threads", "--to", "+5 parsecs", says=["parsecs"])
    refuses(2, "analyze", "a", "--analysis", "threads", "--values", "work", says=["--values", "work"])
    refuses(2, "analyze", "a", "--analysis", "wait-graph", "--values", "threshold", says=["threshold"])
    refuses(2, "analyze", "a", "--analysis", "wait-graph", "--values", "work", "--format", "html", says=["html"])
    refuses(2, "analyze", "a", "--analysis", "wait-graph", "--values", "work", "--keep", says=["--keep"])
    refuses(2, "analyze", "a", "--analysis", "wait-graph", "--keep", "--option", "threshold=1", says=["--keep"])
    refuses(2, "compare", "a", "--analysis", "threads", says=["OTHER"])
    refuses(2, "export", "a", "-o", "b")
    refuses(2, "report", "a")
    refuses(2, "report", "a", "--analysis", "nothing", "-o", "b.html", says=["nothing"])


def test_wrong_recordings():
    with tempfile.TemporaryDirectory() as folder:
        refuses(2, "record", "--scope", "galaxy", cwd=folder, says=["galaxy", "system"])
        refuses(2, "record", "--scope", "command", cwd=folder)
        refuses(2, "record", "--scope", "process", cwd=folder)
        refuses(2, "record", "--pid", "me", cwd=folder)
        refuses(2, "record", "--pid", "-1", cwd=folder)
        refuses(2, "record", "--duration", "long", cwd=folder)
        refuses(2, "record", "--duration", "0", cwd=folder)
        refuses(2, "record", "--duration", "-3", cwd=folder)
        refuses(2, "record", "--collector", "camera", "--duration", "0.1", cwd=folder, says=["camera", "perf"])
        refuses(2, "record", "--option", "speed=1", "--duration", "0.1", cwd=folder, says=["speed"])
        refuses(1, "record", "--pid", "2147483646", cwd=folder, says=["2147483646"])
        refuses(1, "record", "-o", "x.tailback", "--", "no-such-command-here", cwd=folder, says=["no-such-command-here"])
        refuses(1, "record", "-o", "x.tailback", "--", folder, cwd=folder, says=[folder])
        assert os.listdir(folder) == [], os.listdir(folder)


def test_wrong_files():
    with tempfile.TemporaryDirectory() as folder:
        for name, content in {"empty": b"", "foreign": b"what is this?\n" * 9, "cut": b"SQLite format 3\0" + bytes(84),
                              "binary": bytes(range(256)) * 16}.items():
            path = os.path.join(folder, name)
            with open(path, "wb") as file:
                file.write(content)
            refuses(1, "info", path, says=[name])
            refuses(1, "analyze", path, "--analysis", "threads", says=[name])
        refuses(1, "info", os.path.join(folder, "nothing"), says=["nothing"])
        refuses(1, "info", folder)
        refuses(1, "import", os.path.join(folder, "foreign"), "-o", os.path.join(folder, "out"), says=["foreign"])
        assert sorted(os.listdir(folder)) == ["binary", "cut", "empty", "foreign"], os.listdir(folder)


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
            # People of the window read something else than the programs that set it, for each of the choices.
            assert option["choices"] is None or len(option["choice_labels"]) == len(option["choices"]), option


if __name__ == "__main__":
    sys.exit(tap.main([test_help_and_version, test_wrong_calls, test_wrong_recordings, test_wrong_files, test_list]))
