"""Real programs with frame pointers, recorded with probes on chosen functions."""
# SPDX-License-Identifier: GPL-3.0-or-later

import collections
import contextlib
import hashlib
import json
import os
import re
import shutil
import subprocess

from harness import recording, services, sources
from harness.processes import Failure, await_true, answers

# Each function has a frame from its first instruction on, so that the inference is measured, not
# the stack walk.
FLAGS = ("-O2 -g -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -fno-optimize-sibling-calls -fno-shrink-wrap "
         "-fno-schedule-insns2")
MOST_CALLS = 12000      # maximum expected calls of a probed function
MOST_FUNCTIONS = 64     # removing one probe from a program takes the kernel up to 0.1 s
MOST_SHOWN = 12         # functions seen in stacks are nested: each probe delays the enclosing ones


class Program:
    """A program and its load. A trial run under callgrind counts the calls of its functions."""

    name = ""
    kind = ""
    package = ""
    binary = ""         # path in its source tree
    growth = 1          # ratio of the load to that of the trial

    def build(self, folder):
        raise NotImplementedError

    def prepare(self, stage, program):
        """Prepare once, before any run."""

    def words(self, program, load):
        """Return the command line. load: whether for the recording, otherwise for the trial. For a
        program without an address the command is the whole load."""
        raise NotImplementedError


def built(program):
    """Return the program's path. It is built once for a set of flags."""
    key = hashlib.sha256((FLAGS + program.binary + str(program.build.__code__.co_consts)).encode()).hexdigest()[:10]
    kept = os.path.join(sources.KEPT, f"{program.name}-{key}")
    if not os.path.isdir(kept):
        part = kept + ".part"
        shutil.rmtree(part, ignore_errors=True)
        os.makedirs(part)
        make(part, "tar", "--strip-components=1", "-xf", sources.fetch_source(program.package))
        program.build(part)
        os.rename(part, kept)
    return os.path.join(kept, program.binary)


def make(folder, *words):
    done = subprocess.run(words, check=False, capture_output=True, text=True, cwd=folder)
    if done.returncode != 0:
        raise Failure(f"{words[0]}: {done.stderr.strip()[-400:]}")


class Gzip(Program):
    name, kind, package, binary, growth = "gzip", "compressor", "gzip", "gzip", 60

    def build(self, folder):
        make(folder, "./configure", "--quiet", f"CFLAGS={FLAGS}")
        make(folder, "make", "-j2")

    def prepare(self, stage, program):
        with open(program, "rb") as file:
            text = file.read()
        self.files = {True: [], False: []}
        for i in range(62):
            path = stage.path(f"input-{i}")
            with open(path, "wb") as file:
                file.write((text[i * 3000:] + text[:i * 3000])[:20000 if i < 2 else 20000 + 4000 * i])
            self.files[i >= 2].append(path)

    def words(self, program, load):
        return [program, "-k", "-f", *self.files[load]]


class Nginx(Program):
    name, kind, package, binary, growth = "nginx", "web server", "nginx", "objs/nginx", 50
    address = 8081

    def build(self, folder):
        make(folder, "./configure", f"--with-cc-opt={FLAGS}", "--without-http_rewrite_module", "--without-pcre",
             "--without-http_gzip_module")
        make(folder, "make", "-j2")

    def prepare(self, stage, program):
        root = stage.make_folder("pages")
        os.chmod(stage.folder, 0o755)
        for i in range(20):
            with open(os.path.join(root, f"{i}.html"), "w", encoding="utf-8") as file:
                file.write("text " * (200 << (i % 8)))
        self.configuration = stage.write("truth.conf", services.NGINX.format(
            folder=stage.folder, port=self.address, http=f"access_log {stage.folder}/access.log;",
            server=f"root {root};").replace("access_log off;", "").replace("daemon off;", "daemon off; master_process off;"))

    def words(self, program, load):
        return [program, "-p", os.path.dirname(self.configuration), "-c", self.configuration]

    def load(self, stage, load):
        return stage.write("load.sh", "".join(
            f"ab -q -n {100 if load else 2} -c 2 {'-k' if i % 2 else ''} http://127.0.0.1:{self.address}/{i}.html >{stage.folder}/ab.log\n"
            for i in range(20)))


class Redis(Program):
    name, kind, package, binary, growth = "redis", "database", "redis", "src/redis-server", 30
    address = 6391

    def build(self, folder):
        make(folder, "make", "-j2", "-C", "src", "MALLOC=libc", "OPTIMIZATION=-O2", f"REDIS_CFLAGS={FLAGS}", "USE_SYSTEMD=no",
             "redis-server")

    def words(self, program, load):
        return [program, "--port", str(self.address), "--bind", "127.0.0.1", "--save", "", "--appendonly", "yes", "--appendfsync",
                "everysec", "--dir", self.folder, "--enable-debug-command", "yes"]

    def prepare(self, stage, program):
        self.folder = stage.make_folder("redis-data")

    def load(self, stage, load):
        lines = [f"redis-benchmark -p {self.address} -t set,get,lpush,lrange_100,zadd,incr -n {900 if load else 30} -c 4 -q"]
        for i in range(30 if load else 1):
            lines.append(f"redis-cli -p {self.address} debug populate {2000 + 1000 * (i % 5)} key{i}")
            lines.append(f"redis-cli -p {self.address} eval \"local n = 0 for i, k in ipairs(redis.call('keys', '*')) do n = n + #k end "
                         "return n\" 0")
        return stage.write("load.sh", "".join(f"{line} >>{stage.folder}/redis.log\n" for line in lines))


PROGRAMS = [Nginx, Redis, Gzip]


# --- choosing ---

def count_calls(path):
    """Return the number of calls of each function in a callgrind file."""
    names, counts, callee = {}, collections.Counter(), None
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            found = re.match(r"c?fn=\((\d+)\)(?: (.*))?", line)
            if found:
                if found.group(2):
                    names[found.group(1)] = found.group(2).strip()
                if line.startswith("c"):
                    callee = names.get(found.group(1))
            elif line.startswith("calls=") and callee:
                counts[re.sub(r"'\d+$", "", callee)] += int(line[6:].split()[0])
    return counts


def list_defined_functions(program):
    """Return the functions that the program itself defines exactly once."""
    found = collections.Counter()
    for line in subprocess.run(["nm", "--defined-only", program], check=True, capture_output=True, text=True).stdout.splitlines():
        words = line.split()
        if len(words) == 3 and words[1] in "tT":
            found[words[2]] += 1
    return {name for name, count in found.items() if count == 1 and re.fullmatch(r"\w+", name) and not name.startswith("_")}


@contextlib.contextmanager
def server(stage, one, words):
    process = stage.serve(*words, address=None)
    try:
        await_true(lambda: answers(one.address), one.name, 60)
        yield process
    finally:
        process.terminate()
        process.wait(30)


def count_trial_calls(stage, one, program, load):
    """Return the number of calls of each function in a whole run. load: whether a short load runs;
    without it a server runs idle."""
    out = stage.path("callgrind")
    words = ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={out}", *one.words(program, False)]
    if not hasattr(one, "address"):
        stage.run(*words)
    else:
        with server(stage, one, words):
            if load:
                stage.run("sh", "-e", one.load(stage, False))
    return count_calls(out)


def select_evenly(names, most):
    """Return an even selection of at most this many names."""
    step = max(len(names) / most, 1)
    return [names[int(i * step)] for i in range(int(len(names) / step))]


def list_shown(stage, one, program):
    """Return the functions in system-call stacks of a trial run."""
    path = stage.path("trial.tailback")
    record(stage, one, program, [], path, False)
    binary = os.path.basename(program)
    paths = recording.Recording(path, "ebpf").analyze("calling-contexts", ["events=syscall", "top=0", f"process={binary}"])["summary"]["paths"]
    return {frame["function"] for found in paths for frame in found["frames"] if frame["module"] == binary}


def list_called(stage, one, program):
    """Return (calls, function) of a trial run, rarely called functions first."""
    counts = count_trial_calls(stage, one, program, True)
    if hasattr(one, "address"):
        # calls at the start and end are not part of the load
        counts.subtract(count_trial_calls(stage, one, program, False))
    own = list_defined_functions(program)
    return sorted((count, name) for name, count in counts.items() if name in own and count > 0)


def list_rarely_called(stage, one, program):
    """Return the functions that are called rarely enough for probes not to dominate the run."""
    return [name for count, name in list_called(stage, one, program) if count * one.growth <= MOST_CALLS]


def choose(stage, one, program):
    """Return as many functions as can be probed, chosen evenly from frequent and rare ones except
    the most frequent; the same selection from those that stacks show; and the number of all called
    functions."""
    called = list_called(stage, one, program)
    chosen = [name for count, name in called if count * one.growth <= MOST_CALLS]
    shown = list_shown(stage, one, program)
    return select_evenly(chosen, MOST_FUNCTIONS), select_evenly([name for name in chosen if name in shown], MOST_SHOWN), len(called)


# --- recording ---

def record(stage, one, program, functions, path, load=True):
    """Record a load, or a trial run, with every call of the functions. Return the number of lost
    events."""
    words = ["record", "--force", "--collector", "ebpf", "-o", path]
    for option in ["syscalls=true", "syscall-stacks=true", "repair-stacks=true", f"ring-size={64 << 20}"] + [f"probe={program}:{name}" for name in functions]:
        words += ["--option", option]
    if not hasattr(one, "address"):
        recording.cli(*words, "--scope", "command", "--", *one.words(program, load), environment=stage.environment, cwd=stage.folder)
    else:
        with server(stage, one, one.words(program, load)) as process:
            recording.cli(*words, "--pid", str(process.pid), "--", "sh", "-e", one.load(stage, load), environment=stage.environment,
                          cwd=stage.folder)
    return json.loads(recording.cli("info", path, "--json").stdout)["lost"]["events"]
