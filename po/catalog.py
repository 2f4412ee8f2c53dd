#!/usr/bin/env python3
"""catalog.py: message catalogues: the template, and whether the translations have all of it

    catalog.py template FILE       writes all messages of the sources to FILE
    catalog.py update [LANGUAGE…]  merges new and changed messages into the translations
    catalog.py check               every language of LINGUAS is complete and valid
"""
# SPDX-License-Identifier: GPL-3.0-or-later

import pathlib
import subprocess
import sys
import tempfile

PO = pathlib.Path(__file__).resolve().parent
KEYWORDS = ["_", "N_", "C_:1c,2", "NC_:1c,2", "ngettext:1,2", "g_dcgettext:2", "g_dngettext:2,3",
            "g_dpgettext2:2c,3", "Description"]  # the last one in descriptions of plug-ins
FORMATS = ["N_:1:pass-c-format", "C_:2:pass-c-format", "NC_:2:pass-c-format",
           "g_dngettext:2:pass-c-format", "g_strdup_printf:1:c-format",
           "g_string_append_printf:2:c-format", "g_set_error:4:c-format",
           "g_error_new:3:c-format"]


def run(*command):
    return subprocess.run(command, cwd=PO.parent, check=True, capture_output=True, text=True)


def list_languages():
    lines = (PO / "LINGUAS").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def write_template(file):
    run("xgettext", "--from-code=UTF-8", "--add-comments=Translators:", "--package-name=tailback",
        f"--output={file}", "--files-from=po/POTFILES.in",
        *(f"--keyword={keyword}" for keyword in KEYWORDS),
        *(f"--flag={flag}" for flag in FORMATS))


def merge(template, language, output):
    run("msgmerge", "--quiet", "--no-fuzzy-matching", f"--output-file={output}",
        PO / f"{language}.po", template)


def list_untranslated(file):
    entries = run("msgattrib", "--untranslated", "--no-obsolete", "--no-wrap", file).stdout
    entries += run("msgattrib", "--only-fuzzy", "--no-obsolete", "--no-wrap", file).stdout
    return [line for line in entries.splitlines()
            if line.startswith("msgid ") and line != 'msgid ""']


def check(folder, template):
    is_complete = True
    for language in list_languages():
        merged = folder / f"{language}.po"
        merge(template, language, merged)
        missing = list_untranslated(merged)
        for message in missing:
            print(f"{language}.po lacks {message}")
        valid = subprocess.run(["msgfmt", "--check", "--output-file=/dev/null", merged],
                               capture_output=True, text=True)
        print(valid.stderr, end="")
        is_complete &= not missing and valid.returncode == 0
    if not is_complete:
        print("run po/catalog.py update, and translate what it adds")
    return int(not is_complete)


def main():
    command, *arguments = sys.argv[1:] or ["help"]
    with tempfile.TemporaryDirectory(prefix="tailback-po-") as name:
        folder = pathlib.Path(name)
        template = folder / "tailback.pot"
        if command == "template" and len(arguments) == 1:
            write_template(pathlib.Path(arguments[0]).absolute())
        elif command == "update":
            write_template(template)
            for language in arguments or list_languages():
                merge(template, language, folder / "merged.po")
                text = run("msgattrib", "--no-obsolete", "--no-location",
                           folder / "merged.po").stdout
                (PO / f"{language}.po").write_text(text, encoding="utf-8")
        elif command == "check":
            write_template(template)
            return check(folder, template)
        else:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
