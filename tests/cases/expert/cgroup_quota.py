"""A program in a control group that may use a part of a CPU only."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness import quota
from harness.expert import Answer, ExpertCase, make_data


class CgroupQuota(ExpertCase):
    name = "cgroup-quota"
    title = "gzip in a control group with 30 % of a CPU"
    answer = Answer(
        sentence="gzip wants to compute, and its control group's CPU quota (30 %) stops it for "
                 "about 70 % of the time, while CPUs are idle.",
        kinds=("quota",), names={"process": "gzip"}, amount="throttled")

    def prepare(self, stage):
        make_data(stage, "data", 16)
        self.group = quota.make_group(30)

    def command(self, stage):
        self.before = quota.read_throttled(self.group)
        return ["sh", "-c", f"echo $$ > {self.group}/cgroup.procs; exec gzip -6 -c data > data.gz"]

    def facts(self, truth, measures):
        return {"throttled": quota.read_throttled(self.group) - self.before,
                "gzip ran": truth.running("gzip")}

    def proof(self, facts, truth):
        return [("the kernel counts at least half of the time as throttled",
                 facts["throttled"] >= 0.5 * truth.wall_ns)]


CASES = [CgroupQuota()]
