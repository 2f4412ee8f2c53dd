#!/usr/bin/env python3
"""A search leaves nothing attached: no program or link in the kernel, no probe in the program.

The kernel is queried: which programs and links the agent's file descriptors hold during the search,
and whether any of them exists after it. The program is tests/cases/programs/slow.c.
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

NEVER = "warmup-calls=2000000000"
SLOW_PATH = ("from-bin=17", "to-bin=19", "warmup-calls=300")
PATIENCE = 120


def list_agents(pid):
    """Return the agents that a client has started."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
        return [int(word) for word in file.read().split()]


def read_attached(pid):
    """Return {(kind, id)} of the kernel's programs and links that a process holds."""
    attached = set()
    for path in glob.glob(f"/proc/{pid}/fdinfo/*"):
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        except OSError:
            continue
        attached |= {(kind, int(number)) for kind, number in re.findall(r"^(prog|link)_id:\s*(\d+)$", text, re.M)}
    return attached


def list_existing():
    """Return {(kind, id)} of all programs and links in the kernel, with one query per kind: bpftool
    searches the whole system each time."""
    found = set()
    for kind in ("prog", "link"):
        done = tap.run("bpftool", "-j", kind, "show")
        assert done.returncode == 0, done
        found |= {(kind, one["id"]) for one in json.loads(done.stdout or "[]")}
    return found


def await_detached(attached):
    deadline = time.monotonic() + PATIENCE
    while left := attached & list_existing():
        assert time.monotonic() < deadline, left
        time.sleep(0.05)


def await_ends(agents):
    """Wait until the agents have ended. They detach everything before, but no process waits for
    them."""
    deadline = time.monotonic() + PATIENCE
    while left := [agent for agent in agents if os.path.exists(f"/proc/{agent}/exe")]:
        assert time.monotonic() < deadline, left
        time.sleep(0.02)


class Search:
    """A search that works on the program, or is over already; what its agent held is recorded."""

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
        self.attached, self.agents = set(), set()

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
            self.attached |= read_attached(agent)

    def await_probe(self):
        """Wait until the program's code is changed: the search has begun."""
        while self.client.poll() is None and read_entry(self.program.pid, self.address) == self.before:
            self.look()
            time.sleep(0.05)
        if self.client.poll() is not None:
            raise tap.Skip("nothing is recorded here: " + self.client.stderr.read()[:200])
        self.look()
        assert {kind for kind, _ in self.attached} == {"prog", "link"}, self.attached

    def await_end(self, patience=PATIENCE):
        """Wait until the client ends by itself, and return its status."""
        deadline = time.monotonic() + patience
        while self.client.poll() is None:
            self.look()
            assert time.monotonic() < deadline, "it does not end"
            time.sleep(0.02)
        return self.client.returncode

    def check(self):
        """Check that nothing is left attached, and that the program continues unless it was
        stopped."""
        if self.program.poll() is None:
            await_entry(self.program.pid, self.address, lambda code: code == self.before)
            assert self.program.poll() is None
        assert self.attached
        await_detached(self.attached)
        await_ends(self.agents)


def end_by(end, *options, **more):
    """Run a search, end it with end() while it works, and return the client's exit status."""
    with tempfile.TemporaryDirectory() as folder, Search(folder, *(options or (NEVER,)), **more) as search:
        search.await_probe()
        end(search)
        status = search.await_end()
        search.check()
        return status


def test_found():
    """After the cause is found everything is detached, while the program, and at first the client,
    continue."""
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


def count_attached(search):
    """Return the number of programs and links that the search's agents hold now."""
    return sum(len(read_attached(agent)) for agent in list_agents(search.client.pid))


def test_killed_in_the_middle_of_a_level():
    """The client is killed while call sites are probed too: the agent then holds more than with the
    function alone."""
    alone = []

    def look(search):
        await_status(search.client, r": [1-9]\S* of the \S+ calls")
        alone.append(count_attached(search))
        search.client.kill()

    def kill(search):
        deadline = time.monotonic() + PATIENCE
        while count_attached(search) <= alone[0]:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        search.look()
        search.client.kill()
    end_by(look)
    end_by(kill, "from-bin=0", "to-bin=40", "warmup-calls=100", "decision-calls=2000000000")


def test_target_dies():
    def kill(search):
        search.program.kill()
        search.program.wait()
        search.client.send_signal(signal.SIGINT)
    end_by(kill)


def test_duration():
    assert end_by(lambda search: None, NEVER, more=("--duration", "0.5")) == 0


def test_full_disk():
    """The recording grows until the file system is full: the error is reported, and everything is
    detached."""
    with tempfile.TemporaryDirectory() as folder:
        disk = os.path.join(folder, "disk")
        os.mkdir(disk)
        if tap.run("mount", "-t", "tmpfs", "-o", "size=512k", "none", disk).returncode != 0:
            raise tap.Skip("no file system of our own here")
        try:
            with Search(folder, NEVER, path="disk/a.tailback") as search:
                search.await_probe()
                # Unbuffered: otherwise the failed write would be repeated at close.
                with open(os.path.join(disk, "rest"), "wb", buffering=0) as file:
                    try:
                        while True:
                            file.write(b"x" * 4096)
                    except OSError:
                        pass
                try:
                    search.await_end(5)
                except AssertionError:
                    # Data that fits into the allocated blocks can still be written.
                    search.client.send_signal(signal.SIGINT)
                    search.await_end()
                messages = search.client.stderr.read()
                search.check()
                assert search.client.returncode == 0 or re.search("full|space", messages), (search.client.returncode, messages)
        finally:
            tap.run("umount", "-l", disk)


def test_refused_probe():
    """The agent runs out of file descriptors while it attaches: one error line, and nothing stays
    attached."""
    with tempfile.TemporaryDirectory() as folder:
        agent = os.path.join(folder, "agent")
        with open(agent, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec prlimit --nofile=48 "{os.environ["TAILBACK_AGENT"]}" "$@"\n')
        os.chmod(agent, 0o755)
        with Search(folder, NEVER, environment={**os.environ, "TAILBACK_AGENT": agent}) as search:
            status = search.await_end()
            messages = search.client.stderr.read()
            assert status == 1 and len(messages.strip().splitlines()) == 1, (status, messages)
            if search.attached:
                search.check()
            assert read_entry(search.program.pid, search.address) == search.before


if __name__ == "__main__":
    sys.exit(tap.main([test_found, test_interrupted, test_terminated, test_killed_client, test_killed_agent, test_terminated_agent,
                       test_killed_in_the_middle_of_a_level, test_target_dies, test_duration, test_full_disk, test_refused_probe]))
