#!/bin/sh
# SPDX-License-Identifier: MIT
# faults.t [JAVA]: a campaign of faults (tck/run --mutate) tells what was noticed, by which
# assertion, what survived and what was not reached.  One function is enough to see that;
# --filter takes assertions away.  The VM is minivm, unless another is given.
top_builddir=${top_builddir:-$PWD}
java=${1:-$top_builddir/minivm/minivm}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
function=GetJLocationFormat
count=0

# mutate FAULTS ASSERTIONS [OPTION...]: a campaign about the function; status and log are
# kept.
mutate()
{
    faults=$function.$1 assertions=$function.$2
    shift 2
    rm -f "$work/log"
    "$top_builddir/tck/run" --java "$java" --timeout 60 --mutate "$faults" \
        --filter "$assertions" --log "$work/log" "$@" >"$work/out" 2>&1
    status=$?
}

check() # NAME COMMAND...
{
    name=$1
    shift
    count=$((count + 1))
    if "$@"; then
        echo "ok $count - $name"
    else
        echo "not ok $count - $name"
        cat "$work/out" "$work/log" 2>/dev/null | sed 's/^/# /'
    fi
}

# logged OUTCOME FAULT: is that what came of the fault?
logged()
{
    grep -q "^$1 $function\.$2[: ]" "$work/log"
}

echo 1..11
mutate 'wrong.*' '*'
check 'other errors are noticed' [ "$status" = 0 ]
for error in NULL_POINTER UNATTACHED_THREAD INVALID_ENVIRONMENT; do
    check "though many come at once, $error by an assertion about it" grep -q \
        "^caught $function.wrong.$error by $function\.[a-z]*\.$error.*expected $error, got INTERNAL" \
        "$work/log"
done
mutate 'missing.NULL_POINTER' '*'
check 'so is a missing one' grep -q \
    "^caught $function.missing.NULL_POINTER by .*expected NULL_POINTER, got NONE" "$work/log"
mutate 'wrong.NULL_POINTER' 'phase.*'
check 'one that no assertion provokes is not reached' logged 'not reached' wrong.NULL_POINTER
check 'and is no success' [ "$status" = 1 ]
mutate swallowed 'behaviour.value'
check 'a value that is missing is noticed' logged caught swallowed
mutate swallowed 'phase.live'
check 'but not by those who do not look at it' logged survived swallowed
check 'which is no success' [ "$status" = 1 ]
cp "$work/log" "$work/earlier"
mutate '@(swallowed|wrong.NULL_POINTER)' '*' --after "$work/earlier"
check 'after an earlier log only the others are tried' [ "$(wc -l <"$work/log")" = 1 ]
