#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The JDK's libjdwp and jdb on minivm: a script of commands has the same transcript as
# under the JDK's own VM, but for ports, addresses and the numbers of objects and
# threads; the program then runs on to the same end.

top_builddir=${top_builddir:-$PWD}
top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$top_builddir/minivm/test/${work_name:-jdb}.work
home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
source=$top_srcdir/minivm/test/jdb

rm -rf "$work" && mkdir -p "$work/changed" || exit 1
echo 1..4
"$home/bin/javac" -g -d "$work" "$source"/*.java &&
    "$home/bin/javac" -g -d "$work/changed" "$source/changed/Part.java" || exit 1
sed "s|CHANGED|$(cd "$work" && pwd)/changed|" "$source/script" >"$work/script"

# debug NAME COMMAND...: the program under jdb; NAME.transcript, NAME.program.
debug()
{
    name=$1 tries=0 port=
    shift
    { timeout 600 "$@" \
        -agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0 \
        -cp "$work" Target 2>&1; echo "exit code $?"; } >"$work/$name.output" &
    until [ -n "$port" ] || [ $tries -ge 1200 ]; do
        port=$(sed -n 's/^Listening.*: \([0-9]*\)$/\1/p' "$work/$name.output" |
            head -n 1)
        tries=$((tries + 1))
        [ -n "$port" ] || sleep 0.1
    done
    timeout 590 "$home/bin/java" -cp "$work" Drive "$home/bin/jdb" "$port" "$source" \
        "$work/script" >"$work/$name.raw" 2>&1
    wait
    sed "s/id=[0-9]*/id=N/g; s/0x[0-9a-f]\{16\}/ADDRESS/g
        s/^\(  ([A-Za-z.]*)\)[0-9]* *\([A-Za-z]*\)  */\1N \2 /" \
        "$work/$name.raw" >"$work/$name.transcript"
    grep -v '^Listening for transport' "$work/$name.output" >"$work/$name.program"
}

# same NUMBER FILE TEXT [NAME]
same()
{
    if diff -u "$work/hotspot.$2" "$work/${4:-minivm}.$2" >"$work/diff"; then
        echo "ok $1 - $3"
    else
        echo "not ok $1 - $3"
        sed 's/^/# /' "$work/diff"
    fi
}

debug hotspot "$home/bin/java"
debug minivm "$top_builddir/minivm/minivm"
debug stress "$top_builddir/minivm/minivm" -XX:GCStress=97 -XX:+PoisonFreed
same 1 transcript "jdb says the same"
same 2 program "the program runs on to the same end"
# What the script changed shows: values set, the frame popped, the class redefined.
printf '%s\n' 'y 12' 'sum 16' 'n is 2' 'deep 6' 'busy 103' 'lambda 13' 'worker ends' \
    'old text' 'new text' 'counter 12 second 12' 'done 50012' 'exit code 0' \
    >"$work/hotspot.known"
cp "$work/minivm.program" "$work/minivm.known"
same 3 known "the program sees what jdb changed"
same 4 transcript "so it is with a collection at every 97th allocation" stress
