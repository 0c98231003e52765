#!/bin/sh
# SPDX-License-Identifier: MIT
# The marking as test points, so that `tiforge test` runs it, too.
exec "${TIFORGE:-tiforge}" lab check --tap ${JAVA:+--vm "$JAVA"} "$(dirname "$0")/.."
