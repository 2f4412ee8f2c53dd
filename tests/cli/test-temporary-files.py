#!/usr/bin/env python3
"""Temporary files: none is left, however the command line ends.

The command line ends at the second signal at the latest.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import fcntl
import os
import random
import resource
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import termios
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402

FIXTURES = os.path.join(tap.BUILD, "tests/cli/fixtures")
PLUGINS = os.pathsep.join([FIXTURES, *tap.BUILT_PLUGINS])
PREFIX = "tailback-run-"
ENDINGS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
# Longer than the time in which signals count as one request; shorter than a user's patience.
PAUSE = 0.3
PATIENCE = 30
# Number of random times at which a signal is sent.
ROUNDS = int(os.environ.get("TAILBACK_KILLS", "30"))


def make_events():
    lines = ["time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack",
             "1000000,0,name,,,,10,,,10,,,client,", "1000000,0,name,,,,20,,,20,,,server,", "1000000,0,switch,0,R,10,,,,,,,,"]
    for i in range(1, 3000):
        lines.append(f"{1000000 + i * 10000},0,switch,{(20, 10)[i % 2]},S,{(10, 20)[i % 2]},,,,,,,,main@client;read@libc.so.6")
    return "\n".join(lines) + "\n"


class Sandbox:
    """Folders for temporary files and the cache, and a file to import."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.tmp = os.path.join(self.folder.name, "tmp")
        self.cache = os.path.join(self.folder.name, "cache")
        os.mkdir(self.tmp)
        os.mkdir(self.cache)
        self.csv = os.path.join(self.folder.name, "events.csv")
        with open(self.csv, "w", encoding="utf-8") as file:
            file.write(make_events())
        self.env = dict(os.environ, TMPDIR=self.tmp, XDG_CACHE_HOME=self.cache)
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def get_endless_environment(self, manner):
        """Return an environment with the endless plug-in. Other commands must not load it: "report"
        would run it."""
        return dict(self.env, TAILBACK_PLUGIN_PATH=PLUGINS, FIXTURE_ENDLESS=manner)

    def cli(self, *arguments, **options):
        return tap.cli(*arguments, env=self.env, **options)

    def list_remaining(self):
        cache = os.path.join(self.cache, "tailback")
        return os.listdir(self.tmp) + (os.listdir(cache) if os.path.isdir(cache) else [])

    def assert_clean(self, what):
        assert not self.list_remaining(), f"{what}: {self.list_remaining()} is left"

    def make_folder(self, name, *files):
        """Make a temporary folder as the command line does."""
        path = os.path.join(self.tmp, name)
        os.mkdir(path, 0o700)
        for file in files:
            with open(os.path.join(path, file), "w", encoding="utf-8") as stream:
                stream.write("" if file == "lock" else "data")
        return path


class Endless:
    """An endless analysis of an imported file, started when its temporary session exists."""

    def __init__(self, sandbox, manner, **options):
        self.process = subprocess.Popen([tap.CLI, "analyze", sandbox.csv, "--analysis", "endless"],
                                        env=sandbox.get_endless_environment(manner), text=True,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **options)
        before = ""
        while not before.endswith(f"endless: {manner}\n"):
            line = self.process.stderr.readline()
            assert line, f"it ends before it begins: {before}"
            before += line
        [self.folder] = [os.path.join(sandbox.tmp, name) for name in os.listdir(sandbox.tmp) if self.is_new(sandbox, name)]
        files = set(os.listdir(self.folder))
        assert {"lock", "import.tailback"} <= files, files
        assert stat.S_IMODE(os.stat(self.folder).st_mode) == 0o700
        self.sandbox = sandbox

    @staticmethod
    def is_new(sandbox, name):
        known = getattr(sandbox, "known", set())
        sandbox.known = known | {name}
        return name.startswith(PREFIX) and name not in known

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stderr.close()

    def send(self, number):
        self.process.send_signal(number)

    def await_end(self):
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise AssertionError("it goes on") from None

    def assert_running(self):
        time.sleep(PAUSE)
        assert self.process.poll() is None, self.process.returncode


def test_success():
    with Sandbox() as sandbox:
        for arguments in (["info", sandbox.csv], ["analyze", sandbox.csv, "--analysis", "threads"],
                          ["analyze", sandbox.csv, "--analysis", "threads", "--from", "+1 parsec"],
                          ["compare", sandbox.csv, sandbox.csv, "--analysis", "threads"],
                          ["export", sandbox.csv, "--exporter", "events-csv", "-o", "-"],
                          ["report", sandbox.csv, "-o", os.path.join(sandbox.folder.name, "report.html")]):
            done = sandbox.cli(*arguments)
            assert done.returncode == (2 if "+1 parsec" in arguments else 0), done
            sandbox.assert_clean(arguments[0])


def run_with_closed_pipe(sandbox, *arguments, **options):
    """Run a command with a standard output that no process reads."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return subprocess.run([tap.CLI, *arguments], env=sandbox.env, stdout=writer, stderr=subprocess.PIPE, text=True, check=False,
                              timeout=PATIENCE, **options)
    finally:
        os.close(writer)


def is_quiet(stderr):
    """Check that the only messages are warnings about the recording itself."""
    return all(line.startswith("warning: ") for line in stderr.splitlines())


def test_closed_pipe():
    """By convention a program ends by SIGPIPE without a message, unless its parent ignores that
    signal."""
    with Sandbox() as sandbox:
        commands = (["info", sandbox.csv], ["analyze", sandbox.csv, "--analysis", "threads"], ["list"], ["--help"],
                    ["export", sandbox.csv, "--exporter", "events-csv", "-o", "-"], ["report", sandbox.csv, "-o", "-"])
        for arguments in commands:
            done = run_with_closed_pipe(sandbox, *arguments)
            assert done.returncode == -signal.SIGPIPE and is_quiet(done.stderr), (arguments, done)
            sandbox.assert_clean(arguments[0])
        done = run_with_closed_pipe(sandbox, *commands[1], restore_signals=False)
        assert done.returncode == 1 and "Broken pipe" in done.stderr.splitlines()[-1], done
        sandbox.assert_clean("an ignored SIGPIPE")


def test_closed_reader():
    with Sandbox() as sandbox:
        done = tap.run("bash", "-c", '"$0" export "$1" --exporter events-csv -o - | head -c 5; echo " ${PIPESTATUS[0]}"', tap.CLI, sandbox.csv, env=sandbox.env)
        assert done.stdout == f"time_ {128 + signal.SIGPIPE}\n" and is_quiet(done.stderr), done
        sandbox.assert_clean("head")


def test_cancelled():
    with Sandbox() as sandbox:
        for number in ENDINGS:
            with Endless(sandbox, "obeys") as endless:
                endless.send(number)
                assert endless.await_end() == 1, endless.process.returncode
                assert endless.process.stderr.read().strip().endswith("interrupted")
                sandbox.assert_clean(number.name)


def test_second_signal():
    """An analysis that does not check for cancellation."""
    with Sandbox() as sandbox:
        for first, second in [(number, number) for number in ENDINGS] + [(signal.SIGINT, signal.SIGTERM)]:
            with Endless(sandbox, "ignores") as endless:
                endless.send(first)
                endless.assert_running()
                endless.send(second)
                assert endless.await_end() == -second, (first, second, endless.process.returncode)
                sandbox.assert_clean(f"{first.name}, {second.name}")


def test_doubled_signal():
    """timeout(1) sends its signal to the process and to its group: together they are one
    request."""
    with Sandbox() as sandbox:
        for _ in range(10):
            with Endless(sandbox, "obeys") as endless:
                endless.send(signal.SIGTERM)
                endless.send(signal.SIGTERM)
                assert endless.await_end() == 1, endless.process.returncode
                sandbox.assert_clean("doubled")


def test_ignored():
    """SIGINT ignored by a shell without job control takes effect again during long work; SIGHUP
    ignored by nohup stays ignored."""
    with Sandbox() as sandbox:
        with Endless(sandbox, "obeys", preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) as endless:
            endless.send(signal.SIGINT)
            assert endless.await_end() == 1, endless.process.returncode
            sandbox.assert_clean("SIGINT")
        with Endless(sandbox, "obeys", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as endless:
            endless.send(signal.SIGHUP)
            endless.assert_running()


def count_bytes(pipe):
    """Return the number of bytes waiting in the pipe."""
    return struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, struct.pack("i", 0)))[0]


def test_blocked_output():
    """The main thread waits for a reader, and there is no work to cancel."""
    with Sandbox() as sandbox:
        for number in ENDINGS:
            reader, writer = os.pipe()
            room = fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
            with subprocess.Popen([tap.CLI, "report", sandbox.csv, "-o", "-"], env=sandbox.env, stdout=writer, stderr=subprocess.PIPE,
                                  text=True) as process:
                os.close(writer)
                end = time.monotonic() + PATIENCE
                while count_bytes(reader) < room:
                    assert process.poll() is None and time.monotonic() < end, process.stderr.read()
                    time.sleep(0.02)
                assert sandbox.list_remaining()
                process.send_signal(number)
                assert process.wait(PATIENCE) == -number, process.returncode
            os.close(reader)
            sandbox.assert_clean(number.name)


def test_any_time():
    """Signals at random times."""
    with Sandbox() as sandbox:
        begin = time.monotonic()
        sandbox.cli("report", sandbox.csv, "-o", "-")
        length = time.monotonic() - begin
        for _ in range(ROUNDS):
            number = random.choice(ENDINGS)
            delay = random.uniform(0, length * 1.2)
            with subprocess.Popen([tap.CLI, "report", sandbox.csv, "-o", "-"], env=sandbox.env, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE) as process:
                time.sleep(delay)
                process.send_signal(number)
                status = process.wait(PATIENCE)
            assert status in (0, 1, -number), (number, delay, status)
            sandbox.assert_clean(f"{number.name} after {delay:.4f} s: status {status}")


def test_killed():
    """Files that cannot be removed at the end, after SIGKILL, are removed at the next start."""
    with Sandbox() as sandbox:
        with Endless(sandbox, "ignores") as endless:
            endless.send(signal.SIGKILL)
            assert endless.await_end() == -signal.SIGKILL
            assert os.path.exists(os.path.join(endless.folder, "import.tailback"))
        assert sandbox.cli("list").returncode == 0
        sandbox.assert_clean("SIGKILL")


def test_crashed():
    with Sandbox() as sandbox:
        process = subprocess.run([tap.CLI, "analyze", sandbox.csv, "--analysis", "endless"], env=sandbox.get_endless_environment("crashes"),
                                 capture_output=True, check=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
        assert process.returncode == -signal.SIGABRT and sandbox.list_remaining(), process
        assert sandbox.cli("info", sandbox.csv).returncode == 0
        sandbox.assert_clean("abort")


def test_two_at_once():
    with Sandbox() as sandbox, Endless(sandbox, "ignores") as first, Endless(sandbox, "obeys") as second:
        assert sandbox.cli("info", sandbox.csv).returncode == 0
        assert os.path.exists(os.path.join(first.folder, "import.tailback"))
        second.send(signal.SIGTERM)
        assert second.await_end() == 1
        assert os.path.exists(os.path.join(first.folder, "import.tailback")) and not os.path.exists(second.folder)
        first.send(signal.SIGKILL)
        first.await_end()
        sandbox.cli("list")
        sandbox.assert_clean("both ended")


def test_foreign_folders():
    """Folders that resemble our temporary folders but are not stay."""
    with Sandbox() as sandbox:
        without_lock = sandbox.make_folder(PREFIX + "AAAAAA", "import.tailback")
        other_name = sandbox.make_folder("tailback-XXXXXX", "lock", "import.tailback")
        target = sandbox.make_folder("target", "lock", "import.tailback")
        os.symlink(target, os.path.join(sandbox.tmp, PREFIX + "BBBBBB"))
        linked_lock = sandbox.make_folder(PREFIX + "CCCCCC", "import.tailback")
        os.symlink(os.path.join(target, "lock"), os.path.join(linked_lock, "lock"))
        open_to_all = sandbox.make_folder(PREFIX + "DDDDDD", "lock", "import.tailback")
        os.chmod(open_to_all, 0o777)
        # It may be a folder that is just being created.
        empty = sandbox.make_folder(PREFIX + "FFFFFF")
        kept = [without_lock, other_name, target, linked_lock, open_to_all]
        if os.geteuid() == 0:
            kept.append(sandbox.make_folder(PREFIX + "EEEEEE", "lock", "import.tailback"))
            os.chown(kept[-1], 12345, 12345)
        assert sandbox.cli("info", sandbox.csv).returncode == 0
        for folder in kept:
            assert os.path.exists(os.path.join(folder, "import.tailback")), f"{folder} was swept"
        assert os.path.islink(os.path.join(sandbox.tmp, PREFIX + "BBBBBB")) and os.path.exists(empty)
        for folder in (empty, without_lock):
            os.utime(folder, (time.time() - 7200, time.time() - 7200))
        assert sandbox.cli("list").returncode == 0
        assert not os.path.exists(empty) and os.path.exists(without_lock)


def test_foreign_files():
    """In a folder that was left behind, only our own files are removed; a link is removed, but not
    its target."""
    with Sandbox() as sandbox:
        kept = os.path.join(sandbox.make_folder("elsewhere", "a.tailback"), "a.tailback")
        names = ["lock", "import.tailback", "import.tailback-wal", "import.tailback-shm", "import.tailback-journal",
                 ".import.tailback.0123abcd", ".import.tailback.0123abcd-wal"]
        sandbox.make_folder(PREFIX + "AAAAAA", *names)
        linked = sandbox.make_folder(PREFIX + "BBBBBB", "lock")
        os.symlink(kept, os.path.join(linked, "b.tailback"))
        mixed = sandbox.make_folder(PREFIX + "CCCCCC", "thesis.txt", *names)
        assert sandbox.cli("list").returncode == 0
        assert sorted(os.listdir(sandbox.tmp)) == sorted(["elsewhere", PREFIX + "CCCCCC"]), os.listdir(sandbox.tmp)
        assert os.listdir(mixed) == ["thesis.txt"] and os.path.exists(kept)


def test_output():
    """A file being written has no name until it is complete, so a killed program leaves none or a
    complete one."""
    with Sandbox() as sandbox:
        out = os.path.join(sandbox.folder.name, "out")
        path = os.path.join(out, "a.csv")
        os.mkdir(out)
        command = ["export", sandbox.csv, "--exporter", "events-csv", "-o", path]
        begin = time.monotonic()
        sandbox.cli(*command)
        length = time.monotonic() - begin
        size = os.path.getsize(path)
        for i in range(20):
            if os.path.exists(path):
                os.unlink(path)
            end = time.monotonic() + (random.uniform(0, length) if i % 2 else PATIENCE)
            with subprocess.Popen([tap.CLI, *command], env=sandbox.env, stderr=subprocess.DEVNULL) as process:
                while not os.listdir(out) and process.poll() is None and time.monotonic() < end:
                    time.sleep(0.0005)
                process.kill()
            assert os.listdir(out) in ([], ["a.csv"]), os.listdir(out)
            assert not os.path.exists(path) or os.path.getsize(path) == size


if __name__ == "__main__":
    sys.exit(tap.main([test_success, test_closed_pipe, test_closed_reader, test_cancelled, test_second_signal, test_doubled_signal, test_ignored,
                       test_blocked_output, test_any_time, test_killed, test_crashed, test_two_at_once, test_foreign_folders,
                       test_foreign_files, test_output]))
