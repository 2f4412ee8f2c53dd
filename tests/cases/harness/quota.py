"""Control groups with a limit of CPU time or memory, for the processes of a case."""
# SPDX-License-Identifier: GPL-3.0-or-later

import contextlib
import os
import subprocess

from harness.disk import put
from harness.processes import Failure

NAME = "tailback-case-limit"
PERIOD = 100000   # µs
SWAP_FILE = "/var/tmp/tailback-case-swap"
SWAP_SIZE = 512 << 20


class Skip(Failure):
    """The case cannot run on this machine; the message is the reason."""


def make(root, controller, limits):
    """Return the group below root in which these files have these contents."""
    group = os.path.join(root, NAME)
    try:
        control = os.path.join(root, "cgroup.subtree_control")
        if os.path.exists(control):
            put(control, "+" + controller)
        os.makedirs(group, exist_ok=True)
        for name, text in limits:
            put(os.path.join(group, name), text)
    except OSError as error:
        raise Skip(f"no control group with a limit ({controller}) can be made: {error}") from error
    return group


def is_first_version(controller):
    return os.path.exists(f"/sys/fs/cgroup/{controller}/tasks")


def make_group(percent):
    """Return a group that gets this share of a CPU."""
    if os.sched_getscheduler(0) != os.SCHED_OTHER:
        raise Skip("a CPU quota does not limit real-time threads, as of --undisturbed")
    microseconds = PERIOD * percent // 100
    if is_first_version("cpu"):
        return make("/sys/fs/cgroup/cpu", "cpu",
                    (("cpu.cfs_period_us", str(PERIOD)), ("cpu.cfs_quota_us", str(microseconds))))
    return make("/sys/fs/cgroup", "cpu", (("cpu.max", f"{microseconds} {PERIOD}"),))


def has_swap():
    with open("/proc/swaps", encoding="utf-8") as lines:
        return len(lines.readlines()) >= 2


def make_swap():
    """Swap to a file. The kernel refuses files with holes: each block is written."""
    with open(SWAP_FILE, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
        for _ in range(SWAP_SIZE >> 20):
            file.write(bytes(1 << 20))
        os.fsync(file.fileno())
    for tool in ("mkswap", "swapon"):
        done = subprocess.run([tool, SWAP_FILE], check=False, capture_output=True, text=True)
        if done.returncode != 0:
            raise Skip(f"this machine has no swap device, and {tool} failed: {done.stderr.strip()}")


def remove_swap():
    if os.path.exists(SWAP_FILE):
        subprocess.run(["swapoff", SWAP_FILE], check=False, capture_output=True)
        os.remove(SWAP_FILE)


def make_memory_group(mebibytes):
    """Return a group that gets this much memory; what is more goes to the swap device, or to a
    file where there is none."""
    if not has_swap():
        make_swap()
    if is_first_version("memory"):
        return make("/sys/fs/cgroup/memory", "memory",
                    (("memory.limit_in_bytes", str(mebibytes << 20)),))
    return make("/sys/fs/cgroup", "memory", (("memory.max", str(mebibytes << 20)),))


def read_throttled(group):
    """Return for how many ns the kernel stopped the group because of its quota."""
    with open(os.path.join(group, "cpu.stat"), encoding="ascii") as lines:
        values = dict(line.split() for line in lines)
    if "throttled_time" in values:
        return int(values["throttled_time"])
    return int(values["throttled_usec"]) * 1000


def clean_up():
    """Remove the groups, which have no processes any more, and the file."""
    remove_swap()
    for root in ("/sys/fs/cgroup/cpu", "/sys/fs/cgroup/memory", "/sys/fs/cgroup"):
        with contextlib.suppress(OSError):
            os.rmdir(os.path.join(root, NAME))
