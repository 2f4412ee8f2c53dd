"""A request through five small processes, as the first of the paper's web mail.

Their only link is what they send.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness.case import Case


class Chain(Case):
    name = "chain"
    title = ("client → web → cgi → imap → auth, which starts a checker "
             "(TCP, Unix sockets, a pipe, epoll and poll)")
    process = "client"
    chain = ("client", "web", "cgi", "imap", "auth")
    largest = "auth"
    explained_goal = 0.3   # most of the time, the processes wait for one of two CPUs

    def command(self, stage):
        return [stage.program("timed"), stage.program("chain"), "200", "1000000", "7300",
                stage.folder]


CASES = [Chain()]
