#!/bin/sh
# SPDX-License-Identifier: MIT
# The README's commands and `make check` in a fresh Debian 12 and a fresh Debian 13
# (try-readme), in Debian 13 with JDK 25 and then with JDK 21, too.  Takes its time, and
# downloads much.
here=$(dirname "$0")
if [ "$(id -u)" != 0 ] || ! command -v debootstrap >/dev/null; then
    echo "1..0 # SKIP needs root and debootstrap"
    exit 0
fi
if ! unshare --mount true 2>/dev/null; then
    echo "1..0 # SKIP mounts are not allowed here"
    exit 0
fi

count=0
# fresh NAME OPTION...: a point.
fresh()
{
    name=$1
    shift
    count=$((count + 1))
    if said=$("$here/try-readme" "$@" 2>&1); then
        echo "ok $count - $name"
    else
        echo "not ok $count - $name"
    fi
    echo "$said" | tail -n 100 | sed 's/^/# /'
}

echo 1..2
fresh "Debian 12" --suite bookworm
fresh "Debian 13, with JDK 25 and 21" --suite trixie --add 21
