"""Check that every finding created in the sources has a code, and that the help lists each
analysis's codes and values."""
# SPDX-License-Identifier: GPL-3.0-or-later

import pathlib
import re
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/cli"))

import tap  # noqa: E402  of the tests of the command line

HELP = ROOT / "help/C/findings.page"
MALLARD = "{http://projectmallard.org/1.0/}"
CODE = r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
# Folder of TbFinding itself, which creates no findings of its own.
CLASS = ROOT / "app/report"
# Folders outside the analyses that create findings, also with the beginning of a file's name, and
# the section of the help that lists their codes. The first one counts.
ELSEWHERE = {"app/extend/plugins/tb-polling": "several-analyses", "app": "every-comparison",
             "plugins/collectors/latency": "latency-peaks"}

TOKEN = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'", re.S)
FUNCTION = re.compile(r"^(?P<type>[A-Za-z_][^\n;{}()]*)\n(?P<name>[a-z_]\w*) \((?P<parameters>[^{};]*)\)\n"
                      r"\{\n(?P<body>.*?)^\}", re.S | re.M)
COMPARISON = r"\b(?:g_str_equal|g_strcmp0|strcmp)"


def strip_comments(text):
    return TOKEN.sub(lambda token: " " if token.group().startswith("/") else token.group(), text)


def find_end(text, start):
    """Return the position after the bracket that closes the one at start; brackets in strings do
    not count."""
    depth = 0
    place = start
    while place < len(text):
        token = TOKEN.match(text, place)
        if token:
            place = token.end()
            continue
        depth += text[place] in "({["
        depth -= text[place] in ")}]"
        place += 1
        if depth == 0:
            return place
    raise AssertionError(f"a bracket is not closed: {text[start:start + 60]!r}")


def split_arguments(text):
    parts, start, place = [], 0, 0
    while place < len(text):
        token = TOKEN.match(text, place)
        if token:
            place = token.end()
        elif text[place] in "({[":
            place = find_end(text, place)
        else:
            if text[place] == ",":
                parts.append(text[start:place])
                start = place + 1
            place += 1
    return [part.strip() for part in parts + [text[start:]]]


def find_calls(text, name):
    """Yield the arguments of each call of a function."""
    for call in re.finditer(rf"\b{name} \(", text):
        yield split_arguments(text[call.end():find_end(text, call.end() - 1) - 1])


def count_calls(text, name):
    return len(re.findall(rf"\b{name} \(", text))


def without_comparisons(text):
    """Remove comparisons: a string that is only compared with a code is not a code."""
    while found := re.search(COMPARISON + r" \(", text):
        text = text[:found.start()] + text[find_end(text, found.end() - 1):]
    return text


def literals(text, pattern=CODE):
    return {part for part in re.findall(r'"((?:\\.|[^"\\])*)"', without_comparisons(text)) if re.fullmatch(pattern, part)}


class Source:
    """A file that creates findings, or sets their codes."""

    def __init__(self, path, text):
        self.path = path
        self.text = strip_comments(text)
        self.functions = [found.groupdict() for found in FUNCTION.finditer(self.text)]

    def section(self):
        """Return the section of the help that lists its codes, None: any."""
        for folder, section in ELSEWHERE.items():
            if re.match(re.escape(folder) + r"[-/]", self.path):
                return section
        found = re.match(r"plugins/analyses/([^/]+)/", self.path)
        return found.group(1) if found else None


class Names:
    """Function names with a value each. A static function is known in its own file only."""

    def __init__(self, *names):
        self.places = {(None, name): None for name in names}

    def add(self, source, function, value=None):
        key = source.path if function["type"].startswith("static ") else None, function["name"]
        if key in self.places:
            return False
        self.places[key] = value
        return True

    def within(self, source):
        return {name: value for (path, name), value in self.places.items() if path in (None, source.path)}

    def count(self, source, body):
        return sum(count_calls(body, name) for name in self.within(source))


def repeat(sources, add):
    """Call add for all functions until it adds no more."""
    while [1 for source in sources for function in source.functions if add(source, function)]:
        pass


def find_wrappers(sources):
    """Find the functions that set a code from a parameter; the value is the index of that
    parameter."""
    wrappers = Names()
    wrappers.places[None, "tb_finding_set_code"] = 1

    def add(source, function):
        places = [i for i, one in enumerate(split_arguments(function["parameters"])) if re.search(r"\bchar \*code$", one)]
        return places and any("code" == arguments[place] for name, place in wrappers.within(source).items()
                              for arguments in find_calls(function["body"], name) if place < len(arguments)) \
            and wrappers.add(source, function, places[0])

    repeat(sources, add)
    return wrappers


def find_setters(sources):
    """Find the functions that set the code of the finding in their parameters."""
    setters = Names("tb_finding_set_code")
    repeat(sources, lambda source, function: "TbFinding *finding" in function["parameters"]
           and setters.count(source, function["body"]) and setters.add(source, function))
    return setters


def find_members(text):
    """Find the structures with a member "code": name → index of that member."""
    members = {}
    for found in re.finditer(r"\btypedef struct\n\{([^{}]*)\} (\w+);", text):
        for place, member in enumerate(found.group(1).split(";")):
            if re.search(r"\bchar \*code$", member.strip()):
                members[found.group(2)] = place
    return members


def find_codes(source, wrappers):
    codes = set()
    for name, place in wrappers.within(source).items():
        for arguments in find_calls(source.text, name):
            codes |= literals(arguments[place]) if place < len(arguments) else set()
    # Codes in assignments, in structure initializers, in tables and in returned values.
    for value in re.findall(r"\bcode\s*=\s*([^;,]*)", source.text):
        codes |= literals(value)
    for name, place in find_members(source.text).items():
        for found in re.finditer(rf"\(\s*{name}\) \{{", source.text):
            parts = split_arguments(source.text[found.end():find_end(source.text, found.end() - 1) - 1])
            codes |= literals(parts[place]) if place < len(parts) and not parts[place].startswith(".") else set()
    for table in re.finditer(r"\bcodes\b[^;={]*=\s*\{", source.text):
        codes |= literals(source.text[table.end() - 1:find_end(source.text, table.end() - 1)])
    for function in source.functions:
        if re.search(r"(?:^|_)code(?:$|_)", function["name"]):
            for value in re.findall(r"\breturn\b([^;]*);", function["body"]):
                codes |= literals(value)
    return codes


def find_uncoded(sources):
    """Find the functions that create more findings than they set codes, and do not return them."""
    setters = find_setters(sources)
    makers = Names("tb_finding_new")

    def lacks_code(source, function):
        made = makers.count(source, function["body"])
        return function["name"] not in makers.within(source) and made > setters.count(source, function["body"])

    repeat(sources, lambda source, function: "TbFinding *" in function["type"] and lacks_code(source, function)
           and makers.add(source, function))
    return {f"{source.path}: {function['name']}()" for source in sources for function in source.functions
            if lacks_code(source, function)}


def find_values(source):
    """Return the names of the values that are set; those of a thread begin with the prefix passed.
    """
    names = set()
    for setter in ("integer", "number", "string", "strings"):
        for arguments in find_calls(source.text, f"tb_finding_set_{setter}"):
            names |= literals(arguments[1], r"[a-z][a-z0-9_]*")
    for arguments in find_calls(source.text, "tb_finding_set_thread"):
        for prefix in [""] if arguments[1] == "NULL" else literals(arguments[1], r"[a-z][a-z0-9_]*"):
            names |= {prefix + name for name in ("thread", "tid", "process", "pid")}
    return names


def read_sources():
    """Read all that make findings for users; that of check-plugin is for the exporter it checks."""
    sources = []
    for folder in ("app", "plugins"):
        for path in sorted((ROOT / folder).rglob("*.c")):
            text = path.read_text(encoding="utf-8")
            mentions = re.search(r"\btb_finding_(new|set_\w+) \(|\bTbFinding \*", text)
            if path.parent not in (CLASS, ROOT / "app/cli/check") and mentions:
                sources.append(Source(path.relative_to(ROOT).as_posix(), text))
    return sources


def read_help():
    """Map each section to the codes in its tables and to all names in it."""
    sections = {}
    for section in xml.etree.ElementTree.parse(HELP).getroot().iter(MALLARD + "section"):
        codes = set()
        for row in section.iter(MALLARD + "tr"):
            codes |= {"".join(code.itertext()) for code in row.find(MALLARD + "td").iter(MALLARD + "code")}
        names = {"".join(code.itertext()) for code in section.iter(MALLARD + "code")}
        sections[section.get("id")] = codes, names
    return sections


def by_section(sources, find):
    found = {}
    for source in sources:
        found.setdefault(source.section(), set()).update(find(source))
    return found


# --- the sources ---

def test_every_finding_has_a_code():
    sources = read_sources()
    made = sum(count_calls(source.text, "tb_finding_new") for source in sources)
    assert made >= 20, f"only {made} findings are made: the sources were not read"
    uncoded = find_uncoded(sources)
    assert not uncoded, "\n".join(["no code is set in"] + sorted(uncoded))


def test_codes_are_listed():
    sources = read_sources()
    wrappers = find_wrappers(sources)
    codes = by_section(sources, lambda source: find_codes(source, wrappers))
    sections = read_help()
    elsewhere = codes.pop(None, set()) - set().union(*(listed for listed, _ in sections.values()))
    wrong = [f"{code}: in the sources, in no section of the help" for code in sorted(elsewhere)]
    for section in sorted(set(codes) | set(sections)):
        listed = sections.get(section, (set(), set()))[0]
        wrong += [f"{section}: {code} is not listed in the help" for code in sorted(codes.get(section, set()) - listed)]
        wrong += [f"{section}: {code} is listed in the help, but no finding has it"
                  for code in sorted(listed - codes.get(section, set()))]
        if not listed:
            wrong.append(f"{section}: the help lists no codes")
    assert not wrong, "\n".join(["codes:"] + wrong)


def test_values_are_listed():
    sections = read_help()
    wrong = []
    for section, values in sorted(by_section(read_sources(), find_values).items(), key=str):
        if section in sections:
            wrong += [f"{section}: the value {name} is not in the help" for name in sorted(values - sections[section][1])]
    assert not wrong, "\n".join(["values:"] + wrong)


# --- the scanner: results expected from known sources ---

GOOD = Source("plugins/analyses/x/x.c", '''
/* tb_finding_set_code (finding, "in-a-comment"); */
typedef struct
{
  int place;
  const char *code;
} Kind;

static const char *
get_code (int kind)
{
  static const char *const codes[] = { [0] = "first", [1] = "second-one" };

  return g_str_equal (name, "compared") ? codes[kind] : "third";
}

static TbFinding *
report_text (Report *report, const char *code, char *text)
{
  TbFinding *finding = tb_finding_new (LOW, text, 1, 2);

  tb_finding_set_code (finding, code);
  return finding;
}

static void
report_count (const char *code)
{
  report_text (report, code, "text");
}

static TbFinding *
make (void)
{
  return tb_finding_new (LOW, "no \\"code", 1, 2);
}

static const Kind kind = { .code = "in-a-member", .place = 1 };

static void
set_values (TbFinding *finding)
{
  tb_finding_set_code (finding, ((Kind) { 1, "in-a-structure" }).code);
}

static void
add (Report *report)
{
  TbFinding *finding = make ();
  TbFinding *other = make ();

  set_values (other);
  tb_finding_set_code (finding, has (")") ? "fourth" : "fifth");
  tb_finding_set_integer (report_text (report, "sixth", f ("a, b")), "count", 1);
  tb_finding_set_thread (finding, "holder_", trace, 1);
  report_count ("seventh");
}
''')


def test_scanner_reads_codes():
    wrappers = find_wrappers([GOOD])
    expected = {"tb_finding_set_code": 1, "report_text": 1, "report_count": 0}
    assert wrappers.within(GOOD) == expected, wrappers.places
    codes = find_codes(GOOD, wrappers)
    assert codes == {"first", "second-one", "third", "fourth", "fifth", "sixth", "seventh", "in-a-member",
                     "in-a-structure"}, codes
    assert not find_uncoded([GOOD]), find_uncoded([GOOD])
    assert find_values(GOOD) == {"count", "holder_thread", "holder_tid", "holder_process", "holder_pid"}, find_values(GOOD)


def test_scanner_misses_no_finding():
    plain = Source("a.c", "static void\nadd (void)\n{\n  add (report, tb_finding_new (LOW, text, 0, 0));\n}\n")
    second = Source("b.c", "static void\ntwo (void)\n{\n  a = tb_finding_new (1);\n  tb_finding_set_code (a, \"x\");\n"
                           "  b = tb_finding_new (2);\n}\n")
    returned = Source("c.c", "static TbFinding *\nmake (void)\n{\n  return tb_finding_new (1);\n}\n\n"
                             "static void\nuse (void)\n{\n  f = make ();\n}\n")
    other = Source("d.c", "static void\nother (void)\n{\n  f = make ();\n}\n")
    assert find_uncoded([returned, other]) == {"c.c: use()"}, "a static function of another file is taken for one's own"
    for source, name in ((plain, "a.c: add()"), (second, "b.c: two()"), (returned, "c.c: use()")):
        assert find_uncoded([source]) == {name}, (name, find_uncoded([source]))


if __name__ == "__main__":
    sys.exit(tap.main([test_every_finding_has_a_code, test_codes_are_listed, test_values_are_listed,
                       test_scanner_reads_codes, test_scanner_misses_no_finding]))
