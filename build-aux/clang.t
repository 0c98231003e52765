#!/bin/sh
# SPDX-License-Identifier: MIT
# Every C source passes clang's checks without a warning, too: one test per folder.
top=${top_srcdir:?} build=${top_builddir:?}
command -v clang >/dev/null || { echo "1..0 # SKIP no clang found"; exit 0; }
cd "$top" || exit 1

# Some paths come from the makefile.
paths='-DJDK="" -DCONFIGURED_JDK="" -DBIN_DIR="" -DINSTALLED_DIR="" -DSANITIZER_RUNTIME="" -DPACKAGE_VERSION=""'
out=$build/build-aux/clang.out
mkdir -p "$build/build-aux"
count=0
for folder in $(find minivm sdk/src sdk/spec agents layer tck course/confine -name '*.c' 2>/dev/null |
                sed 's,/[^/]*$,,' | sort -u); do
    count=$((count + 1))
    case $folder in
    # An agent's callbacks have the parameters that JVM TI gives them.
    minivm/test/jvmti | minivm/test/onload | minivm/test/virtual-stress | \
        tck/reproductions)
        includes='-Wno-unused-parameter -Isdk/include' ;;
    minivm*) includes="-I$build/minivm -Iminivm -I." ;;
    sdk/spec) includes= ;;
    layer*) includes="-Isdk/include -I$build/layer -Iminivm -I." ;;
    *) includes="-Isdk/include -I$build/layer -I$build/tck -Itck -I. -I$build" ;;
    esac
    if clang -std=gnu11 -Wall -Wextra -Wshadow -Wstrict-prototypes -Werror -D_GNU_SOURCE $paths \
        -I"$build/sdk/include" $includes -fsyntax-only "$folder"/*.c \
        >"$out" 2>&1; then
        echo "ok $count - $folder"
    else
        echo "not ok $count - $folder"
        grep 'error:' "$out" | sort -u | head -20 | sed 's/^/# /'
    fi
done
rm -f "$out"
echo "1..$count"
