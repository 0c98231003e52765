#!/bin/sh
# SPDX-License-Identifier: MIT
# doc/map.md says what the files' first comments say.
top=${top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
echo 1..1
if difference=$(top_srcdir=$top "$top/build-aux/map" | diff "$top/doc/map.md" - 2>&1); then
    echo "ok 1 - the map is that of the tree"
else
    echo "not ok 1 - the map is that of the tree; make it with: build-aux/map >doc/map.md"
    echo "$difference" | sed 's/^/# /'
fi
