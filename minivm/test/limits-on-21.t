#!/bin/sh
# SPDX-License-Identifier: MIT
# Limits of the address space (limits.t), on JDK 21.
. "$(dirname "$0")/on-release.sh"
