#!/usr/bin/env python3
"""A tailback-agent that runs in a virtual machine: boots it and passes the two streams on through its serial port.

virtual_agent.py KERNEL INITRAMFS CONSOLE-LOG ACCELERATOR MODE [AGENT-ARGUMENT…]
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import select
import subprocess
import sys

PATIENCE = 120   # for a guest that has been told to stop, or never starts


def boot(kernel, initramfs, console, accelerator, mode):
    return subprocess.Popen(
        ["qemu-system-x86_64", "-nodefaults", "-no-reboot", "-display", "none", "-machine", f"accel={accelerator}",
         "-cpu", "max", "-smp", "2", "-m", "768", "-kernel", kernel, "-initrd", initramfs,
         "-append", f"console=ttyS0 quiet panic=-1 tailback={mode}", "-serial", f"file:{console}",
         "-chardev", "stdio,id=agent,signal=off", "-serial", "chardev:agent"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)


def write_all(to, data):
    while data:
        data = data[os.write(to, data):]


def pass_on(machine):
    """What is said before the guest listens would be lost in its serial port: it waits until the guest speaks."""
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


def main():
    machine = boot(*sys.argv[1:6])
    try:
        pass_on(machine)
    except BrokenPipeError:
        pass
    finally:
        machine.kill()
        machine.wait()


if __name__ == "__main__":
    main()
