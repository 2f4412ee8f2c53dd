# tailback_python.py: preparation of Python for plug-ins: our additions to the bindings are found,
# an exception becomes the error of the plug-in
#
# SPDX-License-Identifier: LGPL-2.1-or-later

import os
import sys
import traceback

import gi.overrides

gi.overrides.__path__.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "overrides"))

print_exception = sys.excepthook


def describe(kind, error, trace):
    """The last line of a traceback, and where in the plug-in the exception was raised."""
    lines = "".join(traceback.format_exception_only(kind, error)).strip().splitlines()
    line = lines[-1] if lines else kind.__name__
    for frame in reversed(traceback.extract_tb(trace)):
        if not frame.filename.startswith(os.path.dirname(os.path.abspath(__file__))):
            return f"{line} ({os.path.basename(frame.filename)}, line {frame.lineno})"
    return line


def report_exception(kind, error, trace):
    """Called for an exception that a function of a plug-in does not catch."""
    print_exception(kind, error, trace)
    from gi.repository import Tailback
    Tailback.plugin_set_exception(describe(kind, error, trace))


sys.excepthook = report_exception
