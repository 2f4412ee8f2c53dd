"""A database file whose transactions have to be on the disk."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness.expert import Answer, ExpertCase


class SqliteSync(ExpertCase):
    name = "sqlite-sync"
    title = "sqlite3 with 800 transactions of one row each, synchronous=FULL"
    # Changed after the first recording, because bpftrace refuted it: a part of these calls is spent
    # on a CPU or waiting for one. What is compared is the time in which the kernel blocked the
    # thread.
    answer = Answer(
        sentence="Each transaction waits for the disk: sqlite3 spends most of the time in fsync "
                 "of the database and its journal.",
        kinds=("disk",), names={"process": "sqlite3", "object": "app\\.db|sync"},
        amount="blocked in them")

    def prepare(self, stage):
        stage.run("sqlite3", "app.db", "create table t (n integer primary key, text text)")
        stage.write("inserts.sql",
                    "pragma synchronous=FULL;\n" + "".join(
                        f"insert into t (text) values ('row {i}');\n" for i in range(800)))

    def command(self, stage):
        return ["sqlite3", "app.db", ".read inserts.sql"]

    def facts(self, truth, measures):
        return {"blocked in them": truth.in_disk("sqlite3"),
                "spent in fdatasync and fsync": (truth.in_calls("sqlite3", "fdatasync") +
                                                 truth.in_calls("sqlite3", "fsync"))}

    def proof(self, facts, truth):
        return [("more than 60 % of the time is spent in syncs",
                 facts["spent in fdatasync and fsync"] >= 0.6 * truth.wall_ns),
                ("more of it blocked than waiting for a CPU",
                 facts["blocked in them"] > truth.ready("sqlite3"))]


CASES = [SqliteSync()]
