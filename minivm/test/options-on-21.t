#!/bin/sh
# SPDX-License-Identifier: MIT
# Options and the log (options.t), on JDK 21.
. "$(dirname "$0")/on-release.sh"
