#!/usr/bin/env python3
"""Threads and processes without names: every text names them by their numbers, JSON has null, and
nothing takes them for one because they are alike in that."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402

HEADER = "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack\n"
ANALYSES = ["threads", "wait-graph", "locks", "calling-contexts", "control-paths"]
MS = 1000000
# A name that is missing, in a sentence, a list, a heading or a cell.
BLANK = re.compile(r"“”|  \(\d|^ \(\d|\bof  |\bof \.|, ,|: ,|^ ×|^ does|for : ", re.MULTILINE)


def make_lines():
    """Process 20 with the threads 20 and 21, and process 30, work in turn for process 10; none has
    a name, but their processes are known."""
    yield "0,0,switch,0,R,10,,,,,,,,main;ask"
    for tid, pid in (20, 20), (21, 20), (30, 30):
        yield f"0,0,fork,,,,10,{tid},,{pid},,,,"
    for turn in range(40):
        start = turn * 10 * MS
        server = (20, 21, 30)[turn % 3]
        yield f"{start + MS},0,wakeup,,,,10,{server},,,,,,"
        yield f"{start + 2 * MS},0,switch,10,S,{server},,,,,,,,main;ask"
        yield f"{start + 8 * MS},0,wakeup,,,,{server},10,,,,,,"
        yield f"{start + 9 * MS},0,switch,{server},S,10,,,,,,,,main;serve"


class Recording:
    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "a.csv")
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(HEADER + "".join(line + "\n" for line in make_lines()))
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def analyze(self, analysis, form, *options):
        if analysis == "control-paths":
            options = ["--option", "process=10"]
        done = tap.cli("analyze", self.path, "-a", analysis, "--format", form, *options)
        assert done.returncode == 0, done
        return done.stdout


def list_texts(node, key=""):
    """Strings for people: sentences, headings, labels and cells."""
    if isinstance(node, dict):
        for name, value in node.items():
            yield from list_texts(value, name)
    elif isinstance(node, list):
        for value in node:
            yield from list_texts(value, key)
    elif isinstance(node, str) and key in ("text", "headline", "title", "label", "group", "cells"):
        yield node


def test_texts():
    with Recording() as recording:
        for analysis in ANALYSES:
            text = recording.analyze(analysis, "text")
            assert not BLANK.search(text), (analysis, BLANK.search(text), text)
            report = json.loads(recording.analyze(analysis, "json"))
            for text in list_texts(report):
                assert not BLANK.search(text), (analysis, text)


def test_headline_of_execution():
    """The process is named by its number in the sentence about the throughput."""
    with Recording() as recording:
        report = json.loads(recording.analyze("wait-graph", "json"))
        assert re.search(r"(thread|process) \d+", report["headline"]), report["headline"]
        names = [vertex["name"] for vertex in report["summary"]["vertices"]]
        assert all(names) and len(set(names)) == len(names), names
        # Those that are no target are merged by process.
        text = recording.analyze("wait-graph", "text", "--process", "10")
        assert "process 20" in text and not BLANK.search(text), text
        # One thread alone: nothing but its execution limits the throughput.
        with open(recording.path, "w", encoding="utf-8") as file:
            file.write(HEADER + f"0,0,switch,0,R,10,,,,,,,,\n{90 * MS},0,switch,10,S,0,,,,,,,,\n"
                       f"{100 * MS},0,wakeup,,,,0,10,,,,,,\n"
                       f"{100 * MS},0,switch,0,R,10,,,,,,,,\n{200 * MS},0,switch,10,S,0,,,,,,,,\n")
        report = json.loads(recording.analyze("wait-graph", "json"))
        assert "thread 10" in report["headline"], report["headline"]


def test_json():
    """Unknown names are null in JSON, and are not one name."""
    with Recording() as recording:
        threads = json.loads(recording.analyze("threads", "json"))["summary"]["threads"]
        assert {thread["tid"] for thread in threads} >= {10, 20, 21, 30}, threads
        assert all(thread["name"] is None for thread in threads if thread["tid"]), threads
        done = tap.cli("info", recording.path)
        assert done.returncode == 0 and not re.search(r"\b10 +\d+ *$", done.stdout), done.stdout


if __name__ == "__main__":
    sys.exit(tap.main([test_texts, test_headline_of_execution, test_json]))
