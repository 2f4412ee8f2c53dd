"""Databases under load, with fully durable commits and slightly less durable ones."""
# SPDX-License-Identifier: GPL-3.0-or-later

import contextlib
import re

from harness import disk, services
from harness.pair import Pair


class Postgres(Pair):
    name = "postgres"
    title = "PostgreSQL under pgbench with four clients and durable commits, on a disk of 2000 writes a second"
    cause = "each commit waits until its log is on the disk, its own or that of whoever writes for it"
    target = ("postgres",)
    knot = ("postgres", "disk")
    edges = (("postgres", "disk"), ("postgres", "postgres"))
    fix = "synchronous_commit = off"
    # With the fix a commit does not flush its log. This function does that: it writes, syncs, and
    # waits for another process that does. The log writer still flushes five times a second.
    what_if = "call:XLogFlush*0"
    recording_options = ("syscalls=true",)
    prediction_analysis_options = ("work=send:pgbench",)
    rounds = 15
    # per second: a sync takes about a millisecond, as on many solid-state disks
    disk_writes = 2000

    def prepare(self, stage):
        with disk.limit_writes(stage.folder, self.disk_writes) if self.disk_writes else contextlib.nullcontext():
            services.start_postgres(stage)
        self.probes = (services.postgres_program("postgres") + ":XLogFlush",)
        self.words = [services.postgres_program("pgbench"), "-h", "127.0.0.1", "-p", "5433", "-U", "postgres"]
        stage.run(*self.words, "-i", "-q", "-s", "4", "postgres")

    def change(self, stage, fixed):
        stage.run(services.postgres_program("psql"), "-h", "127.0.0.1", "-p", "5433", "-U", "postgres", "-q", "-c",
                  f"alter database postgres set synchronous_commit = {'off' if fixed else 'on'}")

    def workload(self, stage, fixed):
        return [*self.words, "-n", "-N", "-c", "4", "-j", "1", "-T", "3", "postgres"]

    def throughput(self, output, measures):
        return float(re.search(r"tps = ([\d.]+)", output).group(1))


class PostgresFastDisk(Postgres):
    name = "postgres-fast-disk"
    title = "the same on the disk that is there"
    # Where a sync takes a tenth of a millisecond, as here, the backends run or are runnable for
    # three quarters of the time. The rest is divided about equally into waits for the disk, for the
    # holder of the log's lock, and for their clients: each may be ranked first.
    cause = "each commit costs cpu, more than it waits until its log is on the disk"
    knot = ("postgres",)
    edges = ()
    disk_writes = None


class MariaDB(Pair):
    name = "mariadb"
    title = "MariaDB under sysbench with four clients and durable commits"
    cause = "each commit waits until its log is on the disk, its own or that of whoever writes for it"
    target = ("mariadbd",)
    knot = ("mariadbd", "disk")
    edges = (("mariadbd", "disk"), ("mariadbd", "mariadbd"))
    fix = "innodb_flush_log_at_trx_commit = 2"
    # the log is written as before, still by one process for all waiters
    what_if = "call:fdatasync*0"
    recording_options = ("syscalls=true",)
    probes = ("libc:fdatasync",)
    prediction_analysis_options = ("work=send:sysbench",)
    rounds = 25

    def prepare(self, stage):
        data, self.socket = stage.make_folder("mariadb", "mysql"), stage.path("mariadb", "socket")
        options = ["--no-defaults", f"--datadir={data}"]
        stage.run("mariadb-install-db", *options, "--auth-root-authentication-method=normal", "--skip-test-db", user="mysql")
        stage.serve("/usr/sbin/mariadbd", *options, "--skip-networking", f"--socket={self.socket}", "--skip-log-bin",
                    "--innodb-buffer-pool-size=128M", user="mysql", address=self.socket)
        self.sql(stage, "create database sbtest; create user sb@localhost; grant all on sbtest.* to sb@localhost")
        self.words = ["sysbench", "oltp_update_non_index", f"--mysql-socket={self.socket}", "--mysql-user=sb", "--tables=1",
                      "--table-size=10000", "--threads=4", "--time=3", "--db-driver=mysql"]
        stage.run(*self.words, "prepare")

    def sql(self, stage, text):
        stage.run("mariadb", "--no-defaults", f"--socket={self.socket}", "-u", "root", "-e", text)

    def change(self, stage, fixed):
        self.sql(stage, f"set global innodb_flush_log_at_trx_commit = {2 if fixed else 1}")

    def workload(self, stage, fixed):
        return [*self.words, "run"]

    def throughput(self, output, measures):
        return float(re.search(r"transactions: .*\(([\d.]+) per sec", output).group(1))


class Redis(Pair):
    name = "redis"
    title = "redis under redis-benchmark, each write synced before it is answered"
    cause = "the only thread that answers waits for the disk before each answer"
    target = ("redis-server",)
    knot = ("redis-server", "disk")
    edges = (("redis-server", "disk"),)
    fix = "appendfsync everysec"
    what_if = "call:fdatasync*0"
    recording_options = ("syscalls=true",)
    probes = ("libc:fdatasync",)
    prediction_analysis_options = ("target=redis-benchmark",)
    rounds = 25

    def prepare(self, stage):
        stage.serve("redis-server", "--port", "6390", "--bind", "127.0.0.1", "--save", "", "--dir", stage.folder,
                    "--appendonly", "yes", "--appendfsync", "always", address=6390)

    def change(self, stage, fixed):
        stage.run("redis-cli", "-p", "6390", "config", "set", "appendfsync", "everysec" if fixed else "always")

    def workload(self, stage, fixed):
        return ["redis-benchmark", "-p", "6390", "-t", "set", "-n", "60000", "-c", "10", "--csv"]

    def throughput(self, output, measures):
        return next(float(line.split('","')[1]) for line in output.splitlines() if line.startswith('"SET'))


class Memcached(Pair):
    name = "memcached"
    title = "memcached with one thread, under memcslap with four, each key asked for by itself"
    cause = "each key is a hand-over to the server's only thread and one back: it waits for the clients while they wait for it"
    target = ("memcached",)
    knot = ("memcached", "memcslap")
    edges = (("memcslap", "memcached"), ("memcached", "memcslap"))
    fix = "ask for many keys at once"
    least_gain = 1.5

    def prepare(self, stage):
        for threads, port in ((1, 11311), (2, 11312)):
            stage.serve("memcached", "-l", "127.0.0.1", "-p", str(port), "-U", "0", "-t", str(threads), "-u", "memcache",
                        address=port)

    def slap(self, port, test):
        return ["memcslap", f"--servers=127.0.0.1:{port}", "--concurrency=4", "--execute-number=60000", f"--test={test}",
                "--initial-load=1000"]

    def workload(self, stage, fixed):
        return self.slap(11311, "mget" if fixed else "get")

    def throughput(self, output, measures):
        """Return gets per second of the requested number, although the server does not have all of
        the keys."""
        return 240000 / float(re.search(r"Time to m?get .*: +([\d.]+) seconds", output).group(1))


class MemcachedThreads(Memcached):
    name = "memcached-threads"
    title = "memcached with one thread, under memcslap with four"
    only_predicted = True   # the clients need the other CPU
    fix = "two threads"
    what_if = "threads:mc-worker*2"
    prediction_analysis_options = ("target=memcslap",)
    rounds = 15

    def workload(self, stage, fixed):
        return self.slap(11312 if fixed else 11311, "get")


CASES = [Postgres(), PostgresFastDisk(), MariaDB(), Redis(), Memcached(), MemcachedThreads()]
