#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A short run of every libFuzzer target in minivm/fuzz, from seeds made here.  Takes the
# targets of a build with --enable-fuzz, else builds them with the clang that FUZZ_CC
# names (default: clang).  FUZZ_RUNS is the number of inputs per target.

top_builddir=${top_builddir:-$PWD}
top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$top_builddir/minivm/test/fuzz.work
cc=${FUZZ_CC:-clang}
runs=${FUZZ_RUNS:-20000}
flags="-g -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined"

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
                -I"$top_srcdir/minivm" -I"$top_builddir/sdk/include" \
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
    $cc $flags -fsanitize=fuzzer -D_GNU_SOURCE -I"$top_srcdir/minivm" \
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

echo "1..$#"
number=0
status=0
for source_file; do
    number=$((number + 1))
    target=$(basename "$source_file" .c)
    log=$work/$target.log
    seed "$target"
    mkdir -p "$work/$target.found"
    if ! build "$target" >"$log" 2>&1; then
        echo "not ok $number - $target is built"
        as_comments "$log"
        status=1
    elif ASAN_OPTIONS=allocator_may_return_null=1 "$program" -runs="$runs" -seed=1 \
        -max_len=16384 -timeout=20 -rss_limit_mb=2048 -max_total_time=120 \
        -artifact_prefix="$work/$target-" "$work/$target.found" "$seeds" \
        >"$log" 2>&1; then
        echo "ok $number - $target survives $runs inputs"
        grep '^#.*DONE' "$log" | sed 's/^/# /'
    else
        echo "not ok $number - $target survives $runs inputs"
        as_comments "$log"
        status=1
    fi
done
exit $status
