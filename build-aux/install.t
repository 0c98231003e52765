#!/bin/sh
# SPDX-License-Identifier: MIT
# `make install` into a DESTDIR: what is there works from there, and from wherever it is
# moved to; libraries that a JVM loads lie alone, and `make uninstall` leaves nothing.
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

# Projects made, built and run by the kit in the folder $1, as it lies there.
use_kit() # FOLDER NAME
{
    for system in make cmake; do
        if [ "$system" = cmake ] && ! command -v cmake >/dev/null; then
            point 0 "an agent with cmake, from a kit $2 # SKIP no cmake found"
            continue
        fi
        rm -rf "$work/hello"
        "$1/bin/tiforge" new --template minimal --build "$system" --dir "$work/hello" \
            hello >"$work/out" 2>&1 &&
            "$1/bin/tiforge" build "$work/hello" >>"$work/out" 2>&1 &&
            [ "$(find "$work/hello" -name libhello.so | wc -l)" = 1 ]
        point $? "an agent with $system, from a kit $2" "$work/out"
    done
    library=$(find "$work/hello" -name libhello.so | head -n 1)
    "$1/bin/tiforge" run "$library=greeting=moved" -- -version >"$work/out" 2>&1 &&
        grep -q moved "$work/out" && grep -q 'tiforge minivm' "$work/out"
    point $? "it runs on minivm, from a kit $2" "$work/out"
    "$1/bin/tiforge" run coverage=format=text,file="$work/covered" -- -version \
        >"$work/out" 2>&1 && [ -s "$work/covered" ]
    point $? "a sample agent runs on it, from a kit $2" "$work/out"
    command -v pkg-config >/dev/null || {
        point 0 "pkg-config, of a kit $2 # SKIP no pkg-config found"
        return
    }
    pkg_config="env PKG_CONFIG_PATH=$(find "$1" -name pkgconfig) pkg-config"
    $pkg_config --cflags --libs tiforge >"$work/out" 2>&1
    [ -x "$($pkg_config --variable=minivm tiforge)" ] &&
        headers=$(sed -n 's/.*-I\([^ ]*\).*/\1/p' "$work/out") &&
        libraries=$(sed -n 's/.*-L\([^ ]*\).*/\1/p' "$work/out") &&
        [ -f "$headers/jvmti.h" ] && [ -f "$libraries/libtiforge.a" ]
    point $? "pkg-config tells where it is, of a kit $2" "$work/out"
}

prefix=${tiforge%/bin/tiforge}
use_kit "$prefix" "below a DESTDIR"
mv "$prefix" "$work/elsewhere"
use_kit "$work/elsewhere" "that was moved"
"$work/elsewhere/bin/tiforge" --version >"$work/out" 2>&1 &&
    "$work/elsewhere/bin/tiforge" explain GetThreadInfo >>"$work/out" 2>&1 &&
    "$work/elsewhere/bin/tiforge" lab list >>"$work/out" 2>&1 &&
    "$work/elsewhere/bin/tiforge" tck --java "$work/elsewhere/bin/minivm" \
        --filter 'GetVersionNumber.*' >>"$work/out" 2>&1 && grep -q '^ok 1 ' "$work/out"
point $? "its facts, labs and conformance kit are found" "$work/out"
mv "$work/elsewhere" "$prefix"

make -s -C "$build" uninstall DESTDIR="$dest" >"$work/log" 2>&1
point $? "make uninstall" "$work/log"
find_installed >"$work/found"
[ ! -s "$work/found" ]
point $? "make uninstall leaves no file" "$work/found"
echo "1..$count"
rm -rf "$work"
