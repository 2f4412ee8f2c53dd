"""Bugs of real programs that are slow with a large input."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness import builds
from harness.contrast import Contrast


class Markdown(Contrast):
    """cmark-gfm 0.29.0.gfm.6 with a small and a large text. The cause is the function that later
    versions changed."""

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
    sizes = (800, 9000)

    def text(self, size):
        return "![[]()" * size + "\n"


class BareBrackets(Brackets):
    name = "brackets-bare"
    title = "the same program without symbols"
    program = "cmark-gfm, stripped"
    # The compiler inlined the causing function into this one, so start addresses give no more
    # detail.
    path = ("main", "cmark_parse_inlines")

    def prepare(self, stage):
        super().prepare(stage)
        self.built = builds.strip(builds.cmark_gfm(), stage.path("cmark-gfm"))

    def command(self, stage, is_slow):
        return [self.built, self.files[is_slow]]

    def locate(self, stage):
        return tuple(f"cmark-gfm+0x{builds.find_offset(builds.cmark_gfm(), function):x}" for function in self.path)


class Numbers(Markdown):
    name = "numbers"
    title = "cmark-gfm, a long list with numbers written as Markdown again"
    bug = "GHSA-r8vr-c48j-fcc5"
    cause = "each number is counted from the start of the list"
    path = ("main", "cmark_render", "S_render_node")
    sizes = (300, 30000)
    options = ("-t", "commonmark")

    def text(self, size):
        return "1. a\n" * size


class Table(Markdown):
    name = "table"
    title = "cmark-gfm, a table with many columns"
    bug = "CVE-2023-37463"
    cause = "each cell is sought among those of its row, from the first on"
    path = ("main", "cmark_render_html_with_mem", "html_render")
    sizes = (60, 600)
    options = ("-e", "table")

    def text(self, size):
        return "|" + "x|" * size + "\n|" + "-|" * size + "\n" + "a\n" * size


class Quotes(Markdown):
    name = "quotes"
    title = "cmark-gfm, emphasis inside many nested quotes"
    bug = "CVE-2023-24824"
    cause = "whether a node may be put into another is asked of all that it lies in"
    path = ("main", "cmark_parse_inlines", "S_can_contain")
    sizes = (600, 10000)

    def text(self, size):
        return ">" * size + "a*" * size + "\n"


class Token(Contrast):
    name = "token"
    title = "xmlwf of expat, one large comment read in pieces"
    program = "xmlwf, expat 2.5.0"
    is_internal = False
    is_injected = False
    bug = "CVE-2023-52425"
    cause = "a token that is not whole is gone through from its start with each piece"
    path = ("main", "XML_ParseBuffer", "doContent")
    module = "libexpat.so.1"
    sizes = (100000, 2000000)

    def fetch(self):
        builds.expat()

    def prepare(self, stage):
        self.files = [stage.write(f"{number}.xml", f"<a><!--{'x' * size}--></a>\n") for number, size in enumerate(self.sizes)]

    def command(self, stage, is_slow):
        return [builds.expat(), "-r", self.files[is_slow]]


CASES = [Brackets(), BareBrackets(), Numbers(), Table(), Quotes(), Token()]
