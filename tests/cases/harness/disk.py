"""A disk with a limit on its operations, through a control group of the processes."""
# SPDX-License-Identifier: GPL-3.0-or-later

import contextlib
import os

from harness.processes import Failure

NAME = "tailback-case"
# By version of control groups: mount point, its name in /proc/self/cgroup, limit file, and format
# of the limit.
VERSIONS = (("/sys/fs/cgroup/blkio", ":blkio:", "blkio.throttle.{kind}_iops_device",
             "{disk} {number}"),
            ("/sys/fs/cgroup", "0::", "io.max", "{disk} {kind[0]}iops={number}"))


def find_disk(folder):
    """Return major:minor of the whole disk: partitions have no limits."""
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


def get_own_group(root, called):
    """Return the current control group of this process."""
    with open("/proc/self/cgroup", encoding="utf-8") as lines:
        return next(root + line.rstrip("\n").rpartition(":")[2] for line in lines if called in line)


def make_group(folder, number, kind="write"):
    """Make a group limited to this many operations a second; return it and the previous group."""
    reasons = []
    for root, called, limit, words in VERSIONS:
        group = os.path.join(root, NAME)
        try:
            back = get_own_group(root, called)
            if limit == "io.max":
                put(os.path.join(root, "cgroup.subtree_control"), "+io")
            os.makedirs(group, exist_ok=True)
            put(os.path.join(group, limit.format(kind=kind)),
                words.format(disk=find_disk(folder), number=number, kind=kind))
            return group, back
        except (OSError, StopIteration) as error:
            reasons.append(str(error) or f"no group in {root}")
    raise Failure(f"operations of chosen processes cannot be limited here: {'; '.join(reasons)}")


def remove_group():
    """Remove the group once it has no processes."""
    for root, *_ in VERSIONS:
        with contextlib.suppress(OSError):
            os.rmdir(os.path.join(root, NAME))


@contextlib.contextmanager
def limit_writes(folder, writes):
    """Limit processes that are started meanwhile to this many write operations a second on the
    folder's disk, as long as they run."""
    group, back = make_group(folder, writes)
    put(os.path.join(group, "cgroup.procs"), "0")
    try:
        yield
    finally:
        put(os.path.join(back, "cgroup.procs"), "0")
