#!/usr/bin/env python3
"""Temporary files: none stays, however the command line ends; and it ends at the second signal at the latest."""
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
PLUGINS = f"{FIXTURES}:{os.path.join(tap.BUILD, 'plugins')}"
PREFIX = "tailback-run-"
ENDINGS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
# Longer than what counts as one request; shorter than a person is patient.
PAUSE = 0.3
PATIENCE = 30
# At how many random moments a signal is sent.
ROUNDS = int(os.environ.get("TAILBACK_KILLS", "30"))


def make_events():
    lines = ["time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes,text,stack",
             "1000000,0,name,,,,10,,,10,,,client,", "1000000,0,name,,,,20,,,20,,,server,", "1000000,0,switch,0,R,10,,,,,,,,"]
    for i in range(1, 3000):
        lines.append(f"{1000000 + i * 10000},0,switch,{(20, 10)[i % 2]},S,{(10, 20)[i % 2]},,,,,,,,main@client;read@libc.so.6")
    return "\n".join(lines) + "\n"


class Place:
    """A folder for temporary files and a cache of our own, and a file to import."""

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

    def env_of_endless(self, manner):
        """No other command may see that plug-in: "report" would run it."""
        return dict(self.env, TAILBACK_PLUGIN_PATH=PLUGINS, FIXTURE_ENDLESS=manner)

    def cli(self, *arguments, **options):
        return tap.cli(*arguments, env=self.env, **options)

    def list_left(self):
        cache = os.path.join(self.cache, "tailback")
        return os.listdir(self.tmp) + (os.listdir(cache) if os.path.isdir(cache) else [])

    def assert_clean(self, what):
        assert not self.list_left(), f"{what}: {self.list_left()} is left"

    def make_folder(self, name, *files):
        """A folder as the command line makes them."""
        path = os.path.join(self.tmp, name)
        os.mkdir(path, 0o700)
        for file in files:
            with open(os.path.join(path, file), "w", encoding="utf-8") as stream:
                stream.write("" if file == "lock" else "data")
        return path


class Endless:
    """An analysis of an imported file that does not end by itself; its temporary session is there when this has started."""

    def __init__(self, place, manner, **options):
        self.process = subprocess.Popen([tap.CLI, "analyze", place.csv, "--analysis", "endless"],
                                        env=place.env_of_endless(manner), text=True,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **options)
        before = ""
        while not before.endswith(f"endless: {manner}\n"):
            line = self.process.stderr.readline()
            assert line, f"it ends before it begins: {before}"
            before += line
        [self.folder] = [os.path.join(place.tmp, name) for name in os.listdir(place.tmp) if self.is_new(place, name)]
        files = set(os.listdir(self.folder))
        assert {"lock", "import.tailback"} <= files, files
        assert stat.S_IMODE(os.stat(self.folder).st_mode) == 0o700
        self.place = place

    @staticmethod
    def is_new(place, name):
        known = getattr(place, "known", set())
        place.known = known | {name}
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

    def assert_goes_on(self):
        time.sleep(PAUSE)
        assert self.process.poll() is None, self.process.returncode


def test_success():
    with Place() as place:
        for arguments in (["info", place.csv], ["analyze", place.csv, "--analysis", "threads"],
                          ["analyze", place.csv, "--analysis", "threads", "--from", "+1 parsec"],
                          ["compare", place.csv, place.csv, "--analysis", "threads"],
                          ["export", place.csv, "--exporter", "events-csv", "-o", "-"],
                          ["report", place.csv, "-o", os.path.join(place.folder.name, "report.html")]):
            done = place.cli(*arguments)
            assert done.returncode == (2 if "+1 parsec" in arguments else 0), done
            place.assert_clean(arguments[0])


def end_by_pipe(place, *arguments, **options):
    """Runs it with a standard output that nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return subprocess.run([tap.CLI, *arguments], env=place.env, stdout=writer, stderr=subprocess.PIPE, text=True, check=False,
                              timeout=PATIENCE, **options)
    finally:
        os.close(writer)


def is_quiet(stderr):
    """But for what the recording itself lacks."""
    return all(line.startswith("warning: ") for line in stderr.splitlines())


def test_closed_pipe():
    """As programs do by convention: it ends by SIGPIPE and without a word, unless who started it ignores that."""
    with Place() as place:
        commands = (["info", place.csv], ["analyze", place.csv, "--analysis", "threads"], ["list"], ["--help"],
                    ["export", place.csv, "--exporter", "events-csv", "-o", "-"], ["report", place.csv, "-o", "-"])
        for arguments in commands:
            done = end_by_pipe(place, *arguments)
            assert done.returncode == -signal.SIGPIPE and is_quiet(done.stderr), (arguments, done)
            place.assert_clean(arguments[0])
        done = end_by_pipe(place, *commands[1], restore_signals=False)
        assert done.returncode == 1 and "Broken pipe" in done.stderr.splitlines()[-1], done
        place.assert_clean("an ignored SIGPIPE")


def test_head():
    with Place() as place:
        done = tap.run("bash", "-c", '"$0" export "$1" --exporter events-csv -o - | head -c 5; echo " ${PIPESTATUS[0]}"', tap.CLI, place.csv, env=place.env)
        assert done.stdout == f"time_ {128 + signal.SIGPIPE}\n" and is_quiet(done.stderr), done
        place.assert_clean("head")


def test_cancelled():
    with Place() as place:
        for number in ENDINGS:
            with Endless(place, "obeys") as endless:
                endless.send(number)
                assert endless.await_end() == 1, endless.process.returncode
                assert endless.process.stderr.read().strip().endswith("interrupted")
                place.assert_clean(number.name)


def test_second_signal():
    """An analysis that does not look whether it is cancelled."""
    with Place() as place:
        for first, second in [(number, number) for number in ENDINGS] + [(signal.SIGINT, signal.SIGTERM)]:
            with Endless(place, "ignores") as endless:
                endless.send(first)
                endless.assert_goes_on()
                endless.send(second)
                assert endless.await_end() == -second, (first, second, endless.process.returncode)
                place.assert_clean(f"{first.name}, {second.name}")


def test_doubled_signal():
    """timeout(1) sends its signal to the process and to its group: it is one request all the same."""
    with Place() as place:
        for _ in range(10):
            with Endless(place, "obeys") as endless:
                endless.send(signal.SIGTERM)
                endless.send(signal.SIGTERM)
                assert endless.await_end() == 1, endless.process.returncode
                place.assert_clean("doubled")


def test_ignored():
    """What a shell without job control does to SIGINT holds no longer than until there is long work; nohup holds."""
    with Place() as place:
        with Endless(place, "obeys", preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) as endless:
            endless.send(signal.SIGINT)
            assert endless.await_end() == 1, endless.process.returncode
            place.assert_clean("SIGINT")
        with Endless(place, "obeys", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as endless:
            endless.send(signal.SIGHUP)
            endless.assert_goes_on()


def count_bytes(pipe):
    """How many wait in it to be read."""
    return struct.unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, struct.pack("i", 0)))[0]


def test_blocked_output():
    """The main thread waits for who reads, and there is no work to cancel."""
    with Place() as place:
        for number in ENDINGS:
            reader, writer = os.pipe()
            room = fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
            with subprocess.Popen([tap.CLI, "report", place.csv, "-o", "-"], env=place.env, stdout=writer, stderr=subprocess.PIPE,
                                  text=True) as process:
                os.close(writer)
                end = time.monotonic() + PATIENCE
                while count_bytes(reader) < room:
                    assert process.poll() is None and time.monotonic() < end, process.stderr.read()
                    time.sleep(0.02)
                assert place.list_left()
                process.send_signal(number)
                assert process.wait(PATIENCE) == -number, process.returncode
            os.close(reader)
            place.assert_clean(number.name)


def test_any_time():
    """At whatever moment the signal comes."""
    with Place() as place:
        begin = time.monotonic()
        place.cli("report", place.csv, "-o", "-")
        length = time.monotonic() - begin
        for _ in range(ROUNDS):
            number = random.choice(ENDINGS)
            delay = random.uniform(0, length * 1.2)
            with subprocess.Popen([tap.CLI, "report", place.csv, "-o", "-"], env=place.env, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE) as process:
                time.sleep(delay)
                process.send_signal(number)
                status = process.wait(PATIENCE)
            assert status in (0, 1, -number), (number, delay, status)
            place.assert_clean(f"{number.name} after {delay:.4f} s: status {status}")


def test_killed():
    """What nothing can be done against is removed by the next start."""
    with Place() as place:
        with Endless(place, "ignores") as endless:
            endless.send(signal.SIGKILL)
            assert endless.await_end() == -signal.SIGKILL
            assert os.path.exists(os.path.join(endless.folder, "import.tailback"))
        assert place.cli("list").returncode == 0
        place.assert_clean("SIGKILL")


def test_crashed():
    with Place() as place:
        process = subprocess.run([tap.CLI, "analyze", place.csv, "--analysis", "endless"], env=place.env_of_endless("crashes"),
                                 capture_output=True, check=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)))
        assert process.returncode == -signal.SIGABRT and place.list_left(), process
        assert place.cli("info", place.csv).returncode == 0
        place.assert_clean("abort")


def test_two_at_once():
    with Place() as place, Endless(place, "ignores") as first, Endless(place, "obeys") as second:
        assert place.cli("info", place.csv).returncode == 0
        assert os.path.exists(os.path.join(first.folder, "import.tailback"))
        second.send(signal.SIGTERM)
        assert second.await_end() == 1
        assert os.path.exists(os.path.join(first.folder, "import.tailback")) and not os.path.exists(second.folder)
        first.send(signal.SIGKILL)
        first.await_end()
        place.cli("list")
        place.assert_clean("both ended")


def test_foreign_folders():
    """What looks like ours, but is not, stays."""
    with Place() as place:
        without_lock = place.make_folder(PREFIX + "AAAAAA", "import.tailback")
        other_name = place.make_folder("tailback-XXXXXX", "lock", "import.tailback")
        target = place.make_folder("target", "lock", "import.tailback")
        os.symlink(target, os.path.join(place.tmp, PREFIX + "BBBBBB"))
        linked_lock = place.make_folder(PREFIX + "CCCCCC", "import.tailback")
        os.symlink(os.path.join(target, "lock"), os.path.join(linked_lock, "lock"))
        open_to_all = place.make_folder(PREFIX + "DDDDDD", "lock", "import.tailback")
        os.chmod(open_to_all, 0o777)
        # It may be one that is just being made.
        empty = place.make_folder(PREFIX + "FFFFFF")
        kept = [without_lock, other_name, target, linked_lock, open_to_all]
        if os.geteuid() == 0:
            kept.append(place.make_folder(PREFIX + "EEEEEE", "lock", "import.tailback"))
            os.chown(kept[-1], 12345, 12345)
        assert place.cli("info", place.csv).returncode == 0
        for folder in kept:
            assert os.path.exists(os.path.join(folder, "import.tailback")), f"{folder} was swept"
        assert os.path.islink(os.path.join(place.tmp, PREFIX + "BBBBBB")) and os.path.exists(empty)
        for folder in (empty, without_lock):
            os.utime(folder, (time.time() - 7200, time.time() - 7200))
        assert place.cli("list").returncode == 0
        assert not os.path.exists(empty) and os.path.exists(without_lock)


def test_foreign_files():
    """Of a folder that was left only what can be ours goes; a link goes itself, not what it leads to."""
    with Place() as place:
        kept = os.path.join(place.make_folder("elsewhere", "a.tailback"), "a.tailback")
        names = ["lock", "import.tailback", "import.tailback-wal", "import.tailback-shm", "import.tailback-journal",
                 ".import.tailback.0123abcd", ".import.tailback.0123abcd-wal"]
        place.make_folder(PREFIX + "AAAAAA", *names)
        linked = place.make_folder(PREFIX + "BBBBBB", "lock")
        os.symlink(kept, os.path.join(linked, "b.tailback"))
        mixed = place.make_folder(PREFIX + "CCCCCC", "thesis.txt", *names)
        assert place.cli("list").returncode == 0
        assert sorted(os.listdir(place.tmp)) == sorted(["elsewhere", PREFIX + "CCCCCC"]), os.listdir(place.tmp)
        assert os.listdir(mixed) == ["thesis.txt"] and os.path.exists(kept)


def test_output():
    """A file that is written when the program is killed has no name yet; with a name it is whole."""
    with Place() as place:
        out = os.path.join(place.folder.name, "out")
        path = os.path.join(out, "a.csv")
        os.mkdir(out)
        command = ["export", place.csv, "--exporter", "events-csv", "-o", path]
        begin = time.monotonic()
        place.cli(*command)
        length = time.monotonic() - begin
        size = os.path.getsize(path)
        for i in range(20):
            if os.path.exists(path):
                os.unlink(path)
            end = time.monotonic() + (random.uniform(0, length) if i % 2 else PATIENCE)
            with subprocess.Popen([tap.CLI, *command], env=place.env, stderr=subprocess.DEVNULL) as process:
                while not os.listdir(out) and process.poll() is None and time.monotonic() < end:
                    time.sleep(0.0005)
                process.kill()
            assert os.listdir(out) in ([], ["a.csv"]), os.listdir(out)
            assert not os.path.exists(path) or os.path.getsize(path) == size


if __name__ == "__main__":
    sys.exit(tap.main([test_success, test_closed_pipe, test_head, test_cancelled, test_second_signal, test_doubled_signal, test_ignored,
                       test_blocked_output, test_any_time, test_killed, test_crashed, test_two_at_once, test_foreign_folders,
                       test_foreign_files, test_output]))
