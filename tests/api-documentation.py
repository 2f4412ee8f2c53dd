#!/usr/bin/env python3
"""Check that every public symbol of the libraries is documented: what gi-docgen check reports,
virtual functions, members of records, and links to symbols that do not exist."""
# SPDX-License-Identifier: GPL-3.0-or-later

import glob
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

SOURCE = os.environ["TAILBACK_SOURCE"]
sys.path.insert(0, os.path.join(SOURCE, "tests/cli"))
import tap  # noqa: E402

COLOR = re.compile(r"\x1b\[[0-9;]*m")
GIR = "{http://www.gtk.org/introspection/core/1.0}"
GLIB = "{http://www.gtk.org/introspection/glib/1.0}"
GTYPE_STRUCT = GLIB + "is-gtype-struct-for"
LIBRARIES = {"tailback": ("Tailback", "Tailback-1.gir"),
             "tailback-gtk": ("TailbackGtk", "widgets/TailbackGtk-1.gir")}
# [method@Tailback.Trace.get_range], [struct@Finding] and the like
LINK = re.compile(r"\[(\w+)@(?:(Tailback|TailbackGtk)\.)?([\w.:-]+)\]")
LINK_TAGS = {"func": "function", "ctor": "constructor", "iface": "interface", "struct": "record",
             "flags": "bitfield", "enum": "enumeration", "error": "enumeration",
             "const": "constant", "vfunc": "virtual-method", "type": None}
OTHER_LIBRARIES = re.compile(r"(GLib|GObject|Gio|Gtk|Gdk|Gsk|Graphene|Adw|Json|Pango|Peas)\.")


def read_gir(book):
    path = os.path.join(tap.BUILD, "app", LIBRARIES[book][1])
    return ElementTree.parse(path).getroot().find(GIR + "namespace")


def check_complaints(book):
    """What gi-docgen complains about."""
    app = os.path.join(tap.BUILD, "app")
    done = tap.run("gi-docgen", "check", f"--add-include-path={app}",
                   f"--config={SOURCE}/help/api/{book}.toml", os.path.join(app, LIBRARIES[book][1]))
    lines = COLOR.sub("", done.stdout + done.stderr).splitlines()
    complaints = [line for line in lines if "WARNING" in line or "ERROR" in line]
    assert done.returncode == 0 and not complaints, "\n".join(complaints or lines)


def list_members(namespace):
    """Yield name and element of the members of records, and of virtual functions."""
    for owner in namespace:
        if GTYPE_STRUCT in owner.attrib:
            continue
        kinds = {GIR + "record": "field", GIR + "union": "field", GIR + "class": "virtual-method",
                 GIR + "interface": "virtual-method"}
        for member in owner.findall(GIR + kinds.get(owner.tag, "none")):
            if member.get("private") != "1":
                yield f"{owner.get('name')}.{member.get('name')}", member


def check_members(book):
    """Members of records and virtual functions, which gi-docgen check leaves out."""
    missing = [name for name, member in list_members(read_gir(book)) if not has_text(member)]
    assert not missing, "without text: " + " ".join(missing)


def has_text(element):
    return element.find(GIR + "doc") is not None


def list_names(namespace):
    """Every name that a link can have, without the name of the library, and its kinds."""
    names = {}
    for owner in namespace:
        name = owner.get("name")
        names.setdefault(name, set()).add(owner.tag.partition("}")[2])
        for member in owner:
            tag = member.tag.partition("}")[2]
            separator = {"property": ":", "signal": "::"}.get(tag, ".")
            names.setdefault(f"{name}{separator}{member.get('name')}", set()).add(tag)
    return names


def list_texts(book):
    """Yield each place and its text: comments, and the chapters of the book."""
    for element in read_gir(book).iter(GIR + "doc"):
        yield f"{element.get('filename')}:{element.get('line')}", element.text
    for path in glob.glob(f"{SOURCE}/help/api/*.md") if book == "tailback" else []:
        with open(path, encoding="utf-8") as file:
            yield os.path.basename(path), file.read()


def check_links(book):
    names = {LIBRARIES[other][0]: list_names(read_gir(other)) for other in LIBRARIES}

    def is_broken(match):
        kinds = names[match[2] or LIBRARIES[book][0]].get(match[3], ())
        tag = LINK_TAGS.get(match[1], match[1])
        return not OTHER_LIBRARIES.match(match[3]) and (tag not in kinds if tag else not kinds)

    broken = [f"{place}: {match[0]}" for place, text in list_texts(book)
              for match in LINK.finditer(text) if is_broken(match)]
    assert not broken, "\n".join(broken)


def test_library():
    check_complaints("tailback")


def test_widgets():
    check_complaints("tailback-gtk")


def test_members():
    check_members("tailback")
    check_members("tailback-gtk")


def test_links():
    check_links("tailback")
    check_links("tailback-gtk")


if __name__ == "__main__":
    sys.exit(tap.main([test_library, test_widgets, test_members, test_links]))
