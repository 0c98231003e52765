#!/bin/sh
# SPDX-License-Identifier: MIT
# Whole programs (programs.t), on JDK 21.
. "$(dirname "$0")/on-release.sh"
