#!/usr/bin/env python3
"""Completions of bash, zsh and fish, in these shells, compared with the options that --help lists
and the values that the commands take."""
# SPDX-License-Identifier: GPL-3.0-or-later

import json
import os
import re
import shlex
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402

SOURCES = os.path.join(os.environ["TAILBACK_SOURCE"], "app/cli")
ENVIRONMENT = os.environ | {"PATH": os.path.dirname(tap.CLI) + ":" + os.environ["PATH"],
                            "LC_ALL": "C.UTF-8"}

BASH = """compopt () { echo "compopt $*" >&2; }
source %s
COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_tailback_cli
printf '%%s\\n' "${COMPREPLY[@]}"
"""

# What zsh's own functions add to the completions is printed.
ZSH = """_describe () { local -a all; all=("${(@P)2}"); print -l -- ${all%%%%:*} }
compadd () { while [[ $1 != -- ]]; do shift; done; shift; print -l -- $@ }
_files () { print FILES }
_pids () { print PIDS }
_command_names () { print COMMANDS }
file=%s
words=(%s); CURRENT=$#words
source $file
"""


def complete(shell, *words):
    """Return what the shell offers for the last word, which may be empty, without descriptions."""
    if shutil.which(shell) is None:
        raise tap.Skip(f"{shell} is not installed")
    line = " ".join(shlex.quote(word) for word in ("tailback-cli", *words))
    if shell == "fish":
        typed = shlex.quote(line.removesuffix("''"))
        text = f"source {SOURCES}/tailback-cli.fish; complete -C {typed}"
        arguments = ["fish", "--no-config", "-c", text]
    elif shell == "zsh":
        arguments = ["zsh", "-f", "-c", ZSH % (f"{SOURCES}/tailback-cli.zsh", line)]
    else:
        file = f"{SOURCES}/tailback-cli.bash-completion"
        arguments = ["bash", "--norc", "-c", BASH % (file, line)]
    done = tap.run(*arguments, env=ENVIRONMENT)
    assert done.returncode == 0 and "error" not in done.stderr, (words, done)
    offered = [entry.split("\t")[0].removesuffix("=") for entry in done.stdout.splitlines()]
    # A shell offers what begins with the word; zsh chooses itself.
    return sorted({entry for entry in offered if entry.startswith(words[-1])})


def list_commands():
    return re.findall(r"^  ([a-z][a-z-]*) ", tap.cli("--help").stdout, re.MULTILINE)


def list_options(command):
    text = tap.cli(command, "--help").stdout
    found = re.findall(r"^  (?:-\w, )*(--[a-z-]+)", text, re.MULTILINE)
    assert "--help" in found, (command, found)
    return sorted(found)


def list_plugins():
    return json.loads(tap.cli("list", "--json").stdout)["plugins"]


def check_shell(shell):
    commands = list_commands()
    assert len(commands) >= 10, commands
    assert complete(shell, "") == sorted([*commands, "--help", "--version"]), complete(shell, "")
    for command in commands:
        offered = complete(shell, command, "--")
        assert offered == list_options(command), (command, offered)
    check_ids(shell)
    check_values(shell)


def check_ids(shell):
    plugins = list_plugins()
    for kind, words in (("analysis", ("analyze", "a", "-a", "")),
                        ("exporter", ("export", "a", "--exporter", "")),
                        ("collector", ("record", "--collector", "")),
                        ("importer", ("import", "--importer", ""))):
        ids = sorted(plugin["id"] for plugin in plugins if plugin["kind"] == kind)
        assert ids and complete(shell, *words) == ids, (words, complete(shell, *words), ids)
    every = sorted(f"{plugin['kind']}/{plugin['id']}" for plugin in plugins)
    assert complete(shell, "check-plugin", "") == every, complete(shell, "check-plugin", "")
    for plugin, words in (("locks", ("analyze", "a", "--analysis", "locks", "--option", "")),
                          ("latency", ("record", "--function", "f", "--option", "")),
                          ("ebpf", ("record", "--option", ""))):
        entry, = [entry for entry in plugins if entry["id"] == plugin]
        names = sorted(option["name"] for option in entry["options"])
        assert names and complete(shell, *words) == names, (words, complete(shell, *words), names)


def check_values(shell):
    """Every value that is offered is one that the command takes, and none is missing."""
    for command, option, wrong in (("new-plugin", "--language", ["a", "-k", "analysis"]),
                                   ("new-plugin", "--kind", ["a"]), ("record", "--scope", []),
                                   ("analyze", "--scope", ["a", "-a", "threads"])):
        message = tap.cli(command, *wrong, option, "wrong").stderr
        taken = re.split(r", | or ", re.search(r"use (?:one of )?(.*)", message)[1])
        offered = complete(shell, command, option, "")
        assert offered == sorted(taken), (command, option, offered, message)
    for value in complete(shell, "analyze", "--format", ""):
        done = tap.cli("analyze", "/nonexistent/a", "-a", "threads", "--format", value)
        assert "/nonexistent/a" in done.stderr, done


def test_bash():
    check_shell("bash")


def test_zsh():
    check_shell("zsh")


def test_fish():
    check_shell("fish")


if __name__ == "__main__":
    sys.exit(tap.main([test_bash, test_zsh, test_fish]))
