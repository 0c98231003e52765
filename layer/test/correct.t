#!/bin/sh
# SPDX-License-Identifier: MIT
# correct.t [CASE...] -- agents that do what looks like a mistake and is none: nothing is
# said of them, and the program ends as it would without the layer.
top=${top_srcdir:?} build=${top_builddir:?}
work=$build/layer/test/correct.work
rm -rf "$work" && mkdir -p "$work" && work=$(cd "$work" && pwd) || exit 1
top=$(cd "$top" && pwd) build=$(cd "$build" && pwd)
check=$build/layer/.libs/libtiforge-check.so
misuse=$build/layer/test/.libs/libmisuse.so
"$JDK17/bin/javac" --release 11 -Xlint:-options -d "$work" "$top/layer/test/Target.java" \
    "$top/layer/test/Errors.java" && cd "$work" || exit 1

# Run a program with checked agents; the last one's report is report.json.
run() # JAVA VM OPTION...
{
    java=$1 preload=
    [ "$2" = minivm ] || preload=$SANITIZER_RUNTIME
    shift 2
    rm -f report.json
    env ${preload:+LD_PRELOAD="$preload"} \
        ASAN_OPTIONS="detect_leaks=0:handle_segv=0:$ASAN_OPTIONS" timeout 120 "$java" \
        "$@" >out 2>err
    status=$?
}

count=0
# The program has ended well, and there is no error and no warning.
point() # NAME
{
    verdict=0
    [ $status = 0 ] && grep -q '"findings"' report.json 2>/dev/null || verdict=1
    grep -qE '"(error|warning)"' report.json 2>/dev/null && verdict=1
    count=$((count + 1))
    [ $verdict = 0 ] || printf 'not '
    echo "ok $count - $1"
    [ $verdict = 0 ] || { echo "# status $status"; sed 's/^/# /' err | head -30; }
}

on() # JAVA VM
{
    for case in $cases; do
        run "$1" "$2" -agentpath:"$check=agent=$misuse,report=report.json,options=$case,right" \
            -cp . Target
        point "$2: $case"
    done
    # The tracer gets its ThreadEnd after the other agent's, which has held it over VMDeath.
    run "$1" "$2" \
        -agentpath:"$check=agent=$misuse,report=report.json,options=correct/late-callback,right" \
        -agentpath:"$check=agent=$build/agents/tracer/.libs/libtracer.so,report=report.json,options=file=late.json" \
        -cp . Target
    grep '^tracer:' err | grep -v '^tracer: wrote ' && status=1
    point "$2: the tracer's ThreadEnd behind VMDeath"
    run "$1" "$2" \
        -agentpath:"$check=agent=$build/agents/coverage/.libs/libcoverage.so,report=report.json,options=file=app.cov" \
        -cp . Errors
    point "$2: a program with linkage errors of its own"
}

cases=${*:-$(sed -n 's/.*\.rule = "\(correct\/[^"]*\)".*/\1/p' \
    "$top"/layer/test/misuse/*.c)}
on "$build/minivm/minivm" minivm
# HotSpot is not built for ThreadSanitizer.
case $SANITIZER_RUNTIME in
*tsan*) JDK25= ;;
*) on "$JDK17/bin/java" "JDK 17" ;;
esac
[ -z "$JDK25" ] || on "$JDK25/bin/java" "JDK 25"
echo "1..$count"
