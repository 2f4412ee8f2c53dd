#!/usr/bin/env python3
"""A function calls another in two places and is slow by one of them: a search that goes on from a recording, and a recording that goes
on from a search, find each again at its place.

The program is tests/cases/programs/slow.c, whose paths_slow calls paths_common twice: for a short and for a long time.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import copy
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402
from latency import LONG, PLAIN, PROGRAM, drill, find_paths, look_into, record  # noqa: E402

FUNCTIONS = ["paths_f0", "paths_slow", "paths_common"]
DRAWN = ("from-bin=18", "to-bin=19")
NEVER = "decision-ops=2000000000"   # no number of calls is enough to decide anything anew
OF_CALLS = "Of the calls that the state tells of: "


def save(folder, report, change=None):
    """The state of a report, each call of paths_common by paths_slow in it changed; the path."""
    state = copy.deepcopy(report["summary"]["state"])
    for node in list(find_calls(state).values()) if change else []:
        change(node)
    path = os.path.join(folder, "state.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(state, file)
    return path


def record_paths(folder):
    return record(folder, [PROGRAM, "paths", LONG], FUNCTIONS, *PLAIN)


def go_on_live(folder, recorded, change, *options):
    """What a recording had, if not given, and a search that went on from it."""
    recorded = recorded or look_into(record_paths(folder), "function:paths_f0", *DRAWN)
    live = drill(folder, "paths", "paths_f0", "start-ops=300", "resume=" + save(folder, recorded, change), *options, duration="1",
                 before_others=True)
    assert not any("Not resumed" in warning for warning in live["uncertain"]["warnings"]), live["uncertain"]
    return recorded, live


def find_calls(state):
    """The calls of paths_common by paths_slow, by their place."""
    nodes = state["nodes"]
    caller = next(node["id"] for node in nodes if node["name"] == "paths_slow")
    return {node["place"]: node for node in nodes if node["name"] == "paths_common" and node["parent"] == caller}


def find_warnings(report):
    return [warning for warning in report["uncertain"]["warnings"] if warning.startswith(OF_CALLS)]


def test_recording_then_live():
    """What was decided then is decided of the same two calls, though no call is looked into."""
    with tempfile.TemporaryDirectory() as folder:
        recorded, live = go_on_live(folder, None, None, NEVER)
        assert ["paths_slow", "paths_common"] in find_paths(recorded), find_paths(recorded)
        then, now = (find_calls(report["summary"]["state"]) for report in (recorded, live))
        assert len(then) == 2 and set(now) == set(then), (then, now)
        for place, node in then.items():
            assert node["build_id"] and node["build_id"] == now[place]["build_id"], (node, now[place])
            assert (now[place]["calls"], now[place]["maxcount"], now[place]["root_cause"]) == \
                (node["calls"], node["maxcount"], node["root_cause"]), (node, now[place])
        assert [node["root_cause"] for node in now.values()].count(True) == 1, now
        assert now[max(now)]["root_cause"], now   # the second one
        assert not find_warnings(live), live["uncertain"]


def test_live_then_recording():
    """Counters of then are added to those of the same call, and to no other."""
    with tempfile.TemporaryDirectory() as folder:
        live = drill(folder, "paths", "paths_f0", "start-ops=300", *DRAWN, "decision-ops=50", before_others=True)
        state = save(folder, live)
        path = record_paths(folder)
        alone = look_into(path, "function:paths_f0", *DRAWN)
        both = look_into(path, "function:paths_f0", "state=@" + state)
        assert both["summary"]["distance"]["same"], both["summary"]["distance"]
        calls = [find_calls(report["summary"]["state"]) for report in (live, alone, both)]
        assert set(calls[0]) == set(calls[1]) == set(calls[2]) and len(calls[0]) == 2, calls
        for place, node in calls[2].items():
            for counter in ("calls", "maxcount"):
                assert node[counter] == calls[0][place][counter] + calls[1][place][counter], (counter, node, calls)
        assert not find_warnings(both), both["uncertain"]


def take_place_away(node):
    node.pop("place")
    node.pop("build_id")


def move(node):
    node["place"], node["build_id"] = "another.so+0x17", ""


def damage(node):
    node["place"] = "slow+0xfffffffffffffffffff"
    node["calls"] = node["maxcount"] = 2 ** 62


def test_states_that_do_not_fit():
    """Of an older form, of other code and damaged ones: what cannot be told apart is looked into anew, and one line says so."""
    said = {take_place_away: "2 could be any of several and were not found again.",
            move: "1 that was a cause is made where no call is known now, and was not found again.",
            damage: "2 could be any of several and were not found again. 2 have places that cannot be read."}
    with tempfile.TemporaryDirectory() as folder:
        recorded = None
        for change, text in said.items():
            recorded, live = go_on_live(folder, recorded, change, "decision-ops=20")
            assert find_warnings(live) == [OF_CALLS + text], (change, live["uncertain"])
            now = find_calls(live["summary"]["state"])
            assert ["paths_slow", "paths_common"] in find_paths(live), (change, find_paths(live))
            assert now[max(now)]["root_cause"] and now[max(now)]["calls"] < 10000, (change, now)


if __name__ == "__main__":
    sys.exit(tap.main([test_recording_then_live, test_live_then_recording, test_states_that_do_not_fit]))
