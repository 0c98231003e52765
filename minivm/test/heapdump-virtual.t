#!/bin/sh
# SPDX-License-Identifier: MIT
# The stacks of virtual threads in heap dumps that the VM writes itself: whichever way a
# thread waits, its frames and what they refer to are its own, and not its carrier's.  Read
# by VisualVM's library, and by a reader that wants to know a thread before its roots.

top=$(cd "${top_srcdir:-.}" && pwd)
build=$(cd "${top_builddir:-.}" && pwd)
work=$build/minivm/test/heapdump-virtual.work
library=/usr/share/visualvm/visualvm/modules/org-graalvm-visualvm-lib-jfluid-heap.jar
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH

[ -n "$JDK25" ] || { echo "1..0 # SKIP no JDK 25"; exit 0; }
[ -f "$library" ] || { echo "1..0 # SKIP no VisualVM (Debian: visualvm)"; exit 0; }
command -v python3 >/dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
"$JDK25/bin/javac" -g -cp "$library" -d classes "$top/minivm/test/heapdump/Virtual.java" \
    "$top/minivm/test/heapdump/VirtualReader.java" || exit 1

echo 1..4
count=0
for vm in "$JDK25/bin/java" "$build/minivm/minivm --jdk $JDK25"; do
    name=${vm##*/}
    timeout 120 $vm -Xmx256m -cp classes Virtual "${name%% *}.hprof" >run 2>&1 &&
        timeout 300 "$JDK25/bin/java" -cp "classes:$library" VirtualReader \
            "${name%% *}.hprof" 2>>run | LC_ALL=C sort >got
    diff "$top/minivm/test/heapdump/Virtual.expected" got >diff
    verdict=$?
    count=$((count + 1))
    [ $verdict = 0 ] && echo "ok $count - ${vm%% *}: frames and what they hold" || {
        echo "not ok $count - ${vm%% *}: frames and what they hold"
        sed 's/^/# /' diff run
    }
    count=$((count + 1))
    python3 "$top/minivm/test/heapdump/roots.py" "${name%% *}.hprof" >order 2>&1
    case $(cat order) in
    ok:*) echo "ok $count - ${vm%% *}: threads before their roots" ;;
    *) echo "not ok $count - ${vm%% *}: threads before their roots"
        sed 's/^/# /' order ;;
    esac
done
