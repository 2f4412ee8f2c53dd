#!/bin/bash
# Checks what was added since the commit in .ci/checked-since, before which other rules applied:
# the subjects of commits, words and the width of lines. What is not committed yet counts too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
since=$(cat .ci/checked-since)
if ! git merge-base --is-ancestor "$since" HEAD 2>/dev/null; then
  echo "words and commit messages were not checked: commit $since is not in this clone"
  exit 77
fi

list_added () {
  git diff --unified=0 --find-renames "$since"
  git ls-files --others --exclude-standard -z |
    xargs -0 -r -I FILE git diff --no-index --unified=0 /dev/null FILE || true   # 1: they differ
}

status=0
build-aux/check-commits "$since" || status=1
list_added | python3 build-aux/check-words.py || status=1
exit "$status"
