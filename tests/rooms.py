#!/usr/bin/env python3
"""Check the includes of the sources against the table of rooms in CONTRIBUTING.md."""
# SPDX-License-Identifier: GPL-3.0-or-later

import collections
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.MULTILINE)
ROW = re.compile(r"^\| `([^`]+)` \|[^|]*\| ([^|]*) \|$", re.MULTILINE)
# Rooms of programs and headers that must not need GLib.
PLAIN_C = ("app/agent", "app/annotate", "app/capture")
# Rooms without circles: no file, or folder, includes one that includes it, directly or by others.
# Missing here: plugins/importers/perf-data
WITHOUT_CIRCLES = ("app/agent", "app/capture", "app/cli", "app/extend", "app/report", "app/session",
                   "app/shell", "app/symbols", "app/trace", "app/widgets", "plugins/analyses",
                   "plugins/collectors", "plugins/exporters", "plugins/importers/events-csv",
                   "plugins/shared")
WITHOUT_CIRCLES_OF_FOLDERS = ("app/agent", "app/extend", "app/session")


def read_table(text):
    """Return the rooms of the table, each with the rooms that it may include."""
    return {room: set(re.findall(r"`([^`]+)`", allowed)) for room, allowed in ROW.findall(text)}


def find_room(path, rooms):
    """Return the room of a file. Plug-ins and shared libraries have a row for their kind."""
    for room in rooms:
        if re.match(re.sub("[A-Z]+", "[^/]+", room) + "/", path):
            return room
    return None


def get_folder(path):
    """Return the folder whose private headers a file may include."""
    parts = path.split("/")
    return "/".join(parts[:3 if parts[0] == "plugins" else 2])


def get_unit(path):
    """Return the name that a source and its public and private headers have in common."""
    return os.path.splitext(path)[0].removesuffix("-private")


def find_circles(targets):
    """Return circles, each as a list from a node to itself. Where many overlap, not all."""
    targets, circles = {node: set(of_node) for node, of_node in targets.items()}, []
    while targets:
        ends = [node for node in targets if not targets[node] & targets.keys()]
        for node in ends:
            del targets[node]
        if ends or not targets:
            continue
        # Each node that is left leads to another one that is left, so a walk ends in a circle.
        walk = [min(targets)]
        while walk[-1] not in walk[:-1]:
            walk.append(min(targets[walk[-1]] & targets.keys()))
        circles.append(walk[walk.index(walk[-1]):])
        targets[walk[-2]].remove(walk[-1])
    return circles


class Sources:
    """The sources of app and plugins, with their includes resolved."""

    def __init__(self, texts):
        self.texts = texts
        self.by_end = collections.defaultdict(list)
        for path in texts:
            parts = path.split("/")
            for i in range(len(parts)):
                self.by_end["/".join(parts[i:])].append(path)

    def resolve(self, path, included):
        """Return the path of an included source, None if it is none of ours."""
        for start in (os.path.dirname(path), "app", get_folder(path), "plugins/shared"):
            found = os.path.normpath(os.path.join(start, included))
            if found in self.texts:
                return found
        found = self.by_end.get(included, [])
        return found[0] if len(found) == 1 else None

    def list_includes(self):
        """Yield the path of each source with each include: in quotes or not, the name, the path."""
        for path, text in sorted(self.texts.items()):
            for quote, name in INCLUDE.findall(text):
                yield path, quote, name, self.resolve(path, name) if quote == '"' else None


def check_circles(sources, rooms, get_node):
    """Return a line for each circle of includes between file pairs, or folders, of a room."""
    failures = []
    for room in rooms:
        targets = collections.defaultdict(set)
        for path, _quote, _name, target in sources.list_includes():
            if path.startswith(room + "/") and target and get_node(path) != get_node(target):
                targets[get_node(path)].add(get_node(target))
        failures += ["circle of includes: " + " → ".join(nodes) for nodes in find_circles(targets)]
    return failures


def check(texts, table):
    """Return a line for each include that the table does not allow, each circle of includes where
    there may be none, and each repeated name."""
    sources = Sources(texts)
    failures = check_circles(sources, WITHOUT_CIRCLES, get_unit)
    failures += check_circles(sources, WITHOUT_CIRCLES_OF_FOLDERS, os.path.dirname)
    for path, _quote, name, target in sources.list_includes():
        room = find_room(path, table)
        if room in PLAIN_C and re.match(r"g(lib|io|object)", name):
            failures.append(f"{path} includes {name}: {room} does without GLib")
        if target is None or get_folder(path) == get_folder(target):
            continue
        wanted = find_room(target, table)
        if room is not None and wanted is not None and wanted not in table[room]:
            failures.append(f"{path} includes {target}: {room} may not include {wanted}")
        if target.endswith("-private.h"):
            failures.append(f"{path} includes {target}: it is private to {get_folder(target)}")
    names = collections.Counter(os.path.basename(path) for path in texts)
    return failures + [f"{name}: {count} files have this name"
                       for name, count in sorted(names.items()) if count > 1]


def read_sources():
    """Return the text of each C source below app and plugins."""
    texts = {}
    for top in ("app", "plugins"):
        for folder, _folders, files in os.walk(os.path.join(ROOT, top)):
            for name in files:
                if name.endswith((".c", ".h")):
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8") as file:
                        texts[os.path.relpath(path, ROOT)] = file.read()
    return texts


# A wrong include, GLib in plain C, a circle of files, a circle of folders, a name used twice
N_FAULTS = 5


def make_faults(texts):
    """Return the sources with N_FAULTS faults that the check must find."""
    return {**texts,
            "app/report/tb-fault.c": '#include "extend/options/tb-option.h"\n',
            "app/agent/core/tb-agent-fault.c": "#include <glib.h>\n",
            "app/trace/tb-fault-above.h": '#include "trace/tb-fault-below-private.h"\n',
            "app/trace/tb-fault-below.c": '#include "trace/tb-fault-above.h"\n',
            "app/trace/tb-fault-below-private.h": "",
            "app/agent/one/tb-agent-one.c": '#include "agent/two/tb-agent-two.h"\n',
            "app/agent/one/tb-agent-other.h": "",
            "app/agent/two/tb-agent-two.h": "",
            "app/agent/two/tb-agent-second.c": '#include "agent/one/tb-agent-other.h"\n',
            "plugins/analyses/threads/tb-option.h": ""}


def main():
    with open(os.path.join(ROOT, "CONTRIBUTING.md"), encoding="utf-8") as file:
        table = read_table(file.read())
    texts = read_sources()
    failures = check(texts, table)
    for failure in failures:
        print("#", failure)
    unknown = [path for path in sorted(texts)
               if path.count("/") > 1 and find_room(path, table) is None]
    for path in unknown:
        print("#", path, "lies in no room of the table")
    found = len(check(make_faults(texts), table)) - len(failures)
    print("TAP version 14\n1..2")
    print(f"{'not ' if failures or unknown or len(texts) < 500 else ''}ok 1 includes follow the table of rooms")
    print(f"{'not ' if found != N_FAULTS else ''}ok 2 faults are found")
    return 0


if __name__ == "__main__":
    sys.exit(main())
