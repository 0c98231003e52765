#!/bin/sh
# SPDX-License-Identifier: MIT
# Many submissions at once: solutions, starters, wrong and hostile ones.  Each gets what
# it deserves, in a bounded time, also when the machine is busy; nothing is left behind.
. "${top_srcdir:?}/course/test/labs.sh"
stage_course mark-long

# hostile NAME POINTS WHERE CODE: the reference of lab 1 with code that does harm, put in
# front of `goodbye` (death), or where the agent is loaded (load), or at VMInit (init).
hostile()
{
    new_submission 1 "all/$1"
    case $3 in
    death) sed -i "s/^    say(\"goodbye\");/&\n    $4/" "all/$1/src/agent.c" ;;
    load) sed -i "s/^    free(copy);/&\n    $4/" "all/$1/src/agent.c" ;;
    init) sed -i "s/^    say(\"vm %s\", name);/&\n    $4/" "all/$1/src/agent.c" ;;
    esac
    sed -i '/#include "lab.h"/a #include <signal.h>\n#include <sys/stat.h>' \
        "all/$1/src/agent.c"
    echo "$2/100 $1" >>expected
}

make_all()
{
    mkdir all
    : >expected
    make_submissions 1 parts
    canary='mkdir("\/tmp\/tiforge-canary", 0777); fopen("\/tmp\/tiforge-canary2", "w");'
    hostile sleeps 85 death 'for (;;) pause();'
    hostile spins 85 death 'for (volatile int i = 0;;) i++;'
    hostile crashes 85 death '*(volatile int *)8 = 0;'
    hostile aborts 85 death 'abort();'
    hostile kills 100 death 'kill(-1, SIGKILL);'
    hostile forks 85 death 'for (;;) fork();'
    hostile eats 85 death 'for (;;) memset(malloc(1 << 20), 1, 1 << 20);'
    hostile floods 65 init 'for (;;) say("%01000d", 0);'
    hostile fills 100 death 'for (FILE *f = fopen("f", "w"); f \&\& fputs("xxxxxxxx", f) >= 0;);'
    hostile writes 100 load "$canary"
    hostile leaves 100 load 'if (fork() == 0) { setsid(); execlp("sleep", "sleep", "98761", (char *)0); }'
    hostile exits 85 death '_exit(1);'
    # What was written for somebody else, text that is no text, and the neighbour's work.
    hostile escapes 90 load ''
    sed -i 's/say("goodbye");/say("\\033]0;x\\007<script>alert(1)<\/script>,=1+1");/' \
        all/escapes/src/agent.c
    hostile peeks 100 death "if (access(\"$(pwd | sed 's,/,\\/,g')\/all\/reference1\/src\/agent.c\", R_OK) == 0) return;"
    hostile talks 100 death 'if (access("\/run\/tiforge-canary", F_OK) == 0 || access("\/tmp\/tiforge-canary3", F_OK) == 0) return;'
    # Its own threads are among them, so it ends itself.
    hostile hunts 85 death 'for (int p = 2; p < 500; p++) if (p != getpid()) kill(p, SIGKILL);'
    hostile early 0 load ''
    echo '__attribute__((constructor)) static void leave(void) { _exit(0); }' \
        >>all/early/src/agent.c
    hostile links-over 0 load ''
    (cd all/links-over && tar cf ../../links-over.tar .) && rm -r all/links-over
    mkdir -p bomb/src evil/deep/src
    head -c 500000 /dev/zero >bomb/src/0.c
    for copy in $(seq 300); do
        ln bomb/src/0.c "bomb/src/$copy.c"
    done
    # Links are not kept, so that each is a file of its own in there.
    (cd bomb && tar cf - --hard-dereference . | gzip >../all/bomb.tar.gz)
    cp parts/reference/src/agent.c evil/agent.c
    (cd evil/deep && tar cPf ../../all/above.tar ../agent.c src && tar cPf \
        ../../all/absolute.tar "$work/evil/agent.c" src)
    mv links-over.tar all/links-over.tar && (cd evil/deep && ln -s /etc/passwd src/agent.c &&
        tar rf ../../all/links-over.tar src/agent.c)
    for archive in bomb.tar.gz above.tar absolute.tar; do
        echo "0/100 $archive" >>expected
    done
    # The archive's second src/agent.c takes the place of the first one, and is no file.
    sed -i 's,^0/100 links-over$,0/100 links-over.tar,' expected
    new_submission 1 all/swells
    echo 'char big[1u << 31] = { 1 };' >>all/swells/src/agent.c
    new_submission 1 all/expands
    {
        echo '#define A0(x) x x x x x x x x x x x x x x x x'
        for level in 1 2 3 4 5 6 7 8; do
            echo "#define A$level(x) A$((level - 1))(A$((level - 1))(x))"
        done
        echo 'int list[] = { A8(1,) };'
    } >>all/expands/src/agent.c
    echo "0/100 swells
0/100 expands" >>expected
    # Names that a shell, a table or a page could take for something else.
    cp -R parts/reference "all/=1+1 \"Jörg\" <b>(2)"
    echo '100/100 =1+1 "J??rg" <b>(2)' >>expected
    new_submission 1 all/broken
    echo 'this is no C' >all/broken/src/agent.c
    echo "0/100 broken" >>expected
    new_submission 1 all/links
    rm all/links/src/agent.c
    ln -s /etc/passwd all/links/src/agent.c
    echo "0/100 links" >>expected
    for copy in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        cp -R parts/reference "all/reference$copy"
        echo "100/100 reference$copy" >>expected
    done
    for copy in 1 2 3 4 5 6 7 8 9 10 11 12 13; do
        cp -R parts/starter "all/starter$copy"
        cp -R parts/wrong-starts-anyway "all/wrong$copy"
        printf '%s\n' "10/100 starter$copy" "90/100 wrong$copy" >>expected
    done
}

rm -rf /tmp/tiforge-canary /tmp/tiforge-canary2
echo secret >/tmp/tiforge-canary3
make_all
find all -type f -exec cksum {} + | sort >before
began=$(date +%s)
# A busy machine: as much again beside it.
for busy in 1 2; do
    timeout 3000 sh -c 'while :; do :; done' &
    load="$load $!"
done
mkdir tmp
(cd all && TMPDIR=$work/tmp timeout 5400 "$tiforge" mark --lab 1 --jobs 2 --csv ../points.csv \
    --html ../points.html *) >out 2>&1
point $? "all submissions are marked" out
# shellcheck disable=SC2086
kill $load 2>/dev/null
echo "# $(wc -l <expected) submissions, $(($(date +%s) - began)) seconds"
grep -v '^seed ' out | sort >came
sort expected | diff - came >difference
point $? "with the points that they deserve" difference
! grep -lsz '^98761$' /proc/[0-9]*/cmdline
point $? "no process is left"
[ ! -e /tmp/tiforge-canary ] && [ ! -e /tmp/tiforge-canary2 ]
point $? "no file elsewhere"
rm -rf /tmp/tiforge-canary /tmp/tiforge-canary2 /tmp/tiforge-canary3
find all -type f -exec cksum {} + | sort | cmp -s - before
point $? "no submission is changed"
ls tmp >out
[ ! -s out ]
point $? "no folder of the marking is left" out
[ "$(ls points-pages | wc -l)" = "$(wc -l <expected)" ]
point $? "a page for each"
! grep -l -e '<script' -e "$(printf '\033')" points.html points.csv points-pages/*.html out >found
point $? "no page or table has what would run or move a cursor" found
! grep -n '^"[=+@-]' points.csv >found
point $? "no field of the table is a formula" found

# Lab 4's race without the watching.
make_submissions 4 four
mkdir unwatched && cp -R four/wrong-unprotected unwatched/race
sed -i 's/^#include "lab.h"/#pragma GCC optimize(3)\n&/; s/^static void JNICALL$/__attribute__((no_sanitize("thread"))) &/' \
    unwatched/race/src/agent.c
timeout 600 "$tiforge" mark --seed 5 --csv unwatched.csv unwatched/race >out 2>&1
grep -q 'all=0/15' unwatched.csv
point $? "who turns the watching off has no points for it" out

# The same submission twenty times.
mkdir same
for copy in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    cp -R four/wrong-main-thread-only "same/$copy"
done
(cd same && timeout 5400 "$tiforge" mark --jobs 4 *) >out 2>&1
[ "$(grep -v '^seed' out | cut -d' ' -f1 | sort | uniq -c | awk '{ print $1 }')" = 20 ]
point $? "twenty times the same are twenty times the same points" out
echo "1..$count"
cd "$build" && rm -rf "$work"
