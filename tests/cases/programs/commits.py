"""Small transactions in an SQLite database, each durable, or left to the kernel to write.

usage: commits.py COMMITS FILE [fixed]

Reports "work" (commits). The caller measures the wall time, because the start of the interpreter is
a large part of it.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import sqlite3
import sys

with open("/proc/self/comm", "w", encoding="utf-8") as name:
    name.write("commits")
commits = int(sys.argv[1])
base = sqlite3.connect(sys.argv[2], isolation_level=None)
base.execute("pragma synchronous = " + ("off" if "fixed" in sys.argv else "full"))
base.execute("create table if not exists t (n integer primary key, text text)")
for i in range(commits):
    base.execute("begin immediate")
    base.execute("insert into t (text) values (?)", (str(i) * 20,))
    base.execute("commit")
with open(os.environ["CASE_MEASURES"], "a", encoding="utf-8") as measures:
    measures.write(f"work {commits}\n")
