"""Sources and kernels of the cases: fetched once with apt, from the system's own mirror."""
# SPDX-License-Identifier: GPL-3.0-or-later

import glob
import os
import re
import shutil
import subprocess

from harness.processes import Failure

KEPT = "/var/cache/tailback-cases"   # part of the tree, and removed with it


def mirror_lines(kind, suite=None):
    """Return the first entry of the system's package sources, changed to another kind or suite."""
    paths = ["/etc/apt/sources.list", *sorted(glob.glob("/etc/apt/sources.list.d/*"))]
    text = "\n".join(open(path, encoding="utf-8").read() for path in paths if os.path.isfile(path))
    found = re.search(r"^deb +(?:\[[^]]*\] +)?(\S+) +(\S+) +", text, re.M)
    if found:
        uri, own_suite = found.group(1), found.group(2)
    else:
        uri = re.search(r"^URIs: *(\S+)", text, re.M)
        own_suite = re.search(r"^Suites: *(\S+)", text, re.M)
        if not uri or not own_suite:
            raise Failure("no package mirror in apt's lists of sources")
        uri, own_suite = uri.group(1), own_suite.group(1)
    return f"{kind} {uri} {suite or own_suite} main\n"


def apt(folder, kind, suite, *words):
    """Run apt-get with separate package lists, so that the system's lists are unchanged."""
    for name in ("state/lists/partial", "cache/archives/partial"):
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    lists = os.path.join(folder, "sources.list")
    with open(lists, "w", encoding="utf-8") as file:
        file.write(mirror_lines(kind, suite))
    options = {"Dir::Etc::SourceList": lists, "Dir::Etc::SourceParts": "/dev/null", "Dir::State::Lists": f"{folder}/state/lists",
               "Dir::Cache": f"{folder}/cache", "APT::Sandbox::User": "root", "Acquire::Languages": "none"}
    given = [word for key, value in options.items() for word in ("-o", f"{key}={value}")]
    for command in (["update"], list(words)):
        done = subprocess.run(["apt-get", "-q", *given, *command], check=False, capture_output=True, text=True, cwd=folder)
        if done.returncode != 0:
            raise Failure(f"apt-get {' '.join(command)}: {done.stderr.strip()[-300:]}")


def fetch_source(package, suite=None):
    """Return a package's original source archive, kept for the next run. Needs the network, so it
    runs before the network is isolated. suite: a suite other than the system's. The archive is the
    upstream one, without Debian's patches."""
    kept = os.path.join(KEPT, f"{suite}-{package}" if suite else package)
    found = glob.glob(os.path.join(kept, "*.orig.tar.*"))
    found = [path for path in found if not path.endswith(".asc")]
    if not found:
        part = kept + ".part"
        shutil.rmtree(part, ignore_errors=True)
        os.makedirs(part)
        apt(part, "deb-src", suite, "source", "--download-only", package)
        shutil.rmtree(kept, ignore_errors=True)
        os.rename(part, kept)
        found = [path for path in glob.glob(os.path.join(kept, "*.orig.tar.*")) if not path.endswith(".asc")]
    if not found:
        raise Failure(f"no source archive of {package}")
    return found[0]


def unpack(package, stage):
    """Return the source's folder with the top makefile, in the case's folder."""
    target = stage.make_folder(package)
    stage.run("rm", "-rf", target)
    stage.run("tar", "--one-top-level=" + target, "--strip-components=1", "-xf", fetch_source(package))
    source = os.path.join(target, "src")
    return source if os.path.isdir(source) else target


def fetch_headers(name, *packages):
    """Return a folder with packages of the system's suite, unpacked but not installed."""
    kept = os.path.join(KEPT, name)
    if not os.path.isdir(kept):
        part = kept + ".part"
        shutil.rmtree(part, ignore_errors=True)
        os.makedirs(part)
        apt(part, "deb", None, "download", *packages)
        for archive in glob.glob(f"{part}/*.deb"):
            subprocess.run(["dpkg-deb", "-x", archive, f"{part}/unpacked"], check=True)
        os.rename(f"{part}/unpacked", kept)
        shutil.rmtree(part)
    return kept


def fetch_kernel(suite, package):
    """Return a folder with an unpacked kernel package of a Debian suite; package: the metapackage
    that depends on the newest kernel."""
    kept = os.path.join(KEPT, f"{suite}-{package}")
    if not os.path.isdir(kept):
        part = kept + ".part"
        shutil.rmtree(part, ignore_errors=True)
        os.makedirs(part)
        apt(part, "deb", suite, "download", package)
        depends = subprocess.run(["dpkg-deb", "-f", *glob.glob(f"{part}/*.deb"), "Depends"], check=True, capture_output=True,
                                 text=True).stdout
        apt(part, "deb", suite, "download", depends.split()[0])
        kernel = glob.glob(f"{part}/{depends.split()[0]}_*.deb")[0]
        subprocess.run(["dpkg-deb", "-x", kernel, f"{part}/unpacked"], check=True)
        os.rename(f"{part}/unpacked", kept)
        shutil.rmtree(part)
    return kept
