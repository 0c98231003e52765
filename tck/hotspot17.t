#!/bin/sh
# SPDX-License-Identifier: MIT
# The whole kit on the JDK's own VM: keeps the kit honest.
if test -z "$JDK17"; then
    echo "1..0 # SKIP no JDK 17 was found"
    exit 0
fi
exec "$top_builddir/tck/run" --java "$JDK17/bin/java" \
    --expect "$top_srcdir/tck/expect/hotspot17.txt"
