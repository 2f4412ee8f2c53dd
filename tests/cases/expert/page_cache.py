"""Random reads of a file that is not in the page cache."""
# SPDX-License-Identifier: GPL-3.0-or-later

import sys

from harness.expert import Answer, ExpertCase

PROGRAM = """
import os, random

file = os.open("table.dat", os.O_RDONLY)
size = os.fstat(file).st_size
os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
os.posix_fadvise(file, 0, 0, os.POSIX_FADV_RANDOM)
chance = random.Random(1)
total = 0
for _ in range(20000):
    total += os.pread(file, 8, chance.randrange(size // 4096) * 4096)[0]
print(total)
"""


class PageCache(ExpertCase):
    name = "page-cache"
    title = "20,000 lookups in a table of 512 MB that is not in the page cache"
    # Changed after the first recording, because bpftrace refuted it: a part of these calls is spent
    # on a CPU or waiting for one. What is compared is the time in which the kernel blocked the
    # thread.
    answer = Answer(
        sentence="Nearly every lookup misses the page cache: python3 waits for the disk, for "
                 "pages of table.dat.",
        kinds=("disk",), names={"process": "python3", "object": "table\\.dat"},
        amount="blocked in pread64")

    def prepare(self, stage):
        stage.run("dd", "if=/dev/urandom", "of=table.dat", "bs=1M", "count=512", "conv=fsync")
        stage.write("lookup.py", PROGRAM)

    def command(self, stage):
        return [sys.executable, "lookup.py"]

    def facts(self, truth, measures):
        return {"blocked in pread64": truth.in_disk("python3"),
                "spent in pread64": truth.in_calls("python3", "pread64")}

    def proof(self, facts, truth):
        return [("70 % of the time is spent in pread64",
                 facts["spent in pread64"] >= 0.7 * truth.wall_ns),
                ("more of it blocked than waiting for a CPU",
                 facts["blocked in pread64"] > truth.ready("python3"))]


CASES = [PageCache()]
