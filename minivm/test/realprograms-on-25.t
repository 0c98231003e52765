#!/bin/sh
# SPDX-License-Identifier: MIT
# The JDK's own tools (realprograms.t), on JDK 25.
. "$(dirname "$0")/on-release.sh"
