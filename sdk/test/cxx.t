#!/bin/sh
# SPDX-License-Identifier: MIT
# Each header stands alone, in C and in C++; the library's tests are C++, too.
top=${top_srcdir:?} build=${top_builddir:?}
[ -z "$SANITIZER_RUNTIME" ] ||
    { echo "1..0 # SKIP programs would need the sanitizer's runtime"; exit 0; }
work=$build/sdk/test/cxx.work
mkdir -p "$work" || exit 1
flags="-Wall -Wextra -Wpedantic -Werror -D_GNU_SOURCE -I$build/sdk/include -I$top/sdk/include"
count=0

point() # STATUS NAME
{
    count=$((count + 1))
    [ "$1" = 0 ] || printf 'not '
    echo "ok $count - $2"
    [ "$1" = 0 ] || sed 's/^/# /' "$work/out"
}

for header in "$top"/sdk/include/tiforge/*.h; do
    name=tiforge/${header##*/}
    echo "#include <$name>" >"$work/alone.c"
    $CC -std=c11 $flags -fsyntax-only "$work/alone.c" >"$work/out" 2>&1 &&
        $CXX -xc++ -std=c++11 $flags -fsyntax-only "$work/alone.c" >"$work/out" 2>&1
    point $? "$name alone"
done
for test in text options threads classfile; do
    $CXX -xc++ -std=c++11 $flags -o "$work/$test" "$top/sdk/test/$test-t.c" -xnone \
        "$build/sdk/libtiforge.a" -lpthread -lm >"$work/out" 2>&1 &&
        "$work/$test" >"$work/out" 2>&1
    point $? "$test-t.c in C++"
done
echo "1..$count"
