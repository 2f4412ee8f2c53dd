#!/usr/bin/env python3
"""New plug-ins made from templates: names, files, refusals. Their code is built and run in the
tests of the installed program."""
# SPDX-License-Identifier: GPL-3.0-or-later

import os
import shlex
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tap  # noqa: E402

TEMPLATES = os.path.join(os.environ["TAILBACK_SOURCE"], "data/templates")
KINDS = [(kind, language) for kind in ("analysis", "importer", "exporter")
         for language in ("python", "c")]
OLD_NAMES = ("my-plugin", "my_plugin", "MyPlugin", "MY_PLUGIN", "My Plug-In")
ENVIRONMENT = os.environ | {"TAILBACK_TEMPLATE_PATH": TEMPLATES}


def new(*arguments, cwd, env=None):
    return tap.cli("new-plugin", *arguments, cwd=cwd, env=ENVIRONMENT | (env or {}))


def read_all(folder):
    texts = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            texts[name] = file.read()
    return texts


def read_commands(done):
    return [shlex.split(line) for line in done.stdout.splitlines() if line.startswith("  ")]


def test_names():
    """Names of files, types and functions are derived; nothing of the template's name is left."""
    with tempfile.TemporaryDirectory() as folder:
        for kind, language in KINDS:
            name = f"Top 2 wakers {kind[:2]}{language}"
            done = new("--kind", kind, "--language", language, name, cwd=folder)
            assert done.returncode == 0 and not done.stderr, done
            stem = name.lower().replace(" ", "-")
            texts = read_all(os.path.join(folder, stem))
            everything = "\n".join([*texts, *texts.values()])
            assert not [word for word in OLD_NAMES if word in everything], everything
            title = f"Top 2 Wakers {kind[:2].capitalize()}{language}"
            description = texts[f"{stem}.plugin"]
            assert f"\nName={title}\n" in description, description
            assert "\nX-Tailback-API=1\n" in description, description
            module = description.split("Module=")[1].splitlines()[0]
            if language == "python":
                code = texts[f"{module}.py"]
                assert f"class {title.replace(' ', '')}{kind.capitalize()}(" in code, code
            else:
                assert f"shared_module('{module}'" in texts["meson.build"], texts["meson.build"]
                assert f"{stem.replace('-', '_')}_{kind}_get_type" in texts[f"{stem}-{kind}.c"]


def test_all_templates():
    """Each template has a kind and a language that can be given; its files have a licence."""
    expected = ["meson.build", *("-".join(pair) for pair in KINDS)]
    assert sorted(os.listdir(TEMPLATES)) == sorted(expected), os.listdir(TEMPLATES)
    for kind, language in KINDS:
        texts = read_all(os.path.join(TEMPLATES, f"{kind}-{language}"))
        for name, text in texts.items():
            code = name.endswith((".c", ".py", ".build"))
            assert not code or "SPDX-License-Identifier: MIT-0" in text.split("\n\n", 1)[0], name
            assert not code or max(map(len, text.splitlines())) <= 100, name


def test_next_commands():
    """The printed commands can be typed as they are, whatever the names of the folders."""
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "a user's data")
        done = new("--kind", "analysis", "--language", "python", "waits", "my $folder",
                   cwd=folder, env={"XDG_DATA_HOME": data})
        assert done.returncode == 0, done
        commands = read_commands(done)
        assert len(commands) == 3, done.stdout
        for command in commands[:2]:
            assert tap.run(*command, cwd="/").returncode == 0, command
        installed = os.path.join(data, "tailback/plugins/analyses/waits")
        assert os.path.exists(os.path.join(installed, "waits.plugin")), os.listdir(folder)
        assert commands[2] == ["tailback-cli", "check-plugin", "analysis/waits"], commands
        done = new("--kind", "exporter", "--language", "c", "waits", cwd=folder)
        commands = [" ".join(command[:2]) for command in read_commands(done)]
        assert commands == ["meson setup", "meson install", "tailback-cli check-plugin"], commands
        for language in "python", "c":
            done = new("--kind", "importer", "--language", language, "logs", language, cwd=folder)
            command = read_commands(done)[-1]
            assert command[:3] == ["tailback-cli", "check-plugin", "importer/logs"], command
            assert command[3:] == [os.path.join(folder, language, "example.log")], command
            assert os.path.exists(command[3]), command


def test_guide():
    """Each place where an author looks names the guide, and the help has it, too."""
    with tempfile.TemporaryDirectory() as folder:
        made = new("--kind", "analysis", "--language", "c", "waits", cwd=folder).stdout
    for text in (made, tap.cli("new-plugin", "--help").stdout, tap.cli("list").stdout,
                 tap.cli("list", "--help").stdout):
        assert "write-a-plug-in.html" in text, text
    assert "new-plugin --help" in tap.cli("--help").stdout, tap.cli("--help").stdout
    source = os.environ["TAILBACK_SOURCE"]
    for name in "app/cli/tailback-cli.1", "help/C/plug-ins.page", "help/api/write-a-plug-in.md":
        with open(os.path.join(source, name), encoding="utf-8") as file:
            text = file.read().replace("\\-", "-")
        assert "write-a-plug-in.html" in text and "gc-pauses" in text, name


def test_sandbox():
    """In a Flatpak no package is advised, which could not be installed there."""
    with tempfile.TemporaryDirectory() as folder:
        info = os.path.join(folder, "flatpak-info")
        with open(info, "w", encoding="utf-8") as file:
            file.write("[Application]\nname=org.tailback.Tailback\n")
        done = new("--kind", "analysis", "--language", "c", "tried", cwd=folder,
                   env={"TAILBACK_FLATPAK_INFO": info})
        assert done.returncode == 0, done
        assert "in the help of the window" in done.stdout, done
        assert "tailback-doc" not in done.stdout, done


def test_refusals():
    with tempfile.TemporaryDirectory() as folder:
        kind = ["--kind", "analysis", "--language", "python"]
        for name in ("", "2 wakers", "-x", "a--b", "a ", "a/b", "../a", "é", "a" * 49, "a.b", "a\n",
                     "a b-"):
            done = new(*kind, "--", name, cwd=folder)
            assert done.returncode == 2 and done.stderr.count("\n") == 1, (name, done)
        done = new(*kind, "a", cwd=folder, env={"TAILBACK_TEMPLATE_PATH": "/nonexistent"})
        assert done.returncode == 1 and "/nonexistent" in done.stderr, done
        done = new(*kind, "threads", cwd=folder)
        assert done.returncode == 1 and "threads" in done.stderr and "--force" in done.stderr, done
        assert os.listdir(folder) == [], os.listdir(folder)


def test_existing_files():
    """Nothing is overwritten without --force, and nothing is written if one of the files exists."""
    with tempfile.TemporaryDirectory() as folder:
        kind = ["--kind", "analysis", "--language", "python"]
        mine = os.path.join(folder, "it", "it.plugin")
        os.mkdir(os.path.dirname(mine))
        with open(mine, "w", encoding="utf-8") as file:
            file.write("mine")
        done = new(*kind, "it", cwd=folder)
        assert done.returncode == 1 and "it.plugin" in done.stderr, done
        assert "--force" in done.stderr, done
        assert read_all(os.path.join(folder, "it")) == {"it.plugin": "mine"}
        assert new(*kind, "it", "--force", cwd=folder).returncode == 0
        assert "[Plugin]" in read_all(os.path.join(folder, "it"))["it.plugin"]
        os.symlink("/nonexistent/a", os.path.join(folder, "dangling"))
        done = new(*kind, "it", "dangling/b", cwd=folder)
        assert done.returncode == 1 and done.stderr.count("\n") == 1, done


if __name__ == "__main__":
    sys.exit(tap.main([test_names, test_all_templates, test_next_commands, test_guide, test_sandbox,
                       test_refusals, test_existing_files]))
