"""One request through five real processes: curl → nginx → an application → PostgreSQL and a ledger that syncs to disk."""
# SPDX-License-Identifier: GPL-3.0-or-later

import os

from harness import checks, services
from harness.case import Case
from harness.processes import await_true

QUERY = "select sum(i) from generate_series(1, 30000) i"
STEPS = "12000000"


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
        ledger = checks.contributor(summary, "ledger")
        return [
            ("the time of curl", measures["wall"][0], summary["wall_ns"]),
            ("the ledger's computing", sum(measures["ledger-cpu"]), ledger["running_ns"]),
            ("the ledger's whole service", sum(measures["ledger-service"]), ledger["running_ns"] + ledger["io_ns"]),
        ]


CASES = [Request()]
