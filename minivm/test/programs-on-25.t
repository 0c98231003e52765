#!/bin/sh
# SPDX-License-Identifier: MIT
# The programs on JDK 25, compared with its own VM, but for those of which doc/status.md
# says what is missing.
exec sh "$(dirname "$0")/programs-on.sh" "$JDK25" --skip '09-vm/NativeCalls' \
    --skip '10-folders/LinkageErrors' --skip '09-vm/FileVersions' "$@"
