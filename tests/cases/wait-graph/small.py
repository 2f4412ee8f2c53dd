"""Small programs with one known bottleneck each, and its known fix."""
# SPDX-License-Identifier: GPL-3.0-or-later

import os

from harness.pair import Program
from harness.processes import await_true


class Writer(Program):
    name = "writer"
    title = "one thread computes and syncs each item (the paper's first figure)"
    arguments = ("writer", "300", "1000000", "@written")
    cause = "the thread waits for the disk after each item, and the disk for the thread while it computes"
    knot = ("writer", "disk")
    edges = (("writer", "disk"),)
    fix = "a thread that writes behind"
    # the disk works while the thread computes
    what_if = "edge:writer>vda=ahead;edge:writer>kworker/*=ahead"


class Convoy(Program):
    name = "convoy"
    title = "four threads and one lock around two thirds of their work"
    arguments = ("convoy", "4", "800", "100000")
    cause = "the threads wait for one another at one lock"
    knot = ("convoy",)
    edges = (("convoy", "convoy"),)
    lock = "locks"
    fix = "a lock for each bucket"
    what_if = "lock:*=free"
    prediction_analysis_options = ("target=convoy",)


class Phases(Program):
    name = "phases"
    title = "two threads meet after each phase, one has three quarters of the work and all of the start"
    arguments = ("phases", "300", "500000")
    cause = ("the second thread and, at the end, the main one wait for the first, "
             "which waits for no other thread")
    execution = "first"
    edges = (("second", "first"), ("phases", "first"))
    fix = "halves"
    what_if = "edge:second>first=shared"   # the waiter does half of what it waits for
    prediction_analysis_options = ("target=phases",)


class Heartbeat(Phases):
    name = "heartbeat"
    title = "the same with a heartbeat: two threads that ask and answer each other every two milliseconds"
    cause = ("as before; the two threads of the heartbeat only wait for each other, "
             "which costs no other thread anything")
    background = ("heartbeat", "pulse")
    arguments = (*Phases.arguments, "heartbeat")


class Batch(Program):
    name = "batch"
    title = "a log whose batch limit also counts reads (the paper's ZooKeeper case)"
    arguments = ("batch", "64000", "@log")
    cause = "the log waits for the disk once for sixteen requests, of which two need it"
    knot = ("logger", "disk")
    edges = (("logger", "disk"),)
    fix = "count writes only"
    # one of eight requests is a write: batches are eight times as long, one sync replaces eight
    what_if = "call:fdatasync/8"
    recording_options = ("syscalls=true",)
    probes = ("libc:fdatasync",)
    prediction_analysis_options = ("target=batch",)
    rounds = 15


class Blocks(Program):
    name = "blocks"
    title = "a reader that waits for each block over a network of 200 Mbit/s"
    arguments = ("blocks", "read", "10.7.7.1", "7100", "100", "2500000")
    cause = "the reader waits for the slow network, which has nothing to do while it works"
    knot = ("blocks", "network")
    edges = (("blocks", "network"),)
    fix = "ask for the next block before working on this one"
    what_if = "edge:blocks>10.7.7.1:7100=ahead"

    def prepare(self, stage):
        """Start the server in a separate network namespace, behind a virtual link with a slow far
        end."""
        server = stage.serve("unshare", "--net", "sh", "-c", f"""
            until ip link set far up 2>/dev/null; do sleep 0.05; done
            ip address add 10.7.7.1/24 dev far
            tc qdisc add dev far root tbf rate 200mbit burst 16kb latency 100ms
            exec {stage.program('blocks')} serve 10.7.7.1 7100""")
        await_true(lambda: os.readlink(f"/proc/{server.pid}/ns/net") != os.readlink("/proc/self/ns/net"), "the far network")
        stage.run("ip", "link", "add", "near", "type", "veth", "peer", "name", "far", "netns", str(server.pid))
        stage.run("ip", "address", "add", "10.7.7.2/24", "dev", "near")
        stage.run("ip", "link", "set", "near", "up")
        await_true(lambda: answers_from_afar(stage), "the far server")


def answers_from_afar(stage):
    """Read one block, which also warms up the connection."""
    reader = os.spawnve(os.P_WAIT, stage.program("blocks"), ["blocks", "read", "10.7.7.1", "7100", "1", "1"], stage.environment)
    return reader == 0


CASES = [Writer(), Convoy(), Phases(), Heartbeat(), Batch(), Blocks()]
