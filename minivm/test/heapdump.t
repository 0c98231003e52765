#!/bin/sh
# SPDX-License-Identifier: MIT
# Heap dumps that minivm writes itself, when a tool, a bean or an option asks for them:
# read by VisualVM's library, compared with dumps of the JDK's own VM by values.

top=$(cd "${top_srcdir:-.}" && pwd)
build=$(cd "${top_builddir:-.}" && pwd)
work=$build/minivm/test/heapdump.work
home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
minivm=$build/minivm/minivm
known=$top/agents/heapdump/test
library=/usr/share/visualvm/visualvm/modules/org-graalvm-visualvm-lib-jfluid-heap.jar
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH
count=0 pid=
trap '[ -z "$pid" ] || kill -9 "$pid" 2>/dev/null' EXIT

# report RC NAME [FILE]
report()
{
    count=$((count + 1))
    if [ "$1" = 0 ]; then
        echo "ok $count - $2"
    else
        echo "not ok $count - $2"
        [ -z "$3" ] || head -n 40 "$3" | cut -c 1-200 | sed 's/^/#   /'
    fi
}

same() # NAME EXPECTED ACTUAL
{
    diff "$2" "$3" >diff
    report $? "$1" diff
}

# read_dump NAME READER ARGUMENT...: a result for each line of the reader.
read_dump()
{
    dump_name=$1
    reader=$2
    shift 2
    if [ ! -f "$library" ]; then
        count=$((count + 1))
        echo "ok $count - $dump_name # SKIP no VisualVM (Debian: visualvm)"
        return
    fi
    timeout 300 "$home/bin/java" -cp "classes:$library" $reader "$@" >read 2>&1
    grep -q '^ok ' read
    report $? "VisualVM reads $dump_name" read
    while read -r line; do
        case $line in
        'ok '*) report 0 "$dump_name: ${line#ok }" ;;
        'not ok '*) report 1 "$dump_name: ${line#not ok }" ;;
        *) echo "# $line" ;;
        esac
    done <read
}

# start JAVA OPTION...: Known in the background, its input behind descriptor 3.
start()
{
    rm -f in && mkfifo in && : >out
    "$@" -Xmx256m -Droots="$work/libroots.so" -cp classes Known wait <in >out 2>err 3>&- &
    pid=$!
    exec 3>in
    tries=0
    until grep -q '^ready' out || [ $tries = 600 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
}

finish()
{
    exec 3>&-
    wait $pid
    pid=
}

tool()
{
    tool_name=$1
    shift
    timeout 60 "$home/bin/$tool_name" "$@" 2>&1 3>&-
    echo "exit code $?"
}

normal()
{
    sed -e "s/\b${pid:-none}\b/PID/g" -e "s|$work/$side|WORK|g" \
        -e 's/\[[0-9]* bytes in [0-9.]* secs\]/[BYTES in SECONDS]/' \
        -e '/^	at /d' -e 's/java_pid[0-9]*/java_pidPID/' -e 's/\ba[0-9]\{1,\}\.hprof/aPID.hprof/'
}

rm -rf "$work" && mkdir -p "$work/classes" && cd "$work" || exit 1
"$home/bin/javac" -g -d classes "$known/Known.java" "$top/minivm/test/heapdump/Full.java" \
    "$top/minivm/test/heapdump/Bean.java" &&
    ${CC:-cc} -shared -fPIC -I"$build/sdk/include" -I"$top/sdk/include" -o libroots.so \
        "$known/roots.c" || exit 1
[ ! -f "$library" ] ||
    "$home/bin/javac" -cp "$library" -d classes "$known/Reader.java" \
        "$top/minivm/test/heapdump/FullReader.java" || exit 1

# ---- the tools ----

for side in hotspot minivm; do
    java=$minivm
    [ $side = minivm ] || java=$home/bin/java
    mkdir -p $side
    start "$java"
    {
        tool jcmd $pid GC.heap_dump "$work/$side/live.hprof"
        tool jcmd $pid GC.heap_dump "$work/$side/live.hprof"
        tool jcmd $pid GC.heap_dump -overwrite -all "$work/$side/all.hprof"
        tool jcmd $pid GC.heap_dump -gz=1 "$work/$side/live.hprof.gz"
        tool jcmd $pid GC.heap_dump -gz=0 "$work/$side/none"
        tool jcmd $pid GC.heap_dump -gz=x "$work/$side/none"
        tool jcmd $pid GC.heap_dump
        tool jcmd $pid GC.heap_dump /no/where
        tool jcmd $pid GC.heap_dump -overwrite /dev/full
        tool jcmd $pid help GC.heap_dump
        tool jmap -dump:live,format=b,file="$work/$side/jmap.hprof" $pid
        tool jmap -dump:all,gz=9,file="$work/$side/jmap.hprof.gz" $pid
        tool jmap -dump:live,gz=10,file="$work/$side/none" $pid
        tool jmap -dump:live,gz=x,file="$work/$side/none" $pid
        ls $side
    } | normal >$side.transcript
    finish
done
same "jcmd and jmap: the same answers on both VMs" hotspot.transcript minivm.transcript
gzip -dc minivm/live.hprof.gz >minivm/unzipped.hprof &&
    [ "$(wc -c <minivm/unzipped.hprof)" -gt "$(($(wc -c <minivm/live.hprof.gz) * 2))" ]
report $? "a compressed dump is whole and small"
for file in live all jmap unzipped; do
    read_dump "$file.hprof" Reader known minivm/$file.hprof monitors
done

# ---- the bean ----

for side in hotspot minivm; do
    java=$minivm
    [ $side = minivm ] || java=$home/bin/java
    rm -rf bean && mkdir bean
    timeout 60 "$java" -Xmx64m -cp classes Bean bean >$side.transcript 2>&1
done
same "HotSpotDiagnosticMXBean.dumpHeap" hotspot.transcript minivm.transcript

# ---- when memory runs out ----

# exhaust NAME OPTION...: both VMs in folders of their own.
exhaust()
{
    title=$1
    shift
    for side in hotspot minivm; do
        java=$minivm
        [ $side = minivm ] || java=$home/bin/java
        rm -rf full && mkdir -p full/folder && echo old >full/old.hprof
        {
            (cd full && timeout 60 "$java" -Xmx24m "$@" -cp ../classes Full 2>../err
                echo "exit code $?")
            find full -type f | sort
        } | normal | grep -v '^#$' >$side.transcript
        [ $side = hotspot ] || mv full full.minivm
    done
    same "$title" hotspot.transcript minivm.transcript
    rm -rf full.kept && mv full.minivm full.kept
}

exhaust "-XX:+HeapDumpOnOutOfMemoryError: once" -XX:+HeapDumpOnOutOfMemoryError
read_dump "a dump of a full heap" FullReader "$(ls full.kept/*.hprof | grep -v old)"
exhaust "-XX:HeapDumpPath: a file" -XX:+HeapDumpOnOutOfMemoryError \
    -XX:HeapDumpPath=a%p.hprof
exhaust "-XX:HeapDumpPath: a folder" -XX:+HeapDumpOnOutOfMemoryError \
    -XX:HeapDumpPath=folder/
exhaust "-XX:HeapDumpPath: a file that is there" -XX:+HeapDumpOnOutOfMemoryError \
    -XX:HeapDumpPath=old.hprof
exhaust "-XX:HeapDumpPath: nowhere" -XX:+HeapDumpOnOutOfMemoryError \
    -XX:HeapDumpPath=no/where
exhaust "-XX:HeapDumpGzipLevel" -XX:+HeapDumpOnOutOfMemoryError -XX:HeapDumpGzipLevel=1
exhaust "-XX:OnOutOfMemoryError: commands" \
    -XX:OnOutOfMemoryError='echo %%p $0; false;; exit 3;echo last' \
    -XX:+HeapDumpOnOutOfMemoryError
exhaust "-XX:+ExitOnOutOfMemoryError, behind the others" -XX:+ExitOnOutOfMemoryError \
    -XX:+HeapDumpOnOutOfMemoryError -XX:OnOutOfMemoryError='echo first'
exhaust "-XX:HeapDumpGzipLevel=10 is refused" -XX:HeapDumpGzipLevel=10
exhaust "none of them" -XX:-HeapDumpOnOutOfMemoryError
(cd full.kept && ulimit -c 0 && timeout 60 "$minivm" -Xmx24m -XX:+CrashOnOutOfMemoryError \
    -cp ../classes Full >../crash.out 2>../crash.err)
[ $? = 134 ] && grep -q '^Aborting due to java.lang.OutOfMemoryError: Java heap space' \
    crash.out
report $? "-XX:+CrashOnOutOfMemoryError" crash.out
"$minivm" -XX:GCStress=31 -XX:+PoisonFreed -XX:+HeapDumpAfterFullGC -XX:HeapDumpPath=after \
    -XX:-UsePerfData -version >/dev/null 2>&1 & wait $!
[ -s after ] && [ -s after.1 ]
report $? "-XX:+HeapDumpAfterFullGC under -XX:GCStress=31"
rm -f after*
echo "1..$count"
