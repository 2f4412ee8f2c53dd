"""Jobs of a shell that lock a file."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness.expert import Answer, ExpertCase, make_data


class FileLock(ExpertCase):
    name = "file-lock"
    title = "three jobs at once, each flock job.lock gzip -7"
    answer = Answer(
        sentence="The jobs run one after the other: flock waits for the lock on job.lock until "
                 "the job before it ends.",
        kinds=("lock",), names={"process": "flock", "object": "job\\.lock"},
        amount="waited in flock")

    def prepare(self, stage):
        make_data(stage, "data", 16)

    def command(self, stage):
        return ["sh", "-c",
                "for i in 1 2 3; do flock job.lock gzip -7 -c data > data.$i.gz & done; wait"]

    def facts(self, truth, measures):
        return {"waited in flock": truth.in_calls("flock", "flock"),
                "gzip ran": truth.running("gzip")}

    def proof(self, facts, truth):
        return [("the waits are 80 % of the time, all jobs together",
                 facts["waited in flock"] >= 0.8 * truth.wall_ns),
                ("only one job computes at a time", facts["gzip ran"] <= 1.02 * truth.wall_ns)]


CASES = [FileLock()]
