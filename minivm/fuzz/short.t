#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Every fuzzer for about a minute, and not beyond cases that have been looked at: a fast
# machine is to find what slower ones find.  FUZZ_SECONDS, FUZZ_CASES and FUZZ_SEED ask for
# others.

exec "${top_srcdir:?}/minivm/fuzz/run" --seconds "${FUZZ_SECONDS:-45}" \
    --cases "${FUZZ_CASES:-50000}" --seed "${FUZZ_SEED:-1}" \
    --work "${top_builddir:?}/minivm/fuzz/short.work"
