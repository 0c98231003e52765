#!/bin/sh
# SPDX-License-Identifier: MIT
#
# An agent from Agent_OnLoad to Agent_OnUnload: the order of what it and the program
# print into a pipe, as under the JDK's own VM, and the invocation interface where there
# is no thread or no VM yet, or where a function has to return into the VM.  In the
# latter cases the JDK's VM crashes: what minivm answers is written down here.

top_builddir=${top_builddir:-$PWD}
top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$top_builddir/minivm/test/onload.work
home=${JDK17:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
source=$top_srcdir/minivm/test/onload
tested=$top_builddir/minivm/minivm

rm -rf "$work" && mkdir -p "$work" || exit 1
"$home/bin/javac" -d "$work" "$source/Speaks.java" &&
    ${CC:-cc} -shared -fPIC -Wall -I"$top_builddir/sdk/include" -o "$work/libspeaks.so" \
        "$source/speaks.c" -lpthread || { echo "Bail out! nothing to run"; exit 1; }

# $1: a name of files; $2: options of the agent; then the VM and its program's arguments.
run()
{
    name=$1 options=$2 vm=$3
    shift 3
    { timeout -s KILL 60 "$vm" -agentpath:"$work/libspeaks.so=$options" -cp "$work" \
        Speaks "$@" 2>"$work/$name.err"; echo "status $?"; } | cat >"$work/$name.out"
}

number=0
report()
{
    number=$((number + 1))
    if [ -s "$work/diff" ]; then
        echo "not ok $number - $1"
        sed 's/^/# /' "$work/diff"
    else
        echo "ok $number - $1"
    fi
}

order()
{
    text=$1
    shift
    run hotspot "$1" "$home/bin/java" ${2:+"$2"}
    run minivm "$1" "$tested" ${2:+"$2"}
    diff "$work/hotspot.out" "$work/minivm.out" >"$work/diff"
    report "$text"
}

# What one call gives in each place, in the order of the places.
calls()
{
    run minivm "$1" "$tested"
    printf '%s\n' $2 >"$work/expected"
    { sed -n 's/^call //p' "$work/minivm.err"
      grep -q '^status 0$' "$work/minivm.out" || tail -n 1 "$work/minivm.out"
    } | diff "$work/expected" - >"$work/diff"
    report "$3"
}

echo 1..12
order "what is printed, in order" print
order "when the program halts" print halt
order "when the program exits" print exit
calls jni "OnLoad:-2 VMStart:0 VMInit:0 VMDeath:0 Unload:0" \
    "GetEnv for JNI: JNI_EDETACHED in OnLoad"
calls jni-other "OnLoad:-2 VMStart:-2 VMInit:-2 VMDeath:-2 Unload:-2" \
    "GetEnv for JNI by a thread that is not attached"
calls jvmti "OnLoad:0 VMStart:0 VMInit:0 VMDeath:0 Unload:-2" "GetEnv for JVM TI"
calls attach "OnLoad:-1 VMStart:0 VMInit:0 VMDeath:0 Unload:0" "AttachCurrentThread"
calls attach-other "OnLoad:-1 VMStart:0 VMInit:0 VMDeath:0 Unload:-1" \
    "AttachCurrentThread by another thread, which loads a class"
calls detach "OnLoad:0 VMStart:-1 VMInit:-1 VMDeath:-1 Unload:-1" \
    "DetachCurrentThread: not where the thread returns into the VM"
calls destroy "OnLoad:-1 VMStart:-1 VMInit:-1 VMDeath:-1 Unload:-1" \
    "DestroyJavaVM: not where the thread returns into the VM"
calls destroy-other "OnLoad:-1 VMStart:-1 Unload:-1" \
    "DestroyJavaVM by another thread: not unless there is a VM"
calls collection "GarbageCollectionStart:-1:-1:-1" \
    "GetEnv for JVM TI, DetachCurrentThread, DestroyJavaVM during a collection"
