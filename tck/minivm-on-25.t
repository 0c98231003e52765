#!/bin/sh
# SPDX-License-Identifier: MIT
# The whole kit on minivm with the class library of JDK 25: virtual threads, and what
# levels 22 to 25 brought.
if test -z "$JDK25"; then
    echo "1..0 # SKIP no JDK 25 was found"
    exit 0
fi
JAVA_HOME=$JDK25
export JAVA_HOME
exec "$top_builddir/tck/run" --java "$top_builddir/minivm/minivm" --jobs 2
