#!/bin/sh
# SPDX-License-Identifier: MIT
# tiforge lab and tiforge mark: the commands, and a sample of submissions;
# labs-long.t and mark-long.t have all of them.
. "${top_srcdir:?}/course/test/labs.sh"
stage_course course

tf() { timeout 500 "$tiforge" "$@" >out 2>&1; }
says() { grep -qE -e "$1" out; }
# fails STATUS PATTERN COMMAND...
fails()
{
    want=$1 pattern=$2
    shift 2
    tf "$@"
    [ $? = "$want" ] && says "$pattern"
}

tf lab list && says '^1 +60 +Hello' && [ "$(wc -l <out)" -gt 3 ]
point $? "lab list" out
! find kit \( -name solution -o -name wrong \) | grep -q .
point $? "the kit has no solutions"
for folder in "$top"/course/labs/*; do
    [ "$(awk -F'|' '!/^#/ { sum += $2 } END { print sum }' "$folder/criteria")" = 100 ] &&
        [ "$(ls "$folder/wrong" | wc -l)" -ge 10 ] &&
        for part in $(cat "$folder"/wrong/* | sed -n 's,^[#/* ]*loses \([^:]*\):.*,\1,p'); do
            grep -q "^$part|" "$folder/criteria" || exit 1
        done &&
        awk -F'|' '!/^#/ { print $1 }' "$folder/criteria" | while read -r id; do
            grep -q "^| $id |" "$folder/handout.md" || exit 1
        done
    point $? "${folder##*/}: 100 points, ten wrong solutions or more, the handout has all"
done
mkdir figures && {
    "$JDK17/bin/javac" -g -d figures "$top/course/figures/Order.java" &&
        ${CC:-cc} -D_GNU_SOURCE -fPIC -I"$top/course/starter" -I"$build/sdk/include" -shared \
            -o figures/liborder.so "$top/course/figures/order.c" &&
        "$TIFORGE_MINIVM" -agentpath:"$work/figures/liborder.so" -cp figures Order >run &&
        "$top/course/figures/draw" "$build/sdk/explain.txt" run figures
} >out 2>&1
point $? "course/figures draws figures: of the facts, of a run, of a heap" out
(for figure in "$top"/course/labs/*/*.svg; do
    cmp "figures/${figure##*/}" "$figure" && rm "figures/${figure##*/}" || exit 1
done) >out 2>&1
point $? "those of the labs are the same" out
! ls figures/*.svg >out 2>/dev/null
point $? "and there is no other" out
fails 2 "there is no lab '99'" lab start 99
point $? "a lab that is not there" out
tf lab start 1 && says '^lab1: lab 1, ' && [ -f lab1/src/lab.h ] && [ -f lab1/handout.md ]
point $? "lab start" out
fails 2 "'lab1' is there already" lab start 1
point $? "a folder that is there" out
fails 2 "is no lab's folder" lab check kit
point $? "a folder that is no lab" out
fails 1 '^10 of 100 points' lab check lab1 && says 'expected: hello world' &&
    says 'read: JVM TI'
point $? "lab check of a starter" out
tf lab hint lab1 && says 'Begin in Agent_OnLoad' && tf lab hint lab1 && says strtok_r
point $? "hints, one after the other" out
fails 1 '^10 of 100 points' lab check --seed 2 lab1 && says "hello world"
point $? "a hint costs nothing" out
cp "$top"/course/labs/01-hello/solution/agent.c lab1/src
tf lab check lab1 && says '^100 of 100 points'
point $? "lab check of the reference" out
# As minivm does where the JDK that it was built for is not installed.
printf '%s\n' '#!/bin/sh' '[ -d "$JAVA_HOME" ] && exec "$JAVA_HOME/bin/java" "$@"' >wants-home
chmod +x wants-home
tf lab check --vm ./wants-home lab1 && says '^100 of 100 points'
point $? "a launcher that wants JAVA_HOME" out
(JAVA_HOME=/none && fails 2 'does not run .*JAVA_HOME.* is /none' lab check --vm ./wants-home lab1)
point $? "one that does not run, and which JDK it was given" out
tf lab check --tap lab1 && says '^1\.\.' && ! says '^not ok'
point $? "as test points" out
fails 2 "there is no launcher '/no/java'" lab check --vm /no/java lab1
point $? "a launcher that is not there" out
echo 'int x = y;' >lab1/src/more.c
fails 1 '^0 of 100 points' lab check lab1 && says "'y' undeclared"
point $? "one that does not build" out
rm -r lab1

# What prints the text that it saw in lab check has nothing for it with another seed.
make_submissions 3 "$work/sub"
tf lab check sub/reference
mkdir -p sub/parrot/src && echo 'lab: 3' >sub/parrot/.tiforge-lab
cat >sub/parrot/src/agent.c <<'END'
#include "lab.h"

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    say("throw pakotu.Xeno at pakotu.P.m:12");
    say("  caught nobody");
    return vm == NULL || options == reserved;
}
END
(cd sub && tar czf ../packed.tar.gz reference)
mv sub/wrong-frames-from-one sub/wrong-leaks-table .
rm -rf sub/wrong-*
mv wrong-* sub
judge_submissions 3 "$work/sub" minivm "$TIFORGE_MINIVM" \
    'reference starter wrong-frames-from-one wrong-leaks-table'
grep -q '(tiforge explain memory\.leak) ' points-pages/*.html
point $? "a rule that was broken is named, and where it is explained"
says_missing()
(
    data=$work/kit/share/tiforge
    . "$work/kit/share/tiforge/course/verdicts.sh"
    say() { printf '%s\n' "$*"; }
    [ "$(missing_capability "$1: JVMTI_ERROR_MUST_POSSESS_CAPABILITY (99)")" = "$2" ]
)
says_missing GetLineNumberTable '; it wants can_get_line_numbers (AddCapabilities)' &&
    says_missing SetEventNotificationMode '; see: tiforge explain SetEventNotificationMode'
point $? "a capability that is missing is named"
grep -q '<h1>Points</h1>' points.html && [ "$(grep -c 'points-pages/[1-4]\.html' \
    points.html)" = 4 ] && grep -q '>reference</a></td><td class=number>100<' points.html
point $? "a page with all points"
fails 0 '^10/100 sub/parrot$' mark --seed 9 sub/parrot
point $? "text from another seed is worth nothing" out
tf mark --lab 3 --seed 10 --csv packed.csv packed.tar.gz && says '^100/100 packed.tar.gz$' &&
    grep -q '^"packed.tar.gz",3,100,100,10,0,"load=10/10 ' packed.csv
point $? "an archive" out
fails 2 "of which lab is 'packed.tar.gz'" mark packed.tar.gz
point $? "an archive of no lab" out

# One that writes elsewhere and leaves a process, beside one that crashes.
mkdir hostile
new_submission 1 hostile/writes
new_submission 1 hostile/crashes
cat >hostile/act.h <<'END'
#include <signal.h>
#include "lab.h"

static void
act(void)
{
    FILE *file = fopen("/tmp/tiforge-course-canary", "w");

    if (file != NULL)
        fclose(file);
    if (fork() == 0) {
        setsid();
        execlp("sleep", "sleep", "98762", (char *)NULL);
    }
}
END
mv hostile/act.h hostile/writes/src/act.h
sed -i 's/"lab.h"/"act.h"/; s/^    free(copy);/    act();/' hostile/writes/src/agent.c
sed -i 's/^    say("goodbye");/&\n    *(volatile int *)8 = 0;/' hostile/crashes/src/agent.c
rm -f /tmp/tiforge-course-canary
find hostile -type f -exec cksum {} + >before
tf mark --seed 3 --html hostile.html hostile/writes hostile/crashes && says '^100/100 hostile/writes$' &&
    says '^85/100 hostile/crashes$'
point $? "points for what worked" out
line=$(sed -n '/(volatile int \*)8/=' hostile/crashes/src/agent.c)
grep -q "signal [0-9]* at agent\.c:$line" hostile-pages/2.html
point $? "where it crashed" hostile-pages/2.html
! grep -lsz '^98762$' /proc/[0-9]*/cmdline
point $? "no process is left"
"$work/kit/lib/tiforge/course/confine" --out o --err e --status s \
    $([ "$(id -u)" != 0 ] || echo --uid 64499) -- true
if grep -q namespace s; then
    [ ! -e /tmp/tiforge-course-canary ]
    point $? "and no file"
else
    rm -f /tmp/tiforge-course-canary
    count=$((count + 1))
    echo "ok $count - and no file # SKIP this system allows no namespaces"
fi
find hostile -type f -exec cksum {} + | cmp -s - before
point $? "nor are submissions changed"
echo "1..$count"
cd "$build" && rm -rf "$work"
