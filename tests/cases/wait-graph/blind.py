"""Held-out pairs: their What-if expressions were written before any prediction of them."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness.pair import Program


class Journals(Program):
    name = "journals"
    title = "three threads that each append to a file of their own and sync it after each record"
    arguments = ("journals", "400", "100000", "@journal")
    cause = "each thread waits for the disk after each record, which three of four records need not"
    knot = ("keeper", "disk")
    edges = (("keeper", "disk"),)
    fix = "sync after each fourth record"
    what_if = "call:fdatasync/4"
    recording_options = ("syscalls=true",)
    probes = ("libc:fdatasync",)
    prediction_analysis_options = ("target=journals",)


class Hatch(Program):
    name = "hatch"
    title = "four clients of a server with one thread, which waits for a remote host each time"
    arguments = ("hatch", "150", "200000", "@socket")
    cause = "clients wait for the server's only thread, and it mostly for time to pass"
    knot = ("guest", "cook")
    edges = (("guest", "cook"),)
    fix = "two threads that serve"
    what_if = "threads:cook*2"
    prediction_analysis_options = ("target=hatch",)


class Viewer(Program):
    name = "viewer"
    title = "a process that waits for each picture until another has decoded it and sent it through a pipe"
    arguments = ("viewer", "400", "1000000")
    cause = "viewer and decoder wait for each other, mostly the viewer for the decoder"
    knot = ("viewer", "decoder")
    edges = (("viewer", "decoder"),)
    fix = "half the work in the decoder"
    what_if = "edge:viewer>decoder*0.5"
    prediction_analysis_options = ("target=viewer",)


class Cache(Program):
    name = "cache"
    title = "four threads and one lock, which is held until an item has come from a remote host"
    arguments = ("cache", "600", "80000")
    cause = "the threads wait for one another at one lock, whose holder mostly sleeps"
    knot = ("cache",)
    edges = (("cache", "cache"),)
    lock = "cache_lock"
    fix = "the lock is not held meanwhile"
    # there is only one lock, which is held for a tenth of the work at other times
    what_if = "lock:*=free"
    prediction_analysis_options = ("target=cache",)


class Harvest(Program):
    name = "harvest"
    title = "four threads started in each round and waited for, one with three quarters of the work"
    arguments = ("harvest", "60", "1000000")
    cause = "each round waits for the thread with the largest share"
    knot = ("harvest", "large")
    edges = (("harvest", "large"),)
    fix = "equal shares"
    # the other shares are done by then: a free thread takes its part of the rest
    what_if = "edge:harvest>large=shared"
    prediction_analysis_options = ("target=harvest",)


CASES = [Journals(), Hatch(), Viewer(), Cache(), Harvest()]
