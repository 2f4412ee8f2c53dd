"""What a report of the wait graph names, and whether that is what a case's known cause says."""
# SPDX-License-Identifier: GPL-3.0-or-later

import re

from harness.checks import expectation

KINDS = {"disk": "device", "network": "network"}   # what cases call vertices whose names depend on the machine


def plain_name(name):
    """Of a vertex, without how many were merged in it."""
    return re.sub(r" ×\d+$", "", name)


class Graph:
    """The summary of a report, by ids."""

    def __init__(self, summary, process_of):
        self.summary = summary
        self.process_of = process_of
        self.recorded = summary["recorded_ns"]
        self.vertices = {vertex["id"]: vertex for vertex in summary["vertices"]}
        self.edges = {(edge["from"], edge["to"]): edge for edge in summary["edges"]}

    def is_one(self, vertex, wanted):
        """Whether a vertex is what a case calls so: a kind, a thread or threads of a process."""
        found = self.vertices[vertex]
        if wanted in KINDS:
            return found["kind"] == KINDS[wanted]
        members = [self.process_of.get(thread, []) for thread in found["members"]]
        return plain_name(found["name"]) == wanted or any(wanted in names for names in members)

    def contains(self, vertices, wanted):
        return all(any(self.is_one(vertex, one) for vertex in vertices) for one in wanted)

    def names(self, vertices):
        return [self.vertices[vertex]["name"] for vertex in vertices]

    def tell(self, edge):
        return {"from": self.vertices[edge["from"]]["name"], "to": self.vertices[edge["to"]]["name"],
                **{key: edge[key] for key in ("plain_ns", "weight_ns", "bound_ns", "waits", "lock")},
                "stack": edge["waiter_stack"]}

    def knot_around(self, vertices):
        """All of the knot of which these are what refinement left."""
        return next((one["vertices"] for one in self.summary["components"]
                     if one["kind"] == "knot" and set(vertices) <= set(one["vertices"])), [])

    def knots(self):
        return [one for one in self.summary["bottlenecks"] if not one["background"]]

    def sinks(self):
        return [one["vertices"][0] for one in self.summary["components"] if one["kind"] == "sink" and
                not self.vertices[one["vertices"][0]]["outside"]]

    def heaviest_into(self, vertex):
        """The edge of somebody who was asked about whom it limits most."""
        found = [edge for edge in self.summary["edges"] if edge["to"] == vertex and edge["from"] != vertex and not edge["idle"]
                 and not self.vertices[edge["from"]]["outside"]]
        return max(found, key=lambda edge: edge["limits_ns"], default=None)

    def first_by_plain_time(self):
        found = [edge for edge in self.summary["edges"] if not edge["idle"] and not self.vertices[edge["from"]]["outside"]]
        return max(found, key=lambda edge: edge["plain_ns"], default=None)


def find(graph):
    """What the report names first: a knot and the edge to look at, else whose execution limits."""
    knots, sinks = graph.knots(), graph.sinks()
    plain = graph.first_by_plain_time()
    found = {"kind": "none", "vertices": [], "edge": None, "bound_ns": None, "plain": graph.tell(plain) if plain else None}
    edge = None
    if knots:
        # one vertex that is left of a knot: who waits for it
        edge = graph.edges[tuple(knots[0]["edges"][0])] if knots[0]["edges"] else graph.heaviest_into(knots[0]["vertices"][0])
        found.update(kind="knot", vertices=knots[0]["vertices"], bound_ns=knots[0]["gain_upper_bound_ns"])
    elif sinks:
        first = max(sinks, key=lambda one: graph.vertices[one]["running_ns"] + graph.vertices[one]["runnable_ns"])
        edge = graph.heaviest_into(first)
        found.update(kind="sink", vertices=[first])
    if edge is not None:
        found["edge"] = graph.tell(edge)
        found["ends"] = [edge["from"], edge["to"]]
    found["names"] = graph.names(found["vertices"])
    return found


def describe(edge):
    return f"{edge['from']} → {edge['to']}" if edge else "none"


def check(case, graph, found):
    """Against what the case says beforehand."""
    wanted = " and ".join(case.knot) if case.knot else f"the execution of {case.execution}"
    if case.knot:
        # what refinement leaves, with the edge that is named where that is a single vertex; all of it of one knot
        around, named = graph.knot_around(found["vertices"]), found["vertices"] + found.get("ends", [])
        right = found["kind"] == "knot" and set(named) <= set(around) and graph.contains(named, case.knot)
    else:
        right = found["kind"] == "sink" and graph.contains(found["vertices"], [case.execution])
    told = [expectation(f"the knot is {wanted}", right, f"{found['kind']}: {', '.join(found['names']) or 'none'}")]
    if case.edges:
        ends = found.get("ends")
        named = ends is not None and any(graph.is_one(ends[0], one) and graph.is_one(ends[1], other) for one, other in case.edges)
        told.append(expectation("the top edge is " + " or ".join(f"{one} → {other}" for one, other in case.edges), named,
                                describe(found["edge"])))
    if case.lock:
        lock = found["edge"]["lock"] if found["edge"] else None
        told.append(expectation(f"the lock {case.lock} is named", lock is not None and case.lock in lock, str(lock)))
    if case.background:
        behind = [one for one in graph.summary["components"] if one["background"]]
        told.append(expectation(f"{' and '.join(case.background)} are a knot in the background",
                                any(graph.contains(one["vertices"], case.background) for one in behind),
                                "; ".join(", ".join(graph.names(one["vertices"])) for one in behind[:6]) or "none"))
    return told
