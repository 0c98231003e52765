#!/bin/sh
# SPDX-License-Identifier: MIT
# virtual-stress.t for ten minutes.
VIRTUAL_STRESS_SECONDS=600
export VIRTUAL_STRESS_SECONDS
exec sh "$(dirname "$0")/virtual-stress.t"
