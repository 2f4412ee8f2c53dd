"""A Java virtual machine, unpacked beside the tree and not configured there.

The packages of the tree's suite cannot be configured there, and need not be.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import glob
import os
import shutil
import subprocess

from harness import sources
from harness.processes import Failure

PACKAGES = ["openjdk-21-jre-headless", "openjdk-21-jdk-headless"]
KEPT = os.path.join(sources.KEPT, "java-21")


def fetch():
    """Needs the network, so it runs before the network is isolated."""
    if os.path.isdir(KEPT):
        return
    part = KEPT + ".part"
    shutil.rmtree(part, ignore_errors=True)
    os.makedirs(part)
    sources.apt(part, "deb", None, "download", *PACKAGES)
    for package in glob.glob(f"{part}/*.deb"):
        subprocess.run(["dpkg-deb", "-x", package, f"{part}/unpacked"], check=True)
    # Only unpacked: its settings are links to the places of an installed package.
    home = next(iter(glob.glob(f"{part}/unpacked/usr/lib/jvm/java-21-openjdk-*")), None)
    if home is None or not os.path.exists(f"{home}/bin/javac"):
        raise Failure("the packages of Java have another form than is known here")
    settings = f"{part}/unpacked/etc/java-21-openjdk"
    for folder, _, files in os.walk(home):
        for name in files:
            path = os.path.join(folder, name)
            target = os.readlink(path) if os.path.islink(path) else ""
            if target.startswith("/etc/java-21-openjdk"):
                os.unlink(path)
                shutil.copy(settings + target[len("/etc/java-21-openjdk"):], path)
    os.rename(home, KEPT)
    shutil.rmtree(part)


def tool(name):
    return os.path.join(KEPT, "bin", name)


def compile_program(stage, name):
    """Compile a class of the cases' programs into the case's folder."""
    source = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs", name + ".java")
    stage.run(tool("javac"), "-d", stage.folder, source)


def command(stage, name, *words):
    """Return a command with frames that can be walked and compiled functions that have names."""
    return [tool("java"), "-XX:+UseSerialGC", "-Xmx64m", "-XX:+PreserveFramePointer", "-XX:+UnlockDiagnosticVMOptions",
            "-XX:+DumpPerfMapAtExit", "-cp", stage.folder, name, *words]
