#!/bin/sh
# SPDX-License-Identifier: MIT
# JaCoCo's agent (jacoco.t), on JDK 21.
. "$(dirname "$0")/on-release.sh"
