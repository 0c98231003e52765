#!/bin/sh
# SPDX-License-Identifier: MIT
# Dumps of a program whose heap is known, on the JDK's VM and on minivm: read by the
# heap library of VisualVM, and compared with the JDK's own.
top=${top_srcdir:?} build=${top_builddir:?}
here=$top/agents/heapdump
work=$build/agents/heapdump/heapdump.work
agent=$build/agents/heapdump/.libs/libheapdump.so
roots=-Droots=$build/agents/heapdump/test/.libs/libroots.so
library=/usr/share/visualvm/visualvm/modules/org-graalvm-visualvm-lib-jfluid-heap.jar
jcmd=$JDK17/bin/jcmd
count=0 instead=

rm -rf "$work" && mkdir -p "$work" || exit 1
cd "$work" || exit 1
"$JDK17/bin/javac" -g --release 17 -d . "$here/test/Known.java" \
    "$here/test/Busy.java" "$top/agents/test/Names.java" || exit 1
if [ -f "$library" ]; then
    "$JDK17/bin/javac" -cp "$library" -d . "$here/test/Reader.java" || exit 1
else
    library=
fi

point() # STATUS NAME
{
    count=$((count + 1))
    [ "$1" = 0 ] || printf 'not '
    echo "ok $count - $name: $2"
    [ "$1" = 0 ] || sed 's/^/# /' out err
}

# run OPTIONS ARGUMENTS...: Known with the agent; a library with a sanitizer in it needs
# the runtime under it.
run()
{
    run_options=$1
    shift
    launch timeout 300 "$java" -Xmx256m -agentpath:"$agent=$run_options" "$roots" -cp . \
        Known "$@" >out 2>err </dev/null
}

# With instead=exec in place of the shell, whose id is then the program's.
launch()
{
    case $java in
    */minivm) preload= ;;
    *) preload=$SANITIZER_RUNTIME ;;
    esac
    $instead env ${preload:+LD_PRELOAD="$preload"} \
        ASAN_OPTIONS="detect_leaks=0:handle_segv=0:$ASAN_OPTIONS" "$@"
}

# read_dump known|busy|compare FILE...: a point for each line of the reader.
read_dump()
{
    if [ -z "$library" ]; then
        count=$((count + 1))
        echo "ok $count - $name: $* # SKIP no VisualVM (Debian: visualvm)"
        return
    fi
    "$JDK17/bin/java" -cp ".:$library" Reader "$@" >read 2>&1
    grep -q '^ok ' read
    point $? "VisualVM reads $*"
    while read -r line; do
        case $line in
        'ok '*) point 0 "${line#ok }" ;;
        'not ok '*) count=$((count + 1))
            echo "not ok $count - $name: ${line#not ok }" ;;
        '#'*) echo "$line" ;;
        *) echo "# $line" ;;
        esac
    done <read
}

# begin PROGRAM ARGUMENT...: one that waits; its id is $pid, `finish` ends it.
begin()
{
    rm -f in && mkfifo in && : >out
    launch "$java" -Xmx256m "$roots" -cp . "$@" <in >out 2>err 9>&- &
    job=$!
    exec 9>in
    i=0
    while ! grep -q ready out && [ $i -lt 600 ]; do
        sleep 0.1
        i=$((i + 1))
    done
    pid=$(sed -n 's/^ready //p' out)
}

finish()
{
    exec 9>&-
    wait $job
}

# await FILE: until it is there.
await()
{
    i=0
    while [ ! -e "$1" ] && [ $i -lt 600 ]; do
        sleep 0.1
        i=$((i + 1))
    done
    [ -e "$1" ]
}

load() # OPTIONS: attach
{
    "$jcmd" "$pid" JVMTI.agent_load "$agent" "\"$1\"" >loaded 2>&1
    grep -q 'return code: 0' loaded
}

none_left() # NAME: neither the file nor its temporary one
{
    ! ls | grep -q "^$1"
}

at_exit()
{
    run file=exit.hprof && [ -s exit.hprof ]
    point $? 'a dump at the exit'
    [ "$name" = minivm ] && monitors=monitors || monitors=
    read_dump known exit.hprof $monitors
    run file=zipped.hprof.gz,gzip && gunzip -c zipped.hprof.gz >unzipped.hprof &&
        [ "$(wc -c <zipped.hprof.gz)" -lt "$(($(wc -c <unzipped.hprof) / 2))" ]
    point $? 'a compressed dump is whole and small'
    read_dump known unzipped.hprof
    run 'file=filtered.hprof,exclude=int[]:*Object[]' &&
        [ "$(wc -c <filtered.hprof)" -lt "$(($(wc -c <exit.hprof) - 3000000))" ]
    point $? 'arrays of 3 MB that are excluded are not in a dump'
    ! grep -q 'fits include' err && run 'file=none.hprof,include=no.such.Class' &&
        grep -q 'warning: no class that is loaded fits include' err
    point $? 'an include that fits nothing is told'
    run on=now:exit,file=twice.hprof && [ -s twice.hprof ] && [ -s twice-2.hprof ]
    point $? 'a dump at the start and one at the exit'
    run file=heap-%p.hprof && ls | grep -qE '^heap-[0-9]+\.hprof$'
    point $? '%p is the process'
}

# Rows of a histogram of the program's own classes and of some of the library, without
# their numbers.
rows()
{
    grep -E ' (Known.*|\[Known.*|java\.lang\.Integer|java\.lang\.Thread|\[\[I) *(\(.*)?$' \
        "$1" | sed 's/^ *[0-9]*: *//' | sort
}

by_attach()
{
    begin Known wait
    load file=attached.hprof
    point $? 'a dump by attach'
    "$jcmd" "$pid" GC.class_histogram >theirs
    load format=histogram,file=ours
    point $? 'a histogram by attach'
    rows theirs >rows.theirs
    rows ours >rows.ours
    [ "$(wc -l <rows.ours)" -ge 8 ] && cmp rows.theirs rows.ours
    point $? "the histogram has the rows of jcmd's"
    grep -E '^ num|^---' theirs >head.theirs && head -n 2 ours | cmp - head.theirs &&
        tail -n 1 ours | grep -qE '^Total +[0-9]+ +[0-9]+$'
    point $? "and its layout"
    load format=histogram,file=some,include=Known*,exclude=*Node,top=3 &&
        [ "$(sed -n 's/^ *[0-9]*: .* //p' some | grep -vc 'Known')" = 0 ] &&
        [ "$(grep -c ': ' some)" = 3 ] && ! grep -q 'Node' some
    point $? 'include, exclude and top choose rows'
    load format=retained,file=retained,include=Known* &&
        awk '/Known.Owner <- class Known/ { good = $2 > 100000 && $2 < 100200 }
             END { exit !good }' retained
    point $? 'what an object retains'
    [ "$(sed -n '/Known.Node <-/{s/^ *[0-9]*: *\([0-9]*\) .*/\1/p;q}' retained)" = \
      "$(awk '$4 == "Known$Node" { print $3 }' theirs)" ]
    point $? 'a list retains all that follows'
    load format=retained,file=fields,top=0,include=Known*:byte[]:java.lang.Object[] &&
        grep -qF ' Known$Owner <- class Known, owner' fields &&
        grep -qF ' Known$Node <- class Known, head' fields &&
        grep -qF ' Known$Node <- Known$Node, next' fields &&
        grep -qF ' byte[] <- Known$Owner, block' fields &&
        grep -qF ' java.lang.Object[] <- Known$Owner, shared' fields
    point $? 'the field by which an object is held, static ones and those of instances'
    load format=retained,file=retained.all,top=0 && awk '
        /^Total/ { total = $2 }
        / <- \(root\), / { sum += $2 }
        END { exit !(total == sum && sum > 0) }' retained.all
    point $? 'what the roots hold is all'
    ! load file=/no/such/folder/heap.hprof
    point $? 'a dump that cannot be written makes the attach fail'
    ! load on=never
    point $? 'an attach with a bad option fails'
    load on=signal,file=signal.hprof && kill -QUIT "$pid" && await signal.hprof &&
        kill -QUIT "$pid" && await signal-2.hprof
    point $? 'a signal after an attach, and a second one beside the first'
    "$jcmd" "$pid" GC.heap_dump "$work/their.hprof" >theirs 2>&1
    finish
    cat out >>err
    read_dump known attached.hprof
    read_dump known signal-2.hprof
    read_dump compare attached.hprof their.hprof
}

# While many threads run.
busy()
{
    begin Busy
    for i in 1 2 3; do
        load file=busy$i.hprof
        point $? "a dump of a busy program, $i"
        [ $i != 2 ] || "$jcmd" "$pid" GC.run >loaded 2>&1
    done
    finish
    for i in 1 2 3; do
        read_dump busy busy$i.hprof
    done
}

# What may go wrong.
faults()
{
    run format=retained wait
    grep -q '^Total .* objects' out
    point $? 'texts go to the output'
    run on=oom,file=oom.hprof fill && grep -q 'full: true' out && [ -s oom.hprof ] &&
        grep -q 'wrote oom.hprof' err
    point $? 'a dump when memory runs out'
    ! run format=xml && grep -q 'heapdump: error: .*format.*hprof.*histogram.*xml' err
    point $? 'an unknown format'
    ! run on=exit:never && grep -q 'error: on: "never" is not one of exit, sig' err
    point $? 'an unknown event'
    ! run fiel=x && grep -q 'error: unknown option "fiel".* file, format' err
    point $? 'an unknown option'
    run help && grep -q 'usage: .*libheapdump' out
    point $? 'help'
    run file=/dev/full && grep -q 'error: cannot write "/dev/full": No space' err
    point $? 'a full disk is told'
    (ulimit -f 1000 && run file=limit.hprof) && grep -q 'cannot write "limit.hprof"' err &&
        none_left limit
    point $? 'a file over the limit leaves nothing behind'
    ! run file=/no/such/folder/x &&
        grep -q 'cannot write "/no/such/folder/x": No such' err
    point $? 'a folder that is not there is told at the start'
    ! run file=/tmp && grep -q 'cannot write "/tmp": Is a directory' err
    point $? 'so is a folder in the place of the file'
    ! run format=growth,compare=nofile.hprof && grep -q 'cannot read "nofile.hprof": No such' err &&
        ! run format=growth,compare=Known.class && grep -q '"Known.class": it is no HPROF file' err
    point $? 'and an earlier dump that is not there, or none'
    for format in histogram retained; do
        launch timeout 300 "$java" -agentpath:"$agent=format=$format,include=*Tw*" -cp . \
            Names >out 2>err </dev/null && grep -qF 'Names\nTwi\u001b\t\\d' out &&
            [ "$(LC_ALL=C tr -d '\n\040-\176' <out | wc -c)" = 0 ]
        point $? "$format: control characters of names are escaped"
    done
    echo old >kept.hprof
    (ulimit -f 1000 && run file=kept.hprof)
    [ "$(cat kept.hprof)" = old ]
    point $? 'an old dump stays when the new one fails'
    killed
}

# A kill while the dump is being written: when it has a part of what it will hold.
killed()
{
    mkdir -p killed && rm -f killed/*
    instead=exec
    launch "$java" -Xmx1g -agentpath:"$agent=file=killed/heap.hprof,gzip" "$roots" \
        -cp . Known 1000000 >out 2>err </dev/null &
    victim=$! instead=
    i=0
    until [ "$(written $victim)" -gt 100000 ] || [ $i -ge 3000 ]; do
        sleep 0.02
        i=$((i + 1))
    done
    kill -9 $victim
    wait $victim 2>/dev/null
    [ $i -lt 3000 ] && [ -z "$(ls killed)" ]
    point $? 'a kill leaves nothing behind'
}

# The size of the file without a name that a process has open in killed/.
written() # PID
{
    for fd in /proc/"$1"/fd/*; do
        case $(readlink "$fd" 2>/dev/null) in
        */killed/*deleted*) stat -L -c %s "$fd" 2>/dev/null && return ;;
        esac
    done
    echo 0
}

test_on() # NAME JAVA
{
    name=$1 java=$2
    at_exit
    by_attach
    busy
    faults
    rm -rf ./*.hprof* ours theirs
}

test_on 'JDK 17' "$JDK17/bin/java"
[ -z "$JDK25" ] || test_on 'JDK 25' "$JDK25/bin/java"
test_on minivm "$build/minivm/minivm"
echo "1..$count"
