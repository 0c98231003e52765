#!/bin/sh
# SPDX-License-Identifier: MIT
# heapdump's growth: a program keeps objects in a known place, and who holds them is told,
# with the path from a root; from dumps of this agent and of HotSpot, as text and page.
top=${top_srcdir:?} build=$(cd "${top_builddir:?}" && pwd)
. "$top/agents/test/browser.sh"
work=$build/agents/heapdump/growth.work
agent=$build/agents/heapdump/.libs/libheapdump.so
count=0
rm -rf "$work" && mkdir -p "$work/classes" && cd "$work" &&
    "$JDK17/bin/javac" -g -d classes "$top/agents/heapdump/test/Holders.java" || exit 1

point() # STATUS NAME FILE...
{
    count=$((count + 1))
    point_name=$2
    [ "$1" = 0 ] || printf 'not '
    echo "ok $count - $point_name"
    [ "$1" = 0 ] && return
    shift 2
    head -n 40 "$@" </dev/null | cut -c 1-400 | sed 's/^/# /'
}

run() # OPTIONS ARGUMENT...
{
    run_options=$1
    shift
    preload=$SANITIZER_RUNTIME
    case $java in
    */minivm) preload= ;;
    esac
    env ${preload:+LD_PRELOAD="$preload"} \
        ASAN_OPTIONS="detect_leaks=0:handle_segv=0:$ASAN_OPTIONS" \
        timeout 300 "$java" "-agentpath:$agent=progress=no,$run_options" -cp classes "$@" \
        >out 2>err
}

# The first row: before, now, class; the line below it is the path.
first_row()
{
    awk '$1 == "1:" { print $4, $5, $6; getline; sub(/^ */, ""); print; exit }' "$1"
}

places()
{
    cat >want.static <<'END'
1000 3000 java.util.HashMap$Node
class Holders, cache -> java.util.HashMap, table -> java.util.HashMap$Node[], [] -> java.util.HashMap$Node
END
    cat >want.local <<'END'
1000 3000 Holders$Item
a thread -> java.lang.Thread, threadLocals -> java.lang.ThreadLocal$ThreadLocalMap, table -> java.lang.ThreadLocal$ThreadLocalMap$Entry[], [] -> java.lang.ThreadLocal$ThreadLocalMap$Entry, value -> java.util.ArrayList, elementData -> java.lang.Object[], [] -> Holders$Item
END
    cat >want.loaders <<'END'
1000 3000 Holders$Plugin
class Holders, plugins -> java.util.ArrayList, elementData -> java.lang.Object[], [] -> Holders$Plugin
END
    sed 's/1000 3000/30 100/' want.loaders >few && mv few want.loaders
    cat >want.listeners <<'END'
1000 3000 java.util.LinkedList$Node
class Holders, source -> Holders$Source, listeners -> java.util.LinkedList, END -> java.util.LinkedList$Node
END
    for where in static local listeners loaders; do
        before=1000 now=3000
        [ $where = loaders ] && before=30 now=100
        run "file=$where.hprof" Holders $where $before
        run "format=growth,compare=$where.hprof,file=$where.txt" Holders $where $now
        # A list is met from either end.
        first_row $where.txt | sed 's/, \(first\|last\) ->/, END ->/' >row
        cmp -s want.$where row
        point $? "$vm: a growing place is told first: $where" row $where.txt err
    done
    awk '/^Class loaders that came/ { on = 1 }
        on && $1 == "1:" { print $4, $5, $6; getline; sub(/^ */, ""); print; exit }' \
        loaders.txt >row
    cat >want <<'END'
30 100 Holders$PluginLoader
class Holders, plugins -> java.util.ArrayList, elementData -> java.lang.Object[], [] -> Holders$Plugin, (its class) -> class Holders$Plugin, (its class loader) -> Holders$PluginLoader
END
    cmp -s want row && ! grep -q '^Class loaders' static.txt
    point $? "$vm: who holds class loaders is told, if there are more" row loaders.txt
    run 'format=growth,compare=static.hprof,min=0,top=0,file=every.txt' Holders static 3000
    grep -q '^ *class Holders, few -> ' every.txt && ! grep -q '^Left out' every.txt &&
        ! grep -q 'class Holders, few' static.txt && [ "$(grep -c '^ *[0-9]*: ' static.txt)" = 1 ] &&
        grep -qE '^Left out: [0-9]+ with less than 1 % of the change each, [+][0-9]+ bytes' \
            static.txt
    point $? "$vm: what is less than a hundredth of the change is one row" static.txt every.txt
    run "format=growth,compare=static.hprof,file=less.txt" Holders static 10
    ! grep -q 'class Holders, cache' less.txt && grep -q '^Growth since static.hprof: -' less.txt
    point $? "$vm: what holds less is not told" less.txt
}

files()
{
    java=$JDK17/bin/java vm=HotSpot
    "$java" -cp classes Holders static 1000 before.hprof >out 2>err &&
        "$java" -cp classes Holders static 3000 now.hprof >out 2>err
    run 'format=growth,compare=before.hprof,now=now.hprof,file=two.txt' Holders static 1
    ! grep -q done out && first_row two.txt | cmp -s want.static -
    point $? "two dumps of HotSpot are compared, and the program does not run" two.txt out err
    run 'format=growth,compare=before.hprof,file=mixed.txt' Holders static 3000
    first_row mixed.txt | cmp -s want.static -
    point $? "a dump of HotSpot is compared with the agent's" mixed.txt err
    gzip -c before.hprof >before.gz
    run 'format=growth,compare=before.gz,now=now.hprof,file=packed.txt' Holders static 1
    sed 's/before\.gz/before.hprof/' packed.txt | cmp -s two.txt -
    point $? "a compressed dump is the same" packed.txt err
    head -c 100000 before.hprof >half.hprof
    run 'format=growth,compare=half.hprof,now=now.hprof,file=half.txt' Holders static 1
    grep -q 'compare: "half.hprof": it ends early' err && [ ! -e half.txt ]
    point $? "half a dump is refused" err
    run 'format=growth,file=none.txt' Holders static 1
    grep -q 'growth: compare names an HPROF file' err && [ ! -e none.txt ]
    point $? "without a dump to compare there is no growth" err
    run 'format=html,now=now.hprof' Holders static 1
    grep -q 'now: only with format=growth' err
    point $? "two files give a text only" err
}

page()
{
    run 'format=html,compare=static.hprof,file=page.html' Holders static 3000
    run 'format=html,compare=loaders.hprof,file=loaders.html' Holders loaders 100
    browser page.html 'const panel = document.querySelector("#panel-suspects")
        const first = panel.querySelector("tbody tr")
        tell("first " + (panel.firstChild.textContent === "Who holds more than before"))
        tell([...first.children].slice(1, 3).map(c => c.textContent).join(" "))
        tell(first.querySelector("span").textContent)' || {
        count=$((count + 1))
        echo "ok $count - the page in a browser # SKIP no chromium found"
        return
    }
    browser_told | sed 's/&gt;/>/g' >told
    cat >want <<'END'
first true
1,000 3,000
class Holders, cache -> java.util.HashMap, table -> java.util.HashMap$Node[], [] -> java.util.HashMap$Node
END
    cmp -s want told
    point $? "the page begins with who holds more" told err
    browser loaders.html 'tell(document.querySelector("[aria-label^=\"class loaders\"] b")
        .textContent)'
    [ "$(browser_told)" = 'Holders$PluginLoader' ]
    point $? "and has the class loaders that came" dom
}

for one in "HotSpot:$JDK17/bin/java" "minivm:$build/minivm/minivm"; do
    vm=${one%%:*} java=${one#*:}
    places
done
files
page
echo "1..$count"
