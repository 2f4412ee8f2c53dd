#!/usr/bin/env python3
"""Use every record and enumeration that the chapters for authors of plug-ins name, from Python:
each field is written and read, and each value is passed to C and back."""
# SPDX-License-Identifier: GPL-3.0-or-later

import glob
import os
import re
import sys
import tempfile

import gi
import gi.overrides

SOURCE = os.environ["TAILBACK_SOURCE"]
sys.path.insert(0, os.path.join(SOURCE, "tests/cli"))
import tap  # noqa: E402

gi.overrides.__path__.append(os.path.join(SOURCE, "app/extend/python/overrides"))
gi.require_version("GIRepository", "2.0")
gi.require_version("Tailback", "1")
from gi.repository import Gio, GIRepository, GObject, Tailback  # noqa: E402

# Links to symbols, their names in Python, and types of the examples in C.
NAMES = re.compile(r"\[\w+@Tailback\.(\w+)|\bTailback\.([A-Z]\w+)|\bTb([A-Z]\w+)")
EVENTS = os.path.join(SOURCE, "tests/fixtures/events/pipes.csv")
TAGS = GIRepository.TypeTag
# A value other than 0 that each type of field holds.
SAMPLES = {TAGS.BOOLEAN: True, TAGS.INT8: -7, TAGS.UINT8: 200, TAGS.INT16: -7, TAGS.UINT16: 60000,
           TAGS.INT32: -7, TAGS.UINT32: 2**32 - 2, TAGS.INT64: -2**62, TAGS.UINT64: 2**64 - 2,
           TAGS.FLOAT: 0.5, TAGS.DOUBLE: 0.25}


def list_infos():
    repository = GIRepository.Repository.get_default()
    return {repository.get_info("Tailback", i).get_name(): repository.get_info("Tailback", i)
            for i in range(repository.get_n_infos("Tailback"))}


def list_named(*kinds):
    """The things of some kinds that the chapters name, with their introspection data."""
    infos = list_infos()
    named = set()
    for path in glob.glob(f"{SOURCE}/help/api/*.md"):
        with open(path, encoding="utf-8") as file:
            named |= {next(filter(None, match)) for match in NAMES.findall(file.read())}
    return {name: infos[name] for name in sorted(named) if name in infos
            and infos[name].get_type() in kinds
            and not (infos[name].get_type() == GIRepository.InfoType.STRUCT
                     and GIRepository.struct_info_is_gtype_struct(infos[name]))}


def list_fields(info):
    for i in range(GIRepository.struct_info_get_n_fields(info)):
        field = GIRepository.struct_info_get_field(info, i)
        yield field.get_name(), GIRepository.field_info_get_type(field)


def test_names():
    """Everything that the chapters write as Python can be reached."""
    n = 0
    for path in glob.glob(f"{SOURCE}/help/api/*.md"):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"\[\w+@.*?\]", "", file.read())
            for name in re.findall(r"\bTailback((?:\.\w+)+)", text):
                if name == ".plugin":
                    continue
                found = Tailback
                for part in name[1:].split("."):
                    found = getattr(found, part)
                n += 1
    assert n > 30, n


def test_records():
    """A record is made, and its fields hold what is written into them; a field that is an array or
    a text has an accessible value in records of the library only."""
    records = list_named(GIRepository.InfoType.STRUCT)
    assert {"Event", "PreflightLine"} <= set(records), records
    n = 0
    for name, info in records.items():
        if GIRepository.struct_info_get_n_fields(info) == 0:
            continue
        record = getattr(Tailback, name)()
        fields = [(field, SAMPLES[GIRepository.type_info_get_tag(kind)])
                  for field, kind in list_fields(info)
                  if not GIRepository.type_info_is_pointer(kind)
                  and GIRepository.type_info_get_tag(kind) in SAMPLES]
        for field, value in fields:
            setattr(record, field, value)
        for field, value in fields:
            assert getattr(record, field) == value, (name, field, getattr(record, field))
        n += len(fields)
    assert n >= 20, n


def test_event():
    """All fields of an event but its arrays, which are given beside it."""
    fields = [name for name, _ in list_fields(list_infos()["Event"])
              if name not in ("chain", "args", "n_chain")]
    event = Tailback.Event()
    for i, name in enumerate(fields, 1):
        setattr(event, name, i)
    assert len(fields) >= 17, fields
    assert [getattr(event, name) for name in fields] == list(range(1, len(fields) + 1))


def test_enumerations():
    """Each value has its name and number, and comes back from C as the same."""
    kinds = (GIRepository.InfoType.ENUM, GIRepository.InfoType.FLAGS)
    enumerations = list_named(*kinds)
    assert {"CauseKind", "CellType", "EventColumn", "EventKind", "IntervalColumn", "Paint",
            "Question", "Severity", "State", "TableKind"} <= set(enumerations), enumerations
    for name, info in enumerations.items():
        values = [GIRepository.enum_info_get_value(info, i)
                  for i in range(GIRepository.enum_info_get_n_values(info))]
        assert values, name
        for value in values:
            word, number = value.get_name().upper(), GIRepository.value_info_get_value(value)
            member = getattr(getattr(Tailback, name), word)
            assert int(member) == number, (name, word)
            gvalue = GObject.Value(type(member), member)
            assert gvalue.get_value() == member, (name, word)


def test_values_in_use():
    """Enumerations as arguments of functions, on a recording: every table and column, every
    question, and every name of a state, paint and severity."""
    with tempfile.TemporaryDirectory(prefix="tailback-guide-") as folder:
        path = os.path.join(folder, "pipes.tailback")
        done = tap.cli("import", EVENTS, "-o", path)
        assert done.returncode == 0, done.stderr
        session = Tailback.Session.open(Gio.File.new_for_path(path), None)
        session.keep_in_memory()
        trace = Tailback.Trace.new(session, None, None, None)
    lengths = []
    for number in range(Tailback.N_TABLES):
        kind = Tailback.TableKind(number)
        for column in range(Tailback.Table.kind_get_info(kind).n_columns):
            lengths.append(len(trace.read_view(kind, column)))
    assert len(lengths) > 100 and max(lengths) > 5, lengths
    n = len(trace.get_interval_view(Tailback.IntervalColumn.STATE))
    columns = [Tailback.IntervalColumn(i) for i in range(Tailback.INTERVAL_N_COLUMNS)]
    assert {len(trace.get_interval_view(column)) for column in columns} == {n} and n > 5
    evidence = trace.get_evidence()
    answers = [evidence.answers(Tailback.Question(i)) for i in range(Tailback.N_QUESTIONS)]
    assert True in answers and False in answers, answers
    assert set(trace.get_interval_view(Tailback.IntervalColumn.STATE)) <= set(
        range(Tailback.N_STATES))
    names = [Tailback.paint_get_name(Tailback.Paint(i)) for i in range(Tailback.N_PAINTS)]
    assert len(set(names)) == Tailback.N_PAINTS, names
    assert Tailback.CPU_ALL == 2**16 - 1 and Tailback.ID_NONE == 2**32 - 1
    assert Tailback.TIME_NONE == -1 and Tailback.FRAME_DATA == 2**63


if __name__ == "__main__":
    sys.exit(tap.main([test_names, test_records, test_event, test_enumerations,
                       test_values_in_use]))
