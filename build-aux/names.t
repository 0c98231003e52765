#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What a specification names is found by its name: each function of JVM TI, of the JNI
# table and each function that libjvm exports has exactly one definition in minivm whose
# line begins with the name, so that `grep -n '^jvmti_GetLocalInt'` finds it.
top=${top_srcdir:-$(dirname "$0")/..}
build=${top_builddir:-$PWD}

# Names of definitions: a name at the start of a line and a parenthesis behind it.
definitions=$(find "$top/minivm" -name '*.c' ! -path '*/test/*' ! -path '*/fuzz/*' \
    -exec sed -n 's/^\([A-Za-z_][A-Za-z_0-9]*\)(.*/\1/p' {} +)

jvmti_names()
{
    sed -n 's/^#define .*//; s/.*\(jvmti_[A-Z][A-Za-z0-9]*\)(.*/\1/p' \
        "$build/minivm/jvmti/entries.h"
}

jni_names()
{
    sed -n 's/^ *\.[A-Za-z]* = \(jni_[A-Za-z0-9]*\),.*/\1/p' \
        "$build/minivm/jni/functions.h"
}

# Of a library that libtool has built; the map's patterns say what is exported.
exported_names()
{
    nm -D --defined-only "$build/minivm/.libs/libjvm.so" |
        sed -n 's/.* T \(\(JVM\|JNI\|jio\)_[A-Za-z0-9_]*\)\(@.*\)*$/\1/p'
}

# check NUMBER NAMES WHAT LEAST: at least LEAST names, each defined once.
check()
{
    wrong=$({ echo "$definitions"; echo; echo "$2"; } | awk -v least="$4" '
        $0 == "" { names = 1; next }
        !names { count[$0]++; next }
        { total++ }
        count[$0] != 1 { print "# " $0 ": " count[$0] + 0 " definitions" }
        END { if (total < least) print "# only " total + 0 " names" }')
    if [ -z "$wrong" ]; then
        echo "ok $1 - $3"
    else
        echo "not ok $1 - $3"
        echo "$wrong"
    fi
}

echo 1..3
check 1 "$(jvmti_names)" "the functions of JVM TI" 150
check 2 "$(jni_names)" "the functions of JNI's table" 229
if [ -f "$build/minivm/.libs/libjvm.so" ]; then
    check 3 "$(exported_names)" "the functions that libjvm exports" 150
else
    echo "ok 3 # SKIP there is no libjvm.so"
fi
