#!/bin/sh
# SPDX-License-Identifier: MIT
# In a build of `configure --enable-asan` or `--enable-tsan`: the misuse agents, broken and
# done rightly, on minivm with a layer that no sanitizer has a report about.  What an agent
# breaks is its own affair: only reports with a frame of the layer count.
top=${top_srcdir:?} build=${top_builddir:?}
[ -n "$SANITIZER_RUNTIME" ] || { echo "1..0 # SKIP not a build with a sanitizer"; exit 0; }
work=$build/layer/test/sanitized.work
rm -rf "$work" && mkdir -p "$work" && work=$(cd "$work" && pwd) || exit 1
ASAN_OPTIONS="log_path=$work/report:halt_on_error=0:$ASAN_OPTIONS"
UBSAN_OPTIONS="log_path=$work/report:print_stacktrace=1"
# TSan would wait a second at the end of each of some thousand programs.
TSAN_OPTIONS="log_path=$work/report:exitcode=0:report_signal_unsafe=0:atexit_sleep_ms=50"
export ASAN_OPTIONS UBSAN_OPTIONS TSAN_OPTIONS
sh "$top/layer/test/rules.t" "$@" >"$work/points"
grep -c . "$work/points" | sed 's/^/# lines of rules.t: /'

# is_of_layer REPORT: whether what happened was in the layer or below it: the newest frame
# in this folder is none of the agents' that the test brings.
is_of_layer()
{
    awk '/^ *#[0-9]+ .*layer\/[a-z_\/]*\.[ch]:[0-9]/ {
            found = !/layer\/test\//
            exit
        }
        END { exit !found }' "$1"
}

# Each of them is a point.
count=0
for report in "$work"/report.*; do
    [ -f "$report" ] && is_of_layer "$report" || continue
    count=$((count + 1))
    echo "not ok $count - $(basename "$report")"
    sed 's/^/# /' "$report" | head -n 60
done
count=$((count + 1))
# Not all, since a sanitizer takes time and stack, which two rules are about.
awk '/^ok/ { held++ } /^not ok/ { failed++ } END { exit !(held > 9 * failed) }' \
    "$work/points" || printf 'not '
echo "ok $count - nine of ten of the agents' points hold"
echo "1..$count"
