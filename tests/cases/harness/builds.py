"""Programs compiled from third-party sources, with or without an injected lag."""
# SPDX-License-Identifier: GPL-3.0-or-later

import glob
import hashlib
import os
import shutil
import subprocess
import tempfile

from harness import sources
from harness.processes import Failure

FLAGS = ("-O2", "-g", "-fno-omit-frame-pointer", "-w")

# The added time is a loop in the function itself. Its length comes from the environment, so no name
# gives it away.
LAG_TOP = """
#include <stdlib.h>
static unsigned long turns;
__attribute__ ((constructor)) static void read_turns (void)
{ const char *text = getenv ("CASE_TURNS"); turns = text ? strtoul (text, NULL, 10) : 0; }
"""
LAG = "for (unsigned long turn = 0; turn < turns; turn++) __asm__ volatile (\"\");"


def kept(name, recipe, make):
    """Return the folder that make(folder) filled. It is reused as long as the recipe is
    unchanged."""
    digest = hashlib.sha256(recipe.encode()).hexdigest()[:12]
    folder = os.path.join(sources.KEPT, "builds", f"{name}-{digest}")
    if not os.path.isdir(folder):
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        part = tempfile.mkdtemp(prefix=name + ".", dir=os.path.dirname(folder))
        os.chmod(part, 0o755)
        try:
            make(part)
            os.rename(part, folder)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    return folder


def compile_c(folder, output, files, *flags):
    command = ["gcc", *FLAGS, *files, *flags, "-o", output]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=folder)
    if done.returncode != 0:
        raise Failure(f"{output}: {done.stderr.strip()[-500:]}")


def unpack(package, suite, folder):
    subprocess.run(["tar", "-C", folder, "--strip-components=1", "-xf", sources.fetch_source(package, suite)], check=True)


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def put_lag(path, place):
    """Insert a lag at place: the beginning of the function's definition, and the text in it after
    which the lag comes."""
    head, anchor = place
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read()
    if text.count(head) != 1 or anchor not in text[text.index(head):]:
        raise Failure(f"{path}: no \"{head}\" with \"{anchor}\"")
    end = text.index(anchor, text.index(head)) + len(anchor)
    with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(LAG_TOP + text[:end] + LAG + text[end:])


def strip(path, copy):
    subprocess.run(["strip", "--strip-all", path, "-o", copy], check=True)
    return copy


def cmark_gfm():
    """Return the path of cmark-gfm 0.29.0.gfm.6, built as a single program."""
    def make(folder):
        unpack("cmark-gfm", "bookworm", folder)
        write(f"{folder}/src/config.h", "#include <stdbool.h>\n#define CMARK_ATTRIBUTE(list) __attribute__ (list)\n"
              "#define HAVE___BUILTIN_EXPECT\n#define CMARK_INLINE inline\n")
        write(f"{folder}/src/cmark-gfm_export.h", "#define CMARK_GFM_EXPORT\n#define CMARK_GFM_NO_EXPORT\n")
        write(f"{folder}/src/cmark-gfm-extensions_export.h", "#define CMARK_GFM_EXTENSIONS_EXPORT\n")
        write(f"{folder}/src/cmark-gfm_version.h", '#define CMARK_GFM_VERSION 0\n#define CMARK_GFM_VERSION_STRING "0.29.0.gfm.6"\n')
        files = sorted(glob.glob(f"{folder}/src/*.c") + glob.glob(f"{folder}/extensions/*.c"))
        compile_c(folder, "cmark-gfm", files, "-Isrc", "-Iextensions")
    return os.path.join(kept("cmark-gfm", "0.29.0.gfm.6 1" + str(FLAGS), make), "cmark-gfm")


def expat():
    """Return the path of expat 2.5.0's program xmlwf, which finds its library in the same
    folder."""
    def make(folder):
        unpack("expat", "bookworm", folder)
        source = f"{folder}/expat"
        write(f"{source}/lib/expat_config.h", "#define XML_NS 1\n#define XML_DTD 1\n#define XML_CONTEXT_BYTES 1024\n"
              "#define HAVE_GETRANDOM 1\n#define BYTEORDER 1234\n#include <unistd.h>\n")
        compile_c(folder, "libexpat.so.1", [f"{source}/lib/xml{part}.c" for part in ("parse", "role", "tok")], "-shared", "-fPIC",
                  "-Wl,-soname,libexpat.so.1")
        compile_c(folder, "xmlwf", [f"{source}/xmlwf/{part}.c" for part in ("xmlwf", "xmlfile", "codepage", "readfilemap")],
                  f"-I{source}/lib", "libexpat.so.1", "-Wl,-rpath,$ORIGIN")
    return os.path.join(kept("expat", "2.5.0 1" + str(FLAGS), make), "xmlwf")


def zlib(file, place):
    """Return the folder with a libz.so.1 in which one function lags."""
    def make(folder):
        unpack("zlib", None, folder)
        put_lag(f"{folder}/{file}", place)
        files = sorted(glob.glob(f"{folder}/*.c"))
        os.makedirs(f"{folder}/library")
        compile_c(folder, "library/libz.so.1", files, "-shared", "-fPIC", "-DHAVE_UNISTD_H", "-DHAVE_STDARG_H",
                  "-Wl,-soname,libz.so.1", f"-Wl,--version-script={folder}/zlib.map")
    return os.path.join(kept("zlib", LAG_TOP + LAG + file + str((place, FLAGS)), make), "library")


def bzip2(file, place):
    """Return the path of bzip2 in which one function lags."""
    def make(folder):
        unpack("bzip2", None, folder)
        put_lag(f"{folder}/{file}", place)
        names = ("blocksort", "huffman", "crctable", "randtable", "compress", "decompress", "bzlib", "bzip2")
        compile_c(folder, "bzip2", [f"{name}.c" for name in names], "-D_FILE_OFFSET_BITS=64")
    return os.path.join(kept("bzip2", LAG_TOP + LAG + file + str((place, FLAGS)), make), "bzip2")


def apache_headers():
    return sources.fetch_headers("apache-headers", "apache2-dev", "libapr1-dev", "libaprutil1-dev")


def apache_module(name, path, place, *flags):
    """Return the path of a module of the system's Apache, built from source, in which one function
    lags."""
    def make(folder):
        os.makedirs(f"{folder}/source")
        unpack("apache2", None, f"{folder}/source")
        put_lag(f"{folder}/source/{path}", place)
        include = f"{apache_headers()}/usr/include"
        compile_c(folder, f"mod_{name}.so", [f"source/{path}"], "-shared", "-fPIC", f"-I{include}/apache2", f"-I{include}/apr-1.0",
                  f"-Isource/{os.path.dirname(path)}", "-D_GNU_SOURCE", *flags)
        shutil.rmtree(f"{folder}/source")
    return os.path.join(kept(f"mod_{name}", LAG_TOP + LAG + path + str((place, FLAGS, flags)), make), f"mod_{name}.so")


def own(stage, name, *flags, output=None):
    """Compile a program, or with -shared a part of one, from programs/contexts into the case's
    folder."""
    source = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "programs", "contexts")
    path = stage.path(output or name)
    compile_c(source, path, [f"{name}.c"], "-D_GNU_SOURCE", "-Wall", "-Wextra", "-fvisibility=hidden", "-pthread", *flags)
    return path


def find_offset(path, function):
    """Return the file offset of a function in a file with symbols: it identifies the function in
    the stripped file."""
    symbols = subprocess.run(["nm", path], check=True, capture_output=True, text=True).stdout
    address = next(int(line.split()[0], 16) for line in symbols.splitlines() if line.split()[-1].partition(".")[0] == function)
    headers = subprocess.run(["readelf", "-lW", path], check=True, capture_output=True, text=True).stdout
    for words in (line.split() for line in headers.splitlines() if line.split()[:1] == ["LOAD"]):
        offset, start, size = (int(words[index], 16) for index in (1, 2, 4))
        if start <= address < start + size:
            return offset + address - start
    raise Failure(f"{path}: no place of {function}")
