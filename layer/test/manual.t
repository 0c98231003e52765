#!/bin/sh
# SPDX-License-Identifier: MIT
# The manuals' words on rules: each rule is explained, stands in tiforge-rules(7) with where
# it is found, and jvmti-pitfalls(7) points to rules that there are.
top=${top_srcdir:?} build=${top_builddir:?}
rules=$(sed -n 's/^@\([a-z0-9.-]*\).*/\1/p' "$top/layer/rules.txt")
page=$build/man/tiforge-rules.7
pitfalls=$top/man/jvmti-pitfalls.7
count=0
point() # NAME WRONG: nothing is wrong
{
    count=$((count + 1))
    [ -z "$2" ] || printf 'not '
    echo "ok $count - $1"
    [ -z "$2" ] || printf '%s\n' "$2" | sed 's/^/# /'
}

point "at least 70 rules, in all families" "$(
    [ "$(echo "$rules" | wc -l)" -ge 70 ] || echo "there are too few"
    for family in memory reference ids phase capability callback thread monitor classes \
        error table progress; do
        echo "$rules" | grep -q "^$family\." || echo "none of $family"
    done)"
point "tiforge explain has each" "$(
    TIFORGE_RULES=$build/layer/rules-explain.txt
    for rule in $rules; do
        awk -v rule="@$rule" '$0 == rule { inside = 1; next } /^@/ { inside = 0 }
            inside && /^  (Means|Section|Remedy|Found on) / { n++ }
            inside && /^    / { code++ }
            END { exit !(n == 4 && code > 0) }' "$TIFORGE_RULES" || echo "$rule"
    done)"
point "tiforge-rules(7) says of each on which virtual machines it is found" "$(
    for rule in $rules; do
        awk -v rule="$rule" '/^\.It Sy / { inside = $3 == rule }
            inside && /^Section$/ { section = 1 } inside && /^Remedy: / { remedy = 1 }
            inside && /^Found on minivm, HotSpot 17 and HotSpot 25/ { found = 1 }
            END { exit !(section && remedy && found) }' "$page" || echo "$rule"
    done)"
named=$(sed -n 's/^\.Sy \([a-z]*\.[a-z0-9-]*\).*/\1/p' "$pitfalls" | sort -u)
point "jvmti-pitfalls(7) points to rules" "$(
    [ "$(echo "$named" | wc -l)" -ge 30 ] || echo "too few of them"
    for rule in $named; do
        echo "$rules" | grep -qxF "$rule" || echo "there is no rule $rule"
    done)"
point "at the end of each section but that on building" "$(
    awk '/^\.Ss / { tell(); section = $0; rules = 0 } /^\.Sh / { tell(); section = "" }
        /^\.Sy [a-z]*\.[a-z-]*/ { rules++ } END { tell() }
        function tell() { if (section != "" && section !~ /Building/ && !rules) print section }' "$pitfalls")"
echo "1..$count"
