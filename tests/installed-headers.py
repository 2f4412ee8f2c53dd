#!/usr/bin/env python3
"""Check that the installed headers compile without any header of the source tree."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ["TAILBACK_SOURCE"], "tests/cli"))
import tap  # noqa: E402

AT_LEAST = 50


def copy_headers(folder):
    """Copy the installed headers to a folder; return their names as in an #include."""
    with open(os.path.join(tap.BUILD, "meson-info/intro-installed.json"), encoding="utf-8") as file:
        installed = json.load(file)
    names = []
    for source, target in installed.items():
        _, include, name = target.partition("/include/tailback-1/")
        if include:
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            shutil.copy(source, os.path.join(folder, name))
            names.append(name)
    return sorted(names)


def compile_header(name, folder, flags):
    return tap.run("cc", "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c", *flags, "-I", folder, "-include", name, "/dev/null")


def flags_of(*packages):
    return shlex.split(subprocess.run(["pkg-config", "--cflags", *packages], capture_output=True, text=True, check=True).stdout)


def test_headers():
    """Compile tailback-annotate.h and each library header alone. The widgets are compiled through
    their common header only, since GTK takes a second each time."""
    library, widgets = flags_of("gio-2.0", "json-glib-1.0"), flags_of("gtk4", "libadwaita-1", "json-glib-1.0")
    with tempfile.TemporaryDirectory(prefix="tailback-headers-") as folder:
        names = copy_headers(folder)
        assert len(names) >= AT_LEAST, names
        assert not [name for name in names if name.endswith("-private.h")]
        for name in names:
            if name.startswith("widgets/") and name != "widgets/tailback-gtk.h":
                continue
            flags = {"tailback-annotate.h": [], "widgets/tailback-gtk.h": widgets}.get(name, library)
            done = compile_header(name, folder, flags)
            assert done.returncode == 0, f"{name}: {done.stderr}"


def test_common_header():
    """tailback.h includes all headers of the library: each that comes after it is known."""
    flags = flags_of("gio-2.0", "json-glib-1.0")
    with tempfile.TemporaryDirectory(prefix="tailback-headers-") as folder:
        names = {name for name in copy_headers(folder)
                 if not name.startswith("widgets/") and name != "tailback-annotate.h"}
        done = tap.run("cc", "-std=gnu17", "-M", *flags, "-I", folder,
                       os.path.join(folder, "tailback.h"))
        assert done.returncode == 0, done.stderr
        read = {os.path.relpath(word, folder) for word in done.stdout.split()[1:] if word != "\\"}
        assert names <= read, sorted(names - read)


def test_annotations():
    """Compile an annotated program in C and in C++ with the flags from pkg-config; it must link no
    library."""
    text = """#include <tailback-annotate.h>
    int main (void) { static int lock; tailback_phase_begin ("all"); tailback_spin_begin (&lock); tailback_spin_end (&lock);
    tailback_release (&lock); tailback_false_wakeup (); tailback_work_done ("unit", 1); tailback_phase_end ("all"); return 0; }"""
    with tempfile.TemporaryDirectory(prefix="tailback-headers-") as folder:
        copy_headers(os.path.join(folder, "include/tailback-1"))
        words = ["pkg-config", "--define-variable=prefix=" + folder]
        environment = {**os.environ, "PKG_CONFIG_PATH": os.path.join(tap.BUILD, "meson-private")}
        flags = {what: subprocess.run([*words, what, "tailback-annotate-1"], capture_output=True,
                                      text=True, check=True, env=environment).stdout.split()
                for what in ("--cflags", "--libs")}
        assert flags["--cflags"] == ["-I" + os.path.join(folder, "include/tailback-1")], flags
        assert not flags["--libs"], flags
        for language, compiler in (("c", "cc"), ("c++", "c++")):
            program = os.path.join(folder, "program-" + language[-1])
            done = subprocess.run([compiler, "-x", language, "-Wall", "-Wextra", "-Werror",
                                   *flags["--cflags"], "-o", program, "-"], check=False,
                                  input=text, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            notes = tap.run("readelf", "--notes", program).stdout
            marks = {line.split()[-1] for line in notes.splitlines() if line.strip().startswith("Name:")}
            assert marks == {"phase_begin", "phase_end", "spin_begin", "spin_end", "release", "false_wakeup", "work_done"}, notes
            assert subprocess.run([program], check=False).returncode == 0


VERSIONS = """#include <libpeas.h>
#include <stdio.h>
#include <tailback.h>
#if !TB_CHECK_VERSION (0, 1, 0) || TB_CHECK_VERSION (TB_MAJOR_VERSION, TB_MINOR_VERSION, 1000)
#error
#endif
int main (void) { printf ("%d", TB_API_VERSION); return 0; }
"""


def test_pkg_config():
    """What pkg-config prints for an author is enough to compile a plug-in, and names its places."""
    path = os.path.join(tap.BUILD, "meson-private")
    environment = dict(os.environ, PKG_CONFIG_PATH=path)

    def ask(*arguments):
        done = tap.run("pkg-config", *arguments, "libtailback-1", env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    names = ("libdir", "datadir", "plugindir", "userplugindir", "pluginapi")
    found = {name: ask("--variable=" + name) for name in names}
    assert found["plugindir"] == found["libdir"] + "/tailback/plugins", found
    assert found["datadir"].endswith("/share"), found
    assert found["userplugindir"] == "~/.local/share/tailback/plugins", found
    with tempfile.TemporaryDirectory(prefix="tailback-headers-") as folder:
        copy_headers(folder)
        program = os.path.join(folder, "version")
        done = subprocess.run(["cc", "-std=gnu17", "-x", "c", *shlex.split(ask("--cflags")), "-I",
                               folder, "-o", program, "-"], check=False, input=VERSIONS,
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert tap.run(program).stdout == found["pluginapi"] == "1"


def test_missing_header_is_found():
    """Check that this test finds a missing header."""
    with tempfile.TemporaryDirectory(prefix="tailback-headers-") as folder:
        copy_headers(folder)
        os.unlink(os.path.join(folder, "report/tb-figure.h"))
        assert compile_header("tailback.h", folder, flags_of("gio-2.0", "json-glib-1.0")).returncode != 0


if __name__ == "__main__":
    sys.exit(tap.main([test_headers, test_common_header, test_annotations,
                       test_pkg_config, test_missing_header_is_found]))
