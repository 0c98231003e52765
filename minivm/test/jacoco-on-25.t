#!/bin/sh
# SPDX-License-Identifier: MIT
# JaCoCo's agent (jacoco.t), on JDK 25.
. "$(dirname "$0")/on-release.sh"
