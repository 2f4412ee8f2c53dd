#!/usr/bin/env python3
"""Check that the introspection data have what the public headers declare, and nothing else:
functions that the library exports, all constants with their values, values of enumerations by
short names without their number, and no name that Python keeps for itself."""
# SPDX-License-Identifier: GPL-3.0-or-later

import ctypes
import json
import keyword
import os
import re
import shlex
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

SOURCE = os.environ["TAILBACK_SOURCE"]
sys.path.insert(0, os.path.join(SOURCE, "tests/cli"))
import tap  # noqa: E402

GIR = "{http://www.gtk.org/introspection/core/1.0}"
CORE = "{http://www.gtk.org/introspection/c/1.0}"
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# GIR, library, common header, packages, folder of its headers
LIBRARIES = {
    "Tailback": ("app/Tailback-1.gir", "app/libtailback-1.so", "tailback.h",
                 ["gio-2.0", "json-glib-1.0"]),
    "TailbackGtk": ("app/widgets/TailbackGtk-1.gir", "app/widgets/libtailback-gtk-1.so",
                    "widgets/tailback-gtk.h", ["gtk4", "libadwaita-1", "json-glib-1.0"]),
}
CALLABLES = ("function", "method", "constructor")
# Macros for C only: types and their casts, declarations, and what has a type of GObject.
C_ONLY = re.compile(r"TB_(TYPE_\w+|EXPORT|OPTION_FLAGS|\w+_ERROR)$")


def read_gir(library):
    path = os.path.join(tap.BUILD, LIBRARIES[library][0])
    return ElementTree.parse(path).getroot().find(GIR + "namespace")


def read_headers(library):
    """The installed headers of the library, without comments."""
    with open(os.path.join(tap.BUILD, "meson-info/intro-installed.json"), encoding="utf-8") as file:
        installed = json.load(file)
    texts = []
    for source, target in installed.items():
        _, include, name = target.partition("/include/tailback-1/")
        if include and name.startswith("widgets/") == (library == "TailbackGtk"):
            with open(source, encoding="utf-8") as file:
                texts.append(COMMENT.sub("", file.read()))
    assert texts
    return "\n".join(texts)


def list_identifiers(namespace):
    """Yield what C calls the functions, types and constants."""
    for element in namespace.iter():
        tag = element.tag.removeprefix(GIR)
        if tag in CALLABLES:
            yield element.get(CORE + "identifier")
        elif tag in ("class", "interface", "record", "union", "enumeration", "bitfield", "constant",
                     "callback", "alias") and element.get(CORE + "type"):
            yield element.get(CORE + "type")


def check_public(library):
    """A declaration of a private header, or a function that was forgotten in a library."""
    words = set(re.findall(r"\w+", read_headers(library)))
    # G_DECLARE_FINAL_TYPE() makes names of classes, interfaces and their functions.
    made = {f"{prefix}{name}{suffix}" for prefix in ("", "_") for name in words
            if name.startswith("Tb") for suffix in ("Class", "Interface")}
    made |= {name + "_get_type" for name in words}
    strange = {name for name in list_identifiers(read_gir(library)) if name not in words | made}
    assert not strange, sorted(strange)


def check_exported(library):
    module = ctypes.CDLL(os.path.join(tap.BUILD, LIBRARIES[library][1]))
    names = [element.get(CORE + "identifier") for element in read_gir(library).iter()
             if element.tag.removeprefix(GIR) in CALLABLES]
    missing = [name for name in names if not hasattr(module, name)]
    assert len(names) > 50 and not missing, missing


def compile_values(library, names):
    """The values of integers and strings for C."""
    _, _, header, packages = LIBRARIES[library]
    flags = shlex.split(tap.run("pkg-config", "--cflags", *packages).stdout)
    lines = "".join(f'show ({name});' for name in names)
    text = f"""#include <stdio.h>
#include "{header}"
static void show_text (const char *text) {{ puts (text); }}
static void show_real (double number) {{ printf ("%.17g\\n", number); }}
static void show_signed (gint64 number) {{ printf ("%" G_GINT64_FORMAT "\\n", number); }}
static void show_unsigned (guint64 number) {{ printf ("%" G_GUINT64_FORMAT "\\n", number); }}
#define show(value) _Generic ((value), char *: show_text, double: show_real, \\
  guint8: show_unsigned, guint16: show_unsigned, guint: show_unsigned, guint64: show_unsigned, \\
  default: show_signed) (value)
int main (void) {{ {lines} return 0; }}
"""
    with tempfile.TemporaryDirectory(prefix="tailback-values-") as folder:
        program = os.path.join(folder, "values")
        done = subprocess.run(["cc", "-std=gnu17", "-x", "c", *flags, "-I", tap.BUILD, "-I",
                               os.path.join(SOURCE, "app"), "-I", os.path.join(tap.BUILD, "app"),
                               "-o", program, "-"], check=False, input=text, capture_output=True,
                              text=True)
        assert done.returncode == 0, done.stderr
        return tap.run(program).stdout.splitlines()


def check_constants(library, at_least):
    """Each has the value in the typelib that it has for C."""
    macros = re.findall(r"^#define (TB_\w+) +\S", read_headers(library), re.MULTILINE)
    macros = sorted({name for name in macros if not C_ONLY.match(name)})
    assert len(macros) >= at_least, macros
    values = dict(zip(macros, compile_values(library, macros), strict=True))
    found = {element.get(CORE + "type"): element.get("value")
             for element in read_gir(library).findall(GIR + "constant")}
    wrong = {name: (values[name], found.get(name)) for name in macros
             if name not in found or not is_equal(values[name], found[name])}
    assert not wrong, wrong


def is_equal(of_c, of_gir):
    try:
        return float(of_c) == float(of_gir)
    except ValueError:
        return of_c == of_gir


def list_enumerations(library):
    """Name for C and members: name in the introspection data, name for C, value."""
    for element in read_gir(library):
        if element.tag in (GIR + "enumeration", GIR + "bitfield"):
            yield element.get(CORE + "type"), [
                (member.get("name"), member.get(CORE + "identifier"), member.get("value"))
                for member in element.findall(GIR + "member")]


def check_enumerations(library, at_least):
    found = dict(list_enumerations(library))
    declared = re.findall(r"typedef enum\s*\{[^}]*\}\s*(\w+);", read_headers(library))
    assert len(declared) >= at_least and set(declared) <= set(found), set(declared) - set(found)
    everything = [member for members in found.values() for member in members]
    values = compile_values(library, [name for _, name, _ in everything])
    wrong = [(name, value, of_c) for (_, name, value), of_c in zip(everything, values, strict=True)
             if int(value) != int(of_c)]
    assert not wrong, wrong
    counts = [name for _, name, _ in everything if re.search("_N_|_LAST$", name)]
    assert not counts, f"counts that are values: {counts}"
    for name, members in found.items():
        first = {member.partition("_")[0] for member, _, _ in members}
        assert len(members) == 1 or len(first) > 1, f"all names of {name} have the same beginning"


def check_names(library, at_least):
    """What has the name of a keyword can be neither called nor written in Python."""
    names = {element.get("name") for element in read_gir(library).iter()
             if element.tag.removeprefix(GIR) in (*CALLABLES, "virtual-method", "property")}
    kept = sorted(name for name in names if keyword.iskeyword(name))
    assert len(names) >= at_least and not kept, (len(names), kept)


def test_public():
    check_public("Tailback")
    check_public("TailbackGtk")


def test_exported():
    check_exported("Tailback")
    check_exported("TailbackGtk")


def test_constants():
    check_constants("Tailback", 80)
    check_constants("TailbackGtk", 1)


def test_enumerations():
    check_enumerations("Tailback", 40)
    check_enumerations("TailbackGtk", 1)


def test_names():
    check_names("Tailback", 500)
    check_names("TailbackGtk", 50)


if __name__ == "__main__":
    sys.exit(tap.main([test_public, test_exported, test_constants, test_enumerations, test_names]))
