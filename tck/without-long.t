#!/bin/sh
# SPDX-License-Identifier: MIT
# without.t for each capability; takes its time.
. "$(dirname "$0")/without.t"
