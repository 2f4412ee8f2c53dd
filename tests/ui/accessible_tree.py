"""What a running application exposes to assistive technology, read as a whole.

The calls of AT-SPI are those of libatspi, but many are under way at once: an item at a time takes
ten times as long.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import collections
import contextlib
import os
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

# Builds with sanitizers are slower.
PATIENCE = 60 * float(os.environ.get("TAILBACK_TEST_PATIENCE", "1"))
ROLES = {int(value): value for name in dir(Atspi.Role) if name.isupper()
         and isinstance(value := getattr(Atspi.Role, name), Atspi.Role)}
ACCESSIBLE, ACTION = "org.a11y.atspi.Accessible", "org.a11y.atspi.Action"
COMPONENT, EDITABLE = "org.a11y.atspi.Component", "org.a11y.atspi.EditableText"
STATE = Atspi.StateType


class Item:
    """An accessible with what was read of it."""

    def __init__(self, tree, reference, parent, cached):
        self.tree, self.reference, self.parent = tree, reference, parent
        self.interfaces, self.name, role, self.description, (low, high) = cached
        self.role = ROLES.get(role, Atspi.Role.INVALID)
        self.states = low | high << 32
        self.extents = None
        self.children = []

    def has(self, *states):
        return all(self.states >> int(state) & 1 for state in states)

    def is_shown(self):
        return self.has(STATE.SHOWING, STATE.VISIBLE)

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()

    def call(self, interface, method, signature=None, *arguments):
        return self.tree.call(self.reference, interface, method, signature, *arguments)

    def act(self):
        """Do what a click does."""
        done = ACTION in self.interfaces and self.call(ACTION, "DoAction", "(i)", 0)
        assert done, f"{self} has no action"

    def type(self, text):
        """Replace the text of an entry."""
        done = self.call(EDITABLE, "SetTextContents", "(s)", text)
        assert done, f"nothing can be typed into {self}"

    def __str__(self):
        path, parent = [], self.parent
        while parent is not None and len(path) < 4:
            if parent.name:
                path.append(f"{parent.role.value_nick} “{parent.name}”")
            parent = parent.parent
        about = f": {self.description}" if self.description else ""
        return f"{self.role.value_nick} “{self.name}”{about} in {' in '.join(path)}"


class Tree:
    """The connection to an application, found by its process."""

    def __init__(self, pid):
        session = Gio.bus_get_sync(Gio.BusType.SESSION)
        address = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress",
                                    None, None, Gio.DBusCallFlags.NONE, -1, None).unpack()[0]
        flags = (Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT
                 | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION)
        self.bus = Gio.DBusConnection.new_for_address_sync(address, flags, None, None)
        self.root = self.wait_for(lambda: self.find_application(pid), "the application")

    def find_application(self, pid):
        desktop = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
        for reference in self.call(desktop, ACCESSIBLE, "GetChildren"):
            of = self.call(("org.freedesktop.DBus", "/"), "org.freedesktop.DBus",
                           "GetConnectionUnixProcessID", "(s)", reference[0])
            if of == pid:
                return tuple(reference)
        return None

    def call(self, reference, interface, method, signature=None, *arguments):
        parameters = GLib.Variant(signature, arguments) if signature else None
        answer = self.bus.call_sync(*reference, interface, method, parameters, None,
                                    Gio.DBusCallFlags.NONE, int(PATIENCE * 1000), None).unpack()
        return answer[0] if answer else None

    def call_all(self, references, interface, method, arguments=None):
        """Send the call to all of them, and return the answers by reference.

        The answer of one that does not have it, or no longer exists, is None.
        """
        answers = dict.fromkeys(references)
        loop = GLib.MainLoop()
        waiting = len(answers)

        def answered(bus, result, reference):
            nonlocal waiting
            with contextlib.suppress(GLib.Error):
                answers[reference] = bus.call_finish(result).unpack()[0]
            waiting -= 1
            if waiting == 0:
                loop.quit()

        for reference in answers:
            self.bus.call(*reference, interface, method, arguments, None, Gio.DBusCallFlags.NONE,
                          int(PATIENCE * 1000), None, answered, reference)
        if waiting:
            loop.run()
        return answers

    def read(self):
        """Return the root of all that is shown now.

        GTK adds an item to its cache when its parent's children are asked for.
        """
        parents = collections.defaultdict(list)
        level = [self.root]
        while level:
            answers = self.call_all(level, ACCESSIBLE, "GetChildren")
            level = []
            for parent, listed in answers.items():
                for child in map(tuple, listed or []):
                    if child not in parents:
                        level.append(child)
                    parents[child].append(parent)
        items, own_parents = {}, {}
        for reference, _, parent, *_, interfaces, name, role, description, states in self.call(
                (self.root[0], "/org/a11y/atspi/cache"), "org.a11y.atspi.Cache", "GetItems"):
            items[tuple(reference)] = (interfaces, name, role, description, states)
            own_parents[tuple(reference)] = tuple(parent)
        # The pages of a stack are listed as children of each page before them, too.
        children = collections.defaultdict(list)
        for reference, listed in parents.items():
            if reference in items:
                own = own_parents.get(reference)
                children[own if own in listed else listed[0]].append(reference)
        root = Item(self, self.root, None, items[self.root])
        self.add_children(root, items, children)
        return root

    def add_children(self, item, items, children):
        for reference in children[item.reference]:
            child = Item(self, reference, item, items[reference])
            if child.is_shown():
                item.children.append(child)
                self.add_children(child, items, children)

    def read_focused(self):
        """Return the references of what has the focus and of all that it is in, by one call."""
        items = {tuple(item[0]): (tuple(item[2]), item[9][0]) for item in self.call(
            (self.root[0], "/org/a11y/atspi/cache"), "org.a11y.atspi.Cache", "GetItems")}
        found = {reference for reference, (_, states) in items.items()
                 if states >> int(STATE.FOCUSED) & 1}
        for reference in list(found):
            while reference in items and items[reference][0] in items:
                reference = items[reference][0]
                found.add(reference)
        return found

    def read_extents(self, items):
        """Read where items are: x, y, width and height; None if they have no place."""
        answers = self.call_all([item.reference for item in items], COMPONENT, "GetExtents",
                                GLib.Variant("(u)", (1,)))
        for item in items:
            item.extents = answers[item.reference]

    def wait_for(self, find, what):
        """Return what the function finds, which is called until then."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                found = find()
            except GLib.Error:  # an item that no longer exists
                found = None
            if found:
                return found
            time.sleep(0.02)
        raise AssertionError(f"waited in vain for {what}")
