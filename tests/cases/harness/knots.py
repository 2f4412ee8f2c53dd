"""The bottleneck that a wait-graph report names, compared with the known cause of a case."""
# SPDX-License-Identifier: GPL-3.0-or-later

import re

from harness.checks import expectation

# names that cases use for vertices whose name depends on the machine
KINDS = {"disk": "device", "network": "network"}


def strip_member_count(name):
    """Return a vertex name without the number of merged threads."""
    return re.sub(r" ×\d+$", "", name)


class Graph:
    """The summary of a report, indexed by IDs."""

    def __init__(self, summary, process_names):
        self.summary = summary
        self.process_names = process_names
        self.recorded = summary["recorded_ns"]
        self.vertices = {vertex["id"]: vertex for vertex in summary["vertices"]}
        self.edges = {(edge["from"], edge["to"]): edge for edge in summary["edges"]}

    def is_one(self, vertex, wanted):
        """Check whether a vertex matches a name of a case: a kind, or a thread or threads of a
        process."""
        found = self.vertices[vertex]
        if wanted in KINDS:
            return found["kind"] == KINDS[wanted]
        members = [self.process_names.get(thread, []) for thread in found["members"]]
        return strip_member_count(found["name"]) == wanted or any(wanted in names for names in members)

    def contains(self, vertices, wanted):
        return all(any(self.is_one(vertex, one) for vertex in vertices) for one in wanted)

    def names(self, vertices):
        return [self.vertices[vertex]["name"] for vertex in vertices]

    def describe_edge(self, edge):
        return {"from": self.vertices[edge["from"]]["name"], "to": self.vertices[edge["to"]]["name"],
                **{key: edge[key] for key in ("plain_ns", "weight_ns", "bound_ns", "waits", "lock")},
                "stack": edge["waiter_stack"]}

    def find_enclosing_knot(self, vertices):
        """Return all vertices of the knot that was refined to these."""
        return next((one["vertices"] for one in self.summary["components"]
                     if one["kind"] == "knot" and set(vertices) <= set(one["vertices"])), [])

    def knots(self):
        return [one for one in self.summary["bottlenecks"] if not one["background"]]

    def sinks(self):
        return [one["vertices"][0] for one in self.summary["components"] if one["kind"] == "sink" and
                not self.vertices[one["vertices"][0]]["outside"]]

    def find_top_edge_into(self, vertex):
        """Return the incoming edge from a vertex of the target that limits it most."""
        found = [edge for edge in self.summary["edges"] if edge["to"] == vertex and edge["from"] != vertex and not edge["idle"]
                 and not self.vertices[edge["from"]]["outside"]]
        return max(found, key=lambda edge: edge["limits_ns"], default=None)

    def find_first_by_plain_time(self):
        found = [edge for edge in self.summary["edges"] if not edge["idle"] and not self.vertices[edge["from"]]["outside"]]
        return max(found, key=lambda edge: edge["plain_ns"], default=None)


def find(graph):
    """Return the report's first bottleneck: a knot and its top edge, or an execution bottleneck."""
    knots, sinks = graph.knots(), graph.sinks()
    plain = graph.find_first_by_plain_time()
    found = {"kind": "none", "vertices": [], "edge": None, "bound_ns": None, "plain": graph.describe_edge(plain) if plain else None}
    edge = None
    if knots:
        # a knot refined to a single vertex: take the edge into it
        edge = graph.edges[tuple(knots[0]["edges"][0])] if knots[0]["edges"] else graph.find_top_edge_into(knots[0]["vertices"][0])
        found.update(kind="knot", vertices=knots[0]["vertices"], bound_ns=knots[0]["gain_upper_bound_ns"])
    elif sinks:
        first = max(sinks, key=lambda one: graph.vertices[one]["running_ns"] + graph.vertices[one]["runnable_ns"])
        edge = graph.find_top_edge_into(first)
        found.update(kind="sink", vertices=[first])
    if edge is not None:
        found["edge"] = graph.describe_edge(edge)
        found["ends"] = [edge["from"], edge["to"]]
    found["names"] = graph.names(found["vertices"])
    return found


def describe(edge):
    return f"{edge['from']} → {edge['to']}" if edge else "none"


def check(case, graph, found):
    """Compare the findings with the expectations of the case."""
    wanted = " and ".join(case.knot) if case.knot else f"the execution of {case.execution}"
    if case.knot:
        # the refined vertices, with the ends of the top edge if there is one vertex only; all of
        # the same knot
        around, named = graph.find_enclosing_knot(found["vertices"]), found["vertices"] + found.get("ends", [])
        right = found["kind"] == "knot" and set(named) <= set(around) and graph.contains(named, case.knot)
    else:
        right = found["kind"] == "sink" and graph.contains(found["vertices"], [case.execution])
    expectations = [expectation(f"the knot is {wanted}", right, f"{found['kind']}: {', '.join(found['names']) or 'none'}")]
    if case.edges:
        ends = found.get("ends")
        named = ends is not None and any(graph.is_one(ends[0], one) and graph.is_one(ends[1], other) for one, other in case.edges)
        expectations.append(expectation("the top edge is " + " or ".join(f"{one} → {other}" for one, other in case.edges), named,
                                describe(found["edge"])))
    if case.lock:
        lock = found["edge"]["lock"] if found["edge"] else None
        expectations.append(expectation(f"the lock {case.lock} is named", lock is not None and case.lock in lock, str(lock)))
    if case.background:
        behind = [one for one in graph.summary["components"] if one["background"]]
        expectations.append(expectation(f"{' and '.join(case.background)} are a knot in the background",
                                any(graph.contains(one["vertices"], case.background) for one in behind),
                                "; ".join(", ".join(graph.names(one["vertices"])) for one in behind[:6]) or "none"))
    return expectations
