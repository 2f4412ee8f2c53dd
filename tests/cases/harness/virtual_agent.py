#!/usr/bin/env python3
"""A tailback-agent that runs in a virtual machine: boots it and passes the two streams on through a port of it.

virtual_agent.py KERNEL INITRAMFS CONSOLE-LOG MODE [AGENT-ARGUMENT…]
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import select
import subprocess
import sys

PATIENCE = 120   # for a guest that has been told to stop, or never starts


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
    """What is said before the guest listens would be lost: it waits until the guest speaks."""
    to_guest, from_guest = machine.stdin.fileno(), machine.stdout.fileno()
    waiting, spoken, watched = b"", False, {from_guest, 0}
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
                spoken = True
        if spoken and waiting:
            write_all(to_guest, waiting)
            waiting = b""


def tell_what_was_said(console):
    """The guest's agent speaks on the console, as an agent does on its standard error."""
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
        tell_what_was_said(sys.argv[3])


if __name__ == "__main__":
    main()
