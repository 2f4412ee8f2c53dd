"""Pairs that the replay was not made with: programs, fixes and the words for them were written before any prediction of them."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness.pair import Program


class Pipeline(Program):
    name = "pipeline"
    title = "three threads in a row with short queues, the middle one has most of the work"
    arguments = ("pipeline", "3000", "100000")
    cause = "the others wait for the thread in the middle, which waits for nobody"
    execution = "packer"
    edges = (("reader", "packer"), ("pipeline", "packer"))
    fix = "two threads in the middle"
    what_if = "threads:packer*2"
    asked = ("target=pipeline",)


class Shelf(Program):
    name = "shelf"
    title = "three threads that mostly read one table behind a mutex"
    arguments = ("shelf", "3", "1500", "100000")
    cause = "the threads wait for one another at one lock"
    knot = ("shelf",)
    edges = (("shelf", "shelf"),)
    lock = "lock"
    fix = "a lock that readers share"
    what_if = "lock:*=free"   # one of sixteen still has to be alone
    asked = ("target=shelf",)


class Pool(Program):
    name = "pool"
    title = "two workers that mostly wait for somebody far away, before a queue that is full"
    arguments = ("pool", "600", "200000")
    cause = "who fills the queue waits for the workers, and they for time to pass"
    knot = ()
    execution = "server"
    edges = (("pool", "server"),)
    fix = "four workers"
    what_if = "threads:server*2"
    asked = ("target=pool",)


class Scribe(Program):
    name = "scribe"
    title = "two clerks who wait for each entry until the only scribe has written it down"
    arguments = ("scribe", "600", "300000")
    cause = "clerks wait for the scribe, and he for them and for time to pass"
    knot = ("clerk", "scribe")
    edges = (("clerk", "scribe"),)
    fix = "clerks go on at once"
    what_if = "edge:clerk>scribe*0"
    asked = ("target=scribe",)


CASES = [Pipeline(), Shelf(), Pool(), Scribe()]
