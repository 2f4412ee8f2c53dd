"""An event loop in which one handler sleeps."""
# SPDX-License-Identifier: GPL-3.0-or-later

import sys

from harness.expert import Answer, ExpertCase

PROGRAM = """
import asyncio, time

async def handle(reader, writer):
    while line := await reader.readline():
        time.sleep(0.05)          # the error: everything else stands still meanwhile
        writer.write(line)
        await writer.drain()
    writer.close()

async def ask(port):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for i in range(5):
        writer.write(b"%d\\n" % i)
        await reader.readline()
    writer.close()

async def main():
    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    await asyncio.gather(*(ask(port) for _ in range(12)))

asyncio.run(main())
"""


class Asyncio(ExpertCase):
    name = "asyncio"
    title = "a Python server with asyncio whose handler calls time.sleep, and twelve clients"
    answer = Answer(
        sentence="The thread of the event loop sleeps on purpose in time.sleep (clock_nanosleep) "
                 "for nearly all of the time: every connection waits for that.",
        kinds=("sleep",), names={"process": "python3", "function": "nanosleep|time_sleep|pysleep"},
        amount="slept in clock_nanosleep")

    def prepare(self, stage):
        stage.write("server.py", PROGRAM)

    def command(self, stage):
        return [sys.executable, "server.py"]

    def facts(self, truth, measures):
        return {"slept in clock_nanosleep": truth.in_calls("python3", "clock_nanosleep")}

    def proof(self, facts, truth):
        return [("80 % of the time is spent in clock_nanosleep",
                 facts["slept in clock_nanosleep"] >= 0.8 * truth.wall_ns)]


CASES = [Asyncio()]
