#!/usr/bin/env python3
"""pseudo-locale.py: a translation into no language: finds texts that are cut or not translated

usage: pseudo-locale.py SOURCE-FOLDER FOLDER [DEPFILE STAMP]

Makes the locale FOLDER/qps, with numbers and dates as in German, and its LC_MESSAGES/tailback.mo.
Every message of po/POTFILES.in is in that: in brackets, with accents, and with each vowel twice,
which makes texts about a third longer (as German ones are). For programs run with
LOCPATH=FOLDER TAILBACK_LOCALE_PATH=FOLDER LC_ALL=qps.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

# What a program or Pango reads must stay: directives, markup, entities, escapes.
KEPT = re.compile(r"%[-+ #0'$*.\d]*[hlqzjt]*(?:<PRI\w+>|[a-zA-Z%])|<[^<>]*>|&\w+;|\\.|https?://\S+")
LONGER = str.maketrans({'a': 'áá', 'e': 'éé', 'i': 'íí', 'o': 'óó', 'u': 'úú',
                        'A': 'ÁÁ', 'E': 'ÉÉ', 'I': 'ÍÍ', 'O': 'ÓÓ', 'U': 'ÚÚ',
                        'n': 'ñ', 'c': 'ç', 's': 'š', 'y': 'ý', 'C': 'Ç', 'S': 'Š'})


def translate(text):
    parts, end = [], 0
    for kept in KEPT.finditer(text):
        parts += [text[end:kept.start()].translate(LONGER), kept.group()]
        end = kept.end()
    parts.append(text[end:].translate(LONGER))
    begin = re.match(r'(?:\\n| )*', text).group()
    tail = re.search(r'(?:\\n| )*$', text).group() if len(begin) < len(text) else ''
    inner = ''.join(parts)
    return f'{begin}⟦{inner[len(begin):len(inner) - len(tail)]}⟧{tail}'


def fill(catalog):
    """Fills each msgstr of the catalogue with the translation of its msgid."""
    output = []
    for entry in catalog.split('\n\n')[1:]:
        texts, keyword = {}, None
        for line in entry.splitlines():
            match = re.match(r'(msgid|msgid_plural|msgctxt|msgstr(?:\[\d\])?) "(.*)"$', line)
            if match:
                keyword = match.group(1)
                texts[keyword] = match.group(2)
            elif line.startswith('"'):
                texts[keyword] += line[1:-1]
        lines = [line for line in entry.splitlines() if line.startswith('#,')]
        lines += [f'{key} "{texts[key]}"' for key in ('msgctxt', 'msgid', 'msgid_plural')
                  if key in texts]
        if 'msgid_plural' in texts:
            lines += [f'msgstr[0] "{translate(texts["msgid"])}"',
                      f'msgstr[1] "{translate(texts["msgid_plural"])}"']
        else:
            lines.append(f'msgstr "{translate(texts["msgid"])}"')
        output.append('\n'.join(lines))
    header = ('msgid ""\nmsgstr ""\n"Language: qps\\n"\n'
              '"Content-Type: text/plain; charset=UTF-8\\n"\n'
              '"Content-Transfer-Encoding: 8bit\\n"\n'
              '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"')
    return '\n\n'.join([header, *output]) + '\n'


def main():
    source, folder, *made = map(pathlib.Path, sys.argv[1:])
    target = folder / 'qps' / 'LC_MESSAGES' / 'tailback.mo'
    target.parent.mkdir(parents=True, exist_ok=True)
    # It warns about languages without a currency and the like.
    subprocess.run(['localedef', '--no-archive', '-i', 'de_DE', '-f', 'UTF-8', folder / 'qps'],
                   check=False)
    with tempfile.TemporaryDirectory(prefix='tailback-po-') as name:
        template = pathlib.Path(name) / 'tailback.pot'
        subprocess.run([source / 'po/catalog.py', 'template', template], check=True)
        translation = template.with_suffix('.po')
        translation.write_text(fill(template.read_text(encoding='utf-8')), encoding='utf-8')
        subprocess.run(['msgfmt', '--check-format', '--output-file', target, translation],
                       check=True)
    if made:
        lines = (source / 'po/POTFILES.in').read_text(encoding='utf-8').splitlines()
        files = [str(source / line) for line in lines if line[:1] not in ('', '#')]
        made[0].write_text(f'{made[1]}: {" ".join(files)}\n', encoding='utf-8')
        made[1].touch()


main()
