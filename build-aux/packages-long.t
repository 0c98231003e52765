#!/bin/sh
# SPDX-License-Identifier: MIT
# The Debian packages of Debian 12 and 13, made, installed, used and removed (try-packages),
# and the image of Containerfile, built and used (try-image).  Takes its time, and downloads
# much.
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
# tried NAME COMMAND...: a point.
tried()
{
    name=$1
    shift
    count=$((count + 1))
    if said=$("$@" 2>&1); then
        echo "ok $count - $name"
    else
        echo "not ok $count - $name"
    fi
    echo "$said" | tail -n 100 | sed 's/^/# /'
}

echo 1..3
tried "packages of Debian 12" "$here/try-packages" --suite bookworm
tried "packages of Debian 13" "$here/try-packages" --suite trixie
if command -v buildah >/dev/null; then
    tried "the image" "$here/try-image"
else
    echo "ok 3 - the image # SKIP no buildah found"
fi
