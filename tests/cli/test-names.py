#!/usr/bin/env python3
"""Names of functions in recordings of other tools: the right file is used, never one that
contradicts the recording, and names that are not certain are marked."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import perf_writer  # noqa: E402
import tap  # noqa: E402
from named_programs import (ADDRESS, CODE, ELSEWHERE, INLINE, Folder, find_functions,  # noqa: E402
                            get_addresses, make_mapping, read_segment, run)

# A file of another size and layout, with other functions where those of CODE are.
OTHER = CODE.replace("working", "resting").replace("counting", "pausing") + "\n".join(
    f"int further_{i} (int n) {{ return n * sink + {i}; }}" for i in range(600))


def record(folder, program, names, *, mapping=None, age=0, **options):
    """Write a recording with a sample in each of the functions. age: seconds since it ended."""
    functions = find_functions(program, names)
    assert len(functions) == len(names), functions
    path = folder.get("test.data")
    perf_writer.write(path, 4321, [mapping or make_mapping(program)],
                      get_addresses(program, functions.values()), **options)
    if age:
        status = os.stat(path)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns - age * 10 ** 9))
    return path


def look(path, **environment):
    """Return the functions, and the names of the only file as info has them."""
    settings = {**os.environ, **environment}
    done = tap.cli("analyze", path, "--analysis", "calling-contexts", "--format", "json",
                   env=settings)
    assert done.returncode == 0, done
    summary = json.loads(done.stdout)["summary"]
    info = tap.cli("info", path, "--json", env=settings)
    assert info.returncode == 0, info
    text = tap.cli("info", path, env=settings)
    symbols = json.loads(info.stdout)["symbols"]
    assert len(symbols) == 1, symbols
    if symbols[0]["text"] is not None:
        assert "Names: " + symbols[0]["text"] in text.stdout, (symbols, text.stdout)
    else:
        assert "Names: " not in text.stdout, text.stdout
    for module in summary["modules"]:
        assert module["unverified"] == symbols[0]["unverified"], (summary, symbols)
    return {function["function"] for function in summary["functions_top"]}, symbols[0]


NAMES = {"working", "counting"}


def check_named(path, *, unverified=False, names=frozenset(NAMES), **environment):
    functions, symbols = look(path, **environment)
    assert functions == names, functions
    assert symbols["unnamed"] == 0 and symbols["reason"] is None, symbols
    assert symbols["unverified"] == unverified, symbols
    assert (symbols["text"] is not None and "unverified" in symbols["text"]) == unverified, symbols
    return symbols


def check_unnamed(path, reason, words, **environment):
    functions, symbols = look(path, **environment)
    assert not functions & {*NAMES, "resting", "pausing"}, functions
    assert symbols["unnamed"] == symbols["addresses"] == 2, symbols
    assert symbols["reason"] == reason and not symbols["unverified"], symbols
    assert words in symbols["text"] and "2 addresses without names" in symbols["text"], symbols
    return symbols


def test_device_and_inode():
    """The file that was mapped, on any host, as long as it is older than the recording."""
    with Folder() as folder:
        program = folder.build("program", CODE)
        symbols = check_named(record(folder, program, NAMES, host=ELSEWHERE))
        assert symbols["file"] == program and symbols["build_id"] is None, symbols
        # Another file may have taken its inode since.
        check_named(record(folder, program, NAMES, host=ELSEWHERE, age=3600), unverified=True)


def test_own_host():
    """An older file at the recorded path of this host."""
    with Folder() as folder:
        program = folder.build("program", CODE)
        unknown = make_mapping(program, inode=0, device=0)
        check_named(record(folder, program, NAMES, mapping=unknown))
        check_named(record(folder, program, NAMES, mapping=unknown, age=3600), unverified=True)
        # In a container: the path is that of another file.
        other = make_mapping(program, inode=99)
        check_named(record(folder, program, NAMES, mapping=other), unverified=True)


def test_segments():
    """The same code in the same places."""
    with Folder() as folder:
        program = folder.build("program", CODE)
        same = make_mapping(program, inode=99)
        symbols = check_named(record(folder, program, NAMES, mapping=same, host=ELSEWHERE),
                              unverified=True)
        assert symbols["file"] == program, symbols
        unknown = make_mapping(program, inode=99, protection=0)
        check_unnamed(record(folder, program, NAMES, mapping=unknown, host=ELSEWHERE),
                      "unknown-file", "nothing shows that")
        writable = make_mapping(program, inode=99, protection=7)
        check_unnamed(record(folder, program, NAMES, mapping=writable, host=ELSEWHERE),
                      "other-code", "is not the recorded file")


def test_contradiction():
    """A file that is not the recorded one, whatever else agrees."""
    with Folder() as folder:
        program = folder.build("program", CODE)
        longer = make_mapping(program, length=make_mapping(program).length + 4096)
        check_unnamed(record(folder, program, NAMES, mapping=longer), "other-code",
                      "is not the recorded file")
        path = record(folder, program, NAMES)
        mapping = make_mapping(program)
        replaced = folder.build("replacement", OTHER)
        assert make_mapping(replaced).length != mapping.length
        os.replace(replaced, program)
        for age in (0, 3600):
            os.utime(path, ns=(0, os.stat(path).st_mtime_ns - age * 10 ** 9))
            check_unnamed(path, "other-code", "Add a symbol folder")
        os.unlink(program)
        check_unnamed(path, "no-file", f"not found at {program}")


def test_build_id():
    """A build ID decides alone."""
    with Folder() as folder:
        own = "0123456789abcdef0123456789abcdef01234567"
        program = folder.build("program", CODE, build_id="0x" + own)
        other = bytes(20 * [0x5a])
        path = record(folder, program, NAMES, host=ELSEWHERE, age=3600,
                      build_ids={program: bytes.fromhex(own)})
        assert check_named(path)["build_id"] == own
        path = record(folder, program, NAMES, build_ids={program: other})
        symbols = check_unnamed(path, "other-build", "is another build")
        assert other.hex() in symbols["text"], symbols
        # Without one in the recording, that of the file is no contradiction.
        check_named(record(folder, program, NAMES))


def test_no_build_id():
    """perf inject writes build IDs of the length 0. Linux sets the flag for other recordings."""
    with Folder() as folder:
        program = folder.build("program", CODE)
        empty = make_mapping(program, build_id=b"")
        symbols = check_named(record(folder, program, NAMES, mapping=empty))
        assert symbols["build_id"] is None, symbols
        flagged = make_mapping(program, with_build_id_flag=True)
        check_named(record(folder, program, NAMES, mapping=flagged, host=ELSEWHERE))


def test_symbol_folder():
    """A copy in a folder that the user chose."""
    with Folder() as folder:
        program = folder.build("program", CODE)
        path = record(folder, program, NAMES)
        copies = folder.get("copies")
        os.mkdir(copies)
        os.rename(program, os.path.join(copies, "program"))
        symbols = check_unnamed(path, "no-file", "Add a symbol folder")
        assert symbols["file"] is None, symbols
        check_named(record(folder, os.path.join(copies, "program"), NAMES,
                           mapping=make_mapping(os.path.join(copies, "program"), path=program,
                                                inode=99)),
                    unverified=True, TAILBACK_SYMBOL_PATH=copies)


def test_debuginfod_remedy():
    """A file with a build ID can be received: until it is asked for, info names the option."""
    with Folder() as folder:
        program = folder.build("program", CODE)
        with_id = make_mapping(program, build_id=bytes(range(20)))
        without = make_mapping(program)
        os.unlink(program)
        functions = [ADDRESS, ADDRESS + 16]
        path = folder.get("test.data")
        for mapping, expected in ((with_id, True), (without, False)):
            perf_writer.write(path, 4321, [mapping], functions)
            text = tap.cli("info", path).stdout
            assert ("--debuginfod" in text) == expected, text
        perf_writer.write(path, 4321, [with_id], functions)
        server = {**os.environ, "DEBUGINFOD_URLS": "http://127.0.0.1:9/"}
        text = tap.cli("info", path, "--debuginfod", env=server).stdout
        assert "Add a symbol folder" in text and "--debuginfod" not in text, text


def strip_to(folder, program, debug):
    run("objcopy", "--only-keep-debug", program, debug)
    run("objcopy", "--strip-all", program, folder.get("stripped"))
    return folder.get("stripped")


def test_debug_link():
    """A separate debug file is that which the debug link names, if it has the CRC of the link."""
    with Folder() as folder:
        program = folder.build("program", CODE)
        functions = find_functions(program, NAMES)
        addresses = get_addresses(program, functions.values())
        debug = folder.get("program.debug")
        stripped = strip_to(folder, program, debug)
        run("objcopy", f"--add-gnu-debuglink={debug}", stripped, program, cwd=folder.path)
        path = folder.get("test.data")
        perf_writer.write(path, 4321, [make_mapping(program)], addresses)
        check_named(path)
        with open(debug, "ab") as file:
            file.write(b"\0")
        symbols = check_unnamed(path, "no-symbol", "has no symbols")
        assert "Install its debug symbols" in symbols["text"], symbols


def test_mini_debug_info():
    """A compressed symbol table in the section .gnu_debugdata."""
    with Folder() as folder:
        program = folder.build("program", CODE)
        addresses = get_addresses(program, find_functions(program, NAMES).values())
        if shutil.which("xz") is None:
            raise tap.Skip("there is no xz")
        mini = folder.get("mini")
        stripped = strip_to(folder, program, mini)
        run("objcopy", "-S", "--remove-section=.gdb_index", "--remove-section=.comment",
            "--keep-symbol=working", "--keep-symbol=counting", mini)
        run("xz", "--keep", mini)
        run("objcopy", "--add-section", f".gnu_debugdata={mini}.xz", stripped, program)
        path = folder.get("test.data")
        perf_writer.write(path, 4321, [make_mapping(program)], addresses)
        check_named(path)


def check_inlined(path):
    names, _ = look(path)
    assert names == {"innermost", "outer"} or names == {"innermost"}, names
    done = tap.cli("analyze", path, "--analysis", "calling-contexts", "--format", "json")
    paths = json.loads(done.stdout)["summary"]["paths"]
    assert any([frame["function"] for frame in path["frames"]][-2:] == ["outer", "innermost"]
               for path in paths), paths


def make_inlined(folder, *options):
    program = folder.build("split", INLINE, "-O2", *options)
    start = find_functions(program, {"outer"})["outer"]
    size = next(int(line.split()[1], 16) for line in run("nm", "-S", program).splitlines()
                if line.endswith(" outer"))
    path = folder.get("test.data")
    perf_writer.write(path, 4321, [make_mapping(program)],
                      get_addresses(program, range(start - 4, start + size - 4)))
    return program, path


def test_split_dwarf():
    """Inlined functions of programs built with -gsplit-dwarf: .dwo, .dwp."""
    for version in ("-gdwarf-5", "-gdwarf-4"):
        with Folder() as folder:
            program, path = make_inlined(folder, "-gsplit-dwarf", version)
            check_inlined(path)
            dwo = [name for name in os.listdir(folder.path) if name.endswith(".dwo")]
            assert len(dwo) == 1, dwo
            dwp = shutil.which("llvm-dwp") or shutil.which("dwp")
            if dwp is not None:
                run(dwp, "-o", program + ".dwp", folder.get(dwo[0]))
                os.unlink(folder.get(dwo[0]))
                check_inlined(path)
                os.unlink(program + ".dwp")
            # Without the file, or with a FIFO in its place, the function remains.
            if os.path.exists(folder.get(dwo[0])):
                os.unlink(folder.get(dwo[0]))
            assert look(path)[0] == {"outer"}, version
            os.mkfifo(folder.get(dwo[0]))
            assert look(path)[0] == {"outer"}, version


def test_generated_code():
    """A list of generated functions is used if it was written during the recording."""
    pid = 4194303  # the largest that Linux gives: probably no process
    listing = f"/tmp/perf-{pid}.map"
    if os.path.exists(listing) or os.path.exists(f"/proc/{pid}"):
        raise tap.Skip("there is such a process")
    with Folder() as folder:
        mapping = perf_writer.Mapping("//anon", 0x7000_0000_0000, 0x10000, 0)
        path = folder.get("test.data")
        addresses = [0x7000_0000_0010] + [0x7000_0000_0110] * 10000
        try:
            with open(listing, "w", encoding="ascii") as file:
                file.write("700000000000 100 JIT:hot\n")
            perf_writer.write(path, pid, [mapping], addresses)
            end = os.stat(path).st_mtime_ns
            os.utime(listing, ns=(end, end - 10 ** 6))
            functions, symbols = look(path)
            assert "JIT:hot" in functions, functions
            assert symbols["unnamed"] == 1 and symbols["reason"] == "no-symbol", symbols
            # The memory of a function is used again: the list does not have the time.
            with open(listing, "a", encoding="ascii") as file:
                file.write("700000000110 10 JIT:old\n700000000110 8 JIT:new\n")
            os.utime(listing, ns=(end, end - 10 ** 6))
            functions, symbols = look(path)
            assert {"JIT:hot", "JIT:new"} <= functions and "JIT:old" not in functions, functions
            assert symbols["unnamed"] == 0 and symbols["unverified"], symbols
            assert symbols["reused_addresses"] == 1, symbols
            assert "the name of 1 address is unverified: several functions had it" in symbols[
                "text"], symbols
            # An earlier process had the PID.
            os.utime(listing, ns=(end, end - 10 ** 12))
            functions, symbols = look(path)
            assert "JIT:hot" not in functions, functions
            assert symbols["reason"] == "other-boot", symbols
        finally:
            os.unlink(listing)


def test_recorded_by_perf():
    """The same with perf itself, where it can record."""
    if shutil.which("perf") is None:
        raise tap.Skip("there is no perf")
    with Folder() as folder:
        loop = CODE.replace("i < 9", "i < 50000000").replace("int i", "unsigned i")
        program = folder.build("program", loop)
        path = folder.get("perf.data")
        done = tap.run("perf", "record", "-B", "-N", "-g", "-e", "cpu-clock:u", "-o", path, program,
                       cwd=folder.path)
        if done.returncode != 0:
            raise tap.Skip("perf cannot record here")
        done = tap.cli("analyze", path, "--analysis", "calling-contexts", "--format", "json")
        modules = json.loads(done.stdout)["summary"]["modules"]
        functions = json.loads(done.stdout)["summary"]["functions_top"]
        assert functions[0]["function"] == "counting", functions
        assert not any(module["unverified"] for module in modules), modules


if __name__ == "__main__":
    sys.exit(tap.main([test_device_and_inode, test_own_host, test_segments, test_contradiction,
                       test_build_id, test_no_build_id, test_symbol_folder, test_debuginfod_remedy,
                       test_debug_link,
                       test_mini_debug_info, test_split_dwarf, test_generated_code,
                       test_recorded_by_perf]))
