#!/bin/sh
# SPDX-License-Identifier: MIT
# Agents that are not wrong: tiforge check finds no error and no warning in the sample
# agents, in libjdwp under a session of jdb, and in libinstrument with JaCoCo's agent; but
# for those in libjdwp that tiforge-check(1) tells of.
top=${top_srcdir:?} build=${top_builddir:?}
[ -z "$SANITIZER_RUNTIME" ] ||
    { echo "1..0 # SKIP the JDK's agents would need the sanitizer's runtime"; exit 0; }
work=$build/layer/test/agents.work
rm -rf "$work" && mkdir -p "$work/jdb" && work=$(cd "$work" && pwd) || exit 1
top=$(cd "$top" && pwd) build=$(cd "$build" && pwd)
check=$build/layer/.libs/libtiforge-check.so
jdb=$top/minivm/test/jdb
"$JDK17/bin/javac" --release 11 -Xlint:-options -d "$work" "$top/layer/test/Target.java" &&
    "$JDK17/bin/javac" -g --release 17 -d "$work/jdb" "$jdb"/*.java &&
    mkdir "$work/changed" &&
    "$JDK17/bin/javac" -g --release 17 -d "$work/changed" "$jdb/changed/Part.java" || exit 1
sed "s|CHANGED|$work/changed|" "$jdb/script" >"$work/script"
cd "$work" || exit 1
cat >known <<'END'
monitor.lock-order RawMonitorEnter threadControl_popFrames
monitor.owner-suspended RawMonitorEnter invoker_*
memory.leak GetTopThreadGroups util_initialize
memory.leak Allocate sharedInvoke
memory.leak Allocate socketTransport_startListening
memory.leak Allocate setLastError
memory.leak GetLineNumberTable getLineNumberTable
reference.weak SetTag commonRef_*
phase.after-death SetTag deleteNode
END
count=0

# point NAME: the last status is 0, and the report has neither errors nor warnings.
point()
{
    verdict=$?
    count=$((count + 1))
    grep -q '"findings"' report.json 2>/dev/null || verdict=1
    grep -qE '"(error|warning)"' report.json 2>/dev/null && verdict=1
    [ $verdict = 0 ] || printf 'not '
    echo "ok $count - $1"
    [ $verdict = 0 ] || { tail -n 40 err; head -n 20 out; } | sed 's/^/# /'
}

# checked JAVA AGENT OPTIONS ARGUMENT...
checked()
{
    java=$1 agent=$2 options=$3
    shift 3
    rm -f report.json
    timeout 120 "$java" "-agentpath:$check=agent=$agent,report=report.json,options=$options" \
        "$@" >out 2>err
}

# A session of jdb with the program under it.
debug() # JAVA JDK
{
    rm -f out report.json
    timeout 600 "$1" "-agentpath:$check=agent=$2/lib/libjdwp.so,suppress=known,report=report.json,options=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0" \
        -cp jdb Target >out 2>err &
    program=$! port= tries=0
    until [ -n "$port" ] || [ $tries -ge 1200 ]; do
        port=$(sed -n 's/^Listening.*: \([0-9]*\)$/\1/p' out 2>/dev/null | head -n 1)
        tries=$((tries + 1))
        [ -n "$port" ] || sleep 0.1
    done
    timeout 590 "$JDK17/bin/java" -cp jdb Drive "$JDK17/bin/jdb" "$port" "$jdb" script \
        >session 2>&1
    wait $program
}

on() # JAVA VM JDK
{
    checked "$1" "$build/agents/heapdump/.libs/libheapdump.so" file=app.hprof -cp . Target
    point "$2: heapdump"
    checked "$1" "$build/agents/tracer/.libs/libtracer.so" file=app.json -cp . Target
    point "$2: tracer"
    checked "$1" "$build/agents/coverage/.libs/libcoverage.so" file=app.cov -cp . Target
    point "$2: coverage"
    debug "$1" "$3"
    point "$2: libjdwp under jdb"
    if [ -f /usr/share/java/org.jacoco.agent.jar ]; then
        "$JDK17/bin/jar" xf /usr/share/java/org.jacoco.agent.jar jacocoagent.jar
        checked "$1" instrument "jacocoagent.jar=destfile=app.exec" -cp . Target
        [ $? = 0 ] && [ -s app.exec ]
        point "$2: libinstrument with JaCoCo"
    else
        echo "ok $((count += 1)) # SKIP no JaCoCo"
    fi
}

on "$build/minivm/minivm" minivm "$JDK17"
on "$JDK17/bin/java" "JDK 17" "$JDK17"
[ -z "$JDK25" ] || on "$JDK25/bin/java" "JDK 25" "$JDK25"
echo "1..$count"
