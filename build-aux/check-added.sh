#!/bin/bash
# Checks what was added since the commit in .ci/checked-since, before which other rules applied: the subjects of
# commits, words and the width of lines. Uncommitted changes count.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
since=$(cat .ci/checked-since)
if ! git merge-base --is-ancestor "$since" HEAD 2>/dev/null; then
  echo "words and commit messages were not checked: commit $since is not in this clone"
  exit 77
fi
status=0
build-aux/check-commits "$since" || status=1
git diff --unified=0 --find-renames "$since" | python3 build-aux/check-words.py || status=1
exit "$status"
