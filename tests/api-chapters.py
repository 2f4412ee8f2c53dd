#!/usr/bin/env python3
"""The examples in the chapters of the API documentation are built and run: all blocks of a language
in a chapter are, one after the other, the module of a plug-in."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import re
import shlex
import sys
import tempfile

SOURCE = os.environ["TAILBACK_SOURCE"]
sys.path.insert(0, os.path.join(SOURCE, "tests/cli"))
import tap  # noqa: E402

EVENTS = os.path.join(SOURCE, "tests/fixtures/events/pipes.csv")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LOG = "# switches\n1000 0 0 R 11\n2000 0 11 S 0\n2500 0 0 R 12\n4000 0 12 S 0\n"


def read_blocks(chapter, language):
    with open(f"{SOURCE}/help/api/{chapter}.md", encoding="utf-8") as file:
        return [text for name, text in BLOCK.findall(file.read()) if name == language]


def build(folder, source, target):
    """Compile and link a module as its author would, without warnings."""
    flags = tap.run("pkg-config", "--cflags", "--libs", "libpeas-2", "gio-2.0", "json-glib-1.0")
    app = os.path.join(tap.BUILD, "app")
    done = tap.run("cc", "-std=gnu17", "-Wall", "-Wextra", "-Wno-unused-parameter",
                   "-Wno-missing-field-initializers", "-Werror", "-shared", "-fPIC", source,
                   "-o", target, f"-I{SOURCE}/app", f"-I{app}", f"-I{tap.BUILD}", f"-L{app}",
                   "-ltailback-1", *shlex.split(flags.stdout), cwd=folder)
    assert done.returncode == 0, done.stderr


def install(folder, chapter, kind, language):
    """Make a plug-in of a chapter, with the ID "example"."""
    place = os.path.join(folder, kind, "example")
    os.makedirs(place)
    text = "\n\n".join(read_blocks(chapter, language))
    source = os.path.join(place, "example.py" if language == "python" else "example.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    if language == "c":
        build(place, source, os.path.join(place, "libexample.so"))
    with open(os.path.join(place, "example.plugin"), "w", encoding="utf-8") as file:
        file.write("[Plugin]\nModule=example\nName=Example\nDescription=Example\n"
                   "X-Tailback-API=1\n" + ("Loader=python\n" if language == "python" else ""))


def start(folder, *arguments):
    built_in = os.path.join(tap.BUILD, "plugins")
    environment = os.environ | {"TAILBACK_PLUGIN_PATH": f"{folder}:{built_in}",
                                "GI_TYPELIB_PATH": os.path.join(tap.BUILD, "app"),
                                "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8"}
    return tap.cli(*arguments, env=environment)


def run(folder, *arguments):
    done = start(folder, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def check(folder, kind):
    done = start(folder, "check-plugin", f"{kind}/example")
    assert done.returncode == 0, done.stdout + done.stderr


def analyze(chapter, language, *options):
    with tempfile.TemporaryDirectory(prefix="tailback-chapters-") as folder:
        install(folder, chapter, "analyses", language)
        check(folder, "analysis")
        return json.loads(run(folder, "analyze", EVENTS, "--analysis", "example", "--format",
                              "json", *options))


def test_write():
    for language in "python", "c":
        report = analyze("write-a-plug-in", language)
        assert re.fullmatch(r"[1-9]\d* threads are selected\.", report["headline"]), report


def test_ask():
    for language in "python", "c":
        table = analyze("ask-the-trace", language)["figures"][0]
        assert table["id"] == "causes" and table["rows"], table


def test_report():
    report = analyze("make-a-report", "python")
    assert [figure["kind"] for figure in report["figures"]] == ["timeline", "histogram"], report
    finding, n_runs = report["findings"][0], report["summary"]["n_runs"]
    assert finding["code"] == "runs" and finding["values"]["n_runs"] == n_runs > 0, report
    report = analyze("make-a-report", "c")
    assert report["figures"][0]["id"] == "states" and report["figures"][0]["tracks"], report
    assert report["findings"][0]["values"]["n_threads"] == len(report["figures"][0]["tracks"])


def test_options():
    set_options = ["--option", "shortest=1.5ms", "--option", "order=name"]
    report = analyze("options", "python", *set_options)
    assert report["headline"] == "Waits of 1.5 ms and more, by name, without idle threads", report
    report = analyze("options", "c", *set_options, "--option", "hidden=a,b")
    assert report["headline"] == "Waits of 1.5 ms and more, by name, without 2 threads", report


def list_ends(text):
    """The switches in which a thread left its CPU."""
    cells = [line.split(",") for line in text.splitlines() if ",switch," in line]
    return [(row[0], row[3], row[4]) for row in cells if row[3] != "0"]


def test_importer():
    for language in "python", "c":
        with tempfile.TemporaryDirectory(prefix="tailback-chapters-") as folder:
            install(folder, "recorders-and-importers", "importers", language)
            check(folder, "importer")
            log = os.path.join(folder, "log")
            with open(log, "w", encoding="utf-8") as file:
                file.write(LOG)
            text = run(folder, "export", log, "--exporter", "events-csv", "-o", "-")
            assert list_ends(text) == [("2000", "11", "S"), ("4000", "12", "S")], text
            with open(log, "a", encoding="utf-8") as file:
                file.write("5000 0 eleven\n")
            done = start(folder, "info", log)
            assert done.returncode != 0 and "line 6" in done.stderr, done


def test_exporter():
    words = {"python": r"\t\d+\t\d+\t[a-z-]+", "c": r"\d+\t[^\t]+\t[^\t]+"}
    for language, word in words.items():
        with tempfile.TemporaryDirectory(prefix="tailback-chapters-") as folder:
            install(folder, "exporters", "exporters", language)
            check(folder, "exporter")
            lines = run(folder, "export", EVENTS, "--exporter", "example", "-o", "-").splitlines()
            assert len(lines) > 1 and all(re.search(word, line) for line in lines[1:]), lines
            if language == "python":
                text = run(folder, "analyze", EVENTS, "-a", "threads", "--format", "example")
                assert "threads" in text, text


if __name__ == "__main__":
    sys.exit(tap.main([test_write, test_ask, test_report, test_options, test_importer,
                       test_exporter]))
