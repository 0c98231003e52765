#!/bin/sh
# SPDX-License-Identifier: MIT
# The chapters of JVM TI (services.t), on JDK 25.
. "$(dirname "$0")/on-release.sh"
