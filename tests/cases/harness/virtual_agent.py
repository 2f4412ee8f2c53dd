#!/usr/bin/env python3
"""A tailback-agent in a virtual machine, whose two streams go through a port of the machine.

virtual_agent.py KERNEL INITRAMFS CONSOLE-LOG MODE [AGENT-ARGUMENT…]
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import select
import subprocess
import sys

PATIENCE = 120   # s, for a guest that does not start or does not stop on request


def boot(kernel, initramfs, console, mode, arguments):
    return subprocess.Popen(
        ["qemu-system-x86_64", "-nodefaults", "-no-reboot", "-display", "none", "-machine", "accel=tcg",
         "-cpu", "max", "-smp", "2", "-m", "768", "-kernel", kernel, "-initrd", initramfs,
         "-append", f"console=ttyS0 quiet panic=-1 tailback={mode} agent={','.join(arguments)},", "-serial", f"file:{console}",
         "-chardev", "stdio,id=agent,signal=off",
         "-device", "virtio-serial-pci", "-device", "virtserialport,chardev=agent"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)


def write_all(to, data):
    while data:
        data = data[os.write(to, data):]


def pass_on(machine):
    """Forward the streams. Data sent before the guest listens would be lost, so it is held until
    the guest has sent something."""
    to_guest, from_guest = machine.stdin.fileno(), machine.stdout.fileno()
    waiting, has_guest_output, watched = b"", False, {from_guest, 0}
    while from_guest in watched:
        ready = select.select(watched, [], [], PATIENCE)[0]
        if not ready:
            return
        for source in ready:
            data = os.read(source, 65536)
            if not data:
                watched.discard(source)
            elif source == 0:
                waiting += data
            else:
                write_all(1, data)
                has_guest_output = True
        if has_guest_output and waiting:
            write_all(to_guest, waiting)
            waiting = b""


def print_agent_messages(console):
    """Copy the agent's messages from the guest's console to standard error, where an agent writes
    them."""
    with open(console, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith("tailback-agent: "):
                sys.stderr.write(line)


def main():
    machine = boot(*sys.argv[1:5], sys.argv[5:])
    try:
        pass_on(machine)
    except BrokenPipeError:
        pass
    finally:
        machine.kill()
        machine.wait()
        print_agent_messages(sys.argv[3])


if __name__ == "__main__":
    main()
