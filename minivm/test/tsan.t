#!/bin/sh
# SPDX-License-Identifier: MIT
#
# In a build of `configure --enable-tsan`: unit tests of threads and monitors, and the
# programs about threads, without a report by ThreadSanitizer; nothing is suppressed.

top_builddir=${top_builddir:-$PWD}
top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$top_builddir/minivm/test/tsan.work

case $SANITIZER_RUNTIME in
*tsan*) ;;
*) echo "1..0 # SKIP not a build of configure --enable-tsan"; exit 0 ;;
esac
rm -rf "$work" && mkdir -p "$work" || exit 1
TSAN_OPTIONS="exitcode=66 log_path=$work/report"
export TSAN_OPTIONS

# check N NAME COMMAND...: it succeeds and is not reported on.
check()
{
    number=$1 name=$2
    shift 2
    if "$@" > "$work/$name.out" 2>&1 && ! ls "$work"/report.* > /dev/null 2>&1; then
        echo "ok $number - $name"
    else
        echo "not ok $number - $name"
        grep -h '^not ok' "$work/$name.out" | sed 's/^/# /'
        cat "$work"/report.* 2> /dev/null | sed 's/^/# /'
        rm -f "$work"/report.*
    fi
}

programs()
{
    sh "$top_srcdir/minivm/test/programs.t" --filter "$1" --time-factor 20 --jobs 1 \
        > "$work/programs"
    cat "$work/programs"
    grep -q '^ok' "$work/programs" && ! grep '^not ok' "$work/programs" | grep -qv '# TODO'
}

echo 1..6
number=0
for unit in monitor-t safepoint-t thread-t gc-t; do
    number=$((number + 1))
    check $number $unit "$top_builddir/minivm/test/$unit"
done
check 5 06-threads programs '06-threads/*'
check 6 11-litmus programs '11-litmus/*'
