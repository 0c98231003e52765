#!/bin/sh
# SPDX-License-Identifier: MIT
# The tracer's pages: what they say, by value, and how a browser shows them; samples.
. "${top_srcdir:?}/agents/tracer/test/lib.sh"
. "$top/agents/test/browser.sh"
command -v python3 >/dev/null || { echo "1..0 # SKIP no python3 found"; exit 0; }

# page FILE: what it says, in `page`, and its nodes in `nodes`.
page()
{
    python3 "$here/page.py" "$1" >page 2>page.err || cat page.err >page
    grep ';' page | grep -v -e '^about ' -e '^busy ' >nodes
}

traced()
{
    run 'format=html,file=t.html' Calls
    page t.html
    awk '{ $(NF - 2) = ""; sub(/  /, " "); print }' nodes >got
    cp "$here/Calls.expected" want
    [ "$vm" = minivm ] || sed 's/\(;Calls\$Handler\.un.*\) 0$/\1 1/' "$here/Calls.expected" >want
    [ "$status" = 0 ] && cmp -s want got
    point $? "a page has each call, and each under its caller" got page
    calls=$(awk '{ sum += $(NF - 1) } END { print sum }' "$here/Calls.expected")
    grep -q "^about $calls calls, 0 lost" page && grep -q '^unit ns$' page
    point $? "it says how many there were" page
    # A sleep of 30 ms is in one thread's own time, and in its timeline.
    [ "$(awk '/Calls.pause\(\)/ { sum += $(NF - 2) } END { print sum }' nodes)" -ge 30000000 ] &&
        [ "$(awk '/^busy main / { print ($3 >= 30000000) }' page)" = 1 ] &&
        [ "$(awk '/^busy / { sum += $(NF - 1) } END { print sum }' page)" = "$calls" ]
    point $? "times are those of the calls, in the tree and in the timeline" page
}

sampled()
{
    # The thread that waits may be met once or twice while it begins.
    run 'sample=5ms,file=s.html' Hot 2
    page s.html
    [ "$status" = 0 ] && awk '
        /;Hot\.hot\(\)/ { hot += $(NF - 2) }
        /;Hot\.cold\(\)/ { cold += $(NF - 2) }
        /^waiting;/ { waiting += $(NF - 2) }
        END { exit !(hot > 4 && hot > cold && waiting * 4 < hot) }' nodes
    point $? "samples are where the time is, and of threads that run" page err
    grep -q '^unit samples$' page && grep -qE '^about [0-9]+ samples of threads' page
    point $? "a page of samples says so" page
    grep -q '^tracer: wrote s\.html$' err
    point $? "it is told where the page is" err
    run 'sample=5ms,format=collapsed,include=Hot.hot,progress=no,file=s' Hot 1
    [ "$status" = 0 ] && ! grep -q wrote err && grep -qE '^main;Hot\.hot\(\) [1-9]' s && ! grep -v '^main;Hot.hot() ' s
    point $? "samples as collapsed stacks, of what is included" s err
    run 'sample=5ms,format=tree,file=s' Hot 1
    # Of calls with the same caller none has more than the one before it, and each has its
    # own and what they have.
    [ "$status" = 0 ] && awk '
        function close_to(d) { for (; at >= d; at--) if (rest[at] != 0) bad = 1 }
        NR == 1 { told = $1; next }
        /^thread/ { close_to(0); at = 0; rest[0] = last[1] = 0; trees = 1; next }
        !trees || !/^ *[0-9]+ +[0-9.]+ +[0-9]+  / { next }
        {
            spaces = $0; sub(/^ *[0-9]+ +[0-9.]+ +[0-9]+  /, "", spaces)
            d = match(spaces, /[^ ]/); d = (d - 1) / 2 + 1
            close_to(d)
            if (d > 1) rest[d - 1] -= $1
            if (last[d] > 0 && $1 > last[d]) bad = 1
            last[d] = $1; last[d + 1] = 0
            rest[d] = $1 - $3; at = d; own += $3; rows++
        }
        END { close_to(1); exit !(own == told && rows > 2 && !bad) }' s
    point $? "a tree of samples has the heaviest calls first, and sums that fit" s err
    # Of one whole run, so the same samples in other words.
    awk '
        NR == 1 { told = $1; end = $(NF - 1) }
        NR == 2 { for (i = 1; i < NF; i++) if ($i == "for") stands = $(i + 1) }
        /^thread/ { trees = 1; depth = 0 }
        !/^ *[0-9]+ +[0-9.]+ +[0-9]+ / { next }
        !trees {
            if (rows && $1 > last) bad = 1
            last = $1; rows++; own[$5] = $1; all[$5] = $3; percent[$5] = $2
            next
        }
        {
            rest = $0; sub(/^ *[0-9]+ +[0-9.]+ +[0-9]+  /, "", rest)
            d = (match(rest, /[^ ]/) - 1) / 2 + 1; name = $4
            sums[name] += $3
            for (outer = 1; outer < d && path[outer] != name; outer++) ;
            if (outer == d) totals[name] += $1
            path[d] = name
        }
        END {
            for (name in own) {
                off = percent[name] - 100 * own[name] / told
                if (own[name] != sums[name] || all[name] != totals[name]) bad = 1
                if (off > 0.01 || off < -0.01) bad = 1
            }
            exit !(stands >= 5 && stands <= end && rows > 1 && rows <= 10 && !bad &&
                   own["Hot.work(long)"] > 0)
        }' s
    point $? "it begins with what a sample stands for, and the hottest methods" s err
    run 'sample=5ms,format=tree,top=3,file=s' Hot 1
    awk '
        /^thread/ { if (!trees) hot = rows; trees = 1; rows = 0 }
        /^ *[0-9]+ +[0-9.]+ +[0-9]+ / { rows++; if (rows > 3) bad = 1 }
        /^\([0-9]+ rows that have less are left out\)$/ { if (rows != 3) bad = 1; left++ }
        END { exit !(trees && hot > 0 && left > 0 && !bad) }' s
    point $? "top limits the rows of each thread and of the hottest methods" s err
    run 'sample=1ms,cost=0,format=tree,file=s' Phases
    often=$(sed -n 's/.* looked at every \([0-9.]*\) ms$/\1/p' s)
    warned=$(grep -c 'cost over' err)
    run 'sample=1ms,cost=1,format=tree,file=s' Phases
    seldom=$(sed -n 's/.* looked at every \([0-9.]*\) ms$/\1/p' s)
    echo "every $often ms by cost=0, every $seldom ms by cost=1" >got
    [ "$warned" = 0 ] && awk -v often="$often" -v seldom="$seldom" \
        'BEGIN { exit !(often >= 1 && seldom > 1.5 * often) }' &&
        grep -qE 'samples came every [0-9.]+ ms and not every 1\.0 ms: .* over 1 %' err
    point $? "samples that would cost too much are taken less often" got s err
    # The first looks come as often as they were asked for, and count no more for that.
    awk '
        /^thread/ { trees = 1 }
        trees && / Phases\.first\(\)/ { first += $1 }
        trees && / Phases\.second\(\)/ { second += $1 }
        END { exit !(second > 5 * first && second > 1000) }' s
    point $? "what was seen before that counts no more than what was seen later" s
    # How often a look may come by default says the warning; these come too often for both.
    run 'sample=10ms,format=tree,file=s' Deep 2
    cp err got
    run 'sample=1ms,format=tree,file=s' Deep 2
    grep -q 'not every 10\.0 ms: more would cost over 3 %' got &&
        grep -q 'not every 1\.0 ms: more would cost over 10 %' err
    point $? "by default they may cost 3 percent, and 10 where more were asked for" got err
    # One that waits for a processor answers late: looks that waited for it would be few, one
    # in half a second here.  Which of compute and turn a thread is met in is the compiler's.
    run 'sample=10ms,format=tree,file=s' Crowd 40 6
    every=$(sed -n 's/.* looked at every \([0-9.]*\) ms$/\1/p' s)
    members=$(grep -c '^thread.*member' s)
    echo "every $every ms, $members threads" >got
    [ "$status" = 0 ] && [ "${every%.*}" -lt 100 ] && [ "$members" -ge 20 ] &&
        [ "$(grep -c '^ .*  Crowd\.compute()$' s)" -ge 20 ]
    point $? "of many busy threads those are looked at that run just now" got s err
    run 'cost=5,format=tree,file=s' Hot 1
    [ "$status" != 0 ] && grep -q 'error: cost: only with sample' err
    point $? "which is for samples only" err
    run 'sample=5ms,format=tree,min=20,file=s' Hot 1
    awk '
        /^thread/ { trees = 1; rows = 0 }
        /^ *[0-9]+ +[0-9.]+ +[0-9]+ / { all++; if ($2 < 20) bad = 1 }
        /^\([0-9]+ rows that have less are left out\)$/ { left++ }
        END { exit !(all > 2 && left > 0 && !bad) }' s && grep -q 'Hot\.hot()' s
    point $? "min leaves out what is a smaller part of all" s err
    run 'sample=5ms,min=20,file=s' Hot 1
    [ "$status" != 0 ] && grep -q 'error: min: only with format=tree' err
    point $? "which is for trees only" err
    run 'sample=5ms,format=speedscope,file=s' Hot 1
    [ "$status" != 0 ] && grep -q 'sample: the format is html, collapsed or tree' err
    point $? "samples have no events" err
}

# Those that run are tracks of their own, and not frames of their carriers.
sampled_virtual()
{
    run 'sample=5ms,file=s.html' Spins 2
    page s.html
    [ "$status" = 0 ] && awk -v unnamed="$(grep '^virtual #' out)" '
        $0 ~ "^" unnamed ";" && /;Spins\.hot\(long\)/ { second += $(NF - 2); next }
        /^spins;/ && /;Spins\.hot\(long\)/ { first += $(NF - 2); next }
        /^parks;/ { parks += $(NF - 2); next }
        /Spins\.hot/ { elsewhere++ }
        END { exit !(first > 4 && second > 4 && parks * 4 < first && !elsewhere) }' nodes
    point $? "virtual threads are sampled where they run, each in its own track" nodes err
}

warnings()
{
    run 'format=tree,top=4,file=f' Calls
    awk '
        /^thread/ { if (!trees) hot = rows; trees = 1; rows = 0; shown = 0 }
        /^ +[0-9]+\.[0-9]+ +[0-9]+\.[0-9]+ +[0-9.]+ +[0-9]+  / && !trees {
            if (rows && $1 > last) bad = 1
            last = $1; rows++ }
        /^ +[0-9]+ +[0-9]+ +[0-9.]+ +[0-9.]+  / {
            if (++rows > 4) bad = 1
            name = $0; sub(/^ +[0-9]+ +[0-9]+ +[0-9.]+ +[0-9.]+  /, "", name)
            indent = match(name, /[^ ]/)
            if (indent > shown + 2) bad = 1     # its caller is there
            shown = indent }
        END { exit !(trees && hot > 0 && hot <= 4 && !bad) }' f &&
        grep -q 'rows that have less are left out' f
    point $? "top cuts a trace, too, and leaves no call without its caller" f err
    run 'format=tree,include=nothing.like.*,file=f' Calls
    grep -q 'warning: no method that was called fits include' err
    point $? "an include that fits nothing is told" err
    run 'format=tree,include=Calls*,file=f' Calls
    ! grep -q 'fits include' err
    point $? "and one that does is not" err
    run 'format=tree,file=f,full=wait' Many 1 1000000 0
    grep -q 'warning: recording 100000[0-9] calls and leaving out [0-9]* cost more than what' err
    point $? "a trace that cost more than it measures is told" err
    ! grep -q 'calls so far' err
    point $? "at its end only, if it is soon over" err
    run 'format=tree,file=f,full=wait' Many 1 6000000 0
    grep -q 'warning: [0-9]* calls so far, .* being told of them costs more' err
    point $? "and one that goes on for long is told meanwhile" err
    # Calls of the class library are left out by default, and cost the same.
    run 'format=tree,file=f' Unboxes 3000000
    grep -qE 'warning: recording [0-9]{1,5} calls and leaving out [0-9]{7} cost more' err
    point $? "calls that are left out cost, too" err
}

# Probes in the bytecode see the same calls, and no end by an exception that was none.
probed()
{
    run 'format=tree,include=Calls*,probes,file=f' -Xverify:all Calls
    tree tree f
    [ "$status" = 0 ] && grep -q '^sink 23$' out && cmp -s "$here/Calls.expected" tree
    point $? "probes tell each call, and each under its caller" tree err
    run 'format=tree,include=java.lang.Thread.start,probes,file=f' -Xverify:all Calls
    [ "$status" = 0 ] && grep -qE '^ +[1-9][0-9]* .* java\.lang\.Thread\.start\(\)$' f &&
        [ "$(grep -c 'java\.' f)" = "$(grep -c 'Thread.start()' f)" ]
    point $? "also in classes that were there before, and only in what is included" f err
    run 'format=tree,probes,file=f' Calls
    [ "$status" != 0 ] && grep -q 'error: probes: include says which methods' err
    point $? "probes for everything are refused" err
}

compared()
{
    printf 'main;a();b() 100\nmain;a() 50\n[3 calls lost] 0\nmain;L/0x1f.m() 7\n' >old
    printf 'main;a();b() 40\nmain;a();c(int, long[]) 30\nmain;L/0x2e.m() 9\nt<x>;a() 1\n' >new
    run 'compare=old:new,file=c.html' Calls
    page c.html
    cat >want <<'END'
main;a() 50 0
main;a();b() 100 40
main;a();c(int, long[]) 0 30
main;L.m() 7 9
t<x>;a() 0 1
END
    [ "$status" = 0 ] && [ ! -s out ] && cmp -s want nodes
    point $? "the difference of two runs, and the program does not run" nodes out err
    grep -q '"unit":"",' c.html && grep -q 'the numbers are those of the files' c.html &&
        run 'compare=old:new,sample=10ms,file=c.html' Calls &&
        grep -q '"unit":"samples",' c.html && ! grep -q 'those of the files' c.html
    point $? "which says what the numbers are, if it is told" err
    run 'compare=old,file=c.html' Calls
    [ "$status" != 0 ] && grep -q 'error: compare: two files' err
    point $? "one file is no comparison" err
    echo 'main;a() x' >bad
    run 'compare=old:bad,file=c.html' Calls
    [ "$status" != 0 ] && grep -q 'compare: line 1 of "bad" is no collapsed stack' err
    point $? "a file of something else is none either" err
    run 'compare=old:none,file=c.html' Calls
    [ "$status" != 0 ] && grep -q 'compare: cannot read "none"' err
    point $? "nor is one that is not there" err
    run 'compare=old:new,file=c.html' Calls
}

# More calls than a page can show, callees beyond count and stacks beyond reason: nothing
# is lost but detail, and the page still opens.
large()
{
    awk 'BEGIN {
        for (i = 0; i < 260000; i++)
            print "wide;p.C.m();p.C" i % 700 ".m" i "() " 1 + (i % 10 == 0) * 8
        line = "deep"
        for (i = 0; i < 9000; i++)
            line = line ";p.Deep.m" i % 50 "()"
        print line " 900000"
    }' >old
    sed 's/^wide;\(.*\)9$/wide;\17/' old >new
    run 'compare=old:new,file=w.html,progress=yes' Calls
    page w.html
    [ "$status" = 0 ] && [ "$(wc -l <nodes)" -lt 200000 ] &&
        [ "$(awk '{ sum += $(NF - 1) } END { print sum }' nodes)" = \
          "$(awk '{ sum += $NF } END { print sum }' old)" ] &&
        [ "$(awk '{ sum += $NF } END { print sum }' nodes)" = \
          "$(awk '{ sum += $NF } END { print sum }' new)" ] &&
        grep -q '^about .*what took too little to be seen is a part of its caller' page
    point $? "a large page leaves out what is small, and nothing of the sum" err
    awk '/^tracer: reading the (first|second) file: [0-9]+ %$/ { lines++
            if ($4 != file) { whole += last == 100; last = 0 }
            file = $4; bad += $6 < last; last = $6 }
        END { exit !(lines > 4 && !bad && whole + (last == 100) == 2) }' err
    point $? "it tells how far it is" err
}

shown()
{
    if [ -z "$browser_program" ]; then
        skip "the pages in a browser" "no chromium found"
        return
    fi
    run 'format=html,file=m.html' Many 3 20000 50
    page m.html
    browser m.html 'const boxes = () => [...document.querySelectorAll("[role=treeitem]")]
        const key = (e, k) => e.dispatchEvent(new KeyboardEvent("keydown",
            { key: k, bubbles: true }))
        tell("boxes " + (boxes().length > 3))
        const body = boxes().find(b => b.textContent.startsWith("Many.body"))
        key(boxes().find(b => b.tabIndex === 0), "ArrowDown")
        tell("focus " + document.activeElement.getAttribute("aria-level"))
        if (body) key(body, "Enter")
        tell("zoomed " +
            document.getElementById("status").textContent.startsWith("Zoomed to Many.body"))
        search("many.leaf")
        tell("hits " + boxes().filter(b => b.classList.contains("hit")).length)
        document.querySelector("[data-view=tree]").click()
        const row = document.querySelector("#tree tr")
        tell("rows " + (document.querySelectorAll("#tree tr").length > 1))
        key(row, "ArrowLeft")
        tell("closed " + document.querySelectorAll("#tree tr").length)
        key(row, "ArrowRight")
        tell("open " + (document.querySelectorAll("#tree tr").length > 1))
        search("")
        document.querySelector("[data-view=hot]").click()
        const calls = () => [...document.querySelectorAll("#hot tr")].map(r =>
            Number(r.children[5].textContent.replace(/,/g, "")))
        document.querySelector("#hot-table [data-by=calls] button").click()
        tell("sorted " + calls().every((c, i, all) => i === 0 || all[i - 1] >= c))
        document.querySelector("[data-view=time]").click()
        tell("lanes " + document.querySelectorAll(".lane canvas[aria-label]").length)
        document.querySelector("#thread").value = "1"
        document.querySelector("#thread").dispatchEvent(new Event("change"))
        tell("thread " + (tree.name === data.threads[1].name))'
    lanes=$(grep -c '^busy ' page)
    browser_told >told
    cat >want <<END
boxes true
focus 2
zoomed true
hits 1
rows true
closed 1
open true
sorted true
lanes $lanes
thread true
END
    cmp -s want told
    point $? "the page can be used: zoom, search, tree, sorting, timeline, threads" told
    drawn=0
    for name in s c; do
        browser $name.html 'tell("boxes " +
            (document.querySelectorAll("[role=treeitem]").length > 1))'
        [ "$(browser_told)" = "boxes true" ] || { drawn=1; break; }
    done
    point $drawn "so can those of samples and of a comparison" dom
    readable=0
    for name in m s c; do
        browser_contrast $name.html || { readable=1; break; }
    done
    point $readable "their texts can be read, in light and in dark" contrast
    browser s.html 'const texts = row => [...row.cells].map(c => c.textContent).join("|")
        document.querySelector("[data-view=hot]").click()
        tell("head " + texts(document.querySelector("#hot-head tr")))
        document.querySelector("[data-view=time]").click()
        tell("note " + document.querySelector("#time-note").textContent)
        document.querySelector(".lane canvas").dispatchEvent(new Event("focus"))
        tell("at " + document.querySelector("#status").textContent
            .replace(/^[^,]*, /, "").replace(/running in .*/, "running"))
        tell("said " + describe(tree.children[0]).includes("calls"))
        tell("short " + short("a.b.C.m(int, d.E)") + " " + short("thread.1"))'
    browser_told >told
    cat >want <<END
head method|samples|%|own|%
note Filled: the part of the time in which it was met running. Line: how many samples.
at from 0 ns: met running
said false
short C.m thread.1
END
    cmp -s want told
    point $? "a page of samples has neither calls nor exceptions, and tells times as times" told
    browser w.html 'tell("drawn " + document.querySelectorAll("[role=treeitem]").length)
        tell("note " + /^The 5,000 widest of [0-9,]+ calls/.test(
            document.querySelector("#flame-note").textContent))
        search("p.deep.m49")
        tell("status " + document.querySelector("#status").textContent)
        search("")
        choose(data.threads.findIndex(t => t.name === "wide"))
        document.querySelector("[data-view=tree]").click()
        const rows = () => [...document.querySelectorAll("#tree tr")]
        const few = rows().length, last = rows().pop()
        tell("last " + /^[0-9,]+ more$/.test(last.cells[0].textContent))
        last.click()
        tell("then " + (rows().length - few))'
    browser_told >told
    awk '{ sum += $NF } END { printf "%.2f %%\n", 100 * 900000 / sum }' new >deep
    cat >want <<END
drawn 5000
note true
status $(cat deep) of all is in calls of what matches
last true
then 200
END
    cmp -s want told
    point $? "a large page is drawn in part, and can be searched and opened" told
    ! grep -qE '(src|href)="?https?:|@import|url\(' t.html s.html c.html
    point $? "nothing comes from elsewhere" t.html
}

for one in "HotSpot:$JDK17/bin/java" "minivm:$build/minivm/minivm"; do
    use "${one%%:*}" "${one#*:}"
    traced
    sampled
    warnings
    probed
    compared
done
if [ -n "$JDK25" ]; then
    "$JDK25/bin/javac" -g -d classes "$here/virtual/Spins.java"
    use "HotSpot 25" "$JDK25/bin/java"
    sampled_virtual
    use "minivm on JDK 25" "$build/minivm/minivm"
    (JAVA_HOME=$JDK25; export JAVA_HOME; sampled_virtual; echo "$count" >counted)
    count=$(cat counted)
else
    skip "samples of virtual threads" 'no JDK 25'
fi
use minivm "$build/minivm/minivm"
large
shown
echo "1..$count"
