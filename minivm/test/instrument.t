#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The JDK's libinstrument as a client: the same Java agent and program under the JDK's
# own VM and under minivm say the same.

top_builddir=${top_builddir:-$PWD}
top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$top_builddir/minivm/test/${work_name:-instrument}.work
home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
source=$top_srcdir/minivm/test/instrument
minivm=$(cd "$top_builddir" && pwd)/minivm/minivm

rm -rf "$work" && mkdir -p "$work" && work=$(cd "$work" && pwd) || exit 1
echo 1..8

# jar NAME FOLDER MANIFEST-LINES
make_jar()
{
    printf '%b' "$3" >"$work/manifest"
    "$home/bin/jar" cfm "$work/$1.jar" "$work/manifest" -C "$work/$2" .
}

premain='Premain-Class: Agent\nBoot-Class-Path: boot.jar\n'
can_do='Can-Redefine-Classes: true\nCan-Retransform-Classes: true\n'
can_do=$can_do'Can-Set-Native-Method-Prefix: true\n'
{
    "$home/bin/javac" -d "$work/boot" "$source/boot/FromBoot.java" &&
        "$home/bin/javac" -d "$work/more" "$source/more/Later.java" &&
        "$home/bin/javac" -g -d "$work/program" -cp "$work/boot" "$source"/*.java &&
        "$home/bin/javac" -g -d "$work/two" "$source/two/Changed.java" &&
        ${CC:-cc} -shared -fPIC -I"$top_builddir/sdk/include" \
            -o "$work/libwrapped.so" "$source/wrapped.c" &&
        mkdir "$work/agent" "$work/other" "$work/compiled" &&
        echo >"$work/other/other.txt" &&
        mv "$work/program/"Agent*.class "$work/agent" &&
        make_jar boot boot '' && make_jar more more '' && make_jar other other '' &&
        make_jar agent agent "$premain$can_do" && make_jar weak agent "$premain" &&
        make_jar nothing other 'Premain-Class: Nothing\n' &&
        make_jar launched program \
            "Main-Class: Launched\nLauncher-Agent-Class: Launched\n$can_do" &&
        make_jar unverified program \
            "Main-Class: Unverified\nLauncher-Agent-Class: Unverified\n$can_do"
} >"$work/build" 2>&1 || {
    sed 's/^/# /' "$work/build"
    exit 1
}

number=0
ulimit -c 0
# same WHAT ARGUMENTS...  The frames that a fatal error prints are each VM's own.
same()
{
    what=$1
    shift
    number=$((number + 1))
    for vm in expected actual; do
        [ $vm = expected ] && java=$home/bin/java || java=$minivm
        timeout 60 "$java" -Xshare:off "$@" >"$work/$vm.out" 2>&1
        echo "exit code $?" >>"$work/$vm.out"
        grep -v -e '^Native frames' -e '^[VC]  \[' -e '^$' "$work/$vm.out" >"$work/$vm"
    done
    if diff -u "$work/expected" "$work/actual" >"$work/diff"; then
        echo "ok $number - $what"
    else
        echo "not ok $number - $what"
        sed 's/^/# /' "$work/diff"
    fi
}

set -- -Dtwo="$work/two" -Dmore="$work/more.jar" -Dothers="$work/other.jar" \
    -Dlibrary="$work/libwrapped.so" -cp "$work/program"
same 'transformers, new versions, paths, modules, native prefixes' \
    -javaagent:"$work/agent.jar=all of it" "$@" Program
same 'an agent without capabilities, after another' \
    -javaagent:"$work/weak.jar=first" -javaagent:"$work/weak.jar=second" "$@" Program
same 'new versions of all classes' -javaagent:"$work/agent.jar=all" \
    -cp "$work/program" Everything "$work/compiled" "$source/boot/FromBoot.java"
same 'Launcher-Agent-Class' -jar "$work/launched.jar"
same 'premain throws' -javaagent:"$work/agent.jar=throw" "$@" Program
same 'no such class' -javaagent:"$work/nothing.jar" "$@" Program
same 'a new version that is not verified' -Xverify:all -jar "$work/unverified.jar"
number=$((number + 1))
"$minivm" -Xlog:redefine+class+load+exceptions -jar "$work/unverified.jar" |
    grep -q 'VerifyError.* for java.lang.Character$Subset: Bad type on operand stack' ||
    printf 'not '
echo "ok $number - the log says why it is not"
