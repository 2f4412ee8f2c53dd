"""The shape of the command line's JSON: help/C/json.page as checks."""
# SPDX-License-Identifier: GPL-3.0-or-later

import re

INTEGER = (int,)
NUMBER = (int, float)
TEXT = (str,)


def check(value, shape, place="$"):
    """A shape is a tuple of types (None is allowed if it contains type(None)), a list of one shape,
    or a dict of shapes."""
    if isinstance(shape, tuple):
        assert isinstance(value, shape) and not (isinstance(value, bool) and bool not in shape), \
            f"{place}: {value!r} is no {shape}"
    elif isinstance(shape, list):
        assert isinstance(value, list), f"{place}: {value!r} is no array"
        for number, item in enumerate(value):
            check(item, shape[0], f"{place}[{number}]")
    else:
        assert isinstance(value, dict), f"{place}: {value!r} is no object"
        for name, inner in shape.items():
            assert name in value, f"{place}: \"{name}\" is missing"
            check(value[name], inner, f"{place}.{name}")


def nullable(shape):
    return shape + (type(None),)


INFO = {
    "format": TEXT, "version": INTEGER,
    "hosts": [{"id": TEXT, "name": nullable(TEXT), "kernel": nullable(TEXT)}],
    "from_ns": INTEGER, "to_ns": INTEGER, "clock": nullable(TEXT), "collector": nullable(TEXT),
    "command": nullable(TEXT), "cut_short": (bool,), "kernel_functions": nullable(TEXT),
    "events": {"switch": INTEGER, "wakeup": INTEGER, "sample": INTEGER, "block": INTEGER, "interrupt": INTEGER,
               "syscall": INTEGER, "network": INTEGER, "call": INTEGER, "mark": INTEGER, "process": INTEGER},
    "lost": {"events": INTEGER,
             "ranges": [{"from_ns": INTEGER, "to_ns": INTEGER, "cpu": nullable(INTEGER), "count": INTEGER}]},
    "warnings": [TEXT],
    "processes": [{"id": TEXT, "host": nullable(TEXT), "pid": INTEGER, "name": nullable(TEXT), "names": [TEXT],
                   "command": nullable(TEXT), "parent": nullable(TEXT), "start_ns": nullable(INTEGER),
                   "end_ns": nullable(INTEGER),
                   "threads": [{"id": TEXT, "tid": INTEGER, "name": nullable(TEXT), "start_ns": nullable(INTEGER),
                                "end_ns": nullable(INTEGER)}]}],
    "devices": [{"id": TEXT, "name": nullable(TEXT), "kind": nullable(TEXT), "major_minor": nullable(TEXT)}],
    "interfaces": (list, type(None)),
    "stacks": {"distinct": INTEGER, "frames": INTEGER, "broken_share": nullable(NUMBER),
               "symbolized_share": nullable(NUMBER)},
    "functions": [{"name": nullable(TEXT), "calls": INTEGER, "open": INTEGER, "total_ns": INTEGER,
                   "longest_ns": INTEGER}],
}

REPORT = {
    "format": TEXT, "version": INTEGER, "analysis": TEXT, "title": TEXT,
    "range": {"from_ns": INTEGER, "to_ns": INTEGER}, "options": (dict,),
    "uncertain": {"lost_events": INTEGER, "lost_ns": nullable(INTEGER), "warnings": [TEXT]},
    "evidence": {"switches": TEXT, "wakings": (bool,), "samples": TEXT, "calls": (bool,),
                 "summed_waits": (bool,),
                 "answers": [TEXT], "missing": [TEXT]},
    "summary": (dict,),
    "findings": [{"code": TEXT, "severity": TEXT, "text": TEXT, "values": (dict,), "weight_ns": nullable(INTEGER), "share": nullable(NUMBER),
                  "refs": {"from_ns": nullable(INTEGER), "to_ns": nullable(INTEGER), "threads": [TEXT], "stack": [TEXT],
                           "figure": nullable(TEXT), "item": nullable(TEXT)}}],
    "figures": [{"kind": TEXT, "id": TEXT, "title": TEXT}],
}

THREADS = [{"id": TEXT, "host": nullable(TEXT), "pid": nullable(INTEGER), "tid": INTEGER, "process": nullable(TEXT),
            "name": nullable(TEXT),
            "running_ns": nullable(INTEGER), "runnable_ns": nullable(INTEGER),
            "runnable_low_ns": nullable(INTEGER), "waiting_ns": nullable(INTEGER),
            "waiting_high_ns": nullable(INTEGER),
            "interruptible_ns": nullable(INTEGER), "uninterruptible_ns": nullable(INTEGER),
            "stopped_ns": nullable(INTEGER), "unknown_ns": INTEGER,
            "first_ns": INTEGER, "last_ns": INTEGER,
            "switches": nullable(INTEGER), "waits": nullable(INTEGER),
            "samples": INTEGER, "sampled_ns": nullable(INTEGER),
            "sampled_low_ns": nullable(INTEGER), "sampled_high_ns": nullable(INTEGER),
            "summed_wait_ns": nullable(INTEGER),
            "programs": [{"name": nullable(TEXT), "start_ns": INTEGER, "end_ns": INTEGER,
                          "running_ns": nullable(INTEGER), "runnable_ns": nullable(INTEGER),
                          "waiting_ns": nullable(INTEGER), "unknown_ns": INTEGER,
                          "samples": INTEGER}],
            "wakers": [{"id": nullable(TEXT), "name": nullable(TEXT), "kind": TEXT, "count": INTEGER,
                        "wait_ns": INTEGER}]}]


INTERFACES = [{"host": TEXT, "index": INTEGER, "name": TEXT, "bits_per_second": nullable(INTEGER), "addresses": [TEXT],
               "omitted_addresses": INTEGER}]


def check_info(info):
    check(info, INFO)
    if info["interfaces"] is not None:
        check(info["interfaces"], INTERFACES)
    assert info["format"] == "tailback-info" and info["version"] == 1
    assert info["from_ns"] <= info["to_ns"]
    threads = [thread["id"] for process in info["processes"] for thread in process["threads"]]
    assert len(threads) == len(set(threads)), "ids of threads are not distinct"


def check_values(finding):
    """Check the values of a finding: named by words, each a number, a text, a list of texts or
    null."""
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", finding["code"]), finding
    for name, value in finding["values"].items():
        assert re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name), finding
        check(value, [TEXT] if isinstance(value, list) else nullable(NUMBER + TEXT), name)
        assert not name.endswith("_ns") or value is None or isinstance(value, int), finding
        assert not name.endswith("share") or value is None or 0 <= value <= 1, finding


def check_report(report, analysis):
    check(report, REPORT)
    assert report["format"] == "tailback-report" and report["version"] == 1 and report["analysis"] == analysis
    weights = [-1 if finding["weight_ns"] is None else finding["weight_ns"] for finding in report["findings"]]
    assert weights == sorted(weights, reverse=True), f"findings are not sorted by weight: {weights}"
    assert all(finding["severity"] in ("high", "medium", "low", "info") for finding in report["findings"])
    shares = [finding["share"] for finding in report["findings"] if finding["share"] is not None]
    assert all(0 <= share <= 1 for share in shares), f"shares of findings are not from 0 to 1: {shares}"
    ids = [figure["id"] for figure in report["figures"]]
    assert len(ids) == len(set(ids)), f"ids of figures are not distinct: {ids}"
    for finding in report["findings"]:
        check_values(finding)
        assert finding["refs"]["figure"] in ids + [None], finding
        for place in finding["refs"].get("places", []):
            check(place, {"figure": TEXT, "item": TEXT})
            assert place["figure"] in ids, finding
    for figure in report["figures"]:
        assert figure["kind"] in ("timeline", "flame", "histogram", "graph", "table", "heatmap")


def check_threads(report):
    check_report(report, "threads")
    threads = report["summary"]["threads"]
    check(threads, THREADS)
    for thread in threads:
        # Either all of them are known or none: then the thread's whole life is unknown. Where the
        # end of a wait is not known, its time includes that of waiting for a CPU.
        known = [thread[member + "_ns"] for member in ("running", "runnable_low", "waiting_high")]
        assert all(ns is not None for ns in known) or known == [None] * len(known), thread
        for exact, bound in (("runnable_ns", "runnable_low_ns"), ("waiting_ns", "waiting_high_ns")):
            missing = "waiting-for-cpu" in report["evidence"]["missing"]
            expected = None if missing else thread[bound]
            assert thread[exact] == expected, thread
        waits = [thread[state + "_ns"] for state in ("interruptible", "uninterruptible", "stopped")]
        assert None in waits or sum(waits) == thread["waiting_high_ns"], thread
        states = thread["unknown_ns"] + sum(ns or 0 for ns in known)
        assert states == thread["last_ns"] - thread["first_ns"], thread
        unknown = [thread[member] is None for member in ("switches", "waits", "running_ns")]
        assert len(set(unknown)) == 1, thread
    running = [thread["running_ns"] or 0 for thread in threads]
    assert running == sorted(running, reverse=True)


ID_PAIR = [TEXT]
PROPOSALS = [{"kind": TEXT, "vertex": TEXT, "function": nullable(TEXT), "count": INTEGER, "effect_ns": INTEGER, "apply": TEXT, "ended_by": nullable(TEXT)}]
WAIT_GRAPH = {
    "recorded_ns": INTEGER,
    "vertices": [{"id": TEXT, "name": TEXT, "kind": TEXT, "members": [TEXT],
                  "programs": (list, type(None)), "running_ns": nullable(INTEGER),
                  "runnable_ns": nullable(INTEGER), "waiting_ns": nullable(INTEGER), "outside": (bool,)}],
    "edges": [{"from": TEXT, "to": TEXT, "weight_ns": INTEGER, "plain_ns": INTEGER, "asked_ns": INTEGER,
               "bound_ns": INTEGER, "limits_ns": INTEGER, "by_way_ns": INTEGER, "by_way_of": nullable(TEXT), "waits": INTEGER, "longest_ns": INTEGER, "idle": (bool,), "lock": nullable(TEXT), "holders": (list, type(None)),
               "waiter_stack": (list, type(None)), "waker_stack": (list, type(None))}],
    "set_aside": [{"from": TEXT, "to": TEXT, "reason": TEXT}],
    "components": [{"vertices": [TEXT], "kind": TEXT, "background": (bool,), "running_ns": nullable(INTEGER),
                    "runnable_ns": nullable(INTEGER)}],
    "bottlenecks": [{"vertices": [TEXT], "names": [TEXT], "edges": [ID_PAIR], "removed": (list,),
                     "gain_upper_bound_ns": INTEGER, "meanwhile": (dict, type(None)), "background": (bool,)}],
    "devices": [{"id": TEXT, "requests": INTEGER, "bytes": INTEGER, "busy_ns": INTEGER, "idle_ns": INTEGER,
                 "mean_depth": NUMBER, "deepest": INTEGER, "capacity": nullable(NUMBER), "used": nullable(NUMBER),
                 "capacity_unit": nullable(TEXT), "capacity_from": nullable(TEXT), "interface": nullable(TEXT),
                 "link_bits_per_second": nullable(NUMBER)}],
    "unmatched_waits": INTEGER, "unmatched_ns": INTEGER, "open_waits": INTEGER, "open_ns": INTEGER,
    "stray_wakeups": INTEGER, "cycles_cut": INTEGER, "merged_cycles": INTEGER,
    "work": (dict, type(None)),
    "proposals": PROPOSALS, "applied": PROPOSALS,
    "what_if": [{"change": TEXT, "metric": TEXT, "before": NUMBER, "after": NUMBER, "low": NUMBER, "high": NUMBER}],
}
HOLDERS = [{"id": TEXT, "name": nullable(TEXT), "waits": INTEGER, "ns": INTEGER}]
CPU_CONTENTION = [{"id": TEXT, "name": nullable(TEXT), "ns": INTEGER}]
AWAITED_ACTIVITY = {"ns": INTEGER, "running_ns": INTEGER, "runnable_ns": INTEGER, "waits": [{"id": TEXT, "ns": INTEGER}]}
WORK = {"unit": TEXT, "count": INTEGER, "per_second": NUMBER, "slices": [INTEGER]}


VERTEX_KINDS = ("thread", "device", "merged", "network", "timer", "interrupt", "idle", "busy", "unknown")


def check_knots(summary):
    """Check that only excluded edges lead out of a knot, and that refinement keeps and removes only
    edges that were not excluded."""
    edges = {(edge["from"], edge["to"]) for edge in summary["edges"]}
    excluded = {(edge["from"], edge["to"]) for edge in summary["set_aside"]}
    assert len(edges) == len(summary["edges"]) and excluded <= edges, excluded - edges
    component_of = {}
    for component in summary["components"]:
        assert component["vertices"] == sorted(component["vertices"]), component
        for vertex in component["vertices"]:
            assert vertex not in component_of, component
            component_of[vertex] = component
    assert set(component_of) == {vertex["id"] for vertex in summary["vertices"]}
    for one, other in edges - excluded:
        if component_of[one]["kind"] == "knot" and component_of[one] is not component_of[other]:
            assert component_of[other]["background"], (one, other)
    for bottleneck in summary["bottlenecks"]:
        links = [tuple(link) for link in bottleneck["edges"]] + [tuple(link[:2]) for link in bottleneck["removed"]]
        assert set(links) <= edges - excluded and len(links) == len(set(links)), bottleneck
        assert len({id(component_of[vertex]) for vertex in bottleneck["vertices"]}) == 1, bottleneck
    bounds = [bottleneck["gain_upper_bound_ns"] for bottleneck in summary["bottlenecks"]]
    assert bounds == sorted(bounds, reverse=True) and all(bound <= summary["recorded_ns"] for bound in bounds), bounds


def check_wait_graph(report):
    check_report(report, "wait-graph")
    summary = report["summary"]
    check(summary, WAIT_GRAPH)
    vertices = {vertex["id"] for vertex in summary["vertices"]}
    assert len(vertices) == len(summary["vertices"]), "ids of vertices are not distinct"
    check_knots(summary)
    for vertex in summary["vertices"]:
        assert vertex["kind"] in VERTEX_KINDS, vertex
        times = [vertex["running_ns"], vertex["runnable_ns"], vertex["waiting_ns"]]
        assert None not in times or set(times) == {None}, vertex
        assert vertex["kind"] not in ("timer", "interrupt", "idle", "busy", "unknown") or None in times, vertex
        if "culprits" in vertex:
            check(vertex["culprits"], CPU_CONTENTION)
    for edge in summary["edges"]:
        assert edge["weight_ns"] >= edge["plain_ns"] and edge["asked_ns"] <= edge["weight_ns"], edge
        assert edge["by_way_ns"] <= edge["bound_ns"] <= summary["recorded_ns"], edge
        assert (edge["lock"] is None) == (edge["holders"] is None), edge
        if edge["holders"] is not None:
            check(edge["holders"], HOLDERS)
            waits = [holder["ns"] for holder in edge["holders"]]
            assert waits == sorted(waits, reverse=True) and sum(holder["waits"] for holder in edge["holders"]) <= edge["waits"], edge
        assert edge["by_way_of"] is None or edge["by_way_of"] in vertices, edge
    for edge in summary["edges"] + summary["set_aside"]:
        assert edge["from"] in vertices and edge["to"] in vertices, edge
    assert all(one["reason"] in ("timer", "interrupt", "idle", "unknown", "light", "ended")
               for one in summary["set_aside"])
    assert all(one["kind"] in ("knot", "sink", "idle", "inner") for one in summary["components"])
    assert all(one["kind"] in ("false-wakeup", "spin") for one in summary["proposals"] + summary["applied"])
    for bottleneck in summary["bottlenecks"]:
        if bottleneck["meanwhile"] is not None:
            check(bottleneck["meanwhile"], AWAITED_ACTIVITY)
    if summary["work"] is not None:
        check(summary["work"], WORK)
        assert sum(summary["work"]["slices"]) == summary["work"]["count"]
