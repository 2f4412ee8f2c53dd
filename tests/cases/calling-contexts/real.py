"""Bugs of real programs that are slow with a large input."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness import builds
from harness.contrast import Contrast


class Markdown(Contrast):
    """cmark-gfm 0.29.0.gfm.6 with a small and a large text; where it is known to spend its time is what the later versions
    changed."""

    program = "cmark-gfm 0.29.0.gfm.6"
    is_injected = False
    module = "cmark-gfm"
    sizes = (0, 0)
    options = ()

    def fetch(self):
        builds.cmark_gfm()

    def text(self, size):
        raise NotImplementedError

    def prepare(self, stage):
        self.files = [stage.write(f"{number}.md", self.text(size)) for number, size in enumerate(self.sizes)]

    def command(self, stage, is_slow):
        return [builds.cmark_gfm(), *self.options, self.files[is_slow]]


class Brackets(Markdown):
    name = "brackets"
    title = "cmark-gfm, many links that are not closed"
    bug = "CVE-2023-22486"
    cause = "each link goes through all open brackets before it"
    path = ("main", "cmark_parse_inlines", "handle_close_bracket")
    sizes = (800, 8000)

    def text(self, size):
        return "![[]()" * size + "\n"


CASES = [Brackets()]
