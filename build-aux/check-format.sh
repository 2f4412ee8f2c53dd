#!/bin/bash
# Checks that every C file is formatted as .clang-format requires, and lists those that are not.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
version=$(clang-format --version | sed 's/.*version \([0-9]*\).*/\1/')
if [ "$version" -lt 19 ]; then
  echo "clang-format $version formats differently from version 19, which this tree uses"
  exit 77
fi
find app plugins tests data -name '*.[ch]' -print0 |
  xargs -0 -n 40 -P 2 clang-format --dry-run --Werror 2>&1 |
  sed -n 's/^\([^:]*\):[0-9]*:.*/\1: not formatted; run build-aux\/env clang-format -i on it/p' | sort -u | { ! grep .; }
