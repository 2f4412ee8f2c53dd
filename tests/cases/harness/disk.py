"""A disk as slow as others': how often processes write to it is limited, through a control group of theirs."""
# SPDX-License-Identifier: GPL-3.0-or-later

import contextlib
import os

from harness.processes import Failure

NAME = "tailback-case"
# By version of control groups: where they are, how /proc/self/cgroup calls that, and the file with the limit with what it says.
VERSIONS = (("/sys/fs/cgroup/blkio", ":blkio:", "blkio.throttle.write_iops_device", "{disk} {writes}"),
            ("/sys/fs/cgroup", "0::", "io.max", "{disk} wiops={writes}"))


def disk_below(folder):
    """major:minor of the whole disk: parts have no limits."""
    number = os.stat(folder).st_dev
    device = os.path.realpath(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}")
    if os.path.exists(os.path.join(device, "partition")):
        device = os.path.dirname(device)
    try:
        with open(os.path.join(device, "dev"), encoding="ascii") as file:
            return file.read().strip()
    except OSError as error:
        raise Failure(f"{folder} is on no disk whose writes can be limited: {error}") from error


def put(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def own_group(root, called):
    """Where this process is now."""
    with open("/proc/self/cgroup", encoding="utf-8") as lines:
        return next(root + line.rstrip("\n").rpartition(":")[2] for line in lines if called in line)


def make_group(folder, writes):
    """The group and the one to go back to."""
    reasons = []
    for root, called, limit, words in VERSIONS:
        group = os.path.join(root, NAME)
        try:
            back = own_group(root, called)
            if limit == "io.max":
                put(os.path.join(root, "cgroup.subtree_control"), "+io")
            os.makedirs(group, exist_ok=True)
            put(os.path.join(group, limit), words.format(disk=disk_below(folder), writes=writes))
            return group, back
        except (OSError, StopIteration) as error:
            reasons.append(str(error) or f"no group in {root}")
    raise Failure(f"the writes of chosen processes cannot be limited here: {'; '.join(reasons)}")


def remove_group():
    """Once nobody is in it."""
    for root, *_ in VERSIONS:
        with contextlib.suppress(OSError):
            os.rmdir(os.path.join(root, NAME))


@contextlib.contextmanager
def limited(folder, writes):
    """What is started meanwhile writes to the disk below a folder at most so often a second, as long as it runs."""
    group, back = make_group(folder, writes)
    put(os.path.join(group, "cgroup.procs"), "0")
    try:
        yield
    finally:
        put(os.path.join(back, "cgroup.procs"), "0")
