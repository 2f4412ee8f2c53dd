#!/usr/bin/env python3
"""Comparison of two recordings and of several a side, by every analysis that compares."""
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402
from comparison import compare, find  # noqa: E402

HEADER = "time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack,sector,socket"
CALLER = "main@app;serve@app"
READ = CALLER + ";parse@libparse.so;read@libc.so.6;sys_read@[kernel]"
LOOKUP = CALLER + ";lookup@libindex.so;strcmp@libc.so.6"
ROUNDS = 40
ROUND_NS = 4000000


def write_recording(folder, name, lookup_ms, seed, rounds=ROUNDS):
    """Write rounds that each read for about 1 ms and then look something up for lookup_ms on
    average."""
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


def write_rounds(folder, name, start, waits_ms):
    """Write a round of 4 ms for each of these waits: a read of that length, which another process
    ends, then a lookup."""
    lines = [HEADER, f"{start},0,name,,,,10,,,11,,,app/reader,,,", f"{start},0,name,,,,20,,,21,,,feeder,,,",
             f"{start},0,switch,0,R,11,,,,,,,,,,"]
    for number, wait_ms in enumerate(waits_ms):
        time = start + number * ROUND_NS
        woken = time + 1000 + int(wait_ms * 1e6)
        lines += [f"{time},0,sys_enter,,,,,,,11,,,read,{READ},,", f"{time + 500},0,wakeup,,,,11,21,,,,,,{READ},,",
                  f"{time + 1000},0,switch,11,S,21,,,,,,,,{READ},,", f"{woken},0,wakeup,,,,21,11,,,,,,feed@feeder,,",
                  f"{woken + 1000},0,switch,21,S,11,,,,,,,,feed@feeder,,", f"{woken + 2000},0,sys_exit,,,,,,,11,,0,,,,",
                  f"{woken + 3000},0,sample,,,,,,,11,,,,{LOOKUP},,",
                  f"{time + ROUND_NS - 1000},0,sample,,,,,,,11,,,,{LOOKUP},,"]
    lines.append(f"{start + len(waits_ms) * ROUND_NS},0,switch,11,S,0,,,,,,,,,,")
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return path


class Recordings:
    """Three recordings before a change, three after it."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.base = [write_recording(self.folder.name, f"base{i}.csv", 0.5, i) for i in range(3)]
        self.other = [write_recording(self.folder.name, f"other{i}.csv", 5, 10 + i) for i in range(3)]
        return self

    def __exit__(self, *_):
        self.folder.cleanup()


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


def test_own_clocks():
    """Compare the same part of both, at the same distance from each start, wherever their clocks
    begin."""
    half = ROUNDS // 2
    waits = [1] * ROUNDS, [1] * half + [3] * half
    starts = (5 * 10**9, 3 * 10**15), (10**6, 10**6), (3 * 10**15, 0)
    part = ["--from", "+80ms", "--to", "+160ms"]
    # (analysis, value, name): (value in one round of the base, number of longer waits in it,
    # relative uncertainty). Stack boundaries are uncertain by 2 µs.
    known = {("threads", "waiting_ns", "app/reader"): (1000000, 1, 0),
             ("threads", "running_ns", "app/reader"): (2999000, -1, 0),
             ("wait-graph", "weight_ns", "reader > feeder"): (1000000, 1, 0),
             ("control-paths", "running_ns", "feeder"): (1001000, 1, 0),
             ("control-paths", "wall_ns", "app"): (ROUND_NS, 0, 0),
             ("latency-peaks", "total_ns", "syscall:read"): (1003000, 1, 0),
             ("latency-peaks", "calls", "syscall:read"): (1, 0, 0),
             ("calling-contexts", "module_ns", "[kernel]"): (1003000, 1, 0.005)}
    with tempfile.TemporaryDirectory() as folder:
        # By the same names, which appear in findings.
        folders = [os.path.join(folder, str(i)) for i in range(len(starts))]
        for one in folders:
            os.mkdir(one)
        pairs = [[write_rounds(one, f"side{side}.csv", start, waits[side]) for side, start in enumerate(both)]
                 for one, both in zip(folders, starts)]
        for analysis in sorted({analysis for analysis, _, _ in known} | {"locks"}):
            more = ["--option", "process=app"] if analysis == "control-paths" else []
            reports = [compare([base], [other], analysis, *part, *more) for base, other in pairs]
            # An absolute time is a time of the other recording's clock.
            reports.append(compare(pairs[0][:1], pairs[0][1:], analysis, "--from", str(starts[0][1] + 80 * 10**6),
                                   "--to", str(starts[0][1] + 160 * 10**6), *more))
            for report, both in zip(reports, starts + starts[:1]):
                assert report["range"] == {"from_ns": both[1] + 80 * 10**6, "to_ns": both[1] + 160 * 10**6}, report["range"]
                assert report["summary"]["differences"] == reports[0]["summary"]["differences"], analysis
                for member in ("code", "values", "text"):
                    assert [f[member] for f in report["findings"]] == [f[member] for f in reports[0]["findings"]], (analysis, member)
            if analysis == "calling-contexts":
                first = reports[0]["findings"][0]
                assert first["code"] == "context-growth" and first["values"]["base_recording"] == "side0.csv", first
            for (of, what, thing), (one, longer, doubt) in known.items():
                if of == analysis:
                    found = find(reports[0], what, thing)
                    for side, expected in (("base", half * one), ("other", half * (one + 2000000 * longer))):
                        assert abs(found[side] - expected) <= doubt * expected, (analysis, what, found)
                    assert found["within_noise"] == (longer == 0), found


def test_absent():
    """If the process of interest is missing in the base, the base is empty, not the whole
    recording."""
    with tempfile.TemporaryDirectory() as folder:
        base, other = (write_rounds(folder, name, 10**9, [wait] * ROUNDS) for name, wait in (("base.csv", 1), ("other.csv", 2)))
        with open(base, encoding="utf-8") as file:
            lines = file.read().replace("app/reader", "app/writer")
        with open(base, "w", encoding="utf-8") as file:
            file.write(lines)
        for analysis, what, thing in (("threads", "waiting_ns", "app/reader"), ("calling-contexts", "module_ns", "[kernel]"),
                                      ("latency-peaks", "calls", "syscall:read")):
            report = compare([base], [other], analysis, "--thread", "reader")
            assert find(report, what, thing)["other"] > 0, report["summary"]["differences"]
            assert all(d["base"] == 0 for d in report["summary"]["differences"]), (analysis, report["summary"]["differences"])


def moved(report):
    return [finding["values"] for finding in report["findings"] if finding["code"] == "moved-latencies"]


def test_moved():
    """Calls with the same total but another distribution are reported; random differences are
    not."""
    with tempfile.TemporaryDirectory() as folder:
        even = write_rounds(folder, "even.csv", 10**9, [1] * ROUNDS)
        mixed = write_rounds(folder, "mixed.csv", 10**15, [0.25, 1.75] * (ROUNDS // 2))
        sorted_ = write_rounds(folder, "sorted.csv", 10**12, [0.25] * (ROUNDS // 2) + [1.75] * (ROUNDS // 2))
        report = compare([even], [mixed], "latency-peaks")
        assert find(report, "total_ns", "syscall:read")["within_noise"], report["summary"]["differences"]
        # 1.003 ms is between 2^19 and 2^20 ns: one half moves two bins down, the other half one bin
        # up.
        distance = find(report, "distance_bins", "syscall:read")
        assert not distance["within_noise"] and abs(distance["other"] - 1.5) < 1e-9, distance
        reported = [values for values in moved(report) if values["operation"] == "syscall:read"]
        assert reported == [{"operation": "syscall:read", "distance_bins": distance["other"]}], report["findings"]
        # The same calls in another order are unchanged.
        same = compare([sorted_], [mixed], "latency-peaks")
        assert find(same, "distance_bins", "syscall:read")["other"] == 0 and not moved(same), same["findings"]
        assert "no-difference" in [finding["code"] for finding in same["findings"]], same["findings"]
    with Recordings() as recordings:
        for other in recordings.base[1:]:
            random_change = compare(recordings.base[:1], [other], "latency-peaks")
            assert not moved(random_change), random_change["findings"]


def test_usage():
    for arguments, message in ((["a", "b", "c"], '“c”'), (["--", "b"], "BASE"), (["a", "--"], "OTHER"), (["a"], "OTHER")):
        done = tap.cli("compare", "--analysis", "threads", *arguments)
        assert done.returncode == 2 and message in done.stderr, done
    with Recordings() as recordings:
        done = tap.cli("compare", recordings.base[0], "/nonexistent/b", "--", recordings.other[0], "-a", "threads")
        assert done.returncode == 1 and "/nonexistent/b" in done.stderr, done


if __name__ == "__main__":
    sys.exit(tap.main([test_several, test_every_analysis, test_causes, test_same_is_noise, test_normalization, test_own_clocks,
                       test_absent, test_moved, test_usage]))
