#!/bin/sh
# SPDX-License-Identifier: MIT
# labs-long.t [LAB...] -- each lab's reference solution has all points on each VM, its
# starter next to none, and each wrong solution loses what it breaks and nothing else.
. "${top_srcdir:?}/course/test/labs.sh"
stage_course labs-long
for folder in "$top"/course/labs/*; do
    n=${folder##*/}
    n=${n%%-*} n=${n#0}
    [ $# = 0 ] || case " $* " in
    *" $n "*) ;;
    *) continue ;;
    esac
    make_submissions "$n" "$work/$n"
    wants=$(sed -n 's/^vm: *//p' "$folder/about")
    kind=$(sed -n 's/^kind: *//p' "$folder/about")
    # The class library of minivm: that of JDK 17 if the lab allows it.
    if [ -z "$wants" ]; then
        judge_submissions "$n" "$work/$n" minivm "$TIFORGE_MINIVM" '*'
    elif [ -n "$JDK25" ]; then
        JAVA_HOME=$JDK25
        judge_submissions "$n" "$work/$n" 'minivm with JDK 25' "$TIFORGE_MINIVM" '*'
        JAVA_HOME=$JDK17
    fi
    if [ "$kind" = agent ]; then
        [ -n "$wants" ] ||
            judge_submissions "$n" "$work/$n" 'HotSpot 17' "$JDK17/bin/java" reference
        [ -z "$JDK25" ] ||
            judge_submissions "$n" "$work/$n" 'HotSpot 25' "$JDK25/bin/java" reference
    fi
    rm -rf "$work/$n"
done
echo "1..$count"
