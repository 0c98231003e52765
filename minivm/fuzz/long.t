#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Every fuzzer for twenty minutes, from a seed that is the day's.  FUZZ_SECONDS and
# FUZZ_SEED ask for others.

exec "${top_srcdir:?}/minivm/fuzz/run" --seconds "${FUZZ_SECONDS:-1200}" \
    --seed "${FUZZ_SEED:-$(date +%Y%m%d)000000}" \
    --work "${top_builddir:?}/minivm/fuzz/long.work"
