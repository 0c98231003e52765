#!/bin/sh
# SPDX-License-Identifier: MIT
# The sample agents survive each error of each function of JVM TI that they call, in its
# first call.
. "${top_srcdir:?}/layer/test/faults.sh"

# all AGENT OPTIONS
all()
{
    rm -f record
    run "$1" "$2" record="$work/record"
    awk '$1 != "event" { print $1, $2 }' record | sort -u >faults
    while read -r function error <&3; do
        survives "$1" "$2" "$function" "$error"
    done 3<faults
}

all heapdump file=out.hprof
all coverage file=out.cov
all tracer format=tree,file=out.tree
echo "1..$count"
