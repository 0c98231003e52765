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
    if [ -z "$wants" ]; then
        judge_submissions "$n" "$work/$n" minivm "$TIFORGE_MINIVM" '*'
    else
        judge_submissions "$n" "$work/$n" 'HotSpot 25' "${JDK25:-/none}/bin/java" '*'
    fi
    if [ "$kind" = agent ] && [ -z "$wants" ]; then
        judge_submissions "$n" "$work/$n" 'HotSpot 17' "$JDK17/bin/java" reference
        [ -z "$JDK25" ] ||
            judge_submissions "$n" "$work/$n" 'HotSpot 25' "$JDK25/bin/java" reference
    fi
    rm -rf "$work/$n"
done
echo "1..$count"
