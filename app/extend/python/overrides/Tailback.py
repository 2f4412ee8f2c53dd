# Tailback.py: additions to the Python binding of libtailback: columns as memory that is not copied,
# events as columns, plug-ins that cannot end the program
#
# SPDX-License-Identifier: LGPL-2.1-or-later

import ctypes
import functools
import itertools
import re
import sys

from gi.module import get_introspection_module
from gi.overrides import override
from gi.repository import GLib, GObject

Tailback = get_introspection_module("Tailback")

__all__ = ["Analysis", "Collector", "Exporter", "Importer", "Recorder", "Table", "Trace", "view"]

# Codes of the modules struct and array, by the type of a column.
CODES = {
    Tailback.ColumnType.U8: "B", Tailback.ColumnType.U16: "H", Tailback.ColumnType.U32: "I",
    Tailback.ColumnType.U64: "Q", Tailback.ColumnType.I64: "q", Tailback.ColumnType.F64: "d",
}

TYPE_NAME = re.compile("[A-Za-z_][A-Za-z0-9_+-]{2,}")
NAMED = {}  # module of each class of plug-ins, by the name of its type


def view(data, code="B"):
    """The bytes of a GLib.Bytes as a read-only memoryview of values with a code of the module
    struct, without a copy. numpy.frombuffer() and numpy.asarray() take it."""
    address, size = Tailback.bytes_get_address(data)
    if not size:
        return memoryview(b"").cast(code)
    memory = (ctypes.c_ubyte * size).from_address(address)
    memory.owner = data  # the memory is valid as long as the bytes
    return memoryview(memory).toreadonly().cast("B").cast(code)


def get_code(table, column):
    return CODES[Tailback.Table.kind_get_column_type(table, column)]


class Trace(Tailback.Trace):
    def read_view(self, table, column):
        """A column of a table, as read_column(), as a memoryview."""
        return view(self.read_column(table, column), get_code(table, column))

    def get_interval_view(self, column):
        """A column of the intervals, as get_interval_column(), as a memoryview."""
        return view(self.get_interval_column(column),
                    get_code(Tailback.TableKind.INTERVAL, column))


Trace = override(Trace)


class Table(Tailback.Table):
    def get_view(self, column):
        """A column, as get_column(), as a memoryview."""
        return view(self.get_column(column), get_code(self.get_kind(), column))


Table = override(Table)


def pack_as(values, size, name):
    """Anything with the buffer protocol and values of a size."""
    with memoryview(values) as memory:
        if memory.itemsize != size:
            raise TypeError(f"the column {name} needs values of {size} bytes, these "
                            f"have {memory.itemsize}")
        return GLib.Bytes.new(memory.tobytes())


def pack(column, values):
    """The values of a column of events."""
    return pack_as(values, Tailback.event_column_get_size(column), column.value_nick)


class Recorder(Tailback.Recorder):
    def add(self, event, chain=None, args=None):
        """Adds a Tailback.Event. A call chain of addresses and the arguments of a system call,
        which the event itself cannot have in Python, are lists of integers."""
        self.add_copy(event, chain, args)

    def add_rows(self, kind, /, chains=None, **columns):
        """Adds events of one kind, or with kind=None those whose kinds are a column. Each column is
        a buffer of values (array.array, numpy) or one integer for all events; the names are those
        of Tailback.EventColumn in lower case: time=…, cpu=…, tid=…, a=…, arg0=… chains are two
        buffers: the addresses of the call chains of all events, and the length of each."""
        if kind is None:
            kind = Tailback.EventKind.SWITCH  # the column has precedence
        rows = Tailback.EventColumns.new(kind)
        if chains is not None:
            rows.set_chains(*(pack_as(values, size, name) for values, size, name in
                              zip(chains, (8, 2), ("addresses", "lengths"), strict=True)))
        for name, values in columns.items():
            column = getattr(Tailback.EventColumn, name.upper())
            if isinstance(values, int):
                rows.set_constant(column, values)
            else:
                rows.set(column, pack(column, values))
        return self.add_columns(rows)


Recorder = override(Recorder)


def keep_running(function):
    """A plug-in that calls sys.exit() would end the program."""
    @functools.wraps(function)
    def call(*arguments):
        try:
            return function(*arguments)
        except SystemExit as error:
            raise RuntimeError(f"sys.exit({error.code!r}) called in a plug-in") from error
    return call


def has_type(name):
    try:
        return bool(GObject.GType.from_name(name))
    except RuntimeError:
        return False


def choose_type_name(cls, name):
    """GLib has no reason in its errors. A type stays when its module is imported again after a
    change: that of the new class has another name then."""
    if not TYPE_NAME.fullmatch(name):
        raise TypeError(f"__gtype_name__ is {name!r}: it must have at least 3 characters, all of "
                        "them letters, digits or one of - _ +, the first a letter or _")
    module = sys.modules.get(cls.__module__)
    if has_type(name):
        before = NAMED.get(name)
        if before is None or before is module or before.__file__ != module.__file__:
            raise TypeError(f"__gtype_name__ is {name!r}, which another class has, perhaps of "
                            "another plug-in: choose another name")
        name = next(new for number in itertools.count(2)
                    if not has_type(new := f"{name}-v{number}"))
    NAMED[vars(cls)["__gtype_name__"]] = module
    return name


class Guarded:
    """A class of plug-ins whose functions are called by the program."""

    @classmethod
    def __init_subclass__(cls, **arguments):
        super().__init_subclass__(**arguments)
        if "__gtype_name__" in vars(cls):
            cls.__gtype_name__ = choose_type_name(cls, cls.__gtype_name__)
        for name, function in list(vars(cls).items()):
            if name.startswith("do_") and callable(function):
                setattr(cls, name, keep_running(function))


class Analysis(Guarded, Tailback.Analysis):
    pass


class Collector(Guarded, Tailback.Collector):
    pass


class Exporter(Guarded, Tailback.Exporter):
    pass


class Importer(Guarded, Tailback.Importer):
    pass


Analysis = override(Analysis)
Collector = override(Collector)
Exporter = override(Exporter)
Importer = override(Importer)
