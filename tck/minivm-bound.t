#!/bin/sh
# SPDX-License-Identifier: MIT
# What the kit says of virtual threads, on minivm with the class library of JDK 25 and
# virtual threads that are bound to platform threads (-XX:-VMContinuations).
if [ -z "$JDK25" ]; then
    echo "1..0 # SKIP no JDK 25 was found"
    exit 0
fi
export JAVA_HOME="$JDK25"
exec "$top_builddir/tck/run" --jobs 2 --filter '*irtual*' --java \
    "$top_builddir/minivm/minivm -XX:+UnlockExperimentalVMOptions -XX:-VMContinuations"
