#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A short run of every libFuzzer target in minivm/fuzz, from seeds made here, then one
# in which every fifth allocation fails.  Takes the targets of a build with
# --enable-fuzz, else builds them with the clang that FUZZ_CC names (default: clang).
# FUZZ_RUNS is the number of inputs per run.

top_builddir=${top_builddir:-$PWD}
top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$top_builddir/minivm/test/fuzz.work
cc=${FUZZ_CC:-clang}
runs=${FUZZ_RUNS:-20000}
flags="-g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined"
flags="$flags -DTIFORGE_MALLOC_FAIL"

rm -rf "$work" && mkdir -p "$work/seeds" || exit 1

skip_all()
{
    echo "1..0 # SKIP $*"
    exit 0
}

# as_comments FILE: its last lines, for the reader of the log.
as_comments()
{
    tail -n 40 "$1" | sed 's/^/# /'
}

# compile FOLDER: the objects of minivm/FOLDER, made once, into $objects.
compile()
{
    objects=
    for source in "$top_srcdir/minivm/$1"/*.c; do
        object=$work/$1-$(basename "$source" .c).o
        if [ ! -f "$object" ]; then
            # shellcheck disable=SC2086
            $cc $flags -fsanitize=fuzzer-no-link -D_GNU_SOURCE \
                -I"$top_srcdir/minivm" -I"$top_srcdir" -I"$top_builddir/sdk/include" \
                -I"$top_srcdir/sdk/include" -c "$source" -o "$object" || return 1
        fi
        objects="$objects $object"
    done
}

# build TARGET: its program into $program; the folders that it includes are linked.
build()
{
    program=$top_builddir/minivm/fuzz/$1
    [ -x "$program" ] && return 0
    program=$work/$1
    linked=
    for folder in base classfile; do
        if [ $folder = base ] || grep -q "#include \"$folder/" "$source_file"; then
            compile $folder || return 1
            linked="$linked $objects"
        fi
    done
    # shellcheck disable=SC2086
    $cc $flags -fsanitize=fuzzer -D_GNU_SOURCE -I"$top_srcdir/minivm" -I"$top_srcdir" \
        -I"$top_builddir/sdk/include" -I"$top_srcdir/sdk/include" \
        "$source_file" $linked -lz -lpthread -ldl -o "$program"
}

# seed TARGET: the folder of its first inputs into $seeds.
seed()
{
    seeds=$work/seeds/$1
    mkdir -p "$seeds"
    case $1 in
    jimage | zip) : "made by fuzz_seeds below" ;;
    *) [ -x "$top_srcdir/minivm/fuzz/$1.seeds" ] &&
           "$top_srcdir/minivm/fuzz/$1.seeds" "$seeds" ;;
    esac
}

set -- "$top_srcdir"/minivm/fuzz/*.c
if [ ! -x "$top_builddir/minivm/fuzz/zip" ]; then
    cat >"$work/probe.c" <<'EOF'
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    return bytes == NULL && length != 0;
}
EOF
    # shellcheck disable=SC2086
    $cc $flags -fsanitize=fuzzer "$work/probe.c" -o "$work/probe" 2>"$work/probe.log" ||
        skip_all "'$cc' builds no libFuzzer program"
    "$work/probe" -runs=1 >"$work/probe.log" 2>&1 ||
        skip_all "libFuzzer programs of '$cc' do not run"
fi

mkdir -p "$work/seeds/zip" "$work/seeds/jimage"
"$top_builddir/minivm/test/fuzz_seeds" "$work/seeds" || exit 1

# try TARGET DESCRIPTION: one test point, a run of $program.
try()
{
    number=$((number + 1))
    log=$work/$1.log
    mkdir -p "$work/$1.found"
    if ASAN_OPTIONS=allocator_may_return_null=1 "$program" -runs="$runs" -seed=1 \
        -max_len=16384 -timeout=20 -rss_limit_mb=2048 -max_total_time=120 \
        -artifact_prefix="$work/$1-" "$work/$1.found" "$seeds" >"$log" 2>&1; then
        echo "ok $number - $2"
        grep '^#.*DONE' "$log" | sed 's/^/# /'
    else
        echo "not ok $number - $2"
        as_comments "$log"
        status=1
    fi
}

echo "1..$((2 * $#))"
number=0
status=0
for source_file; do
    target=$(basename "$source_file" .c)
    seed "$target"
    if ! build "$target" >"$work/$target.log" 2>&1; then
        echo "Bail out! $target cannot be built"
        as_comments "$work/$target.log"
        exit 1
    fi
    try "$target" "$target survives $runs inputs"
    if [ "$program" = "$work/$target" ]; then
        TIFORGE_FAIL_NTH=5
        export TIFORGE_FAIL_NTH
        try "$target" "$target survives $runs inputs when allocations fail"
        unset TIFORGE_FAIL_NTH
    else
        number=$((number + 1))
        echo "ok $number # SKIP a build with --enable-fuzz fails no allocations"
    fi
done
exit $status
