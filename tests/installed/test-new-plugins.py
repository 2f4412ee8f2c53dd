#!/usr/bin/env python3
"""Plug-ins made from the templates: built, installed, checked and run with the installed program,
by the commands that it prints."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ["TAILBACK_SOURCE"], "tests/cli"))
import tap  # noqa: E402

# Two processes; the client waits 700 µs at the end, the server at most 100 µs; times in ns
EVENTS = """time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack
1000000,0,name,,,,10,,,10,,,client,
1000000,0,name,,,,20,,,20,,,server,
1000000,0,switch,0,R,10,,,,,,,,
1100000,0,wakeup,,,,10,20,,,,,,
1200000,0,switch,10,S,20,,,,,,,,
1700000,0,wakeup,,,,20,10,,,,,,
1800000,0,switch,20,S,10,,,,,,,,
1900000,0,wakeup,,,,10,20,,,,,,
2300000,0,switch,10,S,20,,,,,,,,
3000000,0,switch,20,S,0,,,,,,,,
"""


def run(*arguments, **options):
    done = tap.run(*arguments, **options)
    assert done.returncode == 0, (arguments, done.stdout, done.stderr)
    return done.stdout


def new_plugin(folder, kind, language):
    """Make a plug-in and type the printed commands."""
    printed = run("tailback-cli", "new-plugin", "--kind", kind, "--language", language,
                  f"{language} {kind}", cwd=folder)
    for line in printed.splitlines():
        if line.startswith("  "):
            run("sh", "-c", line, cwd="/")
    listed = json.loads(run("tailback-cli", "list", "--json"))["plugins"]
    plugin, = [plugin for plugin in listed if plugin["id"] == f"{language}-{kind}"]
    assert plugin["kind"] == kind and plugin["error"] is None, plugin
    return plugin


def write_events(folder):
    path = os.path.join(folder, "events.csv")
    with open(path, "w", encoding="utf-8") as file:
        file.write(EVENTS)
    return path


def check_analysis(language):
    with tempfile.TemporaryDirectory() as folder:
        plugin = new_plugin(folder, "analysis", language)
        option, = plugin["options"]
        assert (option["name"], option["unit"]) == ("shortest", "ns"), option
        command = ["tailback-cli", "analyze", write_events(folder), "-a", plugin["id"],
                   "--format", "json"]
        report = json.loads(run(*command))
        rows = [(row["cells"][0], row["cells"][1]) for row in report["figures"][0]["rows"]]
        assert rows == [("client (10)", 700000), ("server (20)", 100000)], rows
        finding, = report["findings"]
        assert finding["text"].startswith("client (10) waited for 700"), finding
        assert finding["code"] == "longest-wait", finding
        few = json.loads(run(*command, "--option", "shortest=0.6ms"))
        assert len(few["figures"][0]["rows"]) == 1, few["figures"][0]["rows"]
        assert "client" in run(*command[:-1], "text")


def test_analysis_in_python():
    check_analysis("python")


def test_analysis_in_c():
    check_analysis("c")


def check_importer(language):
    with tempfile.TemporaryDirectory() as folder:
        plugin = new_plugin(folder, "importer", language)
        example = os.path.join(folder, plugin["id"], "example.log")
        info = json.loads(run("tailback-cli", "info", example, "--json"))
        names = sorted(process["name"] for process in info["processes"])
        assert names == ["client", "server"], info
        assert info["events"]["wakeup"] == 2 and info["events"]["mark"] == 1, info["events"]
        session = os.path.join(folder, "a.tailback")
        run("tailback-cli", "import", example, "-o", session)
        report = json.loads(run("tailback-cli", "analyze", session, "-a", "threads",
                                "--format", "json"))
        times = {thread["name"]: thread["running_ns"] for thread in report["summary"]["threads"]}
        assert (times["client"], times["server"]) == (6000000, 4000000), times
        # Times of a date are exact.
        with open(example, encoding="utf-8") as file:
            lines = file.read()
        dated = os.path.join(folder, "dated.log")
        with open(dated, "w", encoding="utf-8") as file:
            file.write(lines.replace("\n0.0", "\n1795917335.1234560"))
        info = json.loads(run("tailback-cli", "info", dated, "--json"))
        assert info["from_ns"] == 1795917335123456001, info
        with open(example, "a", encoding="utf-8") as file:
            file.write("0.013 0 jump 10\n")
        done = tap.run("tailback-cli", "info", example)
        assert done.returncode == 1 and "line 11" in done.stderr and "jump" in done.stderr, done
        assert len(done.stderr.splitlines()) == 1, done.stderr


def test_importer_in_python():
    check_importer("python")


def test_importer_in_c():
    check_importer("c")


def test_exporter_in_c():
    with tempfile.TemporaryDirectory() as folder:
        plugin = new_plugin(folder, "exporter", "c")
        text = run("tailback-cli", "export", write_events(folder), "-e", plugin["id"], "-o", "-")
        lines = text.splitlines()
        assert lines[0] == "thread\tstate\tstart_ns\tend_ns", lines
        assert "client (10)\trunning\t1000000\t1200000" in lines, lines


def test_exporter_in_python():
    with tempfile.TemporaryDirectory() as folder:
        plugin = new_plugin(folder, "exporter", "python")
        text = run("tailback-cli", "analyze", write_events(folder), "-a", "threads",
                   "--format", plugin["id"])
        assert text.startswith("# ") and "\n* " in text, text


if __name__ == "__main__":
    sys.exit(tap.main([test_analysis_in_python, test_analysis_in_c, test_importer_in_python,
                       test_importer_in_c, test_exporter_in_c, test_exporter_in_python]))
