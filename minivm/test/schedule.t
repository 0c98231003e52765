#!/bin/sh
# SPDX-License-Identifier: MIT
# -XX:ScheduleSeed=N: what threads do to one another follows from the seed.
top=${top_srcdir:?} build=${top_builddir:?}
work=$build/minivm/test/schedule.work
rm -rf "$work" && mkdir -p "$work" || exit 1
"$JDK17/bin/javac" -d "$work" "$top/minivm/test/schedule/Turns.java" || exit 1

turns() # SEED
{
    timeout 120 "$build/minivm/minivm" "-XX:ScheduleSeed=$1" -cp "$work" Turns 2>&1
}

count=0
point() # NAME: the last status is the verdict
{
    verdict=$?
    count=$((count + 1))
    [ $verdict = 0 ] || printf 'not '
    echo "ok $count - $1"
}

: >"$work/all"
for seed in 1 2 3 4 5; do
    turns $seed >"$work/first"
    grep -q '^[abc][0-9]* ' "$work/first" || sed 's/^/# /' "$work/first"
    cat "$work/first" >>"$work/all"
    same=0
    for _ in 1 2 3; do
        turns $seed | cmp -s - "$work/first" && same=$((same + 1))
    done
    [ $same = 3 ]
    point "the seed $seed gives the same turns each time"
done
[ "$(sort -u "$work/all" | wc -l)" -ge 4 ]
point "other seeds give other turns"
echo "1..$count"
