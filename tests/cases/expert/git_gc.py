"""git packs a repository anew."""
# SPDX-License-Identifier: GPL-3.0-or-later

import random

from harness.expert import Answer, ExpertCase

COMMITS = 300
FILES = 60
WORDS = 3000


def make_import():
    """Return a stream for git fast-import: text files that change a little in each commit."""
    chance = random.Random(1)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randrange(2, 9)))
             for _ in range(2000)]
    files = [chance.choices(words, k=WORDS) for _ in range(FILES)]
    parts = []
    for i in range(COMMITS):
        message = f"change {i}"
        parts.append("commit refs/heads/main\n"
                     f"committer Case <case@example.org> {1700000000 + i} +0000\n"
                     f"data {len(message)}\n{message}\n")
        for file in chance.sample(range(FILES), 8):
            for _ in range(20):
                files[file][chance.randrange(WORDS)] = chance.choice(words)
            text = "\n".join(" ".join(files[file][k:k + 12]) for k in range(0, WORDS, 12)) + "\n"
            parts.append(f"M 644 inline file-{file}.txt\ndata {len(text)}\n{text}\n")
    return "".join(parts)


class GitGc(ExpertCase):
    name = "git-gc"
    title = "git gc --aggressive with one thread"
    answer = Answer(
        sentence="git pack-objects computes deltas (create_delta) nearly all the time, on one CPU.",
        kinds=("computing",), names={"process": "git"}, amount="git ran")

    def prepare(self, stage):
        stage.run("git", "init", "-q", "-b", "main", "repository")
        stage.run("git", "-C", "repository", "fast-import", "--quiet", input=make_import())

    def command(self, stage):
        return ["git", "-C", "repository", "-c", "pack.threads=1", "gc", "--quiet", "--aggressive",
                "--no-detach"]

    def facts(self, truth, measures):
        return {"git ran": truth.running("git")}

    def proof(self, facts, truth):
        return [("git runs for 80 % of the time", facts["git ran"] >= 0.8 * truth.wall_ns)]


CASES = [GitGc()]
