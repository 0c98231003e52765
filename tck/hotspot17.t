#!/bin/sh
# SPDX-License-Identifier: MIT
# The whole kit on the JDK's own VM: keeps the kit honest.
# JDK17 is the JDK that the build was configured with, which may be a later one.
if ! grep -q '^JAVA_VERSION="17' "$JDK17/release" 2>/dev/null; then
    echo "1..0 # SKIP no JDK 17 was found"
    exit 0
fi
exec "$top_builddir/tck/run" --java "$JDK17/bin/java" \
    --expect "$top_srcdir/tck/expect/hotspot17.txt"
