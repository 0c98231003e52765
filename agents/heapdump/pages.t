#!/bin/sh
# SPDX-License-Identifier: MIT
# heapdump's page: what it says of a known leak, by value, the difference to an earlier
# dump, and how a browser shows it.
top=${top_srcdir:?} build=$(cd "${top_builddir:?}" && pwd)
. "$top/agents/test/browser.sh"
command -v python3 >/dev/null || { echo "1..0 # SKIP no python3 found"; exit 0; }
work=$build/agents/heapdump/pages.work
agent=$build/agents/heapdump/.libs/libheapdump.so
count=0
rm -rf "$work" && mkdir -p "$work/classes" && cd "$work" &&
    "$JDK17/bin/javac" -g -d classes "$top/agents/heapdump/test/Leak.java" \
        "$top/agents/heapdump/test/Chain.java" || exit 1

point() # STATUS NAME FILE...
{
    count=$((count + 1))
    point_name=$2
    [ "$1" = 0 ] || printf 'not '
    echo "ok $count - $point_name"
    [ "$1" = 0 ] && return
    shift 2
    head -n 40 "$@" </dev/null | cut -c 1-200 | sed 's/^/# /'
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
        timeout 300 "$java" "-agentpath:$agent=$run_options" -cp classes "$@" >out 2>err
}

# The page's data, judged by a script that ends with an assertion.
judge() # FILE <SCRIPT
{
    { cat <<'END'; cat; } >judge.py
import json, re, sys
text = open(sys.argv[1], encoding='utf-8').read()
data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S).group(1))
nodes = [data['nodes'][i:i + 6] for i in range(0, len(data['nodes']), 6)]
name = lambda n: ('class ' if n[1] else '') + data['classes'][n[0]]
objects = {c: data['histogram'][2 * i] for i, c in enumerate(data['classes']) if c}
sizes = {c: data['histogram'][2 * i + 1] for i, c in enumerate(data['classes']) if c}
END
    python3 judge.py "$1" >told 2>&1
}

values()
{
    run 'format=html,file=h.html,progress=no' Leak 3000
    judge h.html <<'END'
assert objects['Leak$Session'] == 3000, objects['Leak$Session']
assert data['objects'] == sum(objects.values()), (data['objects'], sum(objects.values()))
assert data['bytes'] == sum(sizes.values())
END
    point $? "$vm: the histogram counts the sessions, and adds up to all" told err
    judge h.html <<'END'
kept = nodes[:data['kept']]
assert nodes[0][3] == data['bytes'] and nodes[0][4] == -1
sums = [n[2] for n in kept]
for i in range(len(kept) - 1, 0, -1):
    assert 0 <= kept[i][4] < i and kept[i][3] <= kept[kept[i][4]][3]
    sums[kept[i][4]] += kept[i][3]
assert all(s <= n[3] for s, n in zip(sums, kept))
registry = [n for n in kept if name(n) == 'Leak$Registry']
assert len(registry) == 1 and registry[0][3] > 3000 * 2000, registry
assert name(kept[registry[0][4]]) == 'class Leak'
END
    point $? "$vm: the registry retains the sessions, and the class the registry" told err
    judge h.html <<'END'
table = max((n for n in nodes[:data['kept']] if name(n) == 'java.util.HashMap$Node[]'),
            key=lambda n: n[3])
path, at = [], nodes.index(table)
while at > 0:
    path.insert(0, (data['labels'][at], name(nodes[at])))
    at = nodes[at][5]
assert path[-4:] == [path[-4], ('registry', 'Leak$Registry'),
                     ('sessions', 'java.util.HashMap'),
                     ('table', 'java.util.HashMap$Node[]')], path
assert path[-4][1] == 'class Leak', path
END
    point $? "$vm: the path from a root has the names of fields" told err
}

chains()
{
    run 'format=html,file=l.html,progress=no' Chain
    judge l.html <<'END'
kept = nodes[:data['kept']]
links = [n for n in kept if name(n) == 'Chain$Link']
assert objects['Chain$Link'] == 50000 and 1 <= len(links) <= 20, len(links)
assert max(n[3] for n in links) > 50000 * 120 and name(kept[links[0][4]]) == 'class Chain'
registry = [n for n in kept if name(n) == 'Chain$Registry']
assert len(registry) == 1 and 500000 < registry[0][3] < 600000, registry
END
    point $? "$vm: a chain is one object of the tree, and hides no other" told err
    judge l.html <<'END'
for c, index in enumerate(data['largest']):
    assert index == 0 or (data['classes'][nodes[index][0]] == data['classes'][c]
                          or data['classes'][c] == 'java.lang.Class' and nodes[index][1])
    assert (index > 0) == (c > 0 and sizes.get(data['classes'][c], 0) > 0), data['classes'][c]
at = data['largest'][data['classes'].index('Chain$Registry')]
assert nodes[at][3] == [n for n in nodes if name(n) == 'Chain$Registry'][0][3]
assert (data['labels'][at], name(nodes[nodes[at][5]])) == ('registry', 'class Chain')
END
    point $? "$vm: each class has a path to its largest object" told err
}

# Without being asked, a file is told the end only.
progress()
{
    told=0
    for format in hprof histogram retained html; do
        run "format=$format,file=p.out,progress=yes" Leak 3000
        awk '/^heapdump: (looking at|counting) the objects: [0-9]+ %$/ {
                lines++; bad += $(NF - 1) < last; last = $(NF - 1) }
            END { exit !(lines > 0 && !bad && last > 10) }' err &&
            grep -q '^heapdump: wrote p[-0-9]*.out: ' err || { told=1; break; }
    done
    point $told "$vm: each format tells how far it is, in percent" err
    run 'format=html,file=p.out' Leak 3000
    ! grep -q '%' err && grep -q '^heapdump: wrote p.out: ' err
    point $? "$vm: unless asked it does so on a terminal only" err
    run 'format=html,file=p.out,progress=no' Leak 3000
    [ ! -s err ]
    point $? "$vm: and nothing at all if it shall not" err
}

differences()
{
    run 'file=old.hprof,progress=no' Leak 1000
    run 'format=histogram,compare=old.hprof,file=h.txt,progress=no' Leak 3000
    grep -qE '^ +\+2000 +1000 +3000  Leak\$Session$' h.txt &&
        grep -q 'Change of #instances since old.hprof' h.txt &&
        ! grep -qE '^ +[+-][0-9]{3,} .*java/lang/Class$' h.txt
    point $? "$vm: a text of what has changed" h.txt err
    run 'format=html,compare=old.hprof,file=c.html,progress=no' Leak 3000
    judge c.html <<'END'
old = dict(zip(data['classes'], data['old']))
assert old['Leak$Session'] == 1000 and data['compare'] == 'old.hprof'
END
    point $? "$vm: the page knows what there was" told err
    "$JDK17/bin/java" -cp classes Leak 10 >out
    head -c 3000 old.hprof >half.hprof
    run 'format=histogram,compare=half.hprof,file=h.txt,progress=no' Leak 10
    grep -q 'compare: "half.hprof": it ends early' err && grep -q '^Total' h.txt
    point $? "$vm: half a dump is told, and the histogram is there" err
}

shown()
{
    browser c.html 'tell("suspect " + document.querySelector("#panel-suspects").textContent
            .includes("HashMap$Node[]"))
        tell("grown " + document.querySelector("#panel-suspects").textContent
            .includes("Leak$Session: 2,000 more objects (1,000 before, 3,000 now)"))
        document.querySelector("#panel-suspects button").click()
        tell("path " + document.querySelector("#path-list").textContent
            .includes("sessions \u2192 java.util.HashMap"))
        document.querySelector("[data-view=tree]").click()
        const key = (e, k) => e.dispatchEvent(new KeyboardEvent("keydown",
            { key: k, bubbles: true }))
        const rows = () => [...document.querySelectorAll("#tree tr")]
        const before = rows().length
        key(rows()[1], "ArrowRight")
        tell("opened " + (rows().length > before))
        key(rows()[1], "ArrowLeft")
        tell("closed " + (rows().length === before))
        document.querySelector("[data-view=map]").click()
        const boxes = () => [...document.querySelectorAll("#map [role=treeitem]")]
        tell("largest " + boxes()[0].textContent.startsWith("class Leak"))
        key(boxes()[0], "Enter")
        tell("inside " + boxes()[0].textContent.startsWith("Leak$Registry"))
        key(boxes()[0], "Escape")
        tell("outside " + boxes()[0].textContent.startsWith("class Leak"))
        tell("narrow " + (boxes().filter(b => parseFloat(b.style.width) < 6).length > 3))
        tell("apart " + boxes().every(b => b.offsetWidth <= parseFloat(b.style.width) + 1))
        document.querySelector("[data-view=histogram]").click()
        const heads = document.querySelectorAll("#histogram-head button")
        heads[heads.length - 1].click()
        const change = () => [...document.querySelectorAll("#histogram tr")].map(r =>
            Number(r.children[5].textContent.replace(/[,+]/g, "")))
        document.querySelector("#filter").value = "Leak$Session"
        document.querySelector("#filter").dispatchEvent(new Event("input"))
        document.querySelector("#histogram button").click()
        tell("class " + (document.querySelectorAll("#histogram tr").length === 1 &&
            document.querySelector("#path-list").textContent
                .includes("sessions \u2192 java.util.HashMap")))
        document.querySelector("#filter").value = ""
        document.querySelector("#filter").dispatchEvent(new Event("input"))
        tell("sorted " + change().every((v, i, a) => i === 0 || a[i - 1] >= v))' || {
        count=$((count + 1))
        echo "ok $count - the page in a browser # SKIP no chromium found"
        return
    }
    browser_told >told
    for word in suspect grown path opened closed largest inside outside narrow apart class sorted; do
        echo "$word true"
    done >want
    cmp -s want told
    point $? "the page can be used: suspects, paths, tree, treemap, sorting" told
    browser_contrast c.html
    point $? "its texts can be read, in light and in dark" contrast
    ! grep -qE '(src|href)="?https?:|@import|url\(' c.html
    point $? "nothing comes from elsewhere" c.html
}

for one in "HotSpot:$JDK17/bin/java" "minivm:$build/minivm/minivm"; do
    vm=${one%%:*} java=${one#*:}
    values
    chains
    progress
    differences
done
shown
echo "1..$count"
