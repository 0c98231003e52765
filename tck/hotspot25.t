#!/bin/sh
# SPDX-License-Identifier: MIT
# The whole kit on the JDK's own VM: keeps the kit honest.
if test -z "$JDK25"; then
    echo "1..0 # SKIP no JDK 25 was found"
    exit 0
fi
exec "$top_builddir/tck/run" --java "$JDK25/bin/java" \
    --expect "$top_srcdir/tck/expect/hotspot25.txt"
