# tailback_python.py: preparation of Python for plug-ins: our additions to the bindings are found,
# an exception becomes the error of the plug-in, a module that was changed is imported again
#
# SPDX-License-Identifier: LGPL-2.1-or-later

import importlib
import linecache
import os
import sys
import traceback

import gi.overrides
from gi.repository import GObject

gi.overrides.__path__.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "overrides"))

# What a plug-in prints is no part of a report on standard output.
sys.stdout = sys.stderr
HERE = os.path.dirname(os.path.abspath(__file__))
print_exception = sys.excepthook


def get_place(error, trace):
    """File and line in the plug-in: of code that cannot be read, or that raised the exception."""
    if isinstance(error, SyntaxError) and error.filename:
        return error.filename, error.lineno
    for frame in reversed(traceback.extract_tb(trace)):
        if not frame.filename.startswith((HERE, "<frozen ")):
            return frame.filename, frame.lineno
    return None


def describe(kind, error, trace):
    """The last line of a traceback, and the place in the plug-in."""
    lines = "".join(traceback.format_exception_only(kind, error)).strip().splitlines()
    line = lines[-1] if lines else kind.__name__
    place = get_place(error, trace)
    return f"{line} ({os.path.basename(place[0])}, line {place[1]})" if place else line


def report_exception(kind, error, trace):
    """Called for an exception that a function of a plug-in does not catch."""
    print_exception(kind, error, trace)
    from gi.repository import Tailback
    Tailback.plugin_set_exception(describe(kind, error, trace))


def is_below(folder, module):
    file = getattr(module, "__file__", None)
    return file is not None and os.path.abspath(file).startswith(os.path.abspath(folder) + os.sep)


def find_type(module, kind):
    """The name of the type that libpeas would find."""
    kind = GObject.GType.from_name(kind)
    for name in getattr(module, "__all__", vars(module)):
        found = getattr(getattr(module, name), "__gtype__", None)
        if found is not None and not found.is_interface() and found.is_a(kind):
            return found.name
    return None


def import_again(name, folder, kind):
    """Import a module as its file is now, with the others of its folder, as a new module: what
    still runs in the old one is not changed."""
    for other, module in list(sys.modules.items()):
        if is_below(folder, module):
            del sys.modules[other]
    importlib.invalidate_caches()
    linecache.checkcache()
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        return find_type(importlib.import_module(name), kind)
    except BaseException:
        report_exception(*sys.exc_info())
        return None


sys.excepthook = report_exception
try:
    gi.require_version("Tailback", "1")
    from gi.repository import Tailback
    Tailback.plugin_set_import_func(import_again)
except (ImportError, ValueError):
    pass  # without the typelib no plug-in in Python works, which each of them reports
