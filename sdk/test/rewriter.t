#!/bin/sh
# SPDX-License-Identifier: MIT
# The class-file module on real classes: an agent rewrites a program's classes, and
# those of javac itself; the verifier accepts them and the programs say and do the same.
top=${top_srcdir:?} build=${top_builddir:?}
here=$top/sdk/test
work=$build/sdk/test/rewriter.work
agent=$build/sdk/test/.libs/librewriter.so
count=0

rm -rf "$work" && mkdir -p "$work/probe" "$work/target" || exit 1
"$JDK17/bin/javac" -g -d "$work/probe" "$here"/java/probe/Probe.java &&
    "$JDK17/bin/javac" -g --release 17 -d "$work/target" "$here"/java/target/Target.java ||
    exit 1

point() # STATUS NAME
{
    count=$((count + 1))
    [ "$1" = 0 ] || printf 'not '
    echo "ok $count - $2"
    [ "$1" = 0 ] || sed 's/^/# /' "$work/out" "$work/err"
}

# run JAVA MODE ARGUMENTS...: with the agent; a library with a sanitizer in it needs the
# runtime under it.
run()
{
    run_java=$1 run_mode=$2
    shift 2
    case $run_java in
    */minivm) preload= ;;
    *) preload=$SANITIZER_RUNTIME ;;
    esac
    env ${preload:+LD_PRELOAD="$preload"} \
        ASAN_OPTIONS="detect_leaks=0:handle_segv=0:$ASAN_OPTIONS" \
        timeout 300 "$run_java" -Xverify:all \
        -agentpath:"$agent=boot=$work/probe,mode=$run_mode" "$@" >"$work/out" 2>"$work/err"
}

# The agent's last line: no class failed, and did any change?
verdict() # CHANGED-PATTERN
{
    grep -qE "^rewriter: [1-9][0-9]* classes, [1-9][0-9]* methods, $1 changed, 0 failed" \
        "$work/err"
}

target() # JAVA NAME
{
    expected=$work/expected
    "$JDK17/bin/java" -cp "$work/target:$work/probe" target.Target x |
        sed 's/^enter 0 .*/enter 2 leave 2 thrown 1 never 0/' >"$expected"
    run "$1" same -cp "$work/target" target.Target && verdict 0
    point $? "$2: code that is taken apart and put together is the same, byte by byte"
    run "$1" "nop,include=target.*" -cp "$work/target" target.Target x
    verdict '[1-9][0-9]*' && grep -v '^enter ' "$expected" >"$work/a" &&
        grep -v '^enter ' "$work/out" | cmp -s "$work/a" -
    point $? "$2: a nop before each instruction changes nothing"
    run "$1" "probe,include=target.*" -cp "$work/target" target.Target x
    verdict '[1-9][0-9]*' && cmp -s "$expected" "$work/out"
    point $? "$2: probes see calls, ends and exceptions"
}

compiler() # JAVA NAME MODE
{
    rm -rf "$work/made" "$work/want"
    "$1" -m jdk.compiler/com.sun.tools.javac.Main -g --release 17 -d "$work/want" \
        "$here/java/target/Target.java"
    run "$1" "$3,include=com.sun.tools.*" -Xshare:off -m \
        jdk.compiler/com.sun.tools.javac.Main -g --release 17 -d "$work/made" \
        "$here/java/target/Target.java" &&
        verdict '[1-9][0-9]*' && diff -r "$work/want" "$work/made" >/dev/null
    point $? "$2: javac with all its code rewritten ($3) compiles as before"
}

target "$JDK17/bin/java" "JDK 17"
compiler "$JDK17/bin/java" "JDK 17" nop
compiler "$JDK17/bin/java" "JDK 17" probe
if [ -n "$JDK25" ]; then
    target "$JDK25/bin/java" "JDK 25"
    compiler "$JDK25/bin/java" "JDK 25" probe
fi
target "$build/minivm/minivm" minivm
echo "1..$count"
