#!/usr/bin/env python3
"""Every page and dialog of the window, read once by assistive technology.

Only what is shown is read; what has the focus has a name; a name does not occur twice where nothing
else distinguishes two controls; no markup and no names of the program's own parts are read; keys
reach all controls. Every template of the application, and every dialog that has none, is read by
some test.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import collections
import functools
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

sys.path.insert(0, os.path.join(os.environ["TAILBACK_SOURCE"], "tests/cli"))
import tap  # noqa: E402
from accessible_tree import Tree  # noqa: E402

TAILBACK = os.path.join(tap.BUILD, "app/shell/tailback")
SHELL = os.path.join(os.environ["TAILBACK_SOURCE"], "app/shell")
INBOX = os.path.join(tap.BUILD, "tests/fixtures/inbox.csv")
ROLE, STATE = Atspi.Role, Atspi.StateType
CONTROLS = {ROLE.PUSH_BUTTON, ROLE.TOGGLE_BUTTON, ROLE.ENTRY, ROLE.TEXT, ROLE.CHECK_BOX,
            ROLE.COMBO_BOX, ROLE.SPIN_BUTTON, ROLE.SLIDER, ROLE.LINK, ROLE.MENU_ITEM,
            ROLE.RADIO_BUTTON, ROLE.PAGE_TAB, ROLE.SWITCH, ROLE.LIST, ROLE.LIST_BOX, ROLE.TABLE,
            ROLE.TREE, ROLE.TREE_TABLE, ROLE.DIALOG, ROLE.ALERT, ROLE.PROGRESS_BAR}
# What is on the page of each analysis.
ANALYSES = {"threads": "auth (1168)", "wait-graph": "Wait Graph", "control-paths": "Control Paths",
            "latency-peaks": "Latency Peaks", "calling-contexts": "Calling Contexts",
            "locks": "Locks"}
# What is in one of these may name it: a list of one group of preferences has no heading of its own.
ROWS = {ROLE.LIST_ITEM, ROLE.TABLE_ROW, ROLE.LIST, ROLE.LIST_BOX}
# A control of one of these roles needs something that distinguishes it from its sisters.
DISTINCT = {ROLE.PUSH_BUTTON, ROLE.TOGGLE_BUTTON, ROLE.ENTRY, ROLE.CHECK_BOX, ROLE.SPIN_BUTTON,
            ROLE.SWITCH, ROLE.LINK, ROLE.PAGE_TAB}
# Names of types and actions, markup, entities, mnemonics, conversions of printf().
INTERNAL = re.compile(r"\b(?:Tb|Gtk|Adw|Gdk)[A-Z]\w|\b(?:win|app|analysis|document|record)\.[a-z]"
                      r"|</?(?:b|i|tt|span|a)\b|&(?:amp|lt|gt|quot|#\d+);"
                      r"|(?:^|\s)_[A-Z]|%[sdu]\b|\(null\)")
# Titles of dialogs without a template.
TITLE = re.compile(r'(?:adw_alert_dialog_new|adw_dialog_set_title)\s*\([^;"]*?_ \("([^"]+)"')
UNCERTAIN = """time_ns,cpu,kind,prev,prev_state,next,waker,wakee,vec,tid,dev,bytes
1000,0,switch,0,R,1160,,,,,,
2000,0,switch,1160,S,0,,,,,,
3000,0,switch,1161,S,0,,,,,,
"""
# Units of work in the session, from which one can be chosen.
MARKS = "265000000,0,mark,,,,,,,1168,,,work:request\n" * 2
# A duration that is repeated, and a sentence that goes on after its end.
ODD = re.compile(r"\b(\d[\d.]* [nµm]?s)\b.*, \1, from|\.,")
READ = collections.defaultdict(set)  # texts by template, or by None
FAULTS = set()  # of the pages of the current test
SETTLING = 3 * float(os.environ.get("TAILBACK_TEST_PATIENCE", "1"))  # seconds until a page stays


def list_texts(template):
    """Return the texts that a template shows, as they are read."""
    root = xml.etree.ElementTree.parse(glob.glob(f"{SHELL}/**/{template}.ui", recursive=True)[0])
    return {item.text.replace("_", "") for item in root.iter() if item.get("translatable") == "yes"}


class Window:
    """The running program, and what is on its display."""

    def __init__(self):
        # Without the right of root to write what cannot be written.
        limits = ["setpriv", "--bounding-set=-dac_override"] if os.geteuid() == 0 else []
        self.process = subprocess.Popen([*limits, TAILBACK])
        self.tree = Tree(self.process.pid)
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)

    def activate(self, action, parameter=None, of="/window/1"):
        arguments = [] if parameter is None else [GLib.Variant("s", parameter)]
        call = GLib.Variant("(sava{sv})", (action, arguments, {}))
        self.bus.call_sync("org.tailback.Tailback", "/org/tailback/Tailback" + of,
                           "org.gtk.Actions", "Activate", call, None, Gio.DBusCallFlags.NONE, -1,
                           None)

    def open(self, path):
        self.activate("open-uri", Gio.File.new_for_path(path).get_uri())

    def read(self):
        """Return what is in front: the items of the last dialog, else of the window."""
        items = list(self.tree.read().walk())
        dialogs = [item for item in items if item.role in (ROLE.DIALOG, ROLE.ALERT)]
        return list(dialogs[-1].walk()) if dialogs else items

    def find(self, name, *roles):
        """Return a control with the name that can be used."""
        return next((item for item in self.read()
                     if item.name == name and item.has(STATE.SENSITIVE)
                     and item.role in (roles or [ROLE.PUSH_BUTTON])), None)

    def press(self, name, *roles):
        """Do what a click does; with keys if the item is a row of a list, which has no action."""
        item = self.tree.wait_for(lambda: self.find(name, *roles), f"“{name}”")
        if item.role == ROLE.LIST_ITEM:
            self.focus(name, item.role)
            self.keys("Return")
        else:
            item.act()

    def type(self, name, text):
        """Type into the entry whose name begins so."""
        def find():
            return next((item for item in self.read() if item.name.startswith(name)
                         and "org.a11y.atspi.EditableText" in item.interfaces), None)

        self.tree.wait_for(find, f"the entry “{name}”").type(text)

    def focus(self, name, role):
        """Go to a control with keys."""
        control = self.tree.wait_for(lambda: self.find(name, role), f"“{name}”")
        for _ in range(100):
            focused = self.tree.read_focused()
            if control.reference in focused:
                return
            # Arrow keys go to the other rows of a list.
            around = control.parent
            in_list = around.role in (ROLE.LIST, ROLE.LIST_BOX) and around.reference in focused
            self.keys("Down" if in_list else "Tab")
        raise AssertionError(f"Tab does not reach {control}")

    def list_choices(self, row):
        """Open a row with a choice, and return the choices."""
        self.focus(row, ROLE.COMBO_BOX)
        self.keys("space")

        def list_items():
            items = self.find(row, ROLE.COMBO_BOX).walk()
            return [next((child.name for child in item.walk() if child.name), "")
                    for item in items if item.role == ROLE.LIST_ITEM]

        # The first is the present choice, which the row shows.
        return self.tree.wait_for(lambda: len(found := list_items()) > 1 and found,
                                  "the choices")[1:]

    def list_rows(self, name):
        """Return all texts of each row of a list."""
        rows = self.tree.wait_for(lambda: self.find(name, ROLE.LIST), f"“{name}”")
        return [" ".join(item.name for item in row.walk()) for row in rows.walk()
                if row.role == ROLE.LIST_ITEM]

    def choose(self, row, choice):
        """Choose with keys, as GTK's items of lists have no action."""
        self.keys("Home", *["Down"] * self.list_choices(row).index(choice), "Return")
        self.tree.wait_for(lambda: self.find(row, ROLE.COMBO_BOX).has(STATE.FOCUSED),
                           "the list to close")

    def close_dialogs(self):
        """Close all of them with keys."""
        for _ in range(10):
            if self.read()[0].role not in (ROLE.DIALOG, ROLE.ALERT):
                return
            self.keys("Escape")
        raise AssertionError(f"Escape does not close {self.read()[0]}")

    def keys(self, *keys):
        done = tap.run("xdotool", "key", "--clearmodifiers", "--delay", "30", *keys)
        assert done.returncode == 0, done.stderr

    def close_dialog(self):
        dialog = self.read()[0]
        assert dialog.role in (ROLE.DIALOG, ROLE.ALERT), f"no dialog, but {dialog}"
        button = next(item for name in ("Cancel", "Close", "Continue Recording")
                      for item in dialog.walk()
                      if item.name == name and item.role == ROLE.PUSH_BUTTON)
        button.act()
        self.tree.wait_for(lambda: self.read()[0].reference != dialog.reference,
                           "the dialog to close")

    def stop(self):
        self.process.kill()
        self.process.wait()


WINDOW = None


def is_hidden(item):
    """A text that has no place is read although it is not shown."""
    return bool(item.name) and item.extents is not None and 0 in item.extents[2:]


def is_inner(item):
    """What GTK puts inside a control is not a control for a reader."""
    parent = item.parent
    while parent is not None:
        if parent.role in (ROLE.COMBO_BOX, ROLE.TOGGLE_BUTTON, ROLE.PUSH_BUTTON, ROLE.SPIN_BUTTON,
                           ROLE.CHECK_BOX, ROLE.TABLE_CELL) and parent.name:
            return True
        parent = parent.parent
    return False


def is_unnamed(item):
    if item.name or item.description or is_inner(item):
        return False
    if item.role in ROWS:
        return not any(child.name for child in item.walk())
    # Some containers of GTK can have the focus only when nothing in them can.
    is_container = (item.role in (ROLE.SCROLL_PANE, ROLE.PANEL, ROLE.GROUPING)
                    and "org.a11y.atspi.Value" not in item.interfaces)
    return item.role in CONTROLS or (item.has(STATE.FOCUSABLE, STATE.SENSITIVE)
                                     and not is_container)


def list_equal(items):
    """Return controls that nothing distinguishes: neither a text, nor what they are in."""
    seen = collections.defaultdict(list)
    for item in items:
        if (item.role in DISTINCT and item.has(STATE.FOCUSABLE) and not is_inner(item)
                and item.name != "Close Tab"):  # of libadwaita, in the picture of each tab
            around, parent = [], item.parent
            while parent is not None:
                around.append(parent.name)
                parent = parent.parent
            seen[item.role, item.name, item.description, *around].append(item)
    return [f"{len(equal)} × {equal[0]}" for equal in seen.values() if len(equal) > 1]


def list_headless(items):
    """Return tables whose columns or rows nothing names."""
    headers = (ROLE.COLUMN_HEADER, ROLE.TABLE_COLUMN_HEADER, ROLE.TABLE_ROW)
    return [str(item) for item in items if item.role in (ROLE.TABLE, ROLE.TREE_TABLE)
            and not any(child.role in headers and child.name for child in item.walk())]


def list_faults(items):
    WINDOW.tree.read_extents([item for item in items if item.name])
    texts = {item: item.name + "\n" + item.description for item in items}
    faults = {
        "read but not shown": [str(item) for item in items if is_hidden(item)],
        "without a name": [str(item) for item in items if is_unnamed(item)],
        "the same": list_equal(items),
        "without headers": list_headless(items),
        "odd": [str(item) for item, text in texts.items() if ODD.search(text)],
        "internal": [str(item) for item, text in texts.items() if INTERNAL.search(text)],
    }
    return [f"{name}: {text}" for name, found in faults.items() for text in found]


def list_lasting_faults(items):
    """Return the faults that remain when a page no longer changes: one that opens, closes or fills
    itself is read anew."""
    faults = set(list_faults(items))
    end = time.monotonic() + SETTLING
    while faults and time.monotonic() < end:
        time.sleep(0.1)
        faults &= set(list_faults(WINDOW.read()))
    return faults


def check_page(template, *texts):
    """Wait until the texts are read, each as a part of a name or description, and check all that is
    shown then. Return the items."""
    items = []

    def has_texts():
        items[:] = WINDOW.read()
        return all(any(text in item.name or text in item.description for item in items)
                   for text in texts)

    try:
        WINDOW.tree.wait_for(has_texts, texts)
    except AssertionError as error:
        read = [str(item) for item in items if item.name]
        raise AssertionError(f"{error}; read: {read}") from None
    if os.environ.get("ACCESSIBLE_DUMP"):
        for item in items:
            if item.name or item.description or item.has(STATE.FOCUSABLE):
                print(f"# {texts[0]}: {item.role.value_nick} “{item.name}” {item.description}",
                      "focusable" if item.has(STATE.FOCUSABLE) else "", flush=True)
    FAULTS.update(f"{texts[0]}: {fault}" for fault in list_lasting_faults(items))
    READ[template].update(text for item in items for text in (item.name, item.description) if text)
    return items


def check_figures(analysis, *options):
    """Read each figure of the shown analysis."""
    done = tap.cli("analyze", os.environ["PAGES_SESSION"], "--analysis", analysis, *options,
                   "--format", "json")
    assert done.returncode == 0, done.stderr
    for figure in json.loads(done.stdout)["figures"]:
        WINDOW.activate("show-figure", figure["id"])
        check_page("tb-analysis-page", figure["title"], "Options of the analysis")


def list_controls(items):
    """Return the controls that Tab has to reach."""
    return [item for item in items
            if item.role in DISTINCT | {ROLE.COMBO_BOX} and not is_inner(item)
            and item.has(STATE.FOCUSABLE, STATE.SENSITIVE)]


def check_keys(items):
    """Tab reaches every control. What a page adds, takes away or blocks while it fills itself
    counts as it is at the end."""
    reached = set()

    def list_missing():
        return [item for item in list_controls(items)
                if not {other.reference for other in item.walk()} & reached]

    for _ in range(3):
        for _ in range(len(list_controls(items)) + 10):
            if not list_missing():
                return
            WINDOW.keys("Tab")
            reached |= WINDOW.tree.read_focused()
        items = WINDOW.read()
    FAULTS.update(f"Tab does not reach: {item}" for item in list_missing())


def with_dialog(template, action, *texts, of="/window/1", parameter=None, keys=False):
    """Open a dialog, read it, and close it."""
    WINDOW.activate(action, parameter, of)
    items = check_page(template, *texts)
    if keys:
        check_keys(items)
    WINDOW.close_dialog()
    return items


def reports_faults(test):
    """Let a test fail with the faults of all of its pages."""
    @functools.wraps(test)
    def run():
        FAULTS.clear()
        WINDOW.close_dialogs()
        try:
            test()
        finally:
            print("".join(f"# {fault}\n" for fault in sorted(FAULTS)), end="", flush=True)
        assert not FAULTS, f"{len(FAULTS)} faults"
    return run


def write(name, text):
    path = os.path.join(os.environ["XDG_DATA_HOME"], name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def test_start():
    check_page("tb-start-page", "Find What Software Waits For", "Record…", "Open…")
    WINDOW.keys("F10")
    check_page("tb-window", "Keyboard Shortcuts", "About Tailback")
    WINDOW.keys("Escape")


def test_preferences():
    WINDOW.activate("preferences", of="")
    check_page("tb-preferences-dialog", "Style", "Colors of figures", "Servers",
               "Folders With Symbols")
    WINDOW.press("Plug-Ins", ROLE.PAGE_TAB)
    check_page("tb-preferences-dialog", "Collectors", "Importers", "Exporters",
               "Listed Options")
    WINDOW.close_dialog()


def test_shortcuts_and_about():
    with_dialog(None, "show-help-overlay", "Keyboard Shortcuts", "Collapse or expand a group")
    WINDOW.activate("about", of="")
    check_page(None, "Tailback", "Legal")
    WINDOW.keys("Escape")


def test_assistant():
    """The options of each collector, the lists of processes and functions."""
    WINDOW.activate("record-command")
    items = check_page("tb-record-dialog", "New Recording", "What to record", "Command",
                       "Collector", "This Computer")
    check_keys(items)
    choices = WINDOW.list_choices("Collector")
    assert len(choices) >= 5, choices
    WINDOW.keys("Escape")
    for choice in choices:
        WINDOW.choose("Collector", choice)
        check_page("tb-record-dialog", choice, "Options")
    WINDOW.close_dialog()
    WINDOW.activate("record-command")
    WINDOW.choose("What to record", "Process")
    WINDOW.press("Process", ROLE.LIST_ITEM)
    # The command lines of other processes, such as of tests beside, may be anything.
    WINDOW.type("Find a process", __file__)
    WINDOW.tree.wait_for(lambda: all(__file__ in text for text in WINDOW.list_rows("Processes")),
                         "the processes of this test alone")
    check_page("tb-record-dialog", "Find a process", "Processes", __file__)
    WINDOW.close_dialogs()


def test_recording():
    """A recording while it runs, and its end."""
    WINDOW.activate("record-command")
    check_page("tb-record-dialog", "Command", "This Computer")
    WINDOW.type("Command", "sleep 60")
    WINDOW.press("Record")
    check_page("tb-recording-page", "Events per second", "Stop", "Discard…")
    WINDOW.press("Discard…")
    check_page(None, "Discard the Recording?")
    WINDOW.close_dialog()
    WINDOW.activate("close-tab")
    check_page(None, "Stop Recording?")
    WINDOW.close_dialog()
    WINDOW.press("Stop")
    check_page("tb-document-page", "The whole recording", "Bookmarks")
    WINDOW.activate("close-tab")
    check_page(None, "Keep the Recording?")
    WINDOW.press("Discard")
    check_page("tb-start-page", "Find What Software Waits For")


def is_about_writing(text):
    """Whether it is the text of the banner of a file that cannot be written, or of its button."""
    return "cannot be written" in text or text.startswith("Save a Copy")


def test_document():
    """A session that can be written, each analysis of it, and each figure of these."""
    WINDOW.open(os.environ["PAGES_SESSION"])
    items = check_page("tb-document-page", "auth (1168) ran only", "threads · ",
                       "The whole recording")
    assert not any(is_about_writing(item.name) for item in items), list(map(str, items))
    check_page("tb-sidebar", "Mark places to return to", "Add a bookmark")
    check_page("tb-details-pane", "Nothing Selected")
    check_page("tb-finding-row", "auth (1168) ran only")
    for analysis, text in ANALYSES.items():
        WINDOW.activate("show-analysis", analysis)
        check_page("tb-analysis-page", text)
        if analysis != "control-paths":  # no process is chosen yet
            check_figures(analysis)


def test_selection():
    """Details of an interval, its causes, its menu, and the limit of the analyses."""
    WINDOW.activate("show-analysis", "threads")
    WINDOW.activate("show-figure", "timeline")
    check_page("tb-document-page", "Timeline")
    WINDOW.activate("search")
    WINDOW.tree.wait_for(lambda: any(item.role in (ROLE.ENTRY, ROLE.TEXT)
                                     and item.has(STATE.FOCUSED) for item in WINDOW.read()),
                         "the search")
    WINDOW.keys("i", "m", "a", "p", "minus", "l")
    WINDOW.tree.wait_for(lambda: len([item for item in WINDOW.read()
                                      if item.role == ROLE.TABLE_ROW and item.children]) == 1,
                         "a single track")
    WINDOW.keys("Return", "ctrl+Home", "Down", "Right", "Right", "Right")
    check_page("tb-details-pane", "Chain of Causes", "Zoom to the selection")
    WINDOW.keys("shift+F10")
    check_page("tb-figure-menu", "Explain Where Its Time Went", "Show as a Table")
    WINDOW.keys("Escape")
    WINDOW.activate("explain")
    check_page("tb-analysis-page", "Options of the analysis", "Control Paths")
    check_figures("control-paths", "--process", "curl")
    WINDOW.activate("analyse-thread")
    check_page("tb-limit-bar", "Analyzed part")
    WINDOW.activate("analyse-all")
    WINDOW.activate("add-bookmark")
    check_page("tb-sidebar", "Remove the bookmark")
    next(item for item in WINDOW.read() if item.name.startswith("Edit the bookmark")).act()
    check_page(None, "Bookmark", "Name")
    WINDOW.close_dialog()


def test_document_dialogs():
    WINDOW.activate("show-analysis", "wait-graph")
    WINDOW.activate("options")
    items = check_page("tb-options-dialog", "Wait Graph", "Analyze", "Merge similar threads")
    next(item for item in items
         if item.role == ROLE.PUSH_BUTTON and item.name.startswith("Choose ")).act()
    check_page("tb-candidates-dialog", "Values in the recording")
    WINDOW.close_dialogs()
    WINDOW.activate("explain-process")
    check_page("tb-process-dialog", "Explain a Process", "Find a process")
    WINDOW.close_dialogs()
    with_dialog("tb-compare-dialog", "compare", "Compare With", "Choose a File…")
    WINDOW.activate("commands")
    WINDOW.type("Find a command", "listed")
    check_page("tb-command-palette", "Find a command", "Export: Listed Options")
    WINDOW.close_dialogs()


def test_what_if():
    WINDOW.activate("show-analysis", "wait-graph")
    check_page("tb-analysis-page", "Wait Graph")
    WINDOW.press("What If…", ROLE.TOGGLE_BUTTON, ROLE.PUSH_BUTTON)
    check_page("tb-scenarios-pane", "Change to predict", "Predict the effect of the change")
    WINDOW.press("Predict")
    check_page("tb-scenarios-pane", "Scenarios", "Remove this scenario")


def test_export():
    items = with_dialog("tb-plugin-options-dialog", "export-with", "Export as Listed Options",
                        "Writes nothing but its options & their values",
                        "Begin with the names of the columns", "Width", "Order", "Shortest Wait",
                        "Export…", "Reset to Defaults", parameter="listed", keys=True)
    assert any(item.role == ROLE.SPIN_BUTTON for item in items)
    # The text has the focus, not the row, which shows the description to the pointer only.
    assert any(item.role == ROLE.TEXT and item.description == "Shorter waits are left out"
               for item in items)


def test_import():
    """The options of an importer, its recording, and what is uncertain in it."""
    WINDOW.open(write("events.log", "# listed\n"))
    check_page("tb-plugin-options-dialog", "Open “events.log”", "Listed Options", "Hidden Names")
    WINDOW.press("Open")
    check_page("tb-document-page", "1 thread", "header=1 width=40", "kept only while it is open")
    WINDOW.activate("close-tab")
    WINDOW.open(write("uncertain.csv", UNCERTAIN))
    check_page("tb-document-page", "No wake-ups were recorded")
    next(item for item in WINDOW.read() if item.role == ROLE.PUSH_BUTTON
         and "No wake-ups were recorded" in item.name + item.description).act()
    check_page(None, "What Is Uncertain", "No wake-ups were recorded")
    WINDOW.close_dialogs()
    WINDOW.activate("close-tab")


def test_failure():
    WINDOW.open(write("nothing.bin", "nothing that is a recording"))
    check_page("tb-document-page", "Could Not Open “nothing.bin”", "Try Again", "Open Another…")
    WINDOW.activate("close-tab")


def test_read_only():
    """The banner of a recording that cannot be written, which has no place in other documents."""
    path = shutil.copy(os.environ["PAGES_SESSION"], write("kept.tailback", ""))
    os.chmod(path, 0o400)
    WINDOW.open(path)
    items = check_page("tb-document-page", "This file cannot be written", "The whole recording")
    banner = {item.name for item in items if is_about_writing(item.name)}
    assert "Save a Copy…" in banner and len(banner) == 2, banner
    WINDOW.activate("close-tab")


def test_damaged():
    """A recording without its second half."""
    path = shutil.copy(os.environ["PAGES_SESSION"], write("half.tailback", ""))
    os.truncate(path, os.path.getsize(path) // 2)
    WINDOW.open(path)
    check_page("tb-document-page", "Could Not Open “half.tailback”", "is truncated")
    WINDOW.activate("close-tab")


def test_comparison():
    done = tap.run(TAILBACK, "--compare", INBOX, INBOX)
    assert done.returncode == 0, done.stderr
    check_page("tb-document-page", "base: 8 threads", "No thread differs")
    WINDOW.activate("overview")
    check_page("tb-window", "inbox.tailback")
    WINDOW.activate("overview")


def test_help():
    """No program shows the help here, or any other page."""
    WINDOW.activate("help", of="")
    check_page(None, "The Help Could Not Be Shown")
    WINDOW.close_dialog()


def test_everything():
    """Each template was read, by texts that it has; and each dialog that has none, by its title."""
    paths = glob.glob(f"{SHELL}/**/*.ui", recursive=True)
    assert len(paths) >= 19, paths
    for path in paths:
        template = os.path.splitext(os.path.basename(path))[0]
        texts = list_texts(template)
        # A template without texts of its own is known by the name of the test's page only.
        is_read = any(text in read for text in texts for read in READ[template])
        assert is_read or (not texts and READ[template]), f"no page of {template} was read"
    titles = set()
    for path in glob.glob(f"{SHELL}/**/*.c", recursive=True):
        with open(path, encoding="utf-8") as file:
            titles.update(TITLE.findall(file.read()))
    assert len(titles) >= 7, titles
    missing = [title for title in titles if title not in READ[None]]
    assert not missing, f"dialogs that were not read: {missing}"


def main():
    global WINDOW
    tests = [reports_faults(test) for name, test in list(globals().items())
             if name.startswith("test_")]
    with tempfile.TemporaryDirectory(prefix="tailback-pages-") as folder:
        for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            os.environ[name] = folder
        os.environ["GTK_A11Y"] = "atspi"
        os.environ["PAGES_SESSION"] = session = os.path.join(folder, "inbox.tailback")
        with open(INBOX, encoding="utf-8") as file:
            events = file.read()
        done = tap.cli("import", write("inbox.csv", events + MARKS), "-o", session)
        assert done.returncode == 0, done.stderr
        WINDOW = Window()
        try:
            return tap.main(tests)
        finally:
            WINDOW.stop()


sys.exit(main())
