#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The chapters of JVM TI that are about the whole VM: each program checks
# what its agent tells it against what it built, under the JDK's own VM and under
# minivm.  Both make the same checks; minivm passes all, the JDK's all but those that
# the program lists as "// departs: NAME", or as "// departs 17: NAME" for one release
# only, and those that it lists as "// may depart: NAME" now and then.
# "// vm:" gives options, "// stress:" those of
# one more run of minivm, "// sdk:" the parts of libtiforge that the agent uses.
# "// alone: REASON" leaves the JDK's VM out: it would crash.  "// since: RELEASE" skips
# the program where the JDK is an older one.

top_builddir=${top_builddir:-$PWD}
top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$top_builddir/minivm/test/${work_name:-services}.work
home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
source=$top_srcdir/minivm/test/jvmti
minivm=$top_builddir/minivm/minivm
release=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release")

# Slice belongs to agents.t: its agent has another name.
[ $# -gt 0 ] || for program in "$source"/*.java; do
    program=$(basename "$program" .java)
    [ ! -f "$source/$program.c" ] || set -- "$@" "$program"
done

rm -rf "$work" && mkdir -p "$work" || exit 1
echo "1..$#"

# Not the built library: that may need a sanitizer, which the JDK's own VM has not.
sdk_sources()
{
    for name in $(sed -n 's|^// sdk: ||p' "$source/$1.java"); do
        echo "$top_srcdir/sdk/src/$name.c"
    done
}

# $1.versions has other versions of the program's classes, one folder each.
build()
{
    "$home/bin/javac" -g -nowarn -d "$work" -sourcepath "$source" \
        --add-exports java.base/jdk.internal.misc=ALL-UNNAMED \
        --add-exports java.base/sun.nio.ch=ALL-UNNAMED "$source/$1.java" &&
        for version in "$source/$1.versions"/*; do
            [ ! -d "$version" ] ||
                "$home/bin/javac" -g -nowarn -d "$work/$1.${version##*/}" -cp "$work" \
                    -implicit:none "$version"/*.java || return 1
        done &&
        ${CC:-cc} -shared -fPIC -Wall -I"$top_builddir/sdk/include" \
            -I"$top_srcdir/sdk/include" -I"$top_srcdir" -I"$source" \
            -o "$work/lib$1.so" "$source/$1.c" $(sdk_sources "$1")
}

# Program $1 on VM $2, which is the command that follows.  Checks go to $1.$2.out, "not
# ok" and the exit status included.
run()
{
    program=$1 vm=$2
    shift 2
    timeout 120 "$@" $(sed -n 's|^// vm: ||p' "$source/$program.java") \
        -agentpath:"$work/lib$program.so" -cp "$work" "$program" \
        >"$work/$program.$vm.out" 2>"$work/$program.$vm.err"
    echo "status $?" >>"$work/$program.$vm.out"
}

checks()
{
    sed -n 's/^\(not ok\|ok\) \([^:]*\).*/\2/p' "$work/$1"
}

# Empty when all is as it should be.
judge()
{
    grep -v '^ok ' "$work/$1.minivm.out" | grep -vx 'status 0'
    [ ! -f "$work/$1.stress.out" ] ||
        grep -v '^ok ' "$work/$1.stress.out" | grep -vx 'status 0' | sed 's/^/stress: /'
    checks "$1.minivm.out" >"$work/$1.minivm.names"
    [ -s "$work/$1.minivm.names" ] || echo "no check was made"
    ! grep -q '^// alone: .' "$source/$1.java" || return 0
    sed -n "s/^\/\/ departs\( $release\)\{0,1\}: \([^ ]*\).*/\2/p" "$source/$1.java" |
        sort >"$work/$1.departs"
    sed -n 's/^\/\/ may depart: \([^ ]*\).*/\1/p' "$source/$1.java" >"$work/$1.may"
    sed -n 's/^not ok \([^:]*\).*/\1/p' "$work/$1.hotspot.out" | sort |
        grep -vxFf "$work/$1.may" | diff "$work/$1.departs" - | sed 's/^/HotSpot departs: /'
    grep -q '^status 0$' "$work/$1.hotspot.out" || echo "HotSpot failed"
    checks "$1.hotspot.out" | diff "$work/$1.minivm.names" -
}

number=0
for program; do
    number=$((number + 1))
    since=$(sed -n 's|^// since: ||p' "$source/$program.java")
    if [ -n "$since" ] && [ "$release" -lt "$since" ]; then
        echo "ok $number - $program # SKIP it is for JDK $since"
        continue
    fi
    if build "$program" 2>"$work/$program.build" >&2; then
        grep -q '^// alone: .' "$source/$program.java" ||
            run "$program" hotspot "$home/bin/java"
        run "$program" minivm "$minivm"
        stress=$(sed -n 's|^// stress: ||p' "$source/$program.java")
        [ -z "$stress" ] || run "$program" stress "$minivm" $stress
        judge "$program" >"$work/$program.judged"
    else
        cp "$work/$program.build" "$work/$program.judged"
        echo "does not build" >>"$work/$program.judged"
    fi
    if [ -s "$work/$program.judged" ]; then
        echo "not ok $number - $program"
        sed 's/^/# /' "$work/$program.judged"
        sed 's/^/# stderr: /' "$work/$program.minivm.err" 2>/dev/null | head -20
    else
        echo "ok $number - $program: $(wc -l <"$work/$program.minivm.names") checks"
    fi
done
