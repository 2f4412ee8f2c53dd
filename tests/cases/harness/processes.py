"""Processes of a case: started privately, and stopped afterwards in any case."""
# SPDX-License-Identifier: GPL-3.0-or-later

import contextlib
import ctypes
import os
import pwd
import signal
import socket
import subprocess
import sys
import time

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
LIBC = ctypes.CDLL(None, use_errno=True)


class Failure(Exception):
    """A service, a recording or a program did not work as the case needs; the message is one
    line."""


def adopt_orphans():
    """Make this process the parent of daemons that leave their parents, so that stop_descendants()
    finds them."""
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent():
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def set_realtime_priority():
    """Run this process and everything started from now on with priority over all other work, as if
    on an idle machine."""
    os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))


def raise_session_weight():
    """As come_first(), but with the normal scheduling policy: this session gets most of the CPU
    time while it needs it."""
    if os.fork():
        _, status = os.wait()
        sys.exit(os.waitstatus_to_exitcode(status))
    os.setsid()
    set_autogroup(os.getpid(), -20)


def set_autogroup(pid, nice):
    with open(f"/proc/{pid}/autogroup", "w", encoding="utf-8") as file:
        file.write(str(nice))


def is_isolated():
    return "TAILBACK_CASES_NETWORK" in os.environ


def isolate_network():
    """Restart in a network namespace of its own, so that ports are free and nothing is reachable
    from outside."""
    if is_isolated():
        return
    os.environ["TAILBACK_CASES_NETWORK"] = "private"
    script = 'ip link set lo up && exec "$@"'
    os.execvp("unshare", ["unshare", "--net", "sh", "-c", script, "sh", sys.executable, *sys.argv])


def children_of(parents):
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as stat:
                fields = stat.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) in parents and fields[0] != "Z":
            found.append(int(entry))
    return found


def descendants():
    found, parents = [], {os.getpid()}
    while parents:
        below = children_of(parents)
        found += below
        parents = set(below)
    return found


def stop_descendants():
    for sign, patience in ((signal.SIGTERM, 3), (signal.SIGKILL, 3)):
        for pid in descendants():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, sign)
        end = time.monotonic() + patience
        while descendants() and time.monotonic() < end:
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            time.sleep(0.02)
        if not descendants():
            return
    raise Failure(f"processes {descendants()} do not end")


def await_true(condition, what, patience=30):
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.05)
    raise Failure(f"{what} not ready after {patience} s")


def answers(address):
    """Check whether a process listens at a port, or at a Unix socket's path."""
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    with contextlib.closing(socket.socket(family, socket.SOCK_STREAM)) as tried:
        with contextlib.suppress(OSError):
            tried.connect(address if isinstance(address, str) else ("127.0.0.1", address))
            return True
    return False


def owner_of(user):
    entry = pwd.getpwnam(user)
    return entry.pw_uid, entry.pw_gid


class Stage:
    """The folder, built programs and processes of one case."""

    def __init__(self, folder, programs, is_kept=False):
        self.folder = folder
        self.programs = programs
        self.is_kept = is_kept   # keep the folder after the case
        self.measures_path = os.path.join(folder, "measures")
        self.environment = dict(os.environ, CASE_MEASURES=self.measures_path, LC_ALL="C.UTF-8", HOME=folder)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def program(self, name):
        return os.path.join(self.programs, name)

    def make_folder(self, name, user=None):
        path = self.path(name)
        os.makedirs(path, exist_ok=True)
        if user:
            os.chown(path, *owner_of(user))
        return path

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def run(self, *argv, user=None, patience=300, **options):
        """Run a preparation that must succeed, and return its output."""
        uid, gid = owner_of(user) if user else (None, None)
        done = subprocess.run(argv, check=False, capture_output=True, text=True, timeout=patience, user=uid, group=gid,
                              extra_groups=[] if user else None, env=self.environment, cwd=self.folder, **options)
        if done.returncode != 0:
            raise Failure(f"{argv[0]} failed with status {done.returncode}: {(done.stderr or done.stdout).strip()[-500:]}")
        return done.stdout

    def serve(self, *argv, user=None, address=None, **options):
        """Start a server. If it has an address, wait until it listens there."""
        uid, gid = owner_of(user) if user else (None, None)
        name = os.path.basename(argv[0])
        log = open(self.path(f"{name}.log"), "ab")
        process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, user=uid, group=gid,
                                   extra_groups=[] if user else None, env=self.environment, cwd=self.folder,
                                   preexec_fn=die_with_parent, **options)
        log.close()

        def is_ready():
            if process.poll() is not None:
                with open(self.path(f"{name}.log"), encoding="utf-8", errors="replace") as text:
                    raise Failure(f"{name} ended with status {process.returncode}: {text.read()[-500:].strip()}")
            return answers(address)

        if address is not None:
            await_true(is_ready, f"{name} at {address}")
        return process

    def take_measures(self):
        """Return the measures that the programs wrote since the last call: {name: [ns, …]}."""
        found = {}
        with contextlib.suppress(FileNotFoundError):
            with open(self.measures_path, encoding="utf-8") as lines:
                for line in lines:
                    name, value = line.split()
                    found.setdefault(name, []).append(int(value))
            os.unlink(self.measures_path)
        return found
