#!/bin/sh
# SPDX-License-Identifier: MIT
# The same on a JDK 21, where one is given: not every machine has one.
if test -z "$JDK21"; then
    echo "1..0 # SKIP JDK21 names no JDK 21"
    exit 0
fi
exec "$top_builddir/tck/run" --java "$JDK21/bin/java" \
    --expect "$top_srcdir/tck/expect/hotspot21.txt"
