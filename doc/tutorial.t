#!/bin/sh
# SPDX-License-Identifier: MIT
# Every command of tutorial.md works and prints what stands there.  Lines behind a $ are
# run in one shell; the lines below must come out in this order, "..." standing for
# anything.  A fenced block with a path behind its language is written to that file.
top=${top_srcdir:?} build=${top_builddir:?}
[ -z "$SANITIZER_RUNTIME" ] ||
    { echo "1..0 # SKIP agents would need the sanitizer's runtime"; exit 0; }
for tool in readelf pkg-config; do
    command -v $tool >/dev/null || { echo "1..0 # SKIP no $tool found"; exit 0; }
done
work=$build/doc/tutorial.work
rm -rf "$work" && mkdir -p "$work/run" && work=$(cd "$work" && pwd) || exit 1
top=$(cd "$top" && pwd) build=$(cd "$build" && pwd)
export JAVA_HOME="$JDK17" TIFORGE_MINIVM="$build/minivm/minivm"
unset JAVA MAKEFLAGS MFLAGS MAKELEVEL DESTDIR
export top_srcdir="$top" top_builddir="$build"
"$top/sdk/test/stage" "$work/kit" || exit 1
PATH=$work/kit/bin:$PATH PKG_CONFIG_PATH=$work/kit/lib/pkgconfig
export PATH PKG_CONFIG_PATH

# The tutorial as a script: command n writes n.out, n.status; n.want is the document's.
awk -v work="$work" '
    /^```[a-z]+ [^ ]+$/ { file = $2; print "cat >" file " <<'"'END OF FILE'"'"; writing = 1; next }
    /^```$/ && writing { print "END OF FILE"; writing = 0; next }
    writing { print; next }
    /^    \$ / {
        n++
        command = substr($0, 7)
        printf "" > (work "/" n ".want")
        print command > (work "/" n ".command")
        # In braces rather than a subshell, so that cd lasts.
        print "{ " command "; } >" work "/" n ".out 2>&1; echo $? >" work "/" n ".status"
        inside = 1
        next
    }
    /^    / && inside { print substr($0, 5) >> (work "/" n ".want"); next }
    { inside = 0 }
    END { print n > (work "/count") }
' "$top/doc/tutorial.md" >"$work/script"
(cd "$work/run" && timeout 580 sh "$work/script")

# Do the lines of want come in out, in their order?
in_order() # WANT OUT
{
    awk '
        function pattern(line,   p) {
            p = line
            gsub(/[][\\^$*+?(){}|.]/, "\\\\&", p)
            gsub(/\\[.]\\[.]\\[.]/, ".*", p)
            return "^" p "$"
        }
        FILENAME == ARGV[1] { if ($0 != "...") want[++wanted] = pattern($0); next }
        at < wanted && $0 ~ want[at + 1] { at++ }
        END { exit at < wanted }' "$1" "$2"
}

n=1 count=$(cat "$work/count")
while [ $n -le "$count" ]; do
    [ "$(cat "$work/$n.status" 2>/dev/null)" = 0 ] && in_order "$work/$n.want" "$work/$n.out"
    status=$?
    [ $status = 0 ] || printf 'not '
    echo "ok $n - $(cat "$work/$n.command")"
    [ $status = 0 ] || sed 's/^/# /' "$work/$n.out"
    n=$((n + 1))
done
echo "1..$count"
