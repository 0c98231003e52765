#!/bin/sh
# SPDX-License-Identifier: MIT
# `make install` into a DESTDIR: what is there works from there, libraries that a JVM loads
# lie alone, and `make uninstall` leaves nothing.
build=${top_builddir:?}
work=$build/build-aux/install.work
rm -rf "$work"
mkdir -p "$work"
dest=$(cd "$work" && pwd)/dest
unset MAKEFLAGS MFLAGS MAKELEVEL

count=0
point() # STATUS NAME [FILE]: a point of the test; FILE tells why it failed.
{
    count=$((count + 1))
    [ "$1" = 0 ] || printf 'not '
    echo "ok $count - $2"
    [ "$1" = 0 ] || [ -z "$3" ] || sed 's/^/# /' "$3"
}

# Files and links below the DESTDIR that match the arguments of find.
find_installed() # ARGUMENTS
{
    find "$dest" ! -type d "$@" | sort
}

make -s -C "$build" install DESTDIR="$dest" >"$work/log" 2>&1
point $? "make install" "$work/log"

find_installed -name '*.la' ! -name libtiforge.la >"$work/found"
[ ! -s "$work/found" ]
point $? "no libtool description beside what a JVM loads" "$work/found"

for library in libtracer.so libheapdump.so libcoverage.so libtiforge-check.so libjvm.so; do
    [ "$(find_installed -name "$library" | wc -l)" = 1 ]
    point $? "$library is installed"
done

tiforge=$(find_installed -path '*/bin/tiforge')
"$tiforge" --version >"$work/out" 2>&1 && grep -q '^tiforge [0-9]' "$work/out"
point $? "tiforge tells its version" "$work/out"
"$tiforge" explain GetThreadInfo >"$work/out" 2>&1 && grep -q 'GetThreadInfo' "$work/out"
point $? "tiforge explain finds the facts below the DESTDIR" "$work/out"
"$tiforge" lab list >"$work/out" 2>&1 && grep -q '^ *12 ' "$work/out"
point $? "tiforge lab list finds the course below the DESTDIR" "$work/out"
find_installed -path '*/course/*' -name '*solution*' >"$work/found"
[ ! -s "$work/found" ]
point $? "no solution of a lab is installed" "$work/found"

make -s -C "$build" uninstall DESTDIR="$dest" >"$work/log" 2>&1
point $? "make uninstall" "$work/log"
find_installed >"$work/found"
[ ! -s "$work/found" ]
point $? "make uninstall leaves no file" "$work/found"
echo "1..$count"
rm -rf "$work"
