"""Former held-out pairs: their recordings were then studied, and the model was changed for them."""
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import sys

from harness.case import CASES as FOLDER
from harness.pair import Program


class Commits(Program):
    name = "commits"
    title = "small durable transactions in SQLite"
    cause = "each commit waits until it is on the disk"
    knot = ("commits", "disk")
    edges = (("commits", "disk"),)
    fix = "synchronous = off"
    what_if = "call:fdatasync*0"
    probes = ("libc:fdatasync",)
    prediction_analysis_options = ("target=commits",)
    rounds = 15

    def command(self, stage):
        return self.workload(stage, False)

    def workload(self, stage, fixed):
        return [stage.program("timed"), sys.executable, os.path.join(FOLDER, "programs", "commits.py"), "400", stage.path("base"), *(["fixed"] if fixed else [])]


class Restore(Program):
    name = "restore"
    title = "one thread that reads a block past the page cache, works on it, and reads the next"
    arguments = ("restore", "300000", "@kept")
    cause = "the thread waits for the disk before each block, and the disk for the thread while it works"
    knot = ("restore", "disk")
    edges = (("restore", "disk"),)
    fix = "a thread that reads ahead"
    what_if = "edge:restore>vda=ahead;edge:restore>kworker/*=ahead"   # as for the writer
    prediction_analysis_options = ("target=restore",)

    def prepare(self, stage):
        stage.run("dd", "if=/dev/urandom", f"of={stage.path('kept')}", "bs=1M", "count=128", "oflag=direct")


class Desk(Program):
    name = "desk"
    title = "four customers that wait for one desk"
    arguments = ("desk", "800", "200000")
    cause = "customers wait for the desk, which is always busy"
    execution = "desk-clerk"
    edges = (("customer", "desk-clerk"), ("desk", "desk-clerk"))
    fix = "half the work at the desk"
    what_if = "edge:customer>desk-clerk*0.5"
    prediction_analysis_options = ("target=desk",)


class Compress(Program):
    name = "compress"
    title = "pigz with one thread"
    cause = "it waits for no other thread: one thread does all"
    execution = "pigz"
    fix = "two threads"
    what_if = "threads:pigz*2"
    prediction_analysis_options = ("target=pigz",)

    def prepare(self, stage):
        stage.run("sh", "-c", f"cat /usr/lib/x86_64-linux-gnu/*.so* | head -c 32M > {stage.path('plain')}")

    def command(self, stage):
        return self.workload(stage, False)

    def workload(self, stage, fixed):
        return [stage.program("timed"), "sh", "-c", f"exec pigz -c -p {2 if fixed else 1} {stage.path('plain')} > /dev/null"]

    def throughput(self, output, measures):
        return 1e9 / measures["wall"][0]


class Pipeline(Program):
    name = "pipeline"
    title = "three threads in a row with short queues, the middle one has most of the work"
    arguments = ("pipeline", "3000", "100000")
    cause = "the others wait for the thread in the middle, which waits for no other thread"
    execution = "packer"
    edges = (("reader", "packer"), ("pipeline", "packer"))
    fix = "two threads in the middle"
    what_if = "threads:packer*2"
    prediction_analysis_options = ("target=pipeline",)


class Shelf(Program):
    name = "shelf"
    title = "three threads that mostly read one table behind a mutex"
    arguments = ("shelf", "3", "1500", "100000")
    cause = "the threads wait for one another at one lock"
    knot = ("shelf",)
    edges = (("shelf", "shelf"),)
    lock = "lock"
    fix = "a lock that readers share"
    what_if = "lock:*=free"   # one round of sixteen still needs exclusive access
    prediction_analysis_options = ("target=shelf",)


class Pool(Program):
    name = "pool"
    title = "two workers that mostly wait for a remote host, before a queue that is full"
    arguments = ("pool", "600", "200000")
    cause = "the thread that fills the queue waits for the workers, and they sleep for a fixed time"
    knot = ()
    execution = "server"
    edges = (("pool", "server"),)
    fix = "four workers"
    what_if = "threads:server*2"
    prediction_analysis_options = ("target=pool",)


class Scribe(Program):
    name = "scribe"
    title = "two clerks that wait for each entry until the only scribe has written it down"
    arguments = ("scribe", "600", "300000")
    cause = "clerks wait for the scribe, and he for them and for time to pass"
    knot = ("clerk", "scribe")
    edges = (("clerk", "scribe"),)
    fix = "clerks go on at once"
    what_if = "edge:clerk>scribe*0"
    prediction_analysis_options = ("target=scribe",)


CASES = [Commits(), Restore(), Desk(), Compress(), Pipeline(), Shelf(), Pool(), Scribe()]
