#!/bin/sh
# SPDX-License-Identifier: MIT
# The chapters of JVM TI (services.t) on JDK 25.
[ -n "$JDK25" ] || {
    echo "1..0 # SKIP there is no such JDK"
    exit 0
}
JAVA_HOME=$JDK25 work_name=services-on-25
export JAVA_HOME work_name
exec "$(dirname "$0")/services.t" "$@"
