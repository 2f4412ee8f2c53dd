#!/usr/bin/env python3
"""After any kind of end of a search nothing of it is attached: no program and no link in the kernel, no probe in the program.

What is attached is asked of the kernel: which programs and links the agent holds while it searches, by its file descriptors, and
whether there are any such once it is over. The program is tests/cases/programs/slow.c.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402
from latency import (LONG, PROGRAM, analyze, await_entry, await_status, find_entry, find_paths, read_entry)  # noqa: E402

NEVER = "start-ops=2000000000"
SLOW_PATH = ("from-bin=17", "to-bin=19", "start-ops=300")
PATIENCE = 120


def list_agents(pid):
    """Agents that a client has started."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
        return [int(word) for word in file.read().split()]


def read_held(pid):
    """{(kind, id)} of programs and links of the kernel that a process holds."""
    held = set()
    for path in glob.glob(f"/proc/{pid}/fdinfo/*"):
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        except OSError:
            continue
        held |= {(kind, int(number)) for kind, number in re.findall(r"^(prog|link)_id:\s*(\d+)$", text, re.M)}
    return held


def list_existing():
    """{(kind, id)} of programs and links that the kernel has. One question for each kind: bpftool looks through all of the system for
    any of them."""
    found = set()
    for kind in ("prog", "link"):
        done = tap.run("bpftool", "-j", kind, "show")
        assert done.returncode == 0, done
        found |= {(kind, one["id"]) for one in json.loads(done.stdout or "[]")}
    return found


def await_nothing(held):
    deadline = time.monotonic() + PATIENCE
    while left := held & list_existing():
        assert time.monotonic() < deadline, left
        time.sleep(0.05)


def await_ends(agents):
    """They give back all they hold before they end, and nobody waits for them."""
    deadline = time.monotonic() + PATIENCE
    while left := [agent for agent in agents if os.path.exists(f"/proc/{agent}/exe")]:
        assert time.monotonic() < deadline, left
        time.sleep(0.02)


class Search:
    """One at work on the program, or over already; what its agent held is known."""

    def __init__(self, folder, *options, more=(), path="a.tailback", environment=None):
        if os.geteuid() != 0:
            raise tap.Skip("BPF programs need privilege")
        if shutil.which("bpftool") is None:
            raise tap.Skip("no bpftool here")
        self.program = subprocess.Popen([PROGRAM, "peaks", LONG], stdout=subprocess.PIPE, text=True)
        assert self.program.stdout.readline() == "ready\n"
        self.address = find_entry(self.program.pid, "peaks_f0")
        self.before = read_entry(self.program.pid, self.address)
        self.path = os.path.join(folder, path)
        words = [word for option in options for word in ("--option", option)]
        self.client = subprocess.Popen([tap.CLI, "record", "--function", "peaks_f0", "--pid", str(self.program.pid), "-o", self.path,
                                        *words, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                       env=environment)
        self.held, self.agents = set(), set()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for one in (self.client, self.program):
            one.kill()
            one.wait()
        self.client.stderr.close()
        self.program.stdout.close()

    def look(self):
        for agent in list_agents(self.client.pid):
            self.agents.add(agent)
            self.held |= read_held(agent)

    def await_probe(self):
        """Until the program's code is changed: the search has begun."""
        while self.client.poll() is None and read_entry(self.program.pid, self.address) == self.before:
            self.look()
            time.sleep(0.05)
        if self.client.poll() is not None:
            raise tap.Skip("nothing is recorded here: " + self.client.stderr.read()[:200])
        self.look()
        assert {kind for kind, _ in self.held} == {"prog", "link"}, self.held

    def await_end(self, patience=PATIENCE):
        """Until the client is over by itself; its status."""
        deadline = time.monotonic() + patience
        while self.client.poll() is None:
            self.look()
            assert time.monotonic() < deadline, "it does not end"
            time.sleep(0.02)
        return self.client.returncode

    def check(self):
        """Nothing is left, and the program goes on, if it was let."""
        if self.program.poll() is None:
            await_entry(self.program.pid, self.address, lambda code: code == self.before)
            assert self.program.poll() is None
        assert self.held
        await_nothing(self.held)
        await_ends(self.agents)


def end_by(end, *options, **more):
    """end: what ends it, once it is at work; what came of the client's status."""
    with tempfile.TemporaryDirectory() as folder, Search(folder, *(options or (NEVER,)), **more) as search:
        search.await_probe()
        end(search)
        status = search.await_end()
        search.check()
        return status


def test_found():
    """The cause is found: all comes out while the program, and at first the client, go on."""
    with tempfile.TemporaryDirectory() as folder, Search(folder, *SLOW_PATH) as search:
        search.await_probe()
        assert search.await_end() == 0, search.client.stderr.read()
        search.check()
        report = analyze(search.path)
        assert report["summary"]["live"]["status"] == "found" and find_paths(report), report["summary"]["live"]


def test_interrupted():
    assert end_by(lambda search: search.client.send_signal(signal.SIGINT)) == 0


def test_terminated():
    assert end_by(lambda search: search.client.send_signal(signal.SIGTERM)) == 0


def test_killed_client():
    assert end_by(lambda search: search.client.kill()) == -signal.SIGKILL


def test_killed_agent():
    def kill(search):
        for agent in list_agents(search.client.pid):
            os.kill(agent, signal.SIGKILL)
    end_by(kill)


def test_terminated_agent():
    def terminate(search):
        for agent in list_agents(search.client.pid):
            os.kill(agent, signal.SIGTERM)
    end_by(terminate)


def count_held(search):
    """What its agents hold now."""
    return sum(len(read_held(agent)) for agent in list_agents(search.client.pid))


def test_killed_in_the_middle_of_a_level():
    """Call sites are probed, too: more is held than where only the function itself is seen."""
    alone = []

    def look(search):
        await_status(search.client, r": [1-9]\S* calls")
        alone.append(count_held(search))
        search.client.kill()

    def kill(search):
        deadline = time.monotonic() + PATIENCE
        while count_held(search) <= alone[0]:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        search.look()
        search.client.kill()
    end_by(look)
    end_by(kill, "from-bin=0", "to-bin=40", "start-ops=100", "decision-ops=2000000000")


def test_target_dies():
    def kill(search):
        search.program.kill()
        search.program.wait()
        search.client.send_signal(signal.SIGINT)
    end_by(kill)


def test_duration():
    assert end_by(lambda search: None, NEVER, more=("--duration", "0.5")) == 0


def test_full_disk():
    """The recording grows until the file system is full: that is said, and all comes out."""
    with tempfile.TemporaryDirectory() as folder:
        disk = os.path.join(folder, "disk")
        os.mkdir(disk)
        if tap.run("mount", "-t", "tmpfs", "-o", "size=512k", "none", disk).returncode != 0:
            raise tap.Skip("no file system of our own here")
        try:
            with Search(folder, NEVER, path="disk/a.tailback") as search:
                search.await_probe()
                # Unbuffered: what could not be written would be tried again when it is closed.
                with open(os.path.join(disk, "rest"), "wb", buffering=0) as file:
                    try:
                        while True:
                            file.write(b"x" * 4096)
                    except OSError:
                        pass
                try:
                    search.await_end(5)
                except AssertionError:
                    # What fits into the blocks it has already is written on.
                    search.client.send_signal(signal.SIGINT)
                    search.await_end()
                said = search.client.stderr.read()
                search.check()
                assert search.client.returncode == 0 or re.search("full|space", said), (search.client.returncode, said)
        finally:
            tap.run("umount", "-l", disk)


def test_refused_probe():
    """The kernel refuses f0's probe when programs are loaded already: the file is no program of the running process any more."""
    with tempfile.TemporaryDirectory() as folder:
        agent = os.path.join(folder, "agent")
        with open(agent, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec prlimit --nofile=48 "{os.environ["TAILBACK_AGENT"]}" "$@"\n')
        os.chmod(agent, 0o755)
        with Search(folder, NEVER, environment={**os.environ, "TAILBACK_AGENT": agent}) as search:
            status = search.await_end()
            said = search.client.stderr.read()
            assert status == 1 and len(said.strip().splitlines()) == 1, (status, said)
            if search.held:
                search.check()
            assert read_entry(search.program.pid, search.address) == search.before


if __name__ == "__main__":
    sys.exit(tap.main([test_found, test_interrupted, test_terminated, test_killed_client, test_killed_agent, test_terminated_agent,
                       test_killed_in_the_middle_of_a_level, test_target_dies, test_duration, test_full_disk, test_refused_probe]))
