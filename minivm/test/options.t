#!/bin/sh
# SPDX-License-Identifier: MIT
# The log (-Xlog), and -XX options that somebody can see the effect of, or the want of it.

build=$(cd "${top_builddir:-.}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)/options
work=$build/minivm/test/${work_name:-options}.work
home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
minivm=$build/minivm/minivm
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH
LC_ALL=C.UTF-8 TZ=UTC
export LC_ALL TZ
count=0

report() # RC NAME [FILE]
{
    count=$((count + 1))
    if [ "$1" = 0 ]; then
        echo "ok $count - $2"
    else
        echo "not ok $count - $2"
        [ -z "$3" ] || head -n 40 "$3" | cut -c 1-200 | sed 's/^/#   /'
    fi
}

# both NAME OPTION...: the same output, error output and exit code of both VMs.
both()
{
    title=$1
    shift
    for side in hotspot minivm; do
        java=$minivm
        [ $side = minivm ] || java=$home/bin/java
        rm -f ./*.log*
        timeout 60 "$java" "$@" -Xmx32m -cp . Hello >$side.stdout 2>$side.stderr
        echo "exit code $?" >>$side.stdout
        sed 's/^\[[0-9.]*s\]/[TIME]/' $side.stdout >$side.out
        { echo 'errors:'; cat $side.stderr; echo 'files:'; ls ./*.log* 2>/dev/null; } \
            >>$side.out
    done
    diff hotspot.out minivm.out >diff
    report $? "$title" diff
}

# run OPTION...: minivm alone, into out and err.
run()
{
    timeout 60 "$minivm" "$@" >out 2>err
}

rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
"$home/bin/javac" -d . "$here/Hello.java" || exit 1

# ---- the log: what both say alike ----

for option in -Xlog:bogus -Xlog:gc=bogus -Xlog:gc:stdout:bogus -Xlog:gc:stdout=x \
    -Xlog:gc:file= -Xlog:gc:file=/no/x -Xlog:clas+lod -Xlog:gc+ '-Xlog:gc*=' \
    -Xlog:gc=debug=info -Xlog:gc::uptime,bogus -Xlog:disable:x -Xlog:help:x \
    -Xlog:gc+class+load+unload+gc+start -Xlog:gc:file=z.log::filecount=x \
    -Xlog:gc:file=z.log::filecount=2000 -Xlog:gc:file=z.log::filesize=x \
    -Xlog:gc:file=z.log::foo=2 -Xlog:gc:file=z.log::filecount -Xlog:all=warning \
    -Xlog:gc=off -Xlog:disable -Xlog:async -Xlog:gc:z.log '-Xlog:gc:file="a:b.log"' \
    -Xlog:gc:#9; do
    both "$option" "$option"
done
for option in foldmultilines=true foldmultilines=x filecount=3 bogus; do
    both "stdout with $option" "-Xlog:gc=off:stdout::$option"
    both "a file with $option" "-Xlog:gc=off:file=z.log::$option"
done
both "two files" -Xlog:gc:file=one.log -Xlog:class+load:two.log
both "a rotated log" -Xlog:class+load:file=x.log::filecount=2,filesize=1k
both "a log of one file" -Xlog:class+load:file=x.log::filecount=0
for i in 1 2 3 4; do
    for java in "$home/bin/java" "$minivm"; do
        mkdir -p old && timeout 60 "$java" -Xlog:gc:file=old/x.log::filecount=2 -cp . Hello \
            >/dev/null
        ls old >"old.$(basename "$java")"
        mv old "old.$(basename "$java").folder"
        mv "old.$(basename "$java").folder" old
    done
done
cmp old.java old.minivm
report $? "the files of earlier runs are kept"

# ---- options that not every release has ----

for option in --finalization=enabled --finalization=disabled --finalization=x \
    --finalization= --finalization --illegal-native-access=deny --illegal-native-access \
    --sun-misc-unsafe-memory-access=deny \
    --sun-misc-unsafe-memory-access=x --sun-misc-unsafe-memory-access=; do
    both "$option" "$option"
done
for option in AliasLevel=3 HeapDumpGzipLevel=9999999999 +ZGenerational -ZGenerational \
    PerfDataSamplingInterval=50 ZMarkStackSpaceLimit=1g G1ConcRSLogCacheSize=10 \
    UseLinuxPosixThreadCPUClocks NoSuchFlag=1; do
    both "-XX:$option" "-XX:$option"
done

# ---- what is in it ----

run -Xlog:gc:file=a.log -Xlog:gc:file=b.log:none '-Xlog:gc*:stderr:level,tags' \
    -Xlog:class+load=info:file=c%p_%t.log -cp . Hello
grep -qE '^\[[0-9.]+s\]\[info\]\[gc\] GC\(0\) Pause Full \(System\.gc\(\)\) .*ms$' a.log &&
    grep -q '^GC(0) Pause Full' b.log
report $? "both files have the line, each with its decorations" a.log
printf '%s\n' '[info][gc,start] GC(0) Pause Full (System.gc())' '[info][gc      ] GC(0)' \
    >expected
sed 's/\(\] GC(0)\) Pause.*ms$/\1/' err | diff expected - >diff
report $? "standard error has those of all tag sets with gc, in columns" diff
[ "$(cat out)" = "hello $(nproc)" ]
report $? "and standard output none" out
[ "$(grep -c 'Hello source: file:' c[0-9]*_20*-*-*.log)" = 1 ]
report $? "%p and %t in a name; a line for each class"
run -Xlog:gc::time,utctime,uptime,timemillis,uptimemillis,timenanos,uptimenanos,hostname,pid,tid \
    -cp . Hello
grep -qE "^\[20[0-9-]+T[0-9:.]+\+0000\]\[20[0-9-]+T[0-9:.]+\+0000\]\[[0-9.]+s\]\[[0-9]+ms\]\
\[[0-9]+ms\]\[[0-9]+ns\]\[[0-9]+ns\]\[$(hostname)\]\[[0-9]+\]\[[0-9]+\] GC" out
report $? "all decorations" out
run -Xlog:class+load -Xlog:class+load=off -cp . Hello
[ "$(wc -l <out)" = 1 ]
report $? "the last selection counts" out
run -Xlog:disable -Xlog:gc -cp . Hello verbose
grep -c 'Pause Full' out >actual
[ "$(cat actual)" = 2 ] && [ "$(grep -c true out)" = 1 ]
report $? "the log of collections can be turned off and on by the bean" out
run -verbose:gc -verbose:class -cp . Hello
grep -q '\[gc *\] GC(0)' out && grep -q '\[class,load\] java.lang.Object source:' out
report $? "-verbose:gc, -verbose:class" out
run -verbose:jni -cp . Hello
grep -q '^\[.*\]\[debug\]\[jni,resolve\] \[Registering JNI native method' out
report $? "-verbose:jni" out
run -Xlog:help -cp . Hello && ! grep -q hello out && grep -q 'class+unload' out
report $? "-Xlog:help" out
run -Xloggc:old.log -cp . Hello && grep -q 'Using -Xlog\|Will use -Xlog:gc:old.log' out &&
    grep -q Pause old.log
report $? "-Xloggc" out

# ---- nothing is silent that is missing ----

run -Xlog:gc+heap=debug,gc -Xlog:safepoint:s.log -Xlog:os=off -cp . Hello
cat >expected <<'EOF'
OpenJDK 64-Bit Server VM warning: -Xlog:gc+heap selects nothing that this VM logs
OpenJDK 64-Bit Server VM warning: -Xlog:safepoint selects nothing that this VM logs
EOF
diff expected err >diff
report $? "tags that never come are told of once each" diff
run -XX:+PrintCompilation -XX:NativeMemoryTracking=summary -XX:+UnlockDiagnosticVMOptions \
    -XX:-PrintCompilation -XX:+LogCompilation -cp . Hello
cat >expected <<'EOF'
OpenJDK 64-Bit Server VM warning: -XX:+PrintCompilation has no effect in this VM
OpenJDK 64-Bit Server VM warning: -XX:NativeMemoryTracking has no effect in this VM
OpenJDK 64-Bit Server VM warning: -XX:+LogCompilation has no effect in this VM
EOF
diff expected err >diff
report $? "so are flags whose effect would be seen" diff
both "flags of speed are silent" -XX:+UseG1GC -XX:TieredStopAtLevel=1 -XX:NewRatio=3 \
    -XX:-UseCompressedOops -XX:+UseStringDeduplication -XX:CompileThreshold=5 \
    -XX:MaxHeapFreeRatio=50
both "-XX:ActiveProcessorCount" -XX:ActiveProcessorCount=7
both "a flag out of its range" -XX:MaxHeapFreeRatio=101
run -Xlog:gc -XX:+DisableExplicitGC -cp . Hello && ! grep -q Pause out
report $? "-XX:+DisableExplicitGC" out

# ---- a start that waits ----

# paused FILE OPTION...: does the program wait until FILE is removed?
paused()
{
    file=$1
    shift
    "$java" -XX:+UnlockDiagnosticVMOptions -XX:+PauseAtStartup "$@" -cp . Hello >out 2>err &
    pid=$!
    [ "$file" ] || file=vm.paused.$pid
    tries=0
    until [ -e "$file" ] || [ $tries = 100 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    [ -e "$file" ] && [ ! -s out ] && rm "$file" && wait $pid && grep -q hello out
}

for java in "$home/bin/java" "$minivm"; do
    paused ''
    report $? "-XX:+PauseAtStartup ($(basename "$java"))" err
    paused here.paused -XX:PauseAtStartupFile=here.paused
    report $? "-XX:PauseAtStartupFile ($(basename "$java"))" err
done
both "-XX:PauseAtStartupFile: nowhere" -XX:+UnlockDiagnosticVMOptions -XX:+PauseAtStartup \
    -XX:PauseAtStartupFile=/no/where
echo "1..$count"
