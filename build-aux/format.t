#!/bin/sh
# SPDX-License-Identifier: MIT
# The layout of minivm's C files is that of .clang-format, one point per folder; skipped
# where clang-format 14 is missing, since every version has its own opinion.
top=${top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
cd "$top" || exit 1

for program in clang-format-14 clang-format; do
    case $($program --version 2>/dev/null) in
    *'version 14.'*) break ;;
    esac
    program=
done
[ -n "$program" ] || { echo "1..0 # SKIP no clang-format 14"; exit 0; }

folders="minivm minivm/base minivm/classfile minivm/heap minivm/linking minivm/threads
    minivm/runtime minivm/diagnostics minivm/interp minivm/jni minivm/jdk minivm/jvmti"
n=0
for folder in $folders; do
    n=$((n + 1))
    wrong=$($program --dry-run --style=file "$folder"/*.[ch] 2>&1 |
        sed -n 's/^\([^ :]*:[0-9]*\):[0-9]*: warning: .*/\1/p' | sort -u)
    if [ -z "$wrong" ]; then
        echo "ok $n - $folder"
    else
        echo "not ok $n - $folder; mend with: $program -i FILE"
        echo "$wrong" | sed 's/^/# /'
    fi
done
echo "1..$n"
