#!/bin/sh
# SPDX-License-Identifier: MIT
# The agents of tck/reproductions do on each VM what their first lines say: "HotSpot N
# dies" (by a signal), "HotSpot N departs" (and prints so); all others, and minivm, print
# "as specified".  doc/hotspot-bugs.md has a chapter for each.

top_builddir=${top_builddir:-$PWD}
top_srcdir=${top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}
folder=$top_srcdir/tck/reproductions
page=$top_srcdir/doc/hotspot-bugs.md
minivm=$(cd "$top_builddir" && pwd)/minivm/minivm
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
ulimit -c 0

# Each release once, by what its file says: not every machine has all of them, and JDK17,
# which the build was configured with, may be a later one.
releases=
for home in "$JDK17" "$JDK21" "$JDK25"; do
    release=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release" 2>/dev/null)
    case " $releases " in
    *" $release "*) ;;
    *) releases="$releases $release"
        eval "home_of_$release=\$home" ;;
    esac
done
agents=$(ls "$folder" | sed -n 's/\.c$//p')
count=0
echo "1..$(($(echo $agents | wc -w) * ($(echo $releases | wc -w) + 2)))"

point() # PASSED NAME
{
    count=$((count + 1))
    [ "$1" = 0 ] || printf 'not '
    echo "ok $count - $2"
}

# outcome JAVA AGENT: prints dies, departs, "as specified", or what else came.
outcome()
{
    (cd "$work" && timeout -k 5 60 "$1" -agentpath:"$work/lib$2.so" -version \
        >"$work/out" 2>"$work/err")
    status=$?
    if [ $status -gt 128 ]; then
        echo dies
    elif grep -q '^departs: ' "$work/out"; then
        echo departs
    elif [ $status = 0 ] && grep -qx 'as specified' "$work/out"; then
        echo 'as specified'
    else
        echo "status $status"
    fi
}

for agent in $agents; do
    file=$folder/$agent.c
    ${CC:-cc} -shared -fPIC -pthread -I"$JDK17/include" -I"$JDK17/include/linux" \
        -o "$work/lib$agent.so" "$file" || echo "Bail out! $file does not compile"
    for release in $releases; do
        eval "home=\$home_of_$release"
        listed=$(sed -n "s/^ \* Outcome: .*HotSpot $release \([a-z]*\).*/\1/p" "$file")
        got=$(outcome "$home/bin/java" "$agent" 2>/dev/null)
        [ "$got" = "${listed:-as specified}" ]
        point $? "$agent: HotSpot $release: ${listed:-as specified} (got: $got)"
    done
    got=$(outcome "$minivm" "$agent" 2>/dev/null)
    [ "$got" = 'as specified' ]
    point $? "$agent: minivm: as specified (got: $got)"
    grep -q "^## .*\`$agent\`" "$page" &&
        grep -qF "$(sed -n 's/^ \* Outcome: \(.*\)/\1/p' "$file")" "$page"
    point $? "$agent: its chapter in doc/hotspot-bugs.md says so"
done
