#!/usr/bin/env python3
"""Make the pages of the help for authors of plug-ins from the chapters of the API documentation.

  help/api/make-help.py            write help/C/plug-in-*.page
  help/api/make-help.py --check    fail if a page differs from its chapter
The chapters use the part of Markdown that is converted here: headings, paragraphs, lists, tables,
code, and links to symbols, which become their names in C.
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import re
import sys
import textwrap
from xml.sax.saxutils import escape

HERE = os.path.dirname(os.path.abspath(__file__))
PAGES = os.path.join(HERE, "../C")
# Chapter, page, description.
CHAPTERS = [
    ("write-a-plug-in", "plug-in-write", "Add an analysis, importer or exporter of your own."),
    ("ask-the-trace", "plug-in-trace", "States, waits and events of a recording."),
    ("make-a-report", "plug-in-report", "Findings, figures and a summary for programs."),
    ("options", "plug-in-options", "Rows in the window, and options of the command line."),
    ("recorders-and-importers", "plug-in-recorder", "Make a recording of data of another tool."),
    ("exporters", "plug-in-exporter", "Write recordings and reports in another format."),
]
LINK = re.compile(r"\[(\w+)@(?:Tailback\.)?([\w.:-]+)\]")
FUNCTIONS = ("method", "func", "ctor")


def name_symbol(match):
    """The name in C of a symbol: tb_trace_get_range(), TbTrace."""
    kind, name = match[1], match[2]
    if kind not in FUNCTIONS:
        return f"Tb{name}"
    owner, _, function = name.rpartition(".")
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", owner).lower()
    return f"tb_{words}_{function}()" if words else f"tb_{function}()"


def convert_text(text):
    """A paragraph: code in backquotes, links to symbols."""
    parts = re.split(r"(`[^`]*`|\[\w+@[^\]]*\])", " ".join(text.split()))
    out = []
    for part in parts:
        if part.startswith("`"):
            out.append(f"<code>{escape(part[1:-1])}</code>")
        elif LINK.fullmatch(part):
            out.append(f"<code>{escape(LINK.sub(name_symbol, part))}</code>")
        else:
            out.append(escape(part))
    return "".join(out)


def convert_table(rows):
    cells = [[cell.strip() for cell in row.strip().strip("|").split("|")] for row in rows]
    lines = ['<table shade="rows" rules="rows">']
    for part, group in ("thead", cells[:1]), ("tbody", cells[2:]):
        lines.append(f"  <{part}>")
        for row in group:
            columns = "".join(f"<td><p>{convert_text(cell)}</p></td>" for cell in row)
            lines.append(f"    <tr>{columns}</tr>")
        lines.append(f"  </{part}>")
    return [*lines, "</table>"]


def convert_list(text):
    tag = "list" if text.startswith("- ") else "steps"
    items = re.split(r"\n(?=- |\d+\. )", text)
    lines = [f"  <item><p>{convert_text(re.sub(r'^(- |[0-9]+[.] )', '', item))}</p></item>"
             for item in items]
    return [f"<{tag}>", *lines, f"</{tag}>"]


def convert_block(block):
    if block.startswith("```"):
        language, _, code = block[3:].rpartition("```")[0].partition("\n")
        mime = {"c": ' mime="text/x-csrc"', "python": ' mime="text/x-python"'}.get(language, "")
        return [f"<code{mime}>" + escape(code.rstrip("\n")) + "</code>"]
    if block.startswith("|"):
        return convert_table(block.split("\n"))
    if re.match(r"- |\d+\. ", block):
        return convert_list(block)
    return [f"<p>{convert_text(block)}</p>"]


def iterate_blocks(lines):
    """Yield headings, paragraphs, lists, tables and fenced code."""
    block, in_code = [], False
    for line in lines:
        if line.startswith("```"):
            if not in_code and block:
                yield "\n".join(block)
                block = []
            block.append(line)
            in_code = not in_code
            if not in_code:
                yield "\n".join(block)
                block = []
        elif in_code or line.strip():
            block.append(line)
        elif block:
            yield "\n".join(block)
            block = []
    if block:
        yield "\n".join(block)


def wrap(line, indent):
    spaces = indent + " " * (len(line) - len(line.lstrip()))
    return textwrap.wrap(line.strip(), 120, initial_indent=spaces, subsequent_indent=spaces,
                         break_long_words=False, break_on_hyphens=False)


def convert(chapter, page, description):
    with open(os.path.join(HERE, f"{chapter}.md"), encoding="utf-8") as file:
        text = file.read()
    title = re.search(r"^Title: (.*)$", text, re.MULTILINE)[1]
    lines = [f'<page xmlns="http://projectmallard.org/1.0/" type="topic" id="{page}">',
             f"  <!-- Made by help/api/make-help.py from help/api/{chapter}.md -->", "  <info>",
             '    <link type="guide" xref="plug-ins"/>', f"    <desc>{escape(description)}</desc>",
             "  </info>", f"  <title>{escape(title)}</title>"]
    section = None
    for block in iterate_blocks(text.partition("\n# ")[2].partition("\n")[2].split("\n")):
        if block.startswith("## "):
            if section:
                lines.append("  </section>")
            section = re.sub(r"[^a-z]+", "-", block[3:].lower()).strip("-")
            lines += [f'  <section id="{section}">',
                      f"    <title>{convert_text(block[3:])}</title>"]
            continue
        converted = convert_block(block)
        indent = "    " if section else "  "
        code = converted[0].startswith("<code")
        lines += [indent + converted[0]] if code else [
            wrapped for line in converted for wrapped in wrap(line, indent)]
    if section:
        lines.append("  </section>")
    return "\n".join([*lines, "</page>", ""])


def main():
    different = []
    for chapter, page, description in CHAPTERS:
        path = os.path.join(PAGES, f"{page}.page")
        text = convert(chapter, page, description)
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                if file.read() == text:
                    continue
        different.append(page)
        if "--check" not in sys.argv[1:]:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
    if different and "--check" in sys.argv[1:]:
        sys.exit(f"differ from their chapters: {' '.join(different)}; run help/api/make-help.py")


if __name__ == "__main__":
    main()
