#!/usr/bin/env python3
"""What BPF programs know of a program's waits has the right names in the reports.

The program is tests/fixtures/waits/known-waits.c: it syncs a known file, talks to a known port, waits for known mutexes,
reads a pipe, sleeps deliberately, and polls until a timeout.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import socket
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402

PROGRAM = os.path.join(tap.BUILD, "tests/fixtures/known-waits")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Recording:
    """One run of the program, recorded once for all tests."""

    made = None

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.session = os.path.join(self.folder.name, "waits.tailback")
        self.journal = os.path.join(self.folder.name, "journal")
        self.port = free_port()
        if os.geteuid() != 0:
            raise tap.Skip("BPF programs need privilege")
        done = tap.cli("record", "--collector", "ebpf", "-o", self.session, "--", PROGRAM, self.journal, str(self.port))
        if done.returncode == 1 and not os.path.exists(self.session):
            raise tap.Skip("no BPF programs here: " + done.stderr.strip()[:200])
        assert done.returncode == 0, done.stderr
        self.info = self.read("info", self.session, "--json")

    @classmethod
    def get(cls):
        if cls.made is None:
            cls.made = cls()
        return cls.made

    def read(self, *arguments):
        done = tap.cli(*arguments)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def analyze(self, analysis):
        return self.read("analyze", self.session, "--analysis", analysis, "--process", "known-waits", "--format", "json")

    def labels(self, thread):
        """What the timeline says of each wait of a thread: {"fsync → /var/db": how often}."""
        report = self.analyze("threads")
        timeline = next(figure for figure in report["figures"] if figure["kind"] == "timeline")
        found = {}
        for label in timeline["labels"]:
            name, _, text = label.partition(": ")
            if name.startswith(thread + " (") and ", waited" in text:
                wait = text.split(", waited")[0]
                found[wait] = found.get(wait, 0) + 1
        assert found, (thread, "has no waits")
        return found


def some(labels, *parts):
    return [label for label in labels if all(part in label for part in parts)]


def test_events():
    events = Recording.get().info["events"]
    assert events["sleep"] > 100, events
    assert events["sleep"] <= events["switch"], events


def test_file():
    recording = Recording.get()
    assert some(recording.labels("syncer"), "→ " + recording.journal), recording.labels("syncer")


def test_peers():
    recording = Recording.get()
    assert some(recording.labels("caller"), f"→ 127.0.0.1:{recording.port}"), recording.labels("caller")
    assert some(recording.labels("server"), "→ 127.0.0.1:"), recording.labels("server")


def test_pipe():
    assert some(Recording.get().labels("reader"), "→ pipe:["), Recording.get().labels("reader")


def test_timeout_and_sleep():
    recording = Recording.get()
    poller, sleeper = recording.labels("poller"), recording.labels("sleeper")
    assert some(poller, "timed out"), poller
    # What it wanted is no timeout.
    assert not some(sleeper, "timed out"), sleeper


def test_locks():
    recording = Recording.get()
    report = recording.analyze("locks")
    assert report["summary"]["locks"], report["summary"]
    locks = {lock["name"]: lock for lock in report["summary"]["locks"]}
    lock = locks["inventory_lock"]
    # Three clerks hold it for 5 ms each, 40 times: two of them always wait.
    assert lock["process"] == "known-waits" and lock["waits"] >= 20, lock
    assert lock["waiters"] == ["clerk"] and lock["holders"] == ["clerk"], lock
    assert len(lock["waiter_threads"]) == 3, lock
    assert lock["wait_ns"] >= 100_000_000 and 5_000_000 <= lock["longest_ns"] <= lock["wait_ns"], lock
    assert lock is report["summary"]["locks"][0] or lock == report["summary"]["locks"][0], list(locks)
    assert lock["timed_out"] == 0, lock
    # Inside a larger variable: by its place in it; it may never have been waited for.
    inside = [name for name in locks if name.startswith("order_book")]
    assert all(name.startswith("order_book+0x") for name in inside), inside
    assert any("inventory_lock" in finding["text"] for finding in report["findings"]), report["findings"]
    assert some(recording.labels("clerk"), "→ inventory_lock"), recording.labels("clerk")


if __name__ == "__main__":
    sys.exit(tap.main([test_events, test_file, test_peers, test_pipe, test_timeout_and_sleep, test_locks]))
