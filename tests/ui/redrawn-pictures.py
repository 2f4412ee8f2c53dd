#!/usr/bin/env python3
"""tailback --picture while the window is redrawn at arbitrary times: the picture is the same."""
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ["TAILBACK_SOURCE"], "tests/cli"))
import tap  # noqa: E402

TAILBACK = os.path.join(tap.BUILD, "app/shell/tailback")
INBOX = os.path.join(tap.BUILD, "tests/fixtures/inbox.csv")
PRELOAD = sys.argv[1]
KINDS = ["after-paint", "high-idle", "idle", "tick", "all"]
TIMES = 3
# Wide enough for the names of the figures. In less room, whether they are a menu depends on the
# order in which their widths are computed.
SIZE = "1560x900"


def take(folder, redraws=None, *arguments):
    path = os.path.join(folder, "picture.png")
    environment = dict(os.environ)
    if redraws:
        environment.update(LD_PRELOAD=PRELOAD, REDRAWS=redraws)
    done = subprocess.run([TAILBACK, "--picture", path, "--size", SIZE, *arguments], env=environment, capture_output=True, text=True,
                          timeout=120, check=False)
    assert done.returncode == 0, (redraws, done)
    assert not redraws or f"redraws: {redraws}" in done.stderr, "nothing was redrawn"
    with open(path, "rb") as file:
        picture = file.read()
    os.unlink(path)
    return picture


def test_redrawn():
    with tempfile.TemporaryDirectory() as folder:
        for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            os.environ[name] = folder
        for arguments in ([], ["--page", "threads", INBOX]):
            undisturbed = take(folder, None, *arguments)
            assert len(undisturbed) > 10000
            for kind in KINDS:
                for _ in range(TIMES):
                    assert take(folder, kind, *arguments) == undisturbed, (kind, arguments)


if __name__ == "__main__":
    sys.exit(tap.main([test_redrawn]))
