"""Restart inside the environment with the applications (packages.txt)."""
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import sys

CASES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCE = os.path.dirname(os.path.dirname(CASES))


def enter(script):
    """Start the script again inside the tree, unless it already runs there."""
    if "TAILBACK_CASES_INSIDE" not in os.environ:
        os.environ["TAILBACK_CASES_INSIDE"] = "yes"
        env = os.path.join(SOURCE, "build-aux", "env")
        os.execv(env, [env, "--with", os.path.join(CASES, "packages.txt"), os.path.abspath(script), *sys.argv[1:]])
