#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Virtual threads at random: programs/13-virtual/VirtualStress with several seeds, numbers
# of carriers, seeded schedules, collections at every Nth allocation, and an agent that
# suspends and resumes them (virtual-stress/suspender.c), where it has to print what the
# JDK's own VM prints.  In a build of `configure --enable-tsan` or `--enable-asan`, without
# a report; nothing is suppressed.  VIRTUAL_STRESS_SECONDS (default 30) says for how long,
# with a new seed in each round.

top_builddir=${top_builddir:-$PWD}
top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$top_builddir/minivm/test/virtual-stress.work
seconds=${VIRTUAL_STRESS_SECONDS:-30}

[ -n "$JDK25" ] || {
    echo "1..0 # SKIP there is no JDK 25"
    exit 0
}
rm -rf "$work" && mkdir -p "$work" || exit 1
"$JDK25/bin/javac" -d "$work" "$top_srcdir/minivm/test/programs/13-virtual/VirtualStress.java" ||
    exit 1
${CC:-cc} -shared -fPIC -Wall -I"$top_builddir/sdk/include" -I"$top_srcdir/sdk/include" \
    -o "$work/libsuspender.so" "$top_srcdir/minivm/test/virtual-stress/suspender.c" || exit 1
threads=2000 limit=120
if [ -n "$SANITIZER_RUNTIME" ]; then
    threads=500 limit=600
fi
TSAN_OPTIONS="exitcode=66 log_path=$work/report"
# The launcher gives its own only where there are none.
ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=0:allocator_may_return_null=1}:log_path=$work/report"
JAVA_HOME=$JDK25
export TSAN_OPTIONS ASAN_OPTIONS JAVA_HOME

# stress OPTION...: one run with the seed, which @seed@ in an option stands for, compared
# with the oracle's.
stress()
{
    for option; do
        shift
        set -- "$@" "$(echo "$option" | sed "s/@seed@/$seed/g")"
    done
    [ -f "$work/$seed.expected" ] ||
        timeout "$limit" "$JDK25/bin/java" -cp "$work" VirtualStress "$seed" $threads 20 \
            > "$work/$seed.expected" 2> "$work/errors" || return 1
    timeout "$limit" "$top_builddir/minivm/minivm" \
        -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations \
        -XX:+UnlockDiagnosticVMOptions "$@" -cp "$work" \
        VirtualStress "$seed" $threads 20 \
        > "$work/$seed.out" 2> "$work/errors" &&
        cmp -s "$work/$seed.out" "$work/$seed.expected" &&
        is_suspended "$@" &&
        ! ls "$work"/report.* > /dev/null 2>&1
}

# is_suspended OPTION...: the agent, if there is one, has suspended threads one by one and
# together.
is_suspended()
{
    case $* in
    *agentpath*) read -r singles lists alls < "$work/$seed.suspensions" &&
        [ $((singles * (lists + alls))) -gt 0 ] ;;
    esac
}

# rounds NAME [OPTION...]: runs with one seed after the other until the time is over.
rounds()
{
    name=$1
    shift
    number=$((number + 1))
    until=$(($(date +%s) + seconds / 6))
    while seed=$((seed + 1)) && stress "$@"; do
        if [ "$(date +%s)" -ge "$until" ]; then
            echo "ok $number - $name"
            return
        fi
    done
    echo "not ok $number - $name"
    echo "# seed $seed:"
    sed 's/^/# /' "$work/errors"
    diff "$work/$seed.out" "$work/$seed.expected" | sed 's/^/# /'
    sed 's/^/# suspensions: /' "$work/$seed.suspensions" 2> /dev/null
    cat "$work"/report.* 2> /dev/null | head -200 | sed 's/^/# /'
    rm -f "$work"/report.*
}

echo 1..6
number=0 seed=0
rounds 'as it comes'
rounds 'one carrier' -Djdk.virtualThreadScheduler.parallelism=1
rounds 'many carriers, checked collections' -Djdk.virtualThreadScheduler.parallelism=8 \
    -XX:GCStress=9973 -XX:+PoisonFreed -XX:+VerifyBeforeGC -XX:+VerifyAfterGC
rounds 'a collection at every 97th allocation' -XX:GCStress=97 -XX:+PoisonFreed
rounds 'seeded schedules, collections' -XX:ScheduleSeed=@seed@ -XX:GCStress=997 \
    -XX:+PoisonFreed
rounds 'an agent suspends and resumes, collections' -XX:GCStress=1999 -XX:+PoisonFreed \
    -agentpath:"$work/libsuspender.so=@seed@,$work/@seed@.suspensions"
