"""A service on a Java virtual machine."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness import java
from harness.pair import Pair


class Ledger(Pair):
    name = "java"
    title = "a Java service whose handlers sync a synchronized log"
    cause = "each request waits for the disk alone, the handlers for whoever has the lock meanwhile"
    target = ("java",)
    knot = ("java", "disk")
    edges = (("java", "disk"), ("java", "java"))
    fix = "one sync for all that wait"
    what_if = "call:fdatasync*0.25"   # four handlers: one sync serves four commits
    recording_options = ("syscalls=true",)
    prediction_analysis_options = ("target=java",)
    rounds = 25

    def fetch(self):
        java.fetch()

    def prepare(self, stage):
        java.compile_program(stage, "Ledger")

    def workload(self, stage, fixed):
        return java.command(stage, "Ledger", "4", "4000", stage.path("ledger"), *(["fixed"] if fixed else []))


CASES = [Ledger()]
