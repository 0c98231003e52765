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

cat >want <<'END'
carriers have frames of their own only
dump-blocks runs block
dump-blocks's block has blocks
dump-parks runs park
dump-parks's park has parks
dump-spins runs lambda$main$0
dump-spins runs spin
dump-spins's spin has spins
dump-waits runs await
dump-waits's await has waits
main runs main
main's main has main
END

# Each root of a frame names a thread whose own root came before it.
roots()
{
    python3 - "$1" <<'END'
import struct, sys

data = open(sys.argv[1], "rb").read()
at = data.index(b"\0") + 13
known, strange, roots = set(), 0, 0
# The bytes behind the tag, of roots, and of a value by its type.
sizes = {0xFF: 8, 0x01: 16, 0x02: 16, 0x03: 16, 0x04: 12, 0x05: 8, 0x06: 12, 0x07: 8,
         0x08: 16}
types = {2: 8, 4: 1, 5: 2, 6: 4, 7: 8, 8: 1, 9: 2, 10: 4, 11: 8}


def number(form, where):
    return struct.unpack_from(form, data, where)[0]


def length_of(kind, at):
    if kind in sizes:
        return sizes[kind]
    if kind == 0x21:
        return 24 + number(">I", at + 20)
    if kind == 0x22:
        return 24 + 8 * number(">I", at + 12)
    if kind == 0x23:
        return 17 + types[data[at + 16]] * number(">I", at + 12)
    end = at + 64
    for shape in ("constant", "static", "field"):
        count = number(">H", end)
        end += 2
        for _ in range(count):
            if shape == "constant":
                end += 3 + types[data[end + 2]]
            elif shape == "static":
                end += 9 + types[data[end + 8]]
            else:
                end += 9
    return end - at


while at < len(data):
    tag = data[at]
    end = at + 9 + number(">I", at + 5)
    at += 9
    while tag in (0x0C, 0x1C) and at < end:
        kind = data[at]
        at += 1
        if kind == 0x08:
            known.add(number(">I", at + 8))
        elif kind in (0x02, 0x03):
            roots += 1
            strange += number(">I", at + 8) not in known
        at += length_of(kind, at)
    at = end
print("%s: %d of %d roots before their thread"
      % ("ok" if roots > 0 and strange == 0 else "wrong", strange, roots))
END
}

echo 1..4
count=0
for vm in "$JDK25/bin/java" "$build/minivm/minivm --jdk $JDK25"; do
    name=${vm##*/}
    timeout 120 $vm -Xmx256m -cp classes Virtual "${name%% *}.hprof" >run 2>&1 &&
        timeout 300 "$JDK25/bin/java" -cp "classes:$library" VirtualReader \
            "${name%% *}.hprof" 2>>run | LC_ALL=C sort >got
    diff want got >diff
    verdict=$?
    count=$((count + 1))
    [ $verdict = 0 ] && echo "ok $count - ${vm%% *}: frames and what they hold" || {
        echo "not ok $count - ${vm%% *}: frames and what they hold"
        sed 's/^/# /' diff run
    }
    count=$((count + 1))
    roots "${name%% *}.hprof" >order 2>&1
    case $(cat order) in
    ok:*) echo "ok $count - ${vm%% *}: threads before their roots" ;;
    *) echo "not ok $count - ${vm%% *}: threads before their roots"
        sed 's/^/# /' order ;;
    esac
done
