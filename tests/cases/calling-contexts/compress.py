"""Lags in a compressor, and in the library below another one."""
# SPDX-License-Identifier: GPL-3.0-or-later

from harness import builds
from harness.contrast import Contrast


def text(size):
    """A text of recurring words, seldom in the same order."""
    state, words = 1, []
    for _ in range(size):
        state = (state * 1103515245 + 12345) % 2147483648
        words.append("abcdefghijklmnopqrstuvwxyz"[state % 23:][:state >> 16 & 7])
    return " ".join(words)


class Bzip2(Contrast):
    name = "lengths"
    title = "a compressor, in one of its many steps"
    program = "bzip2"
    cause = "a lag in BZ2_hbMakeCodeLengths"
    path = ("main", "BZ2_compressBlock", "BZ2_hbMakeCodeLengths")
    module = "bzip2"
    turns = (0, 40000000)

    def fetch(self):
        self.built = builds.bzip2("huffman.c", ("void BZ2_hbMakeCodeLengths ( UChar *len, \n", "Bool  tooLong;\n"))

    def prepare(self, stage):
        self.fetch()
        self.file = stage.write("text", text(400000))

    def command(self, stage, is_slow):
        return [self.built, "-k", "-f", self.file]


class Pigz(Contrast):
    name = "below"
    title = "the library below a compressor that is as Debian has it"
    program = "pigz"
    is_internal = False
    cause = "a lag in build_tree of zlib"
    path = ("deflate", "build_tree")
    module = "libz.so.1"
    turns = (0, 30000000)

    def fetch(self):
        self.library = builds.zlib("trees.c", ("local void build_tree(deflate_state *s, tree_desc *desc) {\n", "int node;"))

    def prepare(self, stage):
        self.fetch()
        self.file = stage.write("text", text(600000))

    def command(self, stage, is_slow):
        return ["env", f"LD_LIBRARY_PATH={self.library}", "pigz", "-p", "2", "-k", "-f", self.file]


CASES = [Bzip2(), Pigz()]
