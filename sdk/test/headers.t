#!/bin/sh
# SPDX-License-Identifier: MIT
# Our jni.h and jvmti.h against a JDK's: same layout, types, constants and names, but
# for what headers-17.txt and headers-25.txt list ('<' only ours, '>' only the JDK's).
top=${top_srcdir:?} build=${top_builddir:?}
here=$top/sdk/test
work=$build/sdk/test/headers.work
ours="-I$build/sdk/include"
count=0

point() # STATUS NAME
{
    count=$((count + 1))
    if [ "$1" = 0 ]; then echo "ok $count - $2"; else echo "not ok $count - $2"; fi
}

# Run a command with its output as comments.
run()
{
    "$@" >"$work/out" 2>&1
    status=$?
    [ $status = 0 ] || sed 's/^/# /' "$work/out"
    return $status
}

# The identifiers that the two headers hold, comments and numbers left out.
words()
{
    echo '#include <jvmti.h>' | $CC -E -dD "$@" -xc - |
        awk '/^# [0-9]+ "/ { keep = $3 ~ /\/(jni|jvmti|jni_md)\.h"$/; next } keep' |
        sed 's/"[^"]*"//g' | grep -oE '[A-Za-z_][A-Za-z_0-9]*' |
        grep -vE '^[xX][0-9a-fA-F]+$' | LC_ALL=C sort -u
}

layout() # NAME LEVEL INCLUDES...
{
    name=$1 level=$2
    shift 2
    run $CC -Wall -Wextra -Werror -DLEVEL="$level" "$@" -o "$work/layout-$name" \
        "$build/sdk/test/layout.c" && "$work/layout-$name" >"$work/layout-$name.txt"
}

against() # RELEASE JDK
{
    release=$1
    if ! grep -q "^JAVA_VERSION=\"$1" "$2/release" 2>/dev/null; then
        count=$((count + 1))
        echo "ok $count - headers of JDK $release # SKIP no JDK $release found"
        return
    fi
    includes="-I$2/include -I$2/include/linux"
    layout "$release" "$release" $includes
    point $? "types of JDK $release agree"
    words $includes >"$work/words-$release.txt"
    {
        diff "$work/layout-ours.txt" "$work/layout-$release.txt"
        diff "$work/words-ours.txt" "$work/words-$release.txt"
    } | grep '^[<>]' | LC_ALL=C sort >"$work/headers-$release.txt"
    run diff "$here/headers-$release.txt" "$work/headers-$release.txt"
    point $? "JDK $release differs as listed only"
    run $CC -Wall -Wextra -Werror $includes -fsyntax-only "$here/agent.c"
    point $? "the agent in C compiles with the headers of JDK $release"
}

mkdir -p "$work"
layout ours 21 "$ours"
point $? "our headers have the layout of the table"
words "$ours" >"$work/words-ours.txt"
against 17 "$JDK17"
against 25 "$JDK25"
for standard in c99 c11 gnu17; do
    run $CC -std=$standard -Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror "$ours" \
        -fsyntax-only "$here/agent.c"
    point $? "an agent in $standard"
done
for standard in c++11 c++17; do
    run $CXX -std=$standard -Wall -Wextra -Wpedantic -Werror "$ours" -fsyntax-only \
        "$here/agent.cc"
    point $? "an agent in $standard"
done
echo "1..$count"
