#!/usr/bin/env python3
"""The example of a plug-in by others: pauses of a garbage collector, compared with the log of the
Java virtual machine that was recorded."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402

EXAMPLE = os.path.join(os.environ["TAILBACK_SOURCE"], "data/examples/gc-pauses")
FIXTURES = os.path.join(os.environ["TAILBACK_SOURCE"], "tests/cli/fixtures/perf-data")
RECORDING = os.path.join(FIXTURES, "jvm-gc.data")
MS = 1000000
# The marks enclose what the log measures; each probe takes time of its own.
PROBES_NS = 150000

HEADER = "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack\n"


class Plugins:
    """Folder of plug-ins with the example, where it is not installed."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        os.mkdir(os.path.join(self.folder.name, "analyses"))
        os.symlink(EXAMPLE, os.path.join(self.folder.name, "analyses/gc-pauses"))
        plugins = os.pathsep.join([self.folder.name, *tap.BUILT_PLUGINS])
        self.env = os.environ | {"TAILBACK_PLUGIN_PATH": plugins, "PYTHONDONTWRITEBYTECODE": "1"}
        if not tap.INSTALLED:
            self.env["GI_TYPELIB_PATH"] = os.path.join(tap.BUILD, "app")
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def analyze(self, path, *arguments):
        done = tap.cli("analyze", path, "-a", "gc-pauses", "--format", "json", *arguments,
                       env=self.env)
        assert done.returncode == 0, done
        return json.loads(done.stdout)

    def analyze_lines(self, *lines, arguments=()):
        path = os.path.join(self.folder.name, "a.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write(HEADER + "".join(line + "\n" for line in lines))
        return self.analyze(path, *arguments)


def mark(time, name, tid=11):
    return f"{time},0,mark,,,,,,,{tid},,,{name},"


def rows_of(report):
    figure, = [figure for figure in report["figures"] if figure["id"] == "pauses"]
    return [row["cells"] for row in figure["rows"]]


def test_virtual_machine():
    """Each pause of the log is one of the report; System.gc() logs two in one pair of marks."""
    with open(os.path.join(FIXTURES, "jvm-gc.log"), encoding="utf-8") as file:
        logged = [(float(ms) * MS, "System.gc()" in line)
                  for line, ms in re.findall(r"(.* ([0-9.]+)ms)", file.read())]
    assert [explicit for _, explicit in logged[-2:]] == [True, True], logged[-2:]
    expected = [ns for ns, explicit in logged if not explicit]
    expected.append(sum(ns for ns, explicit in logged if explicit))
    with Plugins() as plugins:
        report = plugins.analyze(RECORDING)
    found = [pause for start, pause, *_ in sorted(rows_of(report))]
    assert len(found) == len(expected) == report["summary"]["pauses"] == 35, (found, expected)
    for pause, ns in zip(found, expected):
        assert ns - MS / 1000 <= pause <= ns + PROBES_NS + ns * 0.05, (pause, ns)
    assert report["summary"]["total_ns"] == sum(found), report["summary"]
    assert report["summary"]["unmatched"] == 0, report["summary"]
    finding, = report["findings"]
    assert finding["code"] == "gc-pauses" and finding["values"]["pauses"] == 35, finding
    assert finding["values"]["longest_ns"] == max(found), finding
    histogram, = [figure for figure in report["figures"] if figure["id"] == "durations"]
    counts = [series["counts"] for series in histogram["series"]]
    assert sum(map(sum, counts)) == 35, histogram


def test_unknown():
    """What was not recorded is not 0: CPU time without switches, delays without wake-ups."""
    with Plugins() as plugins:
        _, pause, process, cpu, delay = rows_of(plugins.analyze(RECORDING))[0]
        assert cpu > 0 and delay is None and process == "java", (pause, cpu, delay)
        report = plugins.analyze_lines("1000,0,name,,,,10,,,11,,,vm,", mark(2000, "gc__begin"),
                                       mark(5000, "gc__end"))
        (_, pause, _, cpu, delay), = rows_of(report)
        assert (pause, cpu, delay) == (3000, None, None), (pause, cpu, delay)
        assert "CPU" not in report["findings"][0]["text"], report["findings"]
        report = plugins.analyze_lines(mark(2000, "something"), mark(3000, "else"))
        assert rows_of(report) == [] and report["findings"] == [], report
        assert "No pauses" in report["headline"], report["headline"]


def test_times():
    """CPU time and delay within a pause, of all threads of the process, and of no other."""
    lines = ["0,0,name,,,,10,,,10,,,app,", "0,0,name,,,,10,,,11,,,vm,",
             "0,0,name,,,,20,,,20,,,other,",
             "0,0,switch,0,R,10,,,,,,,,", "0,1,switch,0,R,20,,,,,,,,",
             "1000,0,wakeup,,,,10,11,,,,,,", "1500,0,switch,10,S,11,,,,,,,,",
             mark(2000, "x:gc__begin"),
             "3000,1,wakeup,,,,20,10,,,,,,", "5000,0,switch,11,R,20,,,,,,,,",
             "6000,1,switch,20,S,11,,,,,,,,", mark(8000, "x:gc__end"),
             "9000,1,switch,11,S,0,,,,,,,,"]
    with Plugins() as plugins:
        report = plugins.analyze_lines(*lines)
        (start, pause, process, cpu, delay), = rows_of(report)
        # vm runs from 2 to 5 and 6 to 8, preempted between; app waits for a CPU from 3 on.
        assert (start, pause, process) == (2000, 6000, "app"), rows_of(report)
        assert (cpu, delay) == (5000, 6000), (cpu, delay)
        assert [finding["code"] for finding in report["findings"]] == ["gc-pauses", "gc-delayed"]
        part = plugins.analyze_lines(*lines, arguments=("--from", "4000", "--to", "5000"))
        assert [row[:2] for row in rows_of(part)] == [[4000, 1000]], rows_of(part)
        assert rows_of(plugins.analyze_lines(*lines, arguments=("--process", "other"))) == []
        own = ("--option", "begin=a", "--option", "end=b")
        report = plugins.analyze_lines(*lines, mark(9500, "a"), mark(9900, "b"), arguments=own)
        assert [row[:2] for row in rows_of(report)] == [[9500, 400]], rows_of(report)


def test_unmatched():
    """Marks without a counterpart are counted, and no pause is made of them."""
    with Plugins() as plugins:
        report = plugins.analyze_lines(mark(1000, "gc__end"), mark(2000, "gc__begin"),
                                       mark(3000, "gc__begin"), mark(4000, "gc__end"),
                                       mark(5000, "gc__begin"))
        assert [row[:2] for row in rows_of(report)] == [[3000, 1000]], rows_of(report)
        assert report["summary"]["unmatched"] == 3, report["summary"]
        assert any("3 marks" in warning for warning in report["uncertain"]["warnings"]), report


def test_checks():
    with Plugins() as plugins:
        done = tap.cli("check-plugin", "gc-pauses", RECORDING, env=plugins.env)
        assert done.returncode == 0, done


if __name__ == "__main__":
    sys.exit(tap.main([test_virtual_machine, test_unknown, test_times, test_unmatched,
                       test_checks]))
