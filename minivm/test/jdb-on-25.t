#!/bin/sh
# SPDX-License-Identifier: MIT
# The JDK's debugger (jdb.t), on JDK 25.
. "$(dirname "$0")/on-release.sh"
