#!/bin/sh
# SPDX-License-Identifier: MIT
# titles.t -- one point for each lab: the sections of the specification of JVM TI that its
# handout and its criteria send a student to have these titles there, by the facts table.
top=$(cd "${top_srcdir:?}" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# Titles of functions, events, callbacks, types, chapters, and of other sections; the last
# are a list of texts.  The table has each on a line of its own.
{
    sed -n 's/^ *"\(title\|category\|label\)": "\(.*\)",*$/\2/p' "$top/sdk/spec/jvmti-21.json"
    sed -n '/^ "sections": \[/,/^ \]/s/^  "\(.*\)",*$/\1/p' "$top/sdk/spec/jvmti-21.json"
} | sort -u >"$work/titles"

# Texts in quotes, a line each, of what follows "JVM TI" in an entry of a list; an entry
# may have several lines, and ends where another one or an empty line begins.
titles_of_handout()
{
    awk '
        function flush() {
            if (entry ~ /JVM TI/) {
                sub(/^.*JVM TI/, "", entry)
                while (match(entry, /"[^"]*"/)) {
                    print substr(entry, RSTART + 1, RLENGTH - 2)
                    entry = substr(entry, RSTART + RLENGTH)
                }
            }
            entry = ""
        }
        /^## / { reading = /What to read/ }
        !reading || /^$/ || /^- / { flush() }
        reading { sub(/^ +/, ""); entry = entry (entry == "" ? "" : " ") $0 }
        END { flush() }' "$1"
}

# The same of what is to be read for each criterion; parts are parted by "; ".
titles_of_criteria()
{
    sed -n '/^#/d; s/^.*|//p' "$1" | sed 's/; /\n/g' | sed -n 's/^JVM TI //p; /^"/p' |
        grep -o '"[^"]*"' | tr -d '"'
}

count=0
for folder in "$top"/course/labs/*; do
    count=$((count + 1))
    { titles_of_handout "$folder/handout.md"; titles_of_criteria "$folder/criteria"; } |
        sort -u >"$work/used"
    grep -vxF -f "$work/titles" "$work/used" >"$work/unknown"
    if [ -s "$work/used" ] && [ ! -s "$work/unknown" ]; then
        echo "ok $count - ${folder##*/}: $(wc -l <"$work/used" | tr -d ' ') titles"
    else
        echo "not ok $count - ${folder##*/}: titles that the specification does not have"
        sed 's/^/# /' "$work/unknown"
    fi
done
echo "1..$count"
