#!/bin/sh
# SPDX-License-Identifier: MIT
# Every assertion has a class, a level and a section that the specification has, and so
# has every line of the expectation files.  doc/index.txt tells the sections.

top_builddir=${top_builddir:-$PWD}
top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

echo 1..5
"$top_builddir/tck/run" --facts >"$work/facts"

# judge NUMBER NAME: a point that passes when its input is empty.
judge()
{
    if grep '' >"$work/wrong"; then
        echo "not ok $1 - $2"
        sed '1,20s/^/# /' "$work/wrong"
    else
        echo "ok $1 - $2"
    fi
}

# lacking FILE COLUMN: the lines of FILE whose section no line of the index has.
lacking()
{
    awk -F'|' -v column="$2" '
        function trim(s) { gsub(/^ +| +$/, "", s); return s }
        FNR == NR && $1 == "section" { known[$2] = 1 }
        FNR == NR && ($1 == "function" || $1 == "event") { known[$4] = 1 }
        FNR == NR && $1 == "function" { known[$5] = 1 }
        FNR == NR || /^#/ { next }
        NF != column || !(trim($column) in known)
        END { if (NR == FNR) print "there are no lines" }
    ' "$top_builddir/doc/index.txt" "$1"
}

awk -F' [|] ' '$2 !~ /^(required|advised|inferred)$/' "$work/facts" |
    judge 1 'every assertion has a class'
# The levels whose texts were compared; 11 stands for all before it.
awk -F' [|] ' '$3 !~ /^(11|17|21|25)$/' "$work/facts" | judge 2 'and a level'
lacking "$work/facts" 4 | judge 3 'and a section of the specification'
for release in 17 21 25; do
    lacking "$top_srcdir/tck/expect/hotspot$release.txt" 3
done | judge 4 'expectation files name sections that there are'
cut -d' ' -f1 "$work/facts" | sort | uniq -d | judge 5 'no id stands twice'
