"""A database server whose log has to be on the disk."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness import disk, services
from harness.expert import Answer, ExpertCase


class PgbenchSync(ExpertCase):
    name = "pgbench-sync"
    title = "pgbench with one client; PostgreSQL on a disk with 300 writes a second"
    # Changed after the first recording, because bpftrace refuted it: a part of these calls is spent
    # on a CPU or waiting for one. What is compared is the time in which the kernel blocked the
    # thread.
    answer = Answer(
        sentence="Each transaction waits until its log (pg_wal) is on the disk: the backend of "
                 "postgres sleeps in fdatasync nearly all the time.",
        kinds=("disk",), names={"process": "postgres", "object": "pg_wal|fdatasync|WAL"},
        amount="blocked in fdatasync")

    def prepare(self, stage):
        with disk.limit_writes(stage.folder, 300):
            services.start_postgres(stage)
        self.words = [services.postgres_program("pgbench"), "-h", "127.0.0.1", "-p", "5433", "-U",
                      "postgres"]
        stage.run(*self.words, "-i", "-q", "-s", "1", "postgres")

    def command(self, stage):
        return [*self.words, "-n", "-N", "-c", "1", "-T", "4", "postgres"]

    def facts(self, truth, measures):
        return {"blocked in fdatasync": truth.in_disk("postgres"),
                "spent in fdatasync": truth.in_calls("postgres", "fdatasync")}

    def proof(self, facts, truth):
        return [("60 % of the time is spent in fdatasync",
                 facts["spent in fdatasync"] >= 0.6 * truth.wall_ns),
                ("more of it blocked than waiting for a CPU",
                 facts["blocked in fdatasync"] > truth.ready("postgres"))]


CASES = [PgbenchSync()]
