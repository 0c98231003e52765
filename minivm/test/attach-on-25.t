#!/bin/sh
# SPDX-License-Identifier: MIT
# Other processes that ask a running VM (attach.t), on JDK 25.
. "$(dirname "$0")/on-release.sh"
