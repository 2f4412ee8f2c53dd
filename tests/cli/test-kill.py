#!/usr/bin/env python3
"""Kill -9 at random times: every session opens or no file exists, and nothing is left behind.

TAILBACK_KILLS sets how often (default 6 of each in the thorough mode, 3 in the quick one, so that
the tests stay short).
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import glob
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402

KILLS = int(os.environ.get("TAILBACK_KILLS", "6" if tap.is_thorough() else "3"))
TRACING = ["/sys/kernel/tracing/" + name for name in
           ("tracing_on", "events/enable", "current_tracer", "kprobe_events", "uprobe_events", "set_event")]
DEMO = os.path.join(tap.BUILD, "tests/fixtures/demo/demo-front")


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return None


def agents():
    """Return the PIDs of all agents, whatever started them."""
    found = []
    for folder in glob.glob("/proc/[0-9]*"):
        if (read(folder + "/comm") or "").strip() == "tailback-agent" and "Z" not in (read(folder + "/stat") or "Z").split(")")[-1]:
            found.append(int(folder.rsplit("/", 1)[1]))
    return found


def children(pid):
    found = []
    for task in glob.glob(f"/proc/{pid}/task/*/children"):
        found += [int(word) for word in (read(task) or "").split()]
    return found


def await_true(condition, seconds):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def kill_once(folder, target, delay, number):
    session = os.path.join(folder, f"{target}-{number}.tailback")
    client = subprocess.Popen([tap.CLI, "record", "-o", session, "--", DEMO, "1.2", os.path.join(folder, "ledger")],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    own = set()
    end = time.monotonic() + delay
    while time.monotonic() < end:
        own |= {pid for pid in children(client.pid) if (read(f"/proc/{pid}/comm") or "").strip() == "tailback-agent"}
        time.sleep(0.01)
    if target == "client":
        client.kill()
    else:
        for pid in own:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
    client.wait(60)
    assert await_true(lambda: not own & set(agents()), 5), f"agent {own} outlives its {target} killed after {delay:.3f} s"

    if os.path.exists(session):
        done = tap.cli("info", session, "--json")
        assert done.returncode == 0, f"{target} killed after {delay:.3f} s: {done.stderr}"
        info = json.loads(done.stdout)
        checked = tap.cli("info", session, "--check")
        assert checked.returncode == 0, f"{target} killed after {delay:.3f} s: {checked.stderr}"
        return "cut" if info["cut_short"] else "whole"
    return "none"


def kill_many(target):
    tap.needs_system()
    tracing = {path: read(path) for path in TRACING}
    outcomes = {}
    source = random.Random(target)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(KILLS):
            outcome = kill_once(folder, target, source.uniform(0.0, 2.0), number)
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
    assert {path: read(path) for path in TRACING} == tracing
    print(f"# {target} killed {KILLS} times: {outcomes}")


def test_kill_client():
    kill_many("client")


def test_kill_agent():
    kill_many("agent")


if __name__ == "__main__":
    sys.exit(tap.main([test_kill_client, test_kill_agent]))
