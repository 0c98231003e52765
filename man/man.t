#!/bin/sh
# SPDX-License-Identifier: MIT
# Manual pages have no mistakes that mandoc finds, and refer to pages that there are.
top=${top_srcdir:?} build=${top_builddir:?}
command -v mandoc >/dev/null || { echo "1..0 # SKIP no mandoc found"; exit 0; }
ours=$(find "$top/man" "$build/man" -name '*.[137]' | sed 's,.*/,,' | sort -u)
count=0
for page in $ours; do
    count=$((count + 1))
    file=$top/man/$page
    [ -f "$file" ] || file=$build/man/$page
    # Whether other pages are installed is not this page's fault, but ours must be here.
    said=$(mandoc -Tlint "$file" 2>/dev/null | grep -v -e 'referenced manual not found' -e 'mandoc.db')
    missing=$(sed -n 's/^\.\(It \)\{0,1\}Xr \([^ ]*\) \([0-9]\).*/\2.\3/p' "$file" |
        grep -E '^(tf_|tiforge|libtiforge|jvmti|minivm)' | while read -r name; do
            echo "$ours" | grep -qxF "$name" || echo "no page $name"
        done)
    [ -z "$said$missing" ] || printf 'not '
    echo "ok $count - $page"
    [ -z "$said$missing" ] || printf '%s\n' "$said" "$missing" | sed 's/^/# /'
done
[ "$count" -ge 27 ] || printf 'not '
echo "ok $((count + 1)) - all pages are there"
echo "1..$((count + 1))"
