#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Every agent of minivm/test/jvmti runs its program under minivm and under the JDK's own
# VM; both say the same.

top_builddir=${top_builddir:-$PWD}
top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$top_builddir/minivm/test/agents.work
home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}

rm -rf "$work" && mkdir -p "$work" || exit 1
echo 1..1
"$home/bin/javac" -g -d "$work" "$top_srcdir/minivm/test/jvmti/Slice.java" &&
    ${CC:-cc} -shared -fPIC -I"$top_builddir/sdk/include" -o "$work/libslice.so" \
        "$top_srcdir/minivm/test/jvmti/slice.c" || exit 1
run()
{
    timeout 60 "$@" -agentpath:"$work/libslice.so" -cp "$work" Slice
    echo "exit code $?"
}
run "$home/bin/java" >"$work/expected" 2>&1
run "$top_builddir/minivm/minivm" >"$work/actual" 2>&1
if diff -u "$work/expected" "$work/actual" >"$work/diff"; then
    echo "ok 1 - slice: events, phases, members and errors"
else
    echo "not ok 1 - slice: events, phases, members and errors"
    sed 's/^/# /' "$work/diff"
fi
