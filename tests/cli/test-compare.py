#!/usr/bin/env python3
"""Comparing: two recordings and several a side, made alike by what the user says, by every analysis that can."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shapes  # noqa: E402
import tap  # noqa: E402

HEADER = "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack,sector,socket"
CALLER = "main@app;serve@app"
READ = CALLER + ";parse@libparse.so;read@libc.so.6;sys_read@[kernel]"
LOOKUP = CALLER + ";lookup@libindex.so;strcmp@libc.so.6"
ROUNDS = 40


def write_recording(folder, name, lookup_ms, seed, rounds=ROUNDS):
    """Each round reads for about 1 ms and looks something up, which takes lookup_ms on average."""
    dice = random.Random(seed)
    lines, time = [HEADER, "1000000,0,name,,,,,,,11,,,app,,,", "1000000,0,name,,,,,,,12,,,feeder,,,",
                   "1000000,0,switch,0,R,11,,,,,,,,,,"], 1000000
    for _ in range(rounds):
        lines.append(f"{time},0,sys_enter,,,,,,,11,,,read,{READ},,")
        lines.append(f"{time + 100},0,switch,11,S,12,,,,,,,,{READ},,")
        time += int(1e6 * dice.uniform(0.9, 1.1))
        lines.append(f"{time},0,wakeup,,,,12,11,,,,,,,,")
        lines.append(f"{time + 50},0,switch,12,S,11,,,,,,,,feed@feeder,,")
        time += 100
        lines.append(f"{time},0,sys_exit,,,,,,,11,,0,,,,")
        time += 1000
        lines.append(f"{time},0,sample,,,,,,,11,,,,{LOOKUP},,")
        time += int(lookup_ms * 1e6 * dice.uniform(0.9, 1.1))
        lines.append(f"{time},0,sample,,,,,,,11,,,,{LOOKUP},,")
        lines.append(f"{time + 400},0,call,,,,,,,11,,,answer,,,")
        lines.append(f"{time + 450},0,return,,,,,,,11,,,answer,,,")
        lines.append(f"{time + 500},0,mark,,,,,,,11,,,work,{CALLER},,")
        lines.append(f"{time + 600},0,mark,,,,,,,11,,,answered,{CALLER},,")
        time += 1000
    lines.append(f"{time},0,switch,11,S,0,,,,,,,,,,")
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return path


class Recordings:
    """Three of how it was, three of how it is."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.base = [write_recording(self.folder.name, f"base{i}.csv", 0.5, i) for i in range(3)]
        self.other = [write_recording(self.folder.name, f"other{i}.csv", 5, 10 + i) for i in range(3)]
        return self

    def __exit__(self, *_):
        self.folder.cleanup()


def compare(base, other, analysis, *more):
    done = tap.cli("compare", *base, "--", *other, "--analysis", analysis, "--format", "json", *more)
    assert done.returncode == 0, done
    report = json.loads(done.stdout)
    shapes.check_report(report, analysis)
    for member in ("base", "other", "normalized_by", "differences"):
        assert member in report["summary"], report["summary"].keys()
    for difference in report["summary"]["differences"]:
        for member in ("what", "id", "base", "other", "delta", "low", "high", "within_noise"):
            assert member in difference, difference
    return report


def find(report, what, part):
    found = [d for d in report["summary"]["differences"] if d["what"] == what and part in d["id"]]
    assert found, (what, part, report["summary"]["differences"])
    return found[0]



def test_several():
    with Recordings() as recordings:
        report = compare(recordings.base, recordings.other, "threads", "--normalize", "work")
        summary = report["summary"]
        assert summary["recordings"] == {"base": ["base0.csv", "base1.csv", "base2.csv"],
                                         "other": ["other0.csv", "other1.csv", "other2.csv"]}, summary["recordings"]
        assert summary["normalized_by"] == "work", summary["normalized_by"]
        ran = find(report, "running_ns", "app")
        assert not ran["within_noise"], ran
        assert ran["low"] < ran["delta"] < ran["high"] and ran["low"] > 0, ran
        assert abs(ran["delta"] - ROUNDS * 4.5e6) < ROUNDS * 0.3e6, ran
        assert len(ran["base_values"]) == 3 and len(ran["other_values"]) == 3, ran
        waited = find(report, "waiting_ns", "app")
        assert waited["within_noise"], waited
        figures = {figure["id"] for figure in report["figures"]}
        assert {"recordings", "differences"} <= figures, figures


def test_every_analysis():
    expected = {"threads": {"differences"}, "wait-graph": {"differences"}, "control-paths": {"differences", "consolidated"},
                "locks": {"differences"}, "latency-peaks": {"operations", "histograms"},
                "calling-contexts": {"paths", "tree", "heat", "contexts", "functions", "modules", "layers"}}
    with Recordings() as recordings:
        for analysis, figures in expected.items():
            more = ["--option", "process=app"] if analysis == "control-paths" else []
            for base, other in ((recordings.base[:1], recordings.other[:1]), (recordings.base, recordings.other[:2])):
                report = compare(base, other, analysis, "--normalize", "work", *more)
                assert report["summary"]["normalized_by"] == "work", report["summary"]["normalized_by"]
                assert figures <= {figure["id"] for figure in report["figures"]}, (analysis, report["figures"])
                assert ("recordings" in report["summary"]) == (len(base) > 1), analysis


def test_causes():
    with Recordings() as recordings:
        paths = compare(recordings.base, recordings.other, "calling-contexts", "--normalize", "work",
                        "--option", "process=app")["summary"]["paths"]
        assert [frame["function"] for frame in paths[0]["frames"]][-1] == "strcmp", paths[0]
        assert not paths[0]["within_noise"] and paths[1]["within_noise"], paths
        peaks = compare(recordings.base[:1], recordings.other[:1], "latency-peaks")
        assert find(peaks, "distance_bins", "syscall:read")["within_noise"], peaks["summary"]["differences"]
        assert find(peaks, "calls", "syscall:read")["base"] == ROUNDS, peaks["summary"]["differences"]
        paths = compare(recordings.base, recordings.other, "control-paths", "--option", "process=app")
        grown = find(paths, "running_ns", "app")
        assert not grown["within_noise"] and grown["delta"] > ROUNDS * 4e6, grown


def test_same_is_noise():
    with Recordings() as recordings:
        report = compare(recordings.base[:1], recordings.base[1:], "threads")
        assert all(d["within_noise"] for d in report["summary"]["differences"]), report["summary"]["differences"]


def test_normalization():
    with Recordings() as recordings:
        half = write_recording(recordings.folder.name, "half.csv", 0.5, 20, ROUNDS // 2)
        ran = {by: find(compare(recordings.base[:1], [half], "threads", "--normalize", by), "running_ns", "app")
               for by in ("none", "work", "mark:answered", "function:answer", "syscall:read", "duration")}
        assert 0.45 < ran["none"]["other"] / ran["none"]["base"] < 0.55, ran
        for by in ("work", "mark:answered", "function:answer", "syscall:read", "duration"):
            assert 0.9 < ran[by]["other"] / ran[by]["base"] < 1.1, ran
        for wrong, status in (("moon", 2), ("function:", 2), ("function:nobody", 1)):
            done = tap.cli("compare", recordings.base[0], half, "-a", "threads", "--normalize", wrong)
            assert done.returncode == status and wrong in done.stderr and done.stderr.count("\n") == 1, done


def test_usage():
    for arguments, said in ((["a", "b", "c"], '"c"'), (["--", "b"], "BASE"), (["a", "--"], "OTHER"), (["a"], "OTHER")):
        done = tap.cli("compare", "--analysis", "threads", *arguments)
        assert done.returncode == 2 and said in done.stderr, done
    with Recordings() as recordings:
        done = tap.cli("compare", recordings.base[0], "/nonexistent/b", "--", recordings.other[0], "-a", "threads")
        assert done.returncode == 1 and "/nonexistent/b" in done.stderr, done


if __name__ == "__main__":
    sys.exit(tap.main([test_several, test_every_analysis, test_causes, test_same_is_noise, test_normalization, test_usage]))
