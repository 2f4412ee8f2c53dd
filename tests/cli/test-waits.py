#!/usr/bin/env python3
"""A program's waits recorded by BPF programs have the right names in reports.

The programs are in tests/fixtures/waits. known-waits syncs a known file, sends to a known port,
waits for known mutexes, reads a pipe, sleeps deliberately, and polls until a timeout. rare-waits
touches a mapped file that is not in memory, waits for one of two futexes and for a ring, and sends
several messages at once.
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

    instances = {}

    def __init__(self, program):
        self.program = program
        # Not in memory, as /tmp may be: absent pages have to be read from a disk.
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
        self.reported = done.stdout.split()
        self.info = self.read("info", self.session, "--json")

    @classmethod
    def get(cls, program="known-waits"):
        if program not in cls.instances:
            cls.instances[program] = cls(program)
        return cls.instances[program]

    def read(self, *arguments):
        done = tap.cli(*arguments)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def analyze(self, analysis):
        return self.read("analyze", self.session, "--analysis", analysis, "--process", self.program, "--format", "json")

    def labels(self, thread):
        """Return the timeline's labels of a thread's waits: {"fsync → /var/db": count}."""
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
    # On a very busy machine the calibration may not have run.
    if info["cost"] is None:
        raise tap.Skip("nothing could be measured here")
    assert all(0 < ns < 10_000_000 for ns in info["cost"].values()), info["cost"]
    assert set(info["cost"]) <= {"switch_ns", "recorded_switch_ns", "probed_call_ns"}, info["cost"]


def test_kernel_functions():
    reported = Recording.get().info["kernel_functions"]
    assert re.match(r"fentry: (yes|no)\b.*, kprobe: (yes|no)\b", reported), reported


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
    # A deliberate sleep is no timeout.
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
    # A lock inside a larger variable is named with its offset; it may never have been waited for.
    inside = [name for name in locks if name.startswith("order_book")]
    assert all(name.startswith("order_book+0x") for name in inside), inside
    lock_finding, = [finding for finding in report["findings"] if finding["values"].get("lock") == "inventory_lock"]
    assert lock_finding["code"] == "lock-contention" and lock_finding["values"]["process"] == "known-waits", lock_finding
    assert lock_finding["values"]["wait_ns"] == lock["wait_ns"] and lock_finding["values"]["longest_ns"] == lock["longest_ns"], lock_finding
    assert set(lock_finding["values"]["waiters"]) == {"clerk"} and len(lock_finding["values"]["waiters"]) == 3, lock_finding
    assert some(recording.labels("clerk"), "→ inventory_lock"), recording.labels("clerk")


def test_faults():
    n_faults = n_known = 0
    # A fault may be interrupted before it sleeps, and then its place is unknown. One or two faults
    # prove nothing.
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
    if "doorman" in recording.reported:
        raise tap.Skip("this kernel has no futex_waitv")
    assert some(recording.labels("doorman"), "futex_waitv → right_door"), recording.labels("doorman")


def test_ring():
    recording = Recording.get("rare-waits")
    if "ringer" in recording.reported:
        raise tap.Skip("this kernel has no io_uring, or does not permit it")
    assert some(recording.labels("ringer"), "io_uring_enter → [io_uring]"), recording.labels("ringer")


def test_several_messages():
    recording = Recording.get("rare-waits")
    assert some(recording.labels("sender"), f"sendmmsg → 127.0.0.1:{recording.port}"), recording.labels("sender")


def test_wait_graph():
    """JSON of everything and of one process."""
    recording = Recording.get()
    shapes.check_wait_graph(recording.read("analyze", recording.session, "--analysis", "wait-graph", "--format", "json"))
    report = recording.analyze("wait-graph")
    shapes.check_wait_graph(report)
    outside = [vertex for vertex in report["summary"]["vertices"] if vertex["outside"]]
    assert outside and all(vertex["kind"] in ("merged", "thread") for vertex in outside), outside
    edges = [edge for edge in report["summary"]["edges"] if edge["lock"] == "inventory_lock"]
    assert edges, report["summary"]["edges"]


def find_differences(one, other):
    """Return pairs of the lines in which two JSON texts differ."""
    lines = [json.dumps(json.loads(text), indent=1).splitlines() for text in (one, other)]
    return [pair for pair in itertools.zip_longest(*lines) if pair[0] != pair[1]]


def read_processes(path):
    info = json.loads(tap.cli("info", path, "--json").stdout)
    return json.dumps({key: info[key] for key in ("processes", "events")})


def test_text_export():
    """Exported as text and imported again, the recording gives exactly the same report."""
    for program in ("known-waits", "rare-waits"):
        recording = Recording.get(program)
        text, again = recording.session + ".csv", recording.session + ".again"
        for arguments in (("export", recording.session, "--exporter", "events-csv", "-o", text), ("import", text, "--force", "-o", again)):
            done = tap.cli(*arguments)
            assert done.returncode == 0, done.stderr
        for options in ((), ("--process", program), ("--option", "merge-similar=no", "--option", "work=syscall:fsync")):
            reported = []
            for path in (recording.session, again):
                done = tap.cli("analyze", path, "--analysis", "wait-graph", "--option", "target=" + program, *options, "--format", "json")
                assert done.returncode == 0, done.stderr
                reported.append(done.stdout)
            if reported[0] != reported[1]:
                different = find_differences(*reported)
                raise AssertionError((program, options, len(different), different[:6],
                                      find_differences(read_processes(recording.session),
                                                       read_processes(again))[:12]))


if __name__ == "__main__":
    sys.exit(tap.main([test_events, test_cost, test_kernel_functions, test_file, test_peers, test_pipe, test_timeout_and_sleep,
                       test_locks, test_faults, test_any_of_several_futexes, test_ring, test_several_messages,
                       test_wait_graph, test_text_export]))
