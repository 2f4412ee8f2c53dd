#!/usr/bin/env python3
"""Recordings of perf with several counters, with summed waits, and with stacks that were cut."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import re
import struct
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import perf_files  # noqa: E402
import tap  # noqa: E402

RECORDINGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fixtures", "perf-data")
TOLERANCE = 0.01
N_FUNCTIONS = 10
SECOND = 1_000_000_000


def read_json(*arguments):
    done = tap.cli(*arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def analyze(path, *arguments, analysis="calling-contexts"):
    return read_json("analyze", path, "--analysis", analysis, "--format", "json", *arguments)


def run_perf(*arguments):
    try:
        done = tap.run("perf", *arguments)
    except FileNotFoundError:
        raise tap.Skip("no perf here") from None
    assert done.returncode == 0, done.stderr
    return done.stdout


def get_cost(item, name):
    """Return a cost, which is a time or a number of events."""
    count = item.get(name + "_count")
    return item[name + "_ns"] if count is None else count


# --- several counters ---


def parse_report(text):
    """Return each event of perf report, or each member of a group, as [samples or None, sum or
    None, {symbol: share}]. perf counts the samples of a group together."""
    events = []
    for part in text.split("# Samples: ")[1:]:
        n_columns = 2 if "anon group" in part.split("\n", 1)[0] else 1
        n_samples = int(re.match(r"(\d+)", part)[1])
        total = int(re.search(r"Event count \(approx\.\): (\d+)", part)[1])
        shares = [{} for _ in range(n_columns)]
        for line in part.split("\n"):
            found = re.match(r"^((?: +[0-9.]+%)+) +\[[.k]\] (\S+)", line)
            for column, share in enumerate(found[1].split() if found else []):
                shares[column][found[2]] = float(share.rstrip("%")) / 100
        events.append((n_samples, total, shares))
    return events


def simplify(symbol):
    address = re.fullmatch(r"(?:.*\+)?0x0*([0-9a-f]+)", symbol)
    if address:
        return "0x" + address[1]
    return re.sub(r"^(__GI_)?_*", "", re.sub(r"(@.*|\.constprop.*|\.isra.*)$", "", symbol))


def add_up(shares):
    sums = {}
    for symbol, share in shares:
        sums[simplify(symbol)] = sums.get(simplify(symbol), 0) + share
    return sums


def compare_shares(path, counter, theirs):
    summary = analyze(path, "--option", "top=0", "--option", "counter=" + counter)["summary"]
    assert summary["counter"] == counter, summary["counter"]
    total = get_cost(summary, "own")
    ours = add_up((function["function"], get_cost(function, "own") / total)
                  for function in summary["functions_top"])
    assert abs(sum(ours.values()) - 1) < 1e-6, ours
    theirs = add_up(theirs.items())
    for symbol in sorted(theirs, key=theirs.get, reverse=True)[:N_FUNCTIONS]:
        print(f"# {counter} {symbol}: {theirs[symbol]:.4f} by perf, {ours.get(symbol, 0):.4f} here")
        assert abs(theirs[symbol] - ours.get(symbol, 0)) < TOLERANCE, (counter, symbol, ours)


def test_counters():
    """Each counter has the samples, sum and shares that perf report has."""
    path = os.path.join(RECORDINGS, "several-counters.data")
    report = analyze(path)
    counters = report["summary"]["counters"]
    assert [(counter["name"], counter["kind"]) for counter in counters] == [
        ("cpu-clock/freq=1000/", "clock"), ("page-faults/period=32/", "events"),
        ("cpu-clock/freq=250/", "time"), ("page-faults", "events")], counters
    assert [counter["chosen"] for counter in counters] == [True, False, False, False]
    # Every further counter has a flame of its own.
    flames = [figure["title"] for figure in report["figures"] if figure["kind"] == "flame"]
    assert len(flames) == len(counters), flames
    # perf would name the recorded kernel's addresses by the functions of this kernel.
    events = parse_report(run_perf("report", "-i", path, "--no-children", "--no-inline", "--stdio",
                                   "-g", "none", "--sort", "sym", "--percent-limit", "0",
                                   "--kallsyms", os.devnull))
    assert len(events) == 3, events
    group = counters[2:]
    assert (counters[0]["samples"], counters[0]["sum"]) == events[0][:2], (counters, events)
    assert (counters[1]["samples"], counters[1]["sum"]) == events[1][:2], (counters, events)
    assert (sum(counter["samples"] for counter in group),
            sum(counter["sum"] for counter in group)) == events[2][:2], (counters, events)
    shares = [events[0][2][0], events[1][2][0], events[2][2][0], events[2][2][1]]
    for counter, theirs in zip(counters, shares):
        compare_shares(path, counter["name"], theirs)


def test_count_is_no_time():
    path = os.path.join(RECORDINGS, "several-counters.data")
    report = analyze(path, "--option", "counter=page-faults")
    summary = report["summary"]
    assert summary["own_ns"] is None and summary["sample_time"] == "count", summary
    assert summary["own_count"] == [counter["sum"] for counter in summary["counters"]
                                    if counter["name"] == "page-faults"][0]
    for function in summary["functions_top"]:
        assert function["own_ns"] is None and function["own_count"] >= 0, function
    assert all(finding["weight_ns"] is None for finding in report["findings"])
    assert all("CPU time" not in finding["text"] for finding in report["findings"])
    done = tap.cli("analyze", path, "--analysis", "calling-contexts", "--option", "counter=none")
    assert done.returncode != 0 and "page-faults/period=32/" in done.stderr, done
    done = tap.cli("compare", path, path, "--analysis", "calling-contexts",
                   "--option", "counter=page-faults")
    assert done.returncode != 0 and "page-faults" in done.stderr, done


# --- stacks that were cut ---


def count_long_stacks(path, length):
    """Return how many stacks of perf script have so many frames, and the number of all."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "shortened.data")
        with open(path, "rb") as source, open(copy, "wb") as target:
            target.write(perf_files.shorten_descriptions(source.read()))
        text = run_perf("script", "-i", copy, "--no-inline", "-F", "ip")
    stacks = [part.split() for part in text.split("\n\n") if part.strip()]
    return sum(len(stack) >= length for stack in stacks), len(stacks)


def test_cut_stacks():
    path = os.path.join(RECORDINGS, "deep-recursion.data")
    stacks = read_json("info", path, "--json")["stacks"]
    assert (stacks["cut"], stacks["recorded"], stacks["cut_at"]) == (186, 381, "127"), stacks
    assert "Stacks cut at 127 frames: 186 of 381\n" in tap.cli("info", path).stdout
    report = analyze(path, "--option", "top=0")
    warnings = [text for text in report["uncertain"]["warnings"] if "186 of 381" in text]
    assert len(warnings) == 1 and "kernel.perf_event_max_stack" in warnings[0], warnings
    summary = report["summary"]
    assert summary["events"]["cut"] == 186, summary["events"]
    # Stacks of which the callers are unknown are no roots.
    cut = [frame for path in summary["paths"] for frame in path["frames"][:1]
           if frame["function"] == "[cut]"]
    assert {frame["samples"] for frame in cut} == {186}, cut
    assert all(frame["own_ns"] == 0 for frame in cut)
    assert all(frame["function"] != "[cut]" for path in summary["paths"]
               for frame in path["frames"][1:])
    assert all(function["function"] != "[cut]" for function in summary["functions_top"])
    assert count_long_stacks(path, 127) == (186, 381)


# --- summed waits ---

MAPPED_AT = 0x400000


def make_waits(folder, in_raw):
    """Write what perf record --off-cpu writes: into the fields of samples, and since perf 6.15 into
    the data of a BPF program."""
    common = (perf_files.IDENTIFIER | perf_files.IP | perf_files.TID | perf_files.TIME
              | perf_files.PERIOD)
    clock_type = common | perf_files.CALLCHAIN
    waits_type = common | (perf_files.RAW if in_raw else perf_files.CALLCHAIN)
    trailer = struct.pack("<IIQQ", 10, 10, SECOND, 1)
    records = perf_files.make_record(perf_files.COMM, 1 << 13, struct.pack("<II", 10, 10)
                                     + b"waiter\0\0" + trailer)
    records += perf_files.make_record(
        perf_files.MMAP2, 2,
        struct.pack("<IIQQQIIQQII", 10, 10, MAPPED_AT, 0x10000, 0, 0, 0, 0, 0, 5, 2)
        + b"/nowhere/waiter\0" + trailer)
    for n in range(4):
        chain = [perf_files.USER, MAPPED_AT + 0x100, MAPPED_AT + 0x900]
        records += perf_files.make_record(
            perf_files.SAMPLE, 2, struct.pack("<QQIIQQQ", 1, chain[1], 10, 10, SECOND + n * 1000,
                                              1_000_000, len(chain))
            + struct.pack("<3Q", *chain))
    end = SECOND + 5000
    records += perf_files.make_record(
        perf_files.EXIT, 0, struct.pack("<IIIIQ", 10, 1, 10, 1, end)
        + struct.pack("<IIQQ", 10, 10, end, 1))
    for n, (address, waited) in enumerate(((0x200, 3 * SECOND), (0x300, SECOND))):
        chain = [perf_files.USER, MAPPED_AT + address, MAPPED_AT + 0x900]
        time = 0xffffffff00000000 + n
        stack = struct.pack("<Q3Q", len(chain), *chain)
        if in_raw:
            data = struct.pack("<IIQ", 10, 10, waited) + stack + bytes(4)
            body = struct.pack("<QQIIQQI", 2, 0, 0, 0, time, 0, len(data)) + data
        else:
            body = struct.pack("<QQIIQQ", 2, chain[1], 10, 10, time, waited) + stack
        records += perf_files.make_record(perf_files.SAMPLE, 2, body)
    path = os.path.join(folder, "waits.data")
    with open(path, "wb") as target:
        target.write(perf_files.make_file(
            [("cpu-clock", perf_files.make_attr(perf_files.CPU_CLOCK, 1_000_000, clock_type)),
             ("offcpu-time", perf_files.make_attr(perf_files.BPF_OUTPUT, 1, waits_type))], records))
    return path


def check_waits(path):
    report = analyze(path, "--option", "counter=waits")
    assert report["evidence"]["summed_waits"] is True, report["evidence"]
    assert report["evidence"]["switches"] == "none"
    summary = report["summary"]
    assert summary["counter"] == "offcpu-time" and summary["own_ns"] == 4 * SECOND, summary
    assert summary["sample_time"] == "weight", summary
    shares = sorted(function["own_ns"] for function in summary["functions_top"])
    assert shares[-2:] == [SECOND, 3 * SECOND], shares
    assert all("CPU time" not in finding["text"] for finding in report["findings"])
    # They are no samples of a CPU, and have no place in a part of the recording.
    report = analyze(path)
    assert report["summary"]["counter"] == "cpu-clock" and report["summary"]["samples"] == 4
    assert report["summary"]["own_ns"] == 4_000_000, report["summary"]["own_ns"]
    assert report["range"]["to_ns"] - report["range"]["from_ns"] <= 5000, report["range"]
    begin, end = report["range"]["from_ns"], report["range"]["to_ns"]
    part = analyze(path, "--option", "counter=waits", "--from", str(begin), "--to", str(end - 1000))
    assert part["summary"]["samples"] == 0, part["summary"]
    thread, = [thread for thread in analyze(path, analysis="threads")["summary"]["threads"]
               if thread["tid"] == 10]
    assert thread["summed_wait_ns"] == 4 * SECOND and thread["samples"] == 4, thread
    assert thread["name"] == "waiter", thread
    assert thread["waits"] is None and thread["interruptible_ns"] is None, thread


def test_waits():
    with tempfile.TemporaryDirectory() as folder:
        path = make_waits(folder, False)
        text = run_perf("script", "-i", path, "-F", "event,period")
        sums = [int(period) for period in re.findall(r"(\d+) +offcpu-time", text)]
        assert sums == [3 * SECOND, SECOND], text
        check_waits(path)


def test_waits_in_data():
    with tempfile.TemporaryDirectory() as folder:
        check_waits(make_waits(folder, True))


def read_summed_waits(name):
    threads = analyze(os.path.join(RECORDINGS, name), analysis="threads")["summary"]["threads"]
    return {thread["tid"]: thread["summed_wait_ns"] for thread in threads}


def test_recorded_waits():
    """perf record --off-cpu (perf 7.3): sums of the periods of offcpu-time by perf script."""
    assert read_summed_waits("off-cpu.data") == {14007: 188134498, 14008: 75538713,
                                                 14009: 103143261}
    report = analyze(os.path.join(RECORDINGS, "off-cpu.data"), "--option", "counter=waits")
    assert report["summary"]["own_ns"] == 366816472 and report["summary"]["samples"] == 7, report


def test_recorded_single_waits():
    """perf record --off-cpu --off-cpu-thresh 1 (perf 7.3): 37 waits of more than 1 ms have a sample
    each. Its data has the thread before the process, which perf itself takes for the other way
    round: by perf script all of them are those of the main thread, and last twice as long as the
    recording."""
    waits = read_summed_waits("off-cpu-threshold.data")
    assert waits == {14466: 153229021, 14469: 77821675, 14470: 68025748}, waits
    assert sum(waits.values()) == 299076444, waits
    path = os.path.join(RECORDINGS, "off-cpu-threshold.data")
    span = analyze(path, "--option", "counter=waits")["range"]
    assert max(waits.values()) < span["to_ns"] - span["from_ns"], (waits, span)


def test_counted_tracepoints():
    """perf lock record: without thread switches no time follows from the stacks of tracepoints;
    their events are counted, as by perf report."""
    path = os.path.join(RECORDINGS, "lock-record.data")
    report = analyze(path)
    assert report["summary"]["counter"] == "lock:contention_begin", report["summary"]
    assert report["summary"]["own_count"] == report["summary"]["samples"] == 1, report["summary"]
    assert report["summary"]["own_ns"] is None, report["summary"]
    for finding in report["findings"]:
        assert " ms" not in finding["text"] and " s itself" not in finding["text"], finding
    names = [counter["name"] for counter in report["summary"]["counters"]]
    assert names == ["lock:contention_begin", "lock:contention_end"], names


if __name__ == "__main__":
    sys.exit(tap.main([test_counters, test_count_is_no_time, test_cut_stacks, test_waits,
                       test_waits_in_data, test_recorded_waits, test_recorded_single_waits,
                       test_counted_tracepoints]))
