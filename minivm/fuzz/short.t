#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Every fuzzer for about a minute.  FUZZ_SECONDS and FUZZ_SEED ask for others.

exec "${top_srcdir:?}/minivm/fuzz/run" --seconds "${FUZZ_SECONDS:-45}" \
    --seed "${FUZZ_SEED:-1}" --work "${top_builddir:?}/minivm/fuzz/short.work"
