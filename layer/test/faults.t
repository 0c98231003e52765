#!/bin/sh
# SPDX-License-Identifier: MIT
# The sample agents survive errors: a call of JVM TI fails, and there is no crash, no
# hang and no broken rule.  These are calls whose failure was not survived once; the
# whole list, each error of each function that they call, is in faults-long.t.
. "${top_srcdir:?}/layer/test/faults.sh"

survives heapdump file=out.hprof GetEnvironmentLocalStorage INTERNAL
survives coverage file=out.cov RawMonitorEnter INTERNAL
survives tracer format=tree,file=out.tree RawMonitorEnter INTERNAL
echo "1..$count"
