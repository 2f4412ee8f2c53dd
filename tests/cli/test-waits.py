#!/usr/bin/env python3
"""What BPF programs know of a program's waits has the right names in the reports.

The programs are in tests/fixtures/waits. known-waits syncs a known file, talks to a known port, waits for known mutexes,
reads a pipe, sleeps deliberately, and polls until a timeout; rare-waits touches a mapped file that is not in memory, waits for
one of two futexes and for a ring, and sends several messages at once.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import itertools
import json
import os
import re
import socket
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import shapes  # noqa: E402
import tap  # noqa: E402

ENOUGH_FAULTS = 6
FAULTY_RECORDINGS = 6
FIXTURES = os.path.join(tap.BUILD, "tests/fixtures")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Recording:
    """One run of a program, recorded once for all tests."""

    made = {}

    def __init__(self, program):
        self.program = program
        # Not in memory as /tmp may be: what is not there has to be fetched from somewhere.
        self.folder = tempfile.TemporaryDirectory(dir=tap.BUILD)
        self.session = os.path.join(self.folder.name, "waits.tailback")
        self.journal = os.path.join(self.folder.name, "journal")
        self.port = free_port()
        if os.geteuid() != 0:
            raise tap.Skip("BPF programs need privilege")
        done = tap.cli("record", "--collector", "ebpf", "--option", "measure=true", "-o", self.session, "--", os.path.join(FIXTURES, program),
                       self.journal, str(self.port))
        if done.returncode == 1 and not os.path.exists(self.session):
            raise tap.Skip("no BPF programs here: " + done.stderr.strip()[:200])
        assert done.returncode == 0, done.stderr
        self.said = done.stdout.split()
        self.info = self.read("info", self.session, "--json")

    @classmethod
    def get(cls, program="known-waits"):
        if program not in cls.made:
            cls.made[program] = cls(program)
        return cls.made[program]

    def read(self, *arguments):
        done = tap.cli(*arguments)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def analyze(self, analysis):
        return self.read("analyze", self.session, "--analysis", analysis, "--process", self.program, "--format", "json")

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


def test_cost():
    info = Recording.get().info
    # On a machine this busy the players may not have come to play.
    if info["cost"] is None:
        raise tap.Skip("nothing could be measured here")
    assert all(0 < ns < 10_000_000 for ns in info["cost"].values()), info["cost"]
    assert set(info["cost"]) <= {"switch_ns", "recorded_switch_ns", "probed_call_ns"}, info["cost"]


def test_kernel_functions():
    said = Recording.get().info["kernel_functions"]
    assert re.match(r"fentry: (yes|no)\b.*, kprobe: (yes|no)\b", said), said


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
    told, = [finding for finding in report["findings"] if finding["values"].get("lock") == "inventory_lock"]
    assert told["code"] == "lock-contention" and told["values"]["process"] == "known-waits", told
    assert told["values"]["wait_ns"] == lock["wait_ns"] and told["values"]["longest_ns"] == lock["longest_ns"], told
    assert set(told["values"]["waiters"]) == {"clerk"} and len(told["values"]["waiters"]) == 3, told
    assert some(recording.labels("clerk"), "→ inventory_lock"), recording.labels("clerk")


def test_faults():
    n_faults = n_known = 0
    # A fault may be interrupted on its way to sleep, and where is not known then: of one or two faults that says nothing.
    for attempt in range(FAULTY_RECORDINGS):
        recording = Recording("rare-waits") if attempt > 0 else Recording.get("rare-waits")
        faults = some(recording.labels("toucher"), "run_toucher → ")
        places = [re.fullmatch(r"run_toucher → page fault in (.*)\+0x([0-9a-f]+)", fault) for fault in faults]
        # It touches the ninth byte of each of 64 pages.
        known = [place for place in places if place]
        for place in known:
            assert place[1] == recording.journal, place
            assert int(place[2], 16) % 4096 == 8 and int(place[2], 16) < 64 * 4096, place
        assert len({place[2] for place in known}) == len(known), faults
        n_faults, n_known = n_faults + len(faults), n_known + len(known)
        if n_faults >= ENOUGH_FAULTS:
            break
    else:
        raise tap.Skip(f"the pages of a file were still in memory, or came without a wait, but for {n_faults}")
    assert n_known * 2 > n_faults, (n_known, n_faults)


def test_any_of_several_futexes():
    recording = Recording.get("rare-waits")
    if "doorman" in recording.said:
        raise tap.Skip("this kernel has no futex_waitv")
    assert some(recording.labels("doorman"), "futex_waitv → right_door"), recording.labels("doorman")


def test_ring():
    recording = Recording.get("rare-waits")
    if "ringer" in recording.said:
        raise tap.Skip("this kernel has no io_uring, or does not permit it")
    assert some(recording.labels("ringer"), "io_uring_enter → [io_uring]"), recording.labels("ringer")


def test_several_messages():
    recording = Recording.get("rare-waits")
    assert some(recording.labels("sender"), f"sendmmsg → 127.0.0.1:{recording.port}"), recording.labels("sender")


def test_wait_graph():
    """Its JSON, of everything and of one process."""
    recording = Recording.get()
    shapes.check_wait_graph(recording.read("analyze", recording.session, "--analysis", "wait-graph", "--format", "json"))
    report = recording.analyze("wait-graph")
    shapes.check_wait_graph(report)
    outside = [vertex for vertex in report["summary"]["vertices"] if vertex["outside"]]
    assert outside and all(vertex["kind"] in ("merged", "thread") for vertex in outside), outside
    edges = [edge for edge in report["summary"]["edges"] if edge["lock"] == "inventory_lock"]
    assert edges, report["summary"]["edges"]


def test_as_text():
    """Exported as text and read again, the recording says the same, to the letter."""
    for program in ("known-waits", "rare-waits"):
        recording = Recording.get(program)
        text, again = recording.session + ".csv", recording.session + ".again"
        for arguments in (("export", recording.session, "--exporter", "events-csv", "-o", text), ("import", text, "--force", "-o", again)):
            done = tap.cli(*arguments)
            assert done.returncode == 0, done.stderr
        for options in ((), ("--process", program), ("--option", "merge-similar=no", "--option", "work=syscall:fsync")):
            said = []
            for path in (recording.session, again):
                done = tap.cli("analyze", path, "--analysis", "wait-graph", "--option", "target=" + program, *options, "--format", "json")
                assert done.returncode == 0, done.stderr
                said.append(done.stdout)
            if said[0] != said[1]:
                lines = [json.dumps(json.loads(one), indent=1).splitlines() for one in said]
                different = [pair for pair in itertools.zip_longest(*lines) if pair[0] != pair[1]]
                raise AssertionError((program, options, len(different), different[:6]))


if __name__ == "__main__":
    sys.exit(tap.main([test_events, test_cost, test_kernel_functions, test_file, test_peers, test_pipe, test_timeout_and_sleep,
                       test_locks, test_faults, test_any_of_several_futexes, test_ring, test_several_messages,
                       test_wait_graph, test_as_text]))
