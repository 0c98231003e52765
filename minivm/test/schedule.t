#!/bin/sh
# SPDX-License-Identifier: MIT
# -XX:ScheduleSeed=N: what threads do to one another follows from the seed, in Java and
# between the calls of native code.
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
# A thread whose store comes after another's, which it has not seen, tells a number again.
"$JDK17/bin/javac" -d "$work" "$top/minivm/test/schedule/Calls.java" &&
    ${CC:-cc} -shared -fPIC -Wall -I"$build/sdk/include" -I"$top/sdk/include" \
        -o "$work/libcalls.so" "$top/minivm/test/schedule/calls.c" || exit 1

calls() # SEED KIND
{
    timeout 120 "$build/minivm/minivm" "-XX:ScheduleSeed=$1" \
        "-agentpath:$(cd "$work" && pwd)/libcalls.so" -cp "$work" Calls "$2" 2>&1
}

kind=0
for of in "functions that enter the VM" "memory" "raw monitors"; do
    same=0 others=0
    : >"$work/all"
    for seed in 1 2 3; do
        calls $seed $kind >"$work/first"
        [ "$(tr ' ' '\n' <"$work/first" | grep -c '^[abc][0-9]*$')" = 120 ] ||
            sed 's/^/# /' "$work/first"
        cat "$work/first" >>"$work/all"
        calls $seed $kind | cmp -s - "$work/first" && same=$((same + 1))
        [ -z "$(tr ' ' '\n' <"$work/first" | sed -n 's/^[abc]//p' | sort -n | uniq -d)" ] ||
            others=$((others + 1))
    done
    # Who is woken first at a monitor does not follow from the seed.
    [ "$of" = "raw monitors" ] || {
        [ $same = 3 ]
        point "calls of $of come in the same order each time"
    }
    [ $others -ge 1 ] && [ "$(sort -u "$work/all" | wc -l)" -ge 2 ]
    point "others come in between calls of $of, as the seed has it"
    kind=$((kind + 1))
done
echo "1..$count"
