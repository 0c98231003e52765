#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The coverage agent on a program whose comments say what of it is executed, on the
# JDK's VMs and on minivm; its reports read by others (JaCoCo, genhtml, xmllint).
top=${top_srcdir:?} build=${top_builddir:?}
here=$top/agents/coverage/test
work=$build/agents/coverage/coverage.work
agent=$build/agents/coverage/.libs/libcoverage.so
jars=/usr/share/java
count=0
. "$top/agents/test/browser.sh"

rm -rf "$work" && mkdir -p "$work/classes" && work=$(cd "$work" && pwd) || exit 1
classes=$work/classes
# Not for 17: JaCoCo of Debian 12 does not know its class files.
"$JDK17/bin/javac" -g --release 16 -d "$classes" "$here"/*.java || exit 1
"$JDK17/bin/javac" -g -d "$work/odd" "$top/agents/test/Names.java" || exit 1
printf 'Premain-Class: Again\nCan-Retransform-Classes: true\n' >"$work/manifest"
"$JDK17/bin/jar" cfm "$work/again.jar" "$work/manifest" -C "$classes" Again.class || exit 1
awk -f "$here/expected.awk" "$here/Target.java" >"$work/expected"

point() # STATUS NAME
{
    count=$((count + 1))
    [ "$1" = 0 ] || printf 'not '
    echo "ok $count - $2"
    [ "$1" = 0 ] || cat "$work/out" "$work/err" "$work/difference" | head -n 60 | sed 's/^/# /'
    : >"$work/difference"
}

skip() # NAME REASON
{
    count=$((count + 1))
    echo "ok $count - $1 # SKIP $2"
}

# java ARGUMENTS...: a library with a sanitizer in it needs the runtime under it.
java()
{
    case $vm in
    */minivm) preload= ;;
    *) preload=$SANITIZER_RUNTIME ;;
    esac
    env ${preload:+LD_PRELOAD="$preload"} \
        ASAN_OPTIONS="detect_leaks=0:handle_segv=0:$ASAN_OPTIONS" \
        timeout 300 "$vm" -Xverify:all "$@" >"$work/out" 2>"$work/err"
}

# run OPTIONS ARGUMENTS...
run()
{
    run_options=$1
    shift
    java -agentpath:"$agent=$run_options" -cp "$classes" "$@"
}

lines() # LCOV-FILE SOURCE
{
    awk -v source="$2" -f "$here/lcov.awk" "$1"
}

# same FILE FILE: the difference is shown below a point that failed
same()
{
    diff "$1" "$2" >"$work/difference"
}

line_is() # LCOV-FILE SOURCE TEXT-OF-LINE HIT
{
    number=$(grep -nF -m 1 "$3" "$here/$2" | cut -d : -f 1)
    grep -qx "DA:$number,$4" "$1"
}

exact()
{
    run "format=lcov,file=$work/$name.info,classes=$classes,sourcepath=/none:$here" Target &&
        lines "$work/$name.info" Target.java >"$work/got" && same "$work/expected" "$work/got"
    point $? "$name: lines and branches are those that the source says"
    sed -n 's/^FNDA:0,\(Target.*\)/\1/p' "$work/$name.info" >"$work/got"
    cat >"$work/want" <<-'END'
	Target.<init>()V
	Target.lambda$main$1(I)I
	Target$1.run()V
	Target$Level.weight()I
	Target$Point.first()I
	Target$Shape.lambda$of$0()I
	Target$Unused.<init>()V
	Target$Unused.method()I
	END
    same "$work/want" "$work/got" &&
        [ "$(grep -c '^FNDA:1,Target' "$work/$name.info")" = 31 ]
    point $? "$name: and so are methods"
    run "format=jacoco,file=$work/$name.xml,classes=$classes,exclude=Second*:Again" Target
    point $? "$name: a report as JaCoCo's"
}

attach()
{
    java -Djdk.attach.allowAttachSelf=true -cp "$classes" Second attach "$agent" \
        'format=text,file=-,include=Target*:Second*:com.sun.tools.attach.*' \
        "format=lcov,file=$work/attach.info" &&
        lines "$work/attach.info" Target.java >"$work/got" &&
        awk -v unused="$(sed -n '/class Unused/,/^    }/=' "$here/Target.java" | xargs)" \
            'BEGIN { n = split(unused, a); for (i in a) skip[a[i]] } !($1 in skip)' \
            "$work/expected" >"$work/want" &&
        same "$work/want" "$work/got" && grep -q ' all$' "$work/out"
    point $? "$name: attached, the same for classes that are loaded later"
    line_is "$work/attach.info" Second.java 'result += i' 1 &&
        line_is "$work/attach.info" Second.java 'if (i % 2' 1 &&
        line_is "$work/attach.info" Second.java 'return 1;' 1 &&
        line_is "$work/attach.info" Second.java 'switch (args[0])' 0
    point $? "$name: and for what loaded classes do from then on"
    grep -qE '^ +[1-9][0-9]*/.* com\.sun\.tools\.attach\.VirtualMachine$' "$work/out"
    point $? "$name: classes of a named module among them"
    java -Djdk.attach.allowAttachSelf=true -cp "$classes" Second strict "$agent" \
        "format=lcov,file=$work/attach.info" && [ "$(cat "$work/out")" = 1 ] &&
        grep -q 'classes are left out' "$work/err"
    point $? "$name: a loaded class whose loader does not see the probes is left alone"
}

# Two runs that cover different parts, added up in each way there is.
merge()
{
    for part in '' more; do
        run "file=$work/part$part.cov,include=Target*" ${part:-Target} \
            ${part:+"$part"} 2>/dev/null ||
            run "file=$work/part$part.cov,include=Target*" Second $part
    done
    run "file=$work/ab.cov,merge=$work/part.cov:$work/partmore.cov" Second uid &&
        run "file=$work/ba.cov,include=Target*,merge=$work/partmore.cov:$work/part.cov" \
            Second uid &&
        run "file=$work/part.cov,append,include=Target*" Second more &&
        cmp "$work/ba.cov" "$work/part.cov"
    point $? "$name: runs are added, by merge= and by append"
    run "format=lcov,file=$work/ab.info,merge=$work/ab.cov" Second uid &&
        line_is "$work/ab.info" Target.java 'n = 0;' 1 &&
        line_is "$work/ab.info" Target.java 'return field;' 1 &&
        line_is "$work/ab.info" Target.java 'return "A";' 1 &&
        line_is "$work/ab.info" Target.java 'return "B";' 0
    point $? "$name: a report of several runs"
}

# ends SIGNAL: run until it waits, then end it; its process id is in $pid
ends()
{
    : >"$work/out"
    env ${preload:+LD_PRELOAD="$preload"} \
        ASAN_OPTIONS="detect_leaks=0:handle_segv=0:$ASAN_OPTIONS" \
        "$vm" -agentpath:"$agent=format=lcov,on=exit:signal,file=$work/end.%p.info" \
        -cp "$classes" Second wait >"$work/out" 2>"$work/err" &
    pid=$!
    tries=0
    while [ ! -s "$work/out" ] && [ $((tries += 1)) -lt 600 ]; do
        sleep 0.1
    done
    kill -s "$1" $pid
}

signals()
{
    ends KILL
    wait $pid 2>/dev/null
    ! ls "$work"/end.* >/dev/null 2>&1
    point $? "$name: a VM that is killed leaves no file"
    ends TERM
    wait $pid 2>/dev/null
    line_is "$work/end.$pid.info" Second.java 'result += i' 1
    point $? "$name: one that is terminated leaves a whole one"
    ends QUIT
    tries=0
    while [ ! -s "$work/end.$pid.info" ] && [ $((tries += 1)) -lt 600 ]; do
        sleep 0.1
    done
    line_is "$work/end.$pid.info" Second.java 'result += i' 1 && kill -0 $pid
    point $? "$name: SIGQUIT writes and the program goes on"
    kill -s KILL $pid
    wait $pid 2>/dev/null
    rm -f "$work"/end.*
}

# refused NAME OPTIONS PATTERN
refused()
{
    ! run "$2" Target && grep -qE "$3" "$work/err"
    point $? "$name: refused: $1"
}

options()
{
    refused 'a format that is none' format=pdf 'data.*html'
    refused 'an unknown option' formt=lcov 'sourcepath'
    refused 'another time to write' on=never 'exit, signal'
    refused 'append to what is no data' append,format=lcov 'format=data'
    refused 'a file that is not there' "merge=$work/none" "cannot read .*/none"
    head -c 200 "$work/ab.cov" >"$work/half.cov"
    refused 'half a file' "merge=$work/half.cov" 'damaged'
    run "append,file=$work/half.cov" Target
    grep -q damaged "$work/err" && [ "$(wc -c <"$work/half.cov")" = 200 ]
    point $? "$name: what is no data is not written over"
    run help Target && grep -q 'sourcepath=' "$work/out"
    point $? "$name: help"
}

others()
{
    run "format=text,file=$work/strict.txt" Second loaders &&
        grep -qE '^ +55/71 .* Target$' "$work/strict.txt"
    point $? "$name: loaders that find their own classes only"
    java -cp "$classes" Second uid && cp "$work/out" "$work/want" &&
        run "file=$work/uid.cov" Second uid && same "$work/want" "$work/out"
    point $? "$name: the default serialVersionUID stays"
    java -javaagent:"$work/again.jar" \
        -agentpath:"$agent=format=lcov,file=$work/again.info" -cp "$classes" Again &&
        line_is "$work/again.info" Target.java 'n = 0;' 1 &&
        line_is "$work/again.info" Target.java 'return 2 * n;' 1
    point $? "$name: classes that another agent retransforms keep their probes"
}

# All of javac.
compiler()
{
    rm -rf "$work/made" "$work/wanted"
    mkdir "$work/wanted"
    java -m jdk.compiler/com.sun.tools.javac.Main -g --release 16 -d "$work/wanted" \
        "$here/Target.java" "$here/Second.java" &&
        run "format=text,progress=no,file=$work/javac.txt,include=com.sun.tools.*" \
            -m jdk.compiler/com.sun.tools.javac.Main -g --release 16 -d "$work/made" \
            "$here/Target.java" "$here/Second.java" &&
        [ ! -s "$work/err" ] && diff -r "$work/wanted" "$work/made" >"$work/difference" &&
        awk '$NF == "all" { split($1, n, "/"); good = n[1] > 20000 && n[2] > 2 * n[1] }
             END { exit !good }' "$work/javac.txt"
    point $? "$name: javac, measured, verifies and compiles as before"
}

jacoco_report()
{
    "$JDK17/bin/java" -cp "$path:$work/jacoco" Report "$work/exec" "$work/target" \
        "$work/theirs.xml" >>"$work/out" 2>>"$work/err"
}

# What other programs say of the reports.
readers()
{
    title="the report is JaCoCo's own, counter by counter"
    path=$jars/org.jacoco.core.jar:$jars/org.jacoco.report.jar:$jars/asm-all.jar
    if [ -f $jars/org.jacoco.agent.jar ] && [ -f $jars/org.jacoco.report.jar ]; then
        rm -rf "$work/target" && mkdir "$work/target" "$work/jacoco"
        cp "$classes"/Target*.class "$work/target"
        (cd "$work" && "$JDK17/bin/jar" xf $jars/org.jacoco.agent.jar jacocoagent.jar)
        "$JDK17/bin/javac" -d "$work/jacoco" -cp "$path" \
            "$top/minivm/test/jacoco/Report.java" &&
            "$JDK17/bin/java" -javaagent:"$work/jacocoagent.jar=destfile=$work/exec" \
                -cp "$work/target" Target >"$work/out" 2>"$work/err" &&
            jacoco_report
        cp "$work/jdk17.xml" "$work/ours.xml"
        # Older ones count the accessors that javac makes for a record.
        if grep -qF '<method name="x" desc="()I"' "$work/theirs.xml"; then
            rm "$work/target/Target\$Point.class"
            jacoco_report
            vm=$JDK17/bin/java
            run "format=jacoco,file=$work/ours.xml,classes=$work/target,exclude=Second*:Again:Target\$Point" Target
        fi
        for report in "$work/theirs.xml" "$work/ours.xml"; do
            sed 's/<?xml[^>]*>//; s/<!DOCTYPE[^>]*>//; s/></>\n</g' "$report" |
                sed 's/^ *//; /^$/d' >"$report.lines"
        done
        # Classes and packages in an order of their own.
        sort "$work/theirs.xml.lines" >"$work/want"
        sort "$work/ours.xml.lines" >"$work/got"
        [ -s "$work/want" ] && same "$work/want" "$work/got"
        point $? "$title"
        unzip=$("$JDK17/bin/jar" tf $jars/org.jacoco.report.jar | grep 'xml/report.dtd$')
        if command -v xmllint >"$work/out"; then
            (cd "$work" && "$JDK17/bin/jar" xf $jars/org.jacoco.report.jar "$unzip")
            xmllint --noout --nonet --dtdvalid "$work/$unzip" "$work/jdk17.xml" \
                2>"$work/err"
            point $? 'it is valid against its DTD'
        else
            skip 'it is valid against its DTD' 'no xmllint: install libxml2-utils'
        fi
    else
        skip "$title" 'no JaCoCo: install libjacoco-java'
        skip 'it is valid against its DTD' 'no JaCoCo: install libjacoco-java'
    fi
    title='genhtml reads the LCOV file and counts the same'
    if command -v genhtml >"$work/out"; then
        awk '{ n++; h += $2 } END { print h " of " n }' "$work/expected" >"$work/want"
        sed -n '/^SF:.*Target.java$/,/^end_of_record/p' "$work/jdk17.info" >"$work/one.info"
        genhtml --branch-coverage --rc derive_function_end_line=0 -o "$work/genhtml" \
            "$work/one.info" >"$work/out" 2>"$work/err" &&
            grep -qF "($(cat "$work/want") lines)" "$work/out" &&
            grep -qF '(31 of 39 functions)' "$work/out" &&
            grep -qF "$(awk '$3 { split($3, n, "/"); t += n[1]; a += n[2] }
                END { print "(" t " of " a " branches)" }' "$work/expected")" "$work/out"
        point $? "$title"
    else
        skip "$title" 'no genhtml: install lcov'
    fi
    vm=$JDK17/bin/java
    run "format=cobertura,file=$work/cobertura.xml,include=Target*" Target &&
        run "format=html,file=$work/report.html,include=Target*,classes=$classes,sourcepath=$here" Target
    title="the report in Cobertura's form"
    if command -v xmllint >/dev/null; then
        lines=$(xmllint --nonet --xpath 'concat(/coverage/@lines-covered, " ",
            count(//class/lines/line[@hits="1"]), " ",
            count(//class/lines/line[@branch="true"]))' \
            "$work/cobertura.xml" 2>"$work/err")
        echo "$lines" >"$work/out"
        set -- $lines
        [ "$1" = "$(grep -c '^[0-9]* 1' "$work/expected")" ] && [ "$2" -ge "$1" ] &&
            [ "$3" = "$(grep -c / "$work/expected")" ]
        point $? "$title"
    else
        skip "$title" 'no xmllint: install libxml2-utils'
    fi
    awk '/<i>/ && sub(/.*<span class="/, "") {
             class = substr($0, 1, 1); sub(/^[^>]*><i> */, ""); print $1 + 0, class != "n" }' \
        "$work/report.html" >"$work/got"
    cut -d ' ' -f 1-2 "$work/expected" >"$work/want"
    same "$work/want" "$work/got" && grep -q 'title="5 of 6 branches[";]' "$work/report.html" &&
        grep -qE 'class="p" title="([0-9]+ of [0-9]+ branches; )?[0-9]+ of [0-9]+ instructions"' \
            "$work/report.html" && grep -q "some of the line's code never ran" "$work/report.html"
    point $? 'the HTML report has each line of the source with its colour, and says why'
    cp "$work/report.html" "$work/out"
    release=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$JDK17/release")
    grep -qE '^<p class="dim">20[0-9-]+ [0-9:]+ UTC, .*VM .*'"$release" "$work/report.html" &&
        grep -q '<td class="name">all</td>' "$work/report.html" &&
        grep -qE '<a href="#s[0-9]+-[0-9]+">Target' "$work/report.html"
    point $? 'it has the date, the VM, packages and methods'
    pages
}

# Difference of runs, many pages, warnings, and what a browser makes of a page.
pages()
{
    run "file=$work/before.cov,include=Target*" Target &&
        run "format=html,file=$work/same.html,include=Target*,compare=$work/before.cov" Target
    ! grep -q 'newly lost">&minus' "$work/same.html" && ! grep -q 'newly covered">+' "$work/same.html" &&
        grep -q 'newly covered</th>' "$work/same.html" && ! grep -q 'changed, or new' "$work/same.html"
    point $? 'two runs alike differ in no line'
    run "file=$work/before.cov,include=Target*,classes=$classes" Again
    run "format=html,file=$work/more.html,include=Target*,classes=$classes,compare=$work/before.cov" \
        Target
    run "file=$work/before.cov,include=Target*,classes=$classes" Target
    run "format=html,file=$work/less.html,include=Target*,classes=$classes,compare=$work/before.cov" \
        Again
    executed() { grep -cE '<span class="[fp]"[^>]*><i>' "$1"; }
    # What Again executes of the source, Target does, too.
    more=$(($(executed "$work/more.html") - $(executed "$work/less.html")))
    [ $more -gt 20 ] && [ "$(grep -c 'newly covered">+' "$work/more.html")" = $more ] &&
        ! grep -q 'newly lost">&minus' "$work/more.html"
    point $? 'what another run did not execute is newly covered'
    [ "$(grep -c 'newly lost">&minus' "$work/less.html")" = $more ] &&
        ! grep -q 'newly covered">+' "$work/less.html"
    point $? 'and the other way round newly lost'
    run "format=text,include=nothing.*" Target
    grep -q 'warning: no class that was loaded fits include' "$work/err"
    point $? 'an include that fits nothing is told'
    # A comment makes the source longer than a page may be.
    mkdir -p "$work/long" && { cat "$here/Target.java"; yes '// long' | head -n 150000; } \
        >"$work/long/Target.java"
    run "format=html,file=$work/big report.html,include=Target,sourcepath=$work/long" Target
    page=$(sed -n 's/.*href="\(big%20report.html.d\/s[0-9]*.html\)".*/\1/p' "$work/big report.html")
    [ "$(wc -c <"$work/big report.html")" -lt 100000 ] && [ -n "$page" ] &&
        grep -q '<span class="f"' "$work/$(echo "$page" | sed 's/%20/ /')"
    point $? 'a large report has a page for each source'
    (cd "$work" && browser report.html 'const names = () => [...document.querySelectorAll(
            "#sources tbody tr")].filter(r => !r.hidden).map(r => r.cells[0].textContent)
        const all = names().length
        const head = document.querySelectorAll("#sources th button")[1]
        const ratio = () => [...document.querySelectorAll("#sources tbody tr")].map(r =>
            Number(r.cells[1].dataset.v))
        head.click()
        tell("up " + ratio().every((v, i, a) => i === 0 || a[i - 1] <= v))
        head.click()
        tell("down " + ratio().every((v, i, a) => i === 0 || a[i - 1] >= v))
        filter.value = "no such"
        filter.dispatchEvent(new Event("input"))
        tell("none " + names().length)
        document.querySelector("#packages a").click()
        tell("package " + (names().length > 0 && names().length <= all))') || {
        skip 'the page can be sorted and filtered' 'no chromium found'
        return
    }
    (cd "$work" && browser_told) >"$work/told"
    printf 'up true\ndown true\nnone 0\npackage true\n' >"$work/want"
    same "$work/want" "$work/told"
    point $? 'the page can be sorted and filtered'
    (cd "$work" && browser_contrast report.html)
    point $? 'its texts can be read, in light and in dark'
}

# A name of the class file is a part of a line, whatever it holds.
names()
{
    for format in text lcov jacoco; do
        java "-agentpath:$agent=format=$format,include=*Tw*,file=$work/names" \
            -cp "$work/odd" Names &&
            grep -qF 'Names\nTwi\u001b\t\\d' "$work/names" &&
            [ "$(LC_ALL=C tr -d '\n\040-\176' <"$work/names" | wc -c)" = 0 ]
        point $? "$name: $format: control characters of names are escaped"
    done
    ! java "-agentpath:$agent=file=/no/such/folder/x" -cp "$work/odd" Names && ! grep -q ran "$work/out" &&
        grep -q 'cannot write "/no/such/folder/x": No such' "$work/err"
    point $? "$name: a folder that is not there is told at the start"
}

# The classes that a VM cannot do without are there before the agent begins.
library()
{
    run "include=*,format=text,file=$work/library.txt" Target && ! grep warning "$work/err" &&
        awk '{ split($1, lines, "/") }
            $NF ~ /^java\.(util\.HashMap|lang\.String|lang\.Module)$/ { found += lines[1] > 0 }
            END { exit found != 3 }' "$work/library.txt"
    point $? "$name: the class library can be measured, all of it"
}

# What virtual threads execute, on whatever carriers, is what platform threads do.
virtual()
{
    "$JDK25/bin/javac" -g -d "$work/virtual" "$here/virtual/Kinds.java" || return
    for kind in platform virtual; do
        run_options="include=Kinds*,format=lcov,file=$work/$kind.info"
        java -agentpath:"$agent=$run_options" -cp "$work/virtual" Kinds $kind &&
            grep -q "^sum 4950, virtual $([ $kind = virtual ] && echo true || echo false)$" \
                "$work/out" && grep '^DA:' "$work/$kind.info" >"$work/$kind.lines"
        point $? "$name: $kind threads run under coverage"
    done
    awk '/\/\/ (hit|missed)$/ { print NR ":" $NF }' "$here/virtual/Kinds.java" >"$work/marks"
    awk -F '[:,]' 'FILENAME == ARGV[1] { mark[$1] = $2; next }
        $1 == "DA" && $2 in mark { seen++; bad += ($3 > 0) != (mark[$2] == "hit") }
        END { exit bad > 0 || seen != 7 }' "$work/marks" "$work/virtual.lines"
    point $? "$name: the lines of virtual threads are those that ran"
    for kind in platform virtual; do
        sed 's/,[1-9][0-9]*$/,hit/' "$work/$kind.lines" >"$work/$kind.hit"
    done
    diff "$work/platform.hit" "$work/virtual.hit" >"$work/difference"
    point $? "$name: virtual threads cover the same lines as platform threads"
}

all()
{
    name=$1 vm=$2
    exact
    attach
    merge
    signals
    options
    others
    names
    library
    compiler
}

all jdk17 "$JDK17/bin/java"
all minivm "$build/minivm/minivm"
for file in jdk17.info:minivm.info jdk17.xml:minivm.xml; do
    same "$work/${file%:*}" "$work/${file#*:}"
    point $? "both VMs: the same ${file##*.}"
done
if [ -n "$JDK25" ]; then
    name=jdk25 vm=$JDK25/bin/java
    exact
    attach
    library
    compiler
    virtual
    name=minivm-on-25 vm=$build/minivm/minivm
    (JAVA_HOME=$JDK25; export JAVA_HOME; virtual; echo "$count" >"$work/counted")
    count=$(cat "$work/counted")
else
    skip "lines of virtual threads" 'no JDK 25'
fi
readers
echo "1..$count"
