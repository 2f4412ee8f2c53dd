"""Writers of one database file."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness.expert import Answer, ExpertCase

WRITE = """begin immediate;
insert into t (text)
  with recursive c (i) as (values (1) union all select i + 1 from c where i < 60000)
  select 'row ' || i || ' of ' || (i * 7919 % 104729) from c;
commit;
"""


class SqliteWriters(ExpertCase):
    name = "sqlite-writers"
    title = "four sqlite3 that write to one database, each with a busy timeout"
    answer = Answer(
        sentence="The writers wait for one another at the write lock of app.db, and they poll: "
                 "they try, sleep up to 100 ms and try again, for more than half of their time.",
        kinds=("polling", "lock"), names={"process": "sqlite3", "object": "app\\.db"},
        amount="slept between tries")

    def prepare(self, stage):
        stage.run("sqlite3", "app.db", "create table t (n integer primary key, text text)")
        stage.write("write.sql", ".timeout 60000\npragma synchronous=off;\n" + WRITE * 16)

    def command(self, stage):
        return ["sh", "-c",
                "for i in 1 2 3 4; do sqlite3 app.db '.read write.sql' > /dev/null & done; wait"]

    def facts(self, truth, measures):
        return {"slept between tries": (truth.in_calls("sqlite3", "clock_nanosleep") +
                                        truth.in_calls("sqlite3", "nanosleep")),
                "sqlite3 ran": truth.running("sqlite3")}

    def proof(self, facts, truth):
        return [("the four sleep for more than the wall time in all",
                 facts["slept between tries"] >= truth.wall_ns),
                ("only one computes at a time", facts["sqlite3 ran"] <= 1.25 * truth.wall_ns)]


CASES = [SqliteWriters()]
