#!/bin/sh
# SPDX-License-Identifier: MIT
# Virtual threads in the agent's dumps: whichever way one waits, it has a trace, and its
# frames are its own and not its carrier's.  Read by VisualVM's library, and by a reader
# that wants to know a thread before its roots; the program is that of minivm's own dumps.
top=$(cd "${top_srcdir:?}" && pwd) build=$(cd "${top_builddir:?}" && pwd)
here=$top/minivm/test/heapdump
work=$build/agents/heapdump/virtual.work
agent=$build/agents/heapdump/.libs/libheapdump.so
library=/usr/share/visualvm/visualvm/modules/org-graalvm-visualvm-lib-jfluid-heap.jar
count=0
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH

[ -n "$JDK25" ] || { echo "1..0 # SKIP no JDK 25"; exit 0; }
[ -f "$library" ] || { echo "1..0 # SKIP no VisualVM (Debian: visualvm)"; exit 0; }
command -v python3 >/dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
"$JDK25/bin/javac" -g -cp "$library" -d classes "$here/Virtual.java" \
    "$here/VirtualReader.java" || exit 1

point() # STATUS NAME FILE...
{
    count=$((count + 1))
    point_name=$2
    [ "$1" = 0 ] || printf 'not '
    echo "ok $count - $vm: $point_name"
    [ "$1" = 0 ] && return
    shift 2
    head -n 40 "$@" </dev/null | cut -c 1-200 | sed 's/^/# /'
}

dumped() # NAME PRELOAD JAVA...
{
    vm=$1 preload=$2
    shift 2
    env ${preload:+LD_PRELOAD="$preload"} \
        ASAN_OPTIONS="detect_leaks=0:handle_segv=0:$ASAN_OPTIONS" timeout 300 "$@" -Xmx256m \
        -agentpath:"$agent=progress=no,file=dump.hprof" -cp classes Virtual >out 2>err &&
        timeout 300 "$JDK25/bin/java" -cp "classes:$library" VirtualReader dump.hprof \
            2>>err | LC_ALL=C sort >got
    diff "$here/Virtual.expected" got >difference
    point $? "virtual threads have traces, and frames that hold what is theirs" difference err
    python3 "$here/roots.py" dump.hprof >order 2>&1
    grep -q '^ok' order
    point $? "threads come before their roots" order
    rm -f dump.hprof
}

dumped "HotSpot 25" "$SANITIZER_RUNTIME" "$JDK25/bin/java"
dumped "minivm on JDK 25" '' "$build/minivm/minivm" --jdk "$JDK25"
echo "1..$count"
