#!/bin/sh
# SPDX-License-Identifier: MIT
# Sixty submissions at once: solutions, starters, wrong and hostile ones.  Each gets what
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
    new_submission 1 all/broken
    echo 'this is no C' >all/broken/src/agent.c
    echo "0/100 broken" >>expected
    new_submission 1 all/links
    rm all/links/src/agent.c
    ln -s /etc/passwd all/links/src/agent.c
    echo "0/100 links" >>expected
    make_submissions 1 parts
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
make_all
find all -type f -exec cksum {} + | sort >before
began=$(date +%s)
# A busy machine: as much again beside it.
for busy in 1 2; do
    timeout 3000 sh -c 'while :; do :; done' &
    load="$load $!"
done
mkdir tmp
(cd all && TMPDIR=$work/tmp timeout 5400 "$tiforge" mark --jobs 2 --csv ../points.csv --html ../points.html *) \
    >out 2>&1
point $? "sixty submissions are marked" out
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
rm -rf /tmp/tiforge-canary /tmp/tiforge-canary2
find all -type f -exec cksum {} + | sort | cmp -s - before
point $? "no submission is changed"
ls tmp >out
[ ! -s out ]
point $? "no folder of the marking is left" out
[ "$(ls points-pages | wc -l)" = 60 ]
point $? "a page for each"

# The same submission twenty times.
make_submissions 4 four
mkdir same
for copy in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    cp -R four/wrong-main-thread-only "same/$copy"
done
(cd same && timeout 5400 "$tiforge" mark --jobs 4 *) >out 2>&1
[ "$(grep -v '^seed' out | cut -d' ' -f1 | sort | uniq -c | awk '{ print $1 }')" = 20 ]
point $? "twenty times the same are twenty times the same points" out
echo "1..$count"
cd "$build" && rm -rf "$work"
