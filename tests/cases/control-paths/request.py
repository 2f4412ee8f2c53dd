"""One request through five or more real processes.

The chain is curl → nginx → an application → PostgreSQL, or an IMAP server with its login and
authentication processes; and a ledger that computes and syncs to disk.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import os

from harness import checks, services
from harness.case import Case
from harness.processes import await_true

QUERY = "select sum(i) from generate_series(1, 30000) i"
STEPS = "12000000"
PASSWORD = "open-sesame"
# hash of that password, with 5000 rounds: it takes the checking process a millisecond or two
HASH = "$6$kCb3p8VoVIzj.TnN$34Svkec0ozGATM9Z5esACkVr8UMHoy0CrjKcxlA7.m82uYOrFHhqTlfn6p.4Sw/04HoX5B7FGTeMs4LN9tTrp1"


class Request(Case):
    name = "request"
    title = "curl → nginx → an application → PostgreSQL, then a ledger that computes and syncs (TCP and Unix sockets)"
    process = "curl"
    chain = ("curl", "nginx", "shop", "postgres", "ledger")
    largest = "ledger"
    explained_goal = 0.85

    def prepare(self, stage):
        ledger, shop = stage.path("ledger.socket"), stage.path("shop.socket")
        services.start_postgres(stage)
        stage.serve(stage.program("ledger"), ledger, stage.path("ledger.txt"), STEPS)
        await_true(lambda: os.path.exists(ledger), "ledger")
        stage.serve(stage.program("shop"), shop, "5433", ledger, QUERY)
        await_true(lambda: os.path.exists(shop), "shop")
        services.start_nginx(stage, f"location / {{ proxy_pass http://unix:{shop}:/; }}")
        stage.run("curl", "-sS", "--fail", "http://127.0.0.1:8080/[1-10]")

    def command(self, stage):
        return [stage.program("timed"), "curl", "-sS", "--fail", "-o", "/dev/null", "http://127.0.0.1:8080/[1-20]"]

    def agreements(self, measures, summary):
        return [
            ("the time of curl", measures["wall"][0], summary["wall_ns"]),
            ("the ledger's computing", sum(measures["ledger-cpu"]), checks.clock_of(summary, "ledger")),
            ("the ledger's whole service", sum(measures["ledger-service"]), checks.time_through(summary, "ledger")),
        ]


class Imap(Case):
    name = "imap"
    title = "curl → nginx → an application → Dovecot: login, authentication, mailbox; then a ledger that computes and syncs"
    process = "curl"
    # The answer of the mailbox's process ends the wait for the login, so it comes below the
    # processes that the login waited for.
    chain = ("curl", "nginx", "inbox", "imap-login", "auth", "ledger")
    largest = "ledger"
    # seven processes hand a login on, in runs that are too short to be sampled
    explained_goal = 0.8

    def prepare(self, stage):
        ledger, inbox = stage.path("ledger.socket"), stage.path("inbox.socket")
        text = "From: a@example.org\nTo: reader@example.org\nSubject: {0}\n\n" + "Nothing of what is sought, line {1}.\n" * 20
        services.start_dovecot(stage, {"reader": f"{{SHA512-CRYPT}}{HASH}"}, [text.format(i, i) for i in range(40)])
        stage.serve(stage.program("ledger"), ledger, stage.path("ledger.txt"), STEPS)
        await_true(lambda: os.path.exists(ledger), "ledger")
        stage.serve(stage.program("inbox"), inbox, "1143", ledger, "reader", PASSWORD, "needle")
        await_true(lambda: os.path.exists(inbox), "inbox")
        services.start_nginx(stage, f"location / {{ proxy_pass http://unix:{inbox}:/; }}")
        stage.run("curl", "-sS", "--fail", "http://127.0.0.1:8080/[1-10]")

    def command(self, stage):
        return [stage.program("timed"), "curl", "-sS", "--fail", "-o", "/dev/null", "http://127.0.0.1:8080/[1-20]"]

    def agreements(self, measures, summary):
        ledger = checks.contributor(summary, "ledger")
        return [
            ("the time of curl", measures["wall"][0], summary["wall_ns"]),
            ("the ledger's computing", sum(measures["ledger-cpu"]), ledger["running_ns"]),
            ("the ledger's whole service", sum(measures["ledger-service"]), ledger["running_ns"] + ledger["io_ns"]),
        ]

    def expectations(self, measures, report):
        through = {one["process"]: one["called_through"] for one in reversed(report["summary"]["contributors"])}
        paths = [("imap", ["curl", "nginx", "inbox", "imap"]), ("ledger", ["curl", "nginx", "inbox", "ledger"])]
        return [(f"{name} is called for by {wanted[-2]}", through.get(name) == wanted, " → ".join(through.get(name, [])))
                for name, wanted in paths]


CASES = [Request(), Imap()]
