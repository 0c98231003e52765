#!/bin/sh
# SPDX-License-Identifier: MIT
#
# doc/conformance.md is what its sources say.

top_builddir=${top_builddir:-$PWD}
top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
page=$top_srcdir/doc/conformance.md

echo 1..1
if "$top_srcdir/doc/conformance" "$top_srcdir" "$(cd "$top_builddir" && pwd)" |
    diff "$page" - >"$top_builddir/doc/conformance.diff"; then
    echo "ok 1 - doc/conformance.md is up to date"
else
    echo "not ok 1 - doc/conformance.md is stale: run make conformance"
    sed -n '1,20s/^/# /p' "$top_builddir/doc/conformance.diff"
fi
rm -f "$top_builddir/doc/conformance.diff"
