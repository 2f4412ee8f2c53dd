#!/usr/bin/env python3
"""Network interfaces in a recording, and the wait graph's use of a link's speed.

Started with "serve" or "ask" the script is one end of a connection; the answer is several times as
long as the request.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import veth  # noqa: E402

ATTEMPTS = 4
N_QUESTIONS = 100
QUESTION = b"q" * 1000
ANSWER = b"a" * 9000


def read_exactly(connection, length):
    while length > 0:
        got = connection.recv(length)
        if not got:
            return False
        length -= len(got)
    return True


def serve():
    """In a network namespace of its own: read the interface and address, print the port, answer
    requests one after another."""
    os.unshare(os.CLONE_NEWNET)
    print("ready", flush=True)
    veth.set_up(*sys.stdin.readline().split())
    with socket.create_server(("0.0.0.0", 0)) as server:
        print(server.getsockname()[1], flush=True)
        while True:
            connection, _ = server.accept()
            with connection:
                while read_exactly(connection, len(QUESTION)):
                    connection.sendall(ANSWER)


def send_requests(host, port):
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for _ in range(N_QUESTIONS):
            connection.sendall(QUESTION)
            assert read_exactly(connection, len(ANSWER))


if len(sys.argv) > 1 and sys.argv[1] in ("serve", "ask"):
    {"serve": serve, "ask": send_requests}[sys.argv[1]](*sys.argv[2:])
    sys.exit(0)

import shapes  # noqa: E402
import tap  # noqa: E402


class FarServer:
    """A server in a network namespace of its own, at the other end of a veth pair."""

    def __init__(self):
        if not hasattr(os, "unshare"):
            raise tap.Skip("this Python cannot make network namespaces")
        number = os.getpid() % 16384
        self.near, self.far = f"tb{os.getpid()}n", f"tb{os.getpid()}f"
        # One small network from the range reserved for tests of devices (198.18.0.0/15).
        self.near_address, self.address = (f"198.18.{number // 64}.{number % 64 * 4 + last}" for last in (1, 2))
        self.process = subprocess.Popen([sys.executable, __file__, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        try:
            if self.process.stdout.readline() != "ready\n":
                raise tap.Skip("no network namespace can be made here")
            try:
                veth.create(self.near, self.far, self.process.pid)
            except OSError as error:
                raise tap.Skip(f"no virtual cable can be made here: {error}") from error
            veth.set_up(self.near, self.near_address)
            print(self.far, self.address, file=self.process.stdin, flush=True)
            self.port = self.process.stdout.readline().strip()
            assert self.port, "the server came to no port"
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        try:
            veth.delete(self.near)
        except OSError:
            pass  # it is removed with the other namespace


def read(*arguments):
    done = tap.cli(*arguments)
    assert done.returncode == 0, done
    return json.loads(done.stdout)


def analyze(session, *options):
    arguments = [argument for option in options for argument in ("--option", option)]
    return read("analyze", session, "--analysis", "wait-graph", *arguments, "--format", "json")["summary"]


def record(session, server):
    done = tap.cli("record", "--force", "-o", session, "--", sys.executable, __file__, "ask", server.address, server.port)
    assert done.returncode == 0, done


def find_peer(session, server, *options):
    """Return the wait graph's device for the server (None if nothing waited for it), and the
    recorded time in s."""
    summary = analyze(session, *options)
    peer = f"network:{server.address}:{server.port}"
    return next((device for device in summary["devices"] if device["id"] == peer), None), summary["recorded_ns"] / 1e9


def test_recorded():
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder, FarServer() as server:
        session = os.path.join(folder, "a.tailback")
        record(session, server)
        info = read("info", session, "--json")
        shapes.check_info(info)
        by_name = {interface["name"]: interface for interface in info["interfaces"]}
        assert by_name["lo"]["bits_per_second"] is None and by_name["lo"]["index"] == socket.if_nametoindex("lo"), by_name
        near = by_name[server.near]
        # The kernel's speed of every veth device.
        assert near["bits_per_second"] == 10_000_000_000 and server.near_address in near["addresses"], near
        assert near["index"] == socket.if_nametoindex(server.near) and near["omitted_addresses"] == 0, near
        # The interface in the other network namespace is not visible.
        assert server.far not in by_name, by_name
        assert f"Interface {server.near}: 10,000 Mbit/s" in tap.cli("info", session).stdout.replace("10000", "10,000")


def test_capacity():
    tap.needs_system()
    with tempfile.TemporaryDirectory() as folder, FarServer() as server:
        session = os.path.join(folder, "a.tailback")
        # On a busy machine a kernel thread delivers the packets, and is the waker in the peer's
        # place.
        peer = None
        for _ in range(ATTEMPTS):
            record(session, server)
            peer = find_peer(session, server)[0]
            if peer is not None and peer["bytes"] >= N_QUESTIONS * len(ANSWER) * 0.95:
                break
        if peer is None:
            raise tap.Skip("this machine is too busy to hand over messages when they come")
        device, seconds = find_peer(session, server, "device-idle=bytes")
        assert device["capacity_from"] == "link" and device["capacity"] == 1.25e9 and device["interface"] == server.near, device
        # All answers passed through it.
        assert device["used"] * seconds >= N_QUESTIONS * len(ANSWER) * 0.9, (device, seconds)
        device, _ = find_peer(session, server, "device-idle=bytes", "device-capacity=1e6")
        assert device["capacity_from"] == "given" and device["capacity"] == 1e6, device
        device, _ = find_peer(session, server, "device-idle=requests")
        assert device["capacity_from"] == "peak" and device["capacity_unit"] == "requests", device


def test_not_recorded():
    """The JSON of a text recording has null interfaces, which differs from an empty list."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../plugins/wait-graph-figure-1.csv")
    info = read("info", source, "--json")
    assert info["interfaces"] is None, info["interfaces"]


if __name__ == "__main__":
    sys.exit(tap.main([test_recorded, test_capacity, test_not_recorded]))
