"""A shell script of several programs."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness.expert import Answer, ExpertCase

SCRIPT = """set -e
seq 1 700000 > numbers
awk '{ print $1 * 7919 % 600011, $1 }' numbers > pairs
sort -n --parallel=1 pairs > sorted
cut -d' ' -f2 sorted | md5sum > sum
gzip -9 -c sorted > sorted.gz
rm numbers pairs
"""


class ShellScript(ExpertCase):
    name = "shell-script"
    title = "a shell script: seq, awk, sort, cut and md5sum, gzip, rm"
    answer = Answer(
        sentence="Most of the script's time is gzip, which computes; then come sort and awk; the "
                 "shell only waits for them.",
        kinds=("computing",), names={"process": "gzip"}, amount="gzip ran")

    def prepare(self, stage):
        stage.write("script.sh", SCRIPT)

    def command(self, stage):
        return ["sh", "script.sh"]

    def facts(self, truth, measures):
        return {f"{name} ran": truth.running(name)
                for name in ("gzip", "sort", "awk", "mawk", "seq", "sh")}

    def proof(self, facts, truth):
        return [("gzip runs longest of all", facts["gzip ran"] == max(facts.values())),
                ("for more than a third of the time", facts["gzip ran"] >= truth.wall_ns / 3)]


CASES = [ShellScript()]
