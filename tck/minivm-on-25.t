#!/bin/sh
# SPDX-License-Identifier: MIT
# The whole kit (minivm.t) on minivm with the class library of JDK 25: virtual threads,
# and what later levels brought.
. "$(dirname "$0")/../minivm/test/on-release.sh"
