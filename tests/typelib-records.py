#!/usr/bin/env python3
"""Check that each record has the same size for C and in the typelib, by which other languages
allocate it."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import re
import shlex
import struct
import subprocess
import sys
import tempfile

import gi

gi.require_version("GIRepository", "2.0")
from gi.repository import GIRepository  # noqa: E402

sys.path.insert(0, os.path.join(os.environ["TAILBACK_SOURCE"], "tests/cli"))
import tap  # noqa: E402

LIBRARIES = {
    "Tailback": ("tailback.h", ["gio-2.0", "json-glib-1.0"], 70),
    "TailbackGtk": ("widgets/tailback-gtk.h", ["gtk4", "libadwaita-1", "json-glib-1.0"], 1),
}


def list_records(namespace):
    """Name and size of the records that have fields, without those of classes."""
    repository = GIRepository.Repository.get_default()
    repository.require(namespace, "1", 0)
    for i in range(repository.get_n_infos(namespace)):
        info = repository.get_info(namespace, i)
        if (info.get_type() == GIRepository.InfoType.STRUCT
                and not GIRepository.struct_info_is_gtype_struct(info)
                and GIRepository.struct_info_get_n_fields(info) > 0):
            yield info.get_name(), GIRepository.struct_info_get_size(info)


def list_declared(namespace):
    """Names of the records with members that the installed headers declare, without those that have
    the comment (skip): these are for C only."""
    with open(os.path.join(tap.BUILD, "meson-info/intro-installed.json"), encoding="utf-8") as file:
        installed = json.load(file)
    for source, target in installed.items():
        _, include, name = target.partition("/include/tailback-1/")
        if not include or name.startswith("widgets/") != (namespace == "TailbackGtk"):
            continue
        with open(source, encoding="utf-8") as file:
            text = file.read()
        skipped = set(re.findall(r"\* Tb(\w+): .*\(skip\)", text))
        names = re.findall(r"typedef (?:struct|union)(?: \w+)?\s*\{.*?^\} Tb(\w+);", text,
                           re.DOTALL | re.MULTILINE)
        names += re.findall(r"^(?:struct|union) _Tb(\w+)\s*\{", text, re.MULTILINE)
        yield from (name for name in names
                    if name not in skipped and not re.search("(Class|Interface)$", name))


def measure(header, packages, names):
    """Sizes of the records for C."""
    source = os.environ["TAILBACK_SOURCE"]
    flags = shlex.split(subprocess.run(["pkg-config", "--cflags", *packages], capture_output=True,
                                       text=True, check=True).stdout)
    lines = "".join(f'printf ("%zu\\n", sizeof (Tb{name}));' for name in names)
    text = f'#include <stdio.h>\n#include "{header}"\nint main (void) {{ {lines} return 0; }}\n'
    with tempfile.TemporaryDirectory(prefix="tailback-records-") as folder:
        program = os.path.join(folder, "sizes")
        done = subprocess.run(["cc", "-std=gnu17", "-x", "c", *flags, "-I", tap.BUILD,
                               "-I", os.path.join(source, "app"), "-I",
                               os.path.join(tap.BUILD, "app"), "-o", program, "-"], check=False,
                              input=text, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return [int(line) for line in tap.run(program).stdout.split()]


def check(namespace):
    header, packages, at_least = LIBRARIES[namespace]
    records = dict(list_records(namespace))
    assert len(records) >= at_least, records
    declared = set(list_declared(namespace))
    assert declared <= set(records), f"not in the typelib: {declared - set(records)}"
    sizes = dict(zip(records, measure(header, packages, records)))
    assert records == sizes, {name: (records[name], sizes[name])
                              for name in records if records[name] != sizes[name]}


def test_library():
    check("Tailback")


def test_filled():
    """Functions that fill a record of the caller write into it, and not beyond."""
    gi.require_version("Tailback", "1")
    from gi.repository import GLib, Tailback
    timeline = Tailback.TimelineFigure.new("id", "Title", 0, 100)
    track = timeline.add_track("a", "A", None, 5)
    times = [GLib.Bytes.new(struct.pack("2q", *pair)) for pair in ((0, 10), (5, 20))]
    timeline.set_intervals(track, 2, *times, GLib.Bytes.new(bytes([1, 2])))
    timeline.freeze()
    coverages = [timeline.get_coverage(track, 0, 20) for _ in range(100)]
    assert {coverage.present for coverage in coverages} == {0b110}
    spreads = [Tailback.Spread.measure([1, 3], [2, 4]) for _ in range(100)]
    assert {(spread.delta, spread.within_noise) for spread in spreads} == {(1.0, True)}


def test_widgets():
    check("TailbackGtk")


if __name__ == "__main__":
    sys.exit(tap.main([test_library, test_filled, test_widgets]))
