#!/bin/sh
# SPDX-License-Identifier: MIT
# without.t [JAVA]: a VM that lacks a capability fails nothing but what demands it: all that
# rests on it is skipped.  The injector (mutate/mutate.h) hides capabilities and refuses
# them; here those that most rests on, one at a time, and all of them together.
# without-long.t tries each.  The VM is minivm, with JDK 25 where there is one.
top_builddir=${top_builddir:-$PWD}
if [ -n "$JDK25" ]; then
    JAVA_HOME=$JDK25
    export JAVA_HOME
fi
java=${1:-$top_builddir/minivm/minivm}
library=$(cd "$top_builddir" && pwd)/tck/.libs/libtckmutate.so
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# run_kit LACKED: the assertions' results without numbers: "ok ID", "not ok ID", "skip ID".
run_kit()
{
    rm -f "$work/reached"
    "$top_builddir/tck/run" --java "$java" --jobs 2 --agent \
        "$library=fault=AddCapabilities.lacks.$1,log=$work/reached,group=without" \
        >"$work/out" 2>&1
    sed -n -e 's/^ok [0-9]* - \([^ ]*\) # SKIP.*/skip \1/p' -e 't' \
        -e 's/^\(not ok\|ok\) [0-9]* - \([^ ]*\).*/\1 \2/p' "$work/out" | sort
}

# What the text demands of the VM that has other capabilities (JVM TI "Get Current Thread
# CPU Time"): it also shows that a failure is seen here.
demanded() # LACKED
{
    case $1 in
    can_get_current_thread_cpu_time)
        echo 'not ok GetPotentialCapabilities.behaviour.current-thread-cpu-time' ;;
    esac
}

capabilities=$("$top_builddir/tck/run" --list |
    sed -n 's/^AddCapabilities\.behaviour\.\(can_.*\)/\1/p')
case $0 in
*-long.t) lacks="$capabilities all" ;;
*)
    lacks='can_suspend can_tag_objects can_get_current_thread_cpu_time all' ;;
esac

set -- $lacks
echo "1..$(($# * 2))"
count=0
for lacked; do
    run_kit "$lacked" >"$work/results"
    demanded "$lacked" >"$work/demanded"
    count=$((count + 1))
    if [ -e "$work/reached" ] && grep '^not ok' "$work/results" | cmp -s - "$work/demanded"
    then
        echo "ok $count - without $lacked nothing else fails"
    else
        echo "not ok $count - without $lacked nothing else fails"
        grep -A 1 '^not ok' "$work/out" | sed 's/^/# /' | head -n 60
    fi
    # Of each capability alone there is an assertion: it and what rests on it are skipped.
    count=$((count + 1))
    single=AddCapabilities.behaviour.$lacked
    [ "$lacked" != all ] || single=AddCapabilities.behaviour.can_suspend
    if grep -qx "skip $single" "$work/results"; then
        echo "ok $count - without $lacked, $(grep -c '^skip' "$work/results") are skipped"
    else
        echo "not ok $count - without $lacked, it is skipped"
    fi
done
