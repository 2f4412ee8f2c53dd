"""A program with threads that wait for known locks, recorded once and imported."""
# SPDX-License-Identifier: GPL-3.0-or-later

import csv
import functools
import json
import os
import tempfile

import tap

TRIES = 10


def check(*arguments):
    done = tap.cli(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Recording:
    """options: collector options; refused: collector message where the required events are not
    available."""

    def __init__(self, name, options, refused):
        self.name = name
        self.folder = tempfile.TemporaryDirectory()
        self.session = os.path.join(self.folder.name, "locks.tailback")
        self.events = os.path.join(self.folder.name, "events.csv")
        self.imported = os.path.join(self.folder.name, "imported.tailback")
        if os.geteuid() != 0:
            raise tap.Skip("BPF programs need privilege")
        for _ in range(TRIES):
            done = self.record(self.session, "--force", *options)
            if done.returncode == 1 and not os.path.exists(self.session):
                raise tap.Skip("no BPF programs here: " + done.stderr.strip()[:200])
            assert done.returncode == 0, done.stderr
            self.output = done.stdout
            self.info = json.loads(check("info", self.session, "--json"))
            if any(refused in warning for warning in self.info["warnings"]):
                raise tap.Skip("this kernel does not probe many places at once: " + str(self.info["warnings"]))
            if tap.has_all(self.info):
                break
        else:
            raise tap.Skip(f"events were lost in each of {TRIES} recordings: this machine is too busy")
        check("export", self.session, "--exporter", "events-csv", "-o", self.events)
        check("import", self.events, "-o", self.imported)

    def record(self, session, *options, words=()):
        program = os.path.join(tap.BUILD, "tests/fixtures", self.name)
        return tap.cli("record", "--collector", "ebpf", "--scope", "command", *options, "-o", session, "--", program, *words)

    def locks(self, session):
        return json.loads(check("analyze", session, "--analysis", "locks", "--process", self.name, "--format", "json"))["summary"]

    def marks(self, name):
        with open(self.events, encoding="utf-8") as file:
            return [line for line in csv.DictReader(line for line in file if not line.startswith("#"))
                    if line["kind"] == "mark" and line["text"].startswith(name + "=")]

    def assert_agreement(self):
        """Check that locks have the same names after an import."""
        names = [[lock["name"] for lock in self.locks(session)["locks"]] for session in (self.session, self.imported)]
        assert names[0] == names[1], names


@functools.cache
def get(name, *options, refused):
    return Recording(name, options, refused)
