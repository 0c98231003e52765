#!/bin/sh
# SPDX-License-Identifier: MIT
# Whole programs (programs.t), on JDK 25.
. "$(dirname "$0")/on-release.sh"
