#!/bin/sh
# SPDX-License-Identifier: MIT
# Every assertion has a class, a level and a section that the specification has, and so
# has every line of the expectation files.  doc/index.txt tells the sections.

top_builddir=${top_builddir:-$PWD}
top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

echo 1..7
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

# lacking FILE COLUMN COLUMNS: the lines of FILE whose section no line of the index has.
lacking()
{
    awk -F'|' -v column="$2" -v columns="$3" '
        function trim(s) { gsub(/^ +| +$/, "", s); return s }
        FNR == NR && $1 == "section" { known[$2] = 1 }
        FNR == NR && ($1 == "function" || $1 == "event") { known[$4] = 1 }
        FNR == NR && $1 == "function" { known[$5] = 1 }
        FNR == NR || /^#/ { next }
        NF != columns || !(trim($column) in known)
        END { if (NR == FNR) print "there are no lines" }
    ' "$top_builddir/doc/index.txt" "$1" || echo "they cannot be compared"
}

awk -F' [|] ' '$2 !~ /^(required|advised|inferred)$/' "$work/facts" |
    judge 1 'every assertion has a class'
# The levels whose texts were compared; 11 stands for all before it.
awk -F' [|] ' '$3 !~ /^(11|17|21|25)$/' "$work/facts" | judge 2 'and a level'
lacking "$work/facts" 4 5 | judge 3 'and a section of the specification'
for release in 17 21 25; do
    lacking "$top_srcdir/tck/expect/hotspot$release.txt" 3 3
done | judge 4 'expectation files name sections that there are'
cut -d' ' -f1 "$work/facts" | sort | uniq -d | judge 5 'no id stands twice'

# elsewhere: the assertions that name another section than their behaviour's: that of its
# heading, one that it names itself, or with "(own)" that of the function or event.
elsewhere()
{
    awk '
        FILENAME ~ /index.txt$/ {
            split($0, row, "|")
            if (row[1] == "function" || row[1] == "event")
                title[row[3]] = row[4]
            next
        }
        FILENAME ~ /behaviours.md$/ && /^## / { heading = substr($0, 4); number = 0 }
        FILENAME ~ /behaviours.md$/ && /^[0-9]+\. / { number = $1 + 0; stands[number] = heading }
        FILENAME ~ /behaviours.md$/ { said[number] = said[number] " " $0; next }
        {
            split($0, row, " [|] ")
            subject = row[1]
            sub(/\..*/, "", subject)
            number = row[5] + 0
            also = said[number]
            gsub(/  +/, " ", also)
            own = also ~ /\*\(own\)\*/
            if (!sub(/.*\*\(also: /, "", also))
                also = ""
            sub(/\)\*.*/, "", also)
            if (number > 0 && row[4] != stands[number] &&
                !(own && row[4] == title[subject]) &&
                !index("; " also ";", "; " row[4] ";"))
                print $0 ": of " stands[number]
        }
        END { if (NR == FNR) print "there are no lines" }
    ' "$top_builddir/doc/index.txt" "$top_srcdir/tck/behaviours.md" "$work/facts" ||
        echo "they cannot be compared"
}
elsewhere | judge 6 'a section is that of its behaviour'
sed -n 's/^\([0-9]*\)\. .*/\1/p' "$top_srcdir/tck/behaviours.md" | sort | uniq -d |
    judge 7 'no number stands twice'
