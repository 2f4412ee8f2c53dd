#!/usr/bin/env python3
"""Two calls of one function are different call sites when a search resumes.

Both directions are tested: a live search resumed from a recording, and a recording resumed from a
search. The program is tests/cases/programs/slow.c, whose paths_slow calls paths_common twice: for a
short and for a long time.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import copy
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402
from latency import LONG, PLAIN, PROGRAM, drill, find_paths, analyze_operation, record  # noqa: E402

FUNCTIONS = ["paths_f0", "paths_slow", "paths_common"]
DRAWN = ("from-bin=18", "to-bin=19")
NEVER = "decision-calls=2000000000"   # unreachable: nothing is decided anew
IN_STATE = " in the state "


def save(folder, report, change=None):
    """Save the state of a report, with a change to each call of paths_common by paths_slow in it;
    return the path."""
    state = copy.deepcopy(report["summary"]["state"])
    for node in list(find_calls(state).values()) if change else []:
        change(node)
    path = os.path.join(folder, "state.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(state, file)
    return path


def record_paths(folder):
    return record(folder, [PROGRAM, "paths", LONG], FUNCTIONS, *PLAIN)


def resume_live(folder, recorded, change, *options):
    """Return the recorded report (made if not given), and that of a live search resumed from it."""
    recorded = recorded or analyze_operation(record_paths(folder), "function:paths_f0", *DRAWN)
    live = drill(folder, "paths", "paths_f0", "warmup-calls=300", "resume=" + save(folder, recorded, change), *options, duration="1",
                 realtime=True)
    assert not any("Not resumed" in warning for warning in live["uncertain"]["warnings"]), live["uncertain"]
    return recorded, live


def find_calls(state):
    """Return the calls of paths_common by paths_slow, by call site."""
    nodes = state["nodes"]
    caller = next(node["id"] for node in nodes if node["name"] == "paths_slow")
    return {node["place"]: node for node in nodes if node["name"] == "paths_common" and node["parent"] == caller}


def find_warnings(report):
    return [warning for warning in report["uncertain"]["warnings"] if IN_STATE in warning]


def test_recording_then_live():
    """Decisions are kept for the same two call sites, although no call is searched."""
    with tempfile.TemporaryDirectory() as folder:
        recorded, live = resume_live(folder, None, None, NEVER)
        assert ["paths_slow", "paths_common"] in find_paths(recorded), find_paths(recorded)
        earlier, current = (find_calls(report["summary"]["state"]) for report in (recorded, live))
        assert len(earlier) == 2 and set(current) == set(earlier), (earlier, current)
        for place, node in earlier.items():
            assert node["build_id"] and node["build_id"] == current[place]["build_id"], (node, current[place])
            assert (current[place]["calls"], current[place]["maxcount"], current[place]["root_cause"]) == \
                (node["calls"], node["maxcount"], node["root_cause"]), (node, current[place])
        assert [node["root_cause"] for node in current.values()].count(True) == 1, current
        assert current[max(current)]["root_cause"], current   # the second call site
        assert not find_warnings(live), live["uncertain"]


def test_live_then_recording():
    """Counters of the earlier search are added to those of the same call site only."""
    with tempfile.TemporaryDirectory() as folder:
        live = drill(folder, "paths", "paths_f0", "warmup-calls=300", *DRAWN, "decision-calls=50", realtime=True)
        state = save(folder, live)
        path = record_paths(folder)
        alone = analyze_operation(path, "function:paths_f0", *DRAWN)
        both = analyze_operation(path, "function:paths_f0", "resume=@" + state)
        assert both["summary"]["distance"]["same"], both["summary"]["distance"]
        calls = [find_calls(report["summary"]["state"]) for report in (live, alone, both)]
        assert set(calls[0]) == set(calls[1]) == set(calls[2]) and len(calls[0]) == 2, calls
        for place, node in calls[2].items():
            for counter in ("calls", "maxcount"):
                assert node[counter] == calls[0][place][counter] + calls[1][place][counter], (counter, node, calls)
        assert not find_warnings(both), both["uncertain"]


def remove_call_site(node):
    node.pop("place")
    node.pop("build_id")


def move(node):
    node["place"], node["build_id"] = "another.so+0x17", ""


def damage(node):
    node["place"] = "slow+0xfffffffffffffffffff"
    node["calls"] = node["maxcount"] = 2 ** 62


def test_unsuitable_states():
    """States of an older format, of other code and damaged ones: ambiguous call sites are searched
    again, and one warning reports it."""
    warnings = {remove_call_site: "2 calls in the state have several matches and were not matched.",
            move: "1 call in the state that was a cause is made at a site without known calls in "
                  "this recording, and was not matched.",
            damage: "2 calls in the state have several matches and were not matched. "
                    "2 calls in the state have call sites "
                    "that cannot be read."}
    with tempfile.TemporaryDirectory() as folder:
        recorded = None
        for change, text in warnings.items():
            recorded, live = resume_live(folder, recorded, change, "decision-calls=20")
            assert find_warnings(live) == [text], (change, live["uncertain"])
            current = find_calls(live["summary"]["state"])
            assert ["paths_slow", "paths_common"] in find_paths(live), (change, find_paths(live))
            assert current[max(current)]["root_cause"] and current[max(current)]["calls"] < 10000, (change, current)


if __name__ == "__main__":
    sys.exit(tap.main([test_recording_then_live, test_live_then_recording, test_unsuitable_states]))
