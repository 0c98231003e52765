#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The JDK's tools, Debian's jattach and bare requests talk to a running minivm and to the
# JDK's own VM; both answer the same where the answer does not name the VM.

top_builddir=$(cd "${top_builddir:-.}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)/attach
work=$top_builddir/minivm/test/${work_name:-attach}.work
home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
release=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release")
minivm=$top_builddir/minivm/minivm
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH
LC_ALL=C.UTF-8 TZ=UTC
export LC_ALL TZ

# Longer than what a message repeats of it.
long=$(printf '%080d' 0 | tr 0 x)

count=0 pid=
trap '[ -z "$pid" ] || kill -9 "$pid" 2>/dev/null' EXIT

# report RC NAME [FILE]: one result; FILE is shown when it is bad.
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

skip()
{
    count=$((count + 1))
    echo "ok $count - $1 # SKIP $2"
}

# same NAME EXPECTED ACTUAL
same()
{
    diff "$2" "$3" >"$work/diff"
    report $? "$1" "$work/diff"
}

# start SIDE VM-ARG...: run $program in the background, its input behind descriptor 3.
program='Target one two'
start()
{
    side=$1
    shift
    java=$minivm
    [ "$side" != hotspot ] || java=$home/bin/java
    rm -f in
    : >"$side.out"
    mkfifo in
    # Blocked as in the processes that HotSpot starts.
    env --block-signal=QUIT "$java" "$@" -Dgiven=yes -Xmx256m -cp classes $program \
        <in >"$side.out" 2>"$side.err" 3>&- &
    pid=$!
    exec 3>in
    tries=0
    until grep -q '^ready' "$side.out"; do
        sleep 0.1
        tries=$((tries + 1))
        if [ $tries = 600 ] || ! kill -0 $pid 2>/dev/null; then
            echo "Bail out! the program does not start: $(cat "$side.err")"
            exit 1
        fi
    done
}

# await CONDITION: until it holds, or for a long time.
await()
{
    tries=0
    until eval "$1" || [ $tries = 300 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
}

# finish: close Target's input; its exit code is in $code.
finish()
{
    exec 3>&-
    wait $pid
    code=$?
    pid=
}

tool()
{
    tool_name=$1
    shift
    echo "\$ $tool_name $*"
    timeout 60 "$home/bin/$tool_name" "$@" 2>&1 3>&-
    echo "exit code $?"
}

raw()
{
    timeout 120 "$home/bin/java" -cp classes Raw $pid "$@" 3>&- 2>&1
}

# What differs from run to run.
normal()
{
    sed -e "s/\b$pid\b/PID/g" -e 's/0x[0-9a-f]*/ADDRESS/g' -e "s|$work|WORK|g" \
        -e 's/^[0-9]*\.[0-9]* s$/SECONDS s/' -e 's/^#.* UTC .*/#DATE/' \
        -e 's/^[0-9]\{4\}-[0-9-]*[ T][0-9:.]*\(+[0-9]*\)\{0,1\}/DATE/' \
        -e 's/^DATE: [0-9.]* s/DATE: SECONDS s/' \
        -e 's/-XX\\\{0,1\}:GCStress\\\{0,1\}=97 //; s/-XX\\\{0,1\}:+PoisonFreed //' \
        -e 's/elapsed=.*/ELAPSED/' -e 's/cpu=[^ ]* //' -e 's/^\("[^"]*"\) #[0-9]*\( \[[0-9]*\]\)*/\1/' \
        -e 's/nid=[0-9]*/nid=ADDRESS/'
}

# converse CLIENT: everything that both VMs answer alike.
converse()
{
    timeout 120 "$1" -cp classes Client $pid "$work" 3>&- 2>&1
    tool jcmd $pid JVMTI.data_dump
    rm -f vm.log*
    # Later releases have another protocol beside this one, and hang up.
    [ "$release" -ge 24 ] || raw '2|jcmd|help'
    raw '1|bogus|x' '1|jcmd|nope' '1|jcmd|help nope' '1|jcmd|help help' \
        '1|jcmd|help ManagementAgent.stop' '1|jcmd|help ManagementAgent.start_local' \
        '1|jcmd|help ManagementAgent.status' '1|jcmd|ManagementAgent.status' \
        '1|jcmd|ManagementAgent.start jdp.port=x' '1|jcmd|ManagementAgent.stop' \
        '1|jcmd|help GC.run' '1|jcmd|help Thread.print' '1|jcmd|help VM.uptime' \
        '1|jcmd|help JVMTI.agent_load' '1|jcmd|help JVMTI.data_dump' \
        '1|jcmd|help VM.version' '1|jcmd|help VM.flags' '1|jcmd|help VM.command_line' \
        '1|jcmd|help VM.system_properties' '1|jcmd|GC.run' '1|jcmd|VM.uptime' \
        '1|jcmd|VM.uptime -date' '1|jcmd|VM.uptime -bogus' '1|jcmd|VM.uptime x' \
        '1|jcmd|Thread.print -l=x' '1|jcmd|GC.class_histogram -parallel=x' \
        '1|jcmd|VM.command_line' '1|jcmd|JVMTI.agent_load' '1|jcmd|#x' '1|jcmd|' \
        '1|jcmd|JVMTI.agent_load a b c' '1|jcmd|   VM.uptime' \
        "1|jcmd|JVMTI.agent_load $work/libagent.so 'with space'" \
        "1|jcmd|JVMTI.agent_load $work/libagent.so \"a=b,c\"" \
        "1|jcmd|JVMTI.agent_load $work/libagent.so \"a\\\"b=c d\"" \
        "1|jcmd|JVMTI.agent_load $work/agent.jar by-jcmd" \
        '1|jcmd|JVMTI.agent_load libnone.so' "1|load|$work/libnone.so|true|" \
        "1|load|$work/libagent.so|true|direct" '1|printflag|MaxHeapSize' \
        '1|printflag|DisableAttachMechanism' '1|printflag|Bogus' '1|setflag|Bogus|1' \
        '1|setflag|MaxHeapSize|1' '1|agentProperties' '1|dumpheap||-live' \
        '1|dumpheap|x|-bad' '1|dumpheap|x|-all|x' '1|dumpheap|x|-all|12' \
        '1|dumpheap|/no/where|-live' '1|setflag||1' '1|setflag|MaxHeapFreeRatio|x' \
        '1|setflag|MaxHeapFreeRatio|101' '1|setflag|MaxHeapFreeRatio|80' \
        '1|setflag|HeapDumpPath|/tmp/x' '1|printflag|MaxHeapFreeRatio' \
        '1|printflag|HeapDumpPath' '1|printflag|CompileThreshold' '1|printflag|' \
        '1|printflag|G1PeriodicGCSystemLoadThreshold' '1|printflag|ErrorFile' \
        '1|jcmd|VM.set_flag' '1|jcmd|VM.set_flag MaxHeapFreeRatio' \
        '1|jcmd|VM.set_flag MaxHeapFreeRatio x' '1|jcmd|VM.set_flag MaxHeapSize 1' \
        '1|jcmd|VM.set_flag Bogus 1' '1|jcmd|VM.set_flag HeapDumpOnOutOfMemoryError x' \
        '1|jcmd|VM.set_flag HeapDumpGzipLevel a' '1|jcmd|VM.set_flag HeapDumpGzipLevel 10' \
        '1|jcmd|help GC.heap_info' '1|jcmd|help GC.heap_dump' \
        "1|jcmd|GC.heap_dump -gz=$long /no/where" "1|jcmd|GC.heap_dump -all=$long /no/where" \
        '1|jcmd|GC.heap_dump -gz=99999999999999999999 /no/where' \
        '1|jcmd|help GC.finalizer_info' '1|jcmd|help GC.run_finalization' \
        '1|jcmd|help VM.info' '1|jcmd|help VM.log' '1|jcmd|help VM.set_flag' \
        '1|jcmd|help VM.classloader_stats' '1|jcmd|help VM.class_hierarchy' \
        '1|jcmd|help VM.dynlibs' '1|jcmd|help VM.events' \
        '1|jcmd|help VM.start_java_debugging' '1|jcmd|VM.start_java_debugging' \
        '1|jcmd|GC.finalizer_info' '1|jcmd|GC.run_finalization' \
        '1|jcmd|VM.class_hierarchy java.util.AbstractList' \
        '1|jcmd|VM.class_hierarchy -i java.lang.Integer' \
        '1|jcmd|VM.class_hierarchy nope' '1|jcmd|VM.log' '1|jcmd|VM.log what=bogus' \
        '1|jcmd|VM.log what=clas' '1|jcmd|VM.log what=gc=bogus' \
        '1|jcmd|VM.log output=/no/where what=gc' '1|jcmd|VM.log output=#9 what=gc' \
        '1|jcmd|VM.log what=gc decorators=bogus' \
        "1|jcmd|VM.log output=$work/x.log what=gc output_options=bogus" \
        "1|jcmd|VM.log output=$work/vm.log what=class*=debug,gc decorators=pid,u \
output_options=filecount=2,filesize=1k" '1|jcmd|VM.log list' '1|jcmd|VM.log disable' \
        '1|jcmd|VM.log list'
    echo v >&3
    tool jps -lvm | grep "^\$\|^$pid "
    tool jcmd $pid nope
    tool jcmd $pid JVMTI.agent_load "$work/libagent.so"
    tool jinfo -flag MaxHeapSize $pid
    tool jinfo -sysprops $pid | grep '^given\|^agent\|^java.class.path'
    tool jstack -l $pid >stacks
    sed -n '/^"main"/,/^"/p' stacks | sed '$d'
    sed -n '/^"blocked"/,/^   Locked/p' stacks
    grep -c '^"Attach Listener" .*daemon' stacks
    tool jmap -histo $pid | head -n 3
    tool jcmd $pid GC.class_histogram >"$side.histogram"
    awk '$4 ~ /^(Target\$|\[LTarget|\[\[S)/ { print $2, $4, $5 }' "$side.histogram" | sort
    raw '1|datadump'
    await 'test $(grep -c "^data dump" $side.out) = 2'
}

# session SIDE CLIENT VM-ARG...
session()
{
    session_client=$2
    session_side=$1
    shift 2
    start "$session_side" "$@"
    converse "$session_client" >"$side.raw"
    ls -l "/tmp/.java_pid$pid" | cut -c 1-10 >"$side.mode"
    was=$pid
    finish
    {
        pid=$was normal <"$side.raw"
        echo "target's output:"
        # A thread dump is another matter.
        pid=$was normal <"$side.out" | sed '/^DATE$/,/^data dump/d'
        echo "target's errors:"
        grep -v '^WARNING: \|^	at \|^	\.\.\. ' "$side.err" | sed 's/ line: .*//'
        echo "exit code $code"
        ls "/tmp/.java_pid$was" "/tmp/hsperfdata_$(id -un)/$was" 2>/dev/null
    } >"$side.transcript"
    pid=
}

# Is it a table as jmap prints it, sorted and with the right sums?
check_histogram()
{
    awk 'NR == 2 && $0 != ":" && $0 !~ /^[0-9]+:$/ { bad = bad "line 2: " $0 "\n" }
        NR == 3 && $0 != " num     #instances         #bytes  class name (module)" {
            bad = bad "line 3: " $0 "\n" }
        NR == 4 && $0 !~ /^-+$/ { bad = bad "line 4: " $0 "\n" }
        /^ *[0-9]+: / {
            if ($0 !~ /^ *[0-9]+: [ 0-9]+  [^ ]+( \([^ ]+\))?$/ || $1 != ++rows ":" ||
                length($1 $2 $3) > length($0))
                bad = bad "row: " $0 "\n"
            if (rows > 1 && $3 + 0 > last)
                bad = bad "order: " $0 "\n"
            last = $3 + 0; objects += $2; bytes += $3
            if (substr($0, 6, 14) != sprintf("%14s", $2) ||
                substr($0, 20, 15) != sprintf("%15s", $3))
                bad = bad "columns: " $0 "\n"
        }
        /^Total / { total = $0 }
        END {
            if (total != sprintf("Total %13d %14d", objects, bytes))
                bad = bad "sum: " total " is not " objects " " bytes "\n"
            printf "%s", bad
            exit bad != "" || rows < 100
        }' "$1" >"$1.bad"
}

rm -rf "$work" && mkdir -p "$work/classes" && cd "$work" || exit 1
"$home/bin/javac" -g -d classes "$here/Target.java" "$here/Client.java" "$here/Raw.java" \
    "$here/Deadlock.java" &&
    mkdir jar && "$home/bin/javac" -d jar "$here/JavaAgent.java" &&
    printf 'Agent-Class: JavaAgent\nCan-Retransform-Classes: true\n' >manifest &&
    "$home/bin/jar" cfm agent.jar manifest -C jar . &&
    printf 'Agent-Class: Missing\n' >manifest &&
    "$home/bin/jar" cfm bad.jar manifest -C jar . &&
    ${CC:-cc} -shared -fPIC -I"$top_builddir/sdk/include" -o libagent.so "$here/agent.c" &&
    echo 'int none;' >none.c && ${CC:-cc} -shared -fPIC -o libnone.so none.c || exit 1

# ---- both VMs ----

session hotspot "$home/bin/java"
session minivm "$home/bin/java"
same "tools, requests and agents: the same on both VMs" hotspot.transcript \
    minivm.transcript
for side in hotspot minivm; do
    check_histogram $side.histogram
    report $? "the class histogram is a table with the right sums ($side)" \
        $side.histogram.bad
    [ "$(cat $side.mode)" = srw------- ]
    report $? "only the owner may use the socket ($side)" $side.mode
done
awk '$4 == "Target$Known" { exit !($2 == 1234 && $3 == 1234 * 16) }' minivm.histogram
report $? "objects are counted by what they occupy" minivm.histogram

# The JVM TI library was loaded by Client and by jcmd; each Java agent is one of its own.
# Of a jar that is not there the VM warns, and not the library that does it from 21 on.
grep '^WARNING: A' minivm.err >warnings
missing_jar='WARNING: A Java agent has been loaded dynamically (/nowhere/x.jar)'
[ "$release" -lt 21 ] || missing_jar=
cat >expected <<EOF
WARNING: A JVM TI agent has been loaded dynamically ($work/libagent.so)
WARNING: A JVM TI agent has been loaded dynamically ($work/libnone.so)
WARNING: A Java agent has been loaded dynamically ($work/agent.jar)
WARNING: A Java agent has been loaded dynamically ($work/agent.jar)
WARNING: A Java agent has been loaded dynamically ($work/agent.jar)
WARNING: A Java agent has been loaded dynamically ($work/bad.jar)
$missing_jar
WARNING: A Java agent has been loaded dynamically ($work/agent.jar)
WARNING: A JVM TI agent has been loaded dynamically ($work/libnone.so)
EOF
sed -i '/^$/d' expected
same "each agent is warned of once" expected warnings

# ---- minivm as the client, and under stress ----

session stressed "$minivm" -XX:GCStress=97 -XX:+PoisonFreed
same "the same with minivm as the client, and under -XX:GCStress=97" \
    hotspot.transcript stressed.transcript

# ---- what only minivm answers ----

start minivm -XX:+StartAttachListener -XX:+EnableDynamicAgentLoading
[ -S /tmp/.java_pid$pid ]
report $? "-XX:+StartAttachListener: the socket is there from the start"
raw truncated empty long gone '1|jcmd|VM.uptime' crowd \
    '1|jcmd|VM.version' '1|jcmd|VM.flags' "1|inspectheap|-live|$work/histogram" \
    '1|inspectheap|-bad' "1|inspectheap|-all|/nowhere/x" \
    "1|load|$work/libagent.so|true|quiet" | normal >actual
cat >expected <<EOF
> truncated
-1
The request is not complete
> empty
-1
The request is not complete
> long
refused
> gone
gone
> 1|jcmd|VM.uptime
0
SECONDS s
> crowd
80 answers, silent one: -1
The request did not come in time
> 1|jcmd|VM.version
0
tiforge minivm version $("$minivm" -XshowSettings:properties -version 2>&1 |
    sed -n 's/^ *java.vm.version = //p')
JDK $(sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' "$home/release")
> 1|jcmd|VM.flags
0
-XX:+EnableDynamicAgentLoading -XX:InitialHeapSize=8388608 -XX:MaxHeapSize=268435456 \
-XX:+StartAttachListener
> 1|inspectheap|-live|WORK/histogram
0
Heap inspection file created: WORK/histogram
> 1|inspectheap|-bad
-1
Invalid argument to inspectheap operation: -bad
> 1|inspectheap|-all|/nowhere/x
-1
Failed to open file: /nowhere/x
> 1|load|WORK/libagent.so|true|quiet
0
return code: 0
EOF
sed -i 's/ $//' actual
same "bad requests are refused, silent and many clients are served" expected actual
grep -q 'Target\$Known$' histogram
report $? "a class histogram goes to a file" histogram
! grep -q WARNING minivm.err
report $? "-XX:+EnableDynamicAgentLoading: no warning" minivm.err

# full: how many full collections jstat counts; classes: how many classes were loaded.
full()
{
    "$home/bin/jstat" -gc $pid 3>&- | awk 'NR == 1 { for (i = 1; i <= NF; i++)
        if ($i == "FGC") at = i } NR == 2 { print $at }'
}
before=$(full)
raw '1|jcmd|GC.run' '1|jcmd|GC.run' >/dev/null
classes=$("$home/bin/jstat" -class $pid 3>&- | awk 'NR == 2 { print $1 }')
echo "full collections: $before, then $(full); classes: $classes" >actual
[ "$(full)" = $((before + 2)) ] && [ "$classes" -gt 300 ]
report $? "jstat counts collections and classes" actual

kill -QUIT $pid
await "grep -q '^data dump in phase 4' minivm.out"
grep -q '^Full thread dump tiforge minivm' minivm.out &&
    grep -q 'at Target.waitForLock' minivm.out && grep -q '^data dump' minivm.out
report $? "SIGQUIT without a request dumps threads and sends DataDumpRequest" minivm.out
rm /tmp/.java_pid$pid
tool jcmd $pid JVMTI.data_dump >actual
grep -q 'Command executed' actual
report $? "the socket comes back when somebody removed it" actual
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && id nobody >/dev/null 2>&1; then
    open=$(mktemp -d) && cp classes/Raw.class "$open" && chmod 755 "$open"
    as_nobody()
    {
        (cd / && timeout 60 setpriv --reuid=nobody --regid=nogroup --clear-groups \
            "$home/bin/java" -XX:-UsePerfData -cp "$open" Raw $pid '1|jcmd|VM.uptime') \
            >actual 2>&1
    }
    as_nobody
    grep -q 'Permission denied' actual
    report $? "another user may not connect" actual
    chmod 666 /tmp/.java_pid$pid
    as_nobody
    [ -z "$(sed '1d; /^java.*Exception: \(Broken pipe\|Connection reset\)/d' actual)" ]
    report $? "and is not answered where it can" actual
    rm -rf "$open"
else
    skip "another user may not connect" "needs root and setpriv"
    skip "and is not answered where it can" "needs root and setpriv"
fi
if command -v jattach >/dev/null; then
    for request in 'properties' 'jcmd VM.uptime' 'bogus' 'agentProperties' 'jcmd nope' \
        "load $work/libagent.so true by-jattach" "load $work/libnone.so true"; do
        echo "> $request"
        timeout 60 jattach $pid $request 2>&1
        echo "exit code $?"
    done | grep -v '^[a-z].*=\|^$' | normal >actual
    cat >expected <<'EOF'
> properties
Connected to remote JVM
JVM response code = 0
#DATE
exit code 0
> jcmd VM.uptime
Connected to remote JVM
JVM response code = 0
SECONDS s
exit code 0
> bogus
Connected to remote JVM
JVM response code = -1
Operation bogus not recognized!
exit code 255
> agentProperties
Connected to remote JVM
JVM response code = 0
#DATE
exit code 0
> jcmd nope
Connected to remote JVM
JVM response code = -1
java.lang.IllegalArgumentException: Unknown diagnostic command
exit code 255
> load WORK/libagent.so true by-jattach
Connected to remote JVM
JVM response code = 0
return code: 0
exit code 0
> load WORK/libnone.so true
Connected to remote JVM
JVM response code = -1
Agent_OnAttach is not available in WORK/libnone.so
exit code 255
EOF
    # Where an agent was not loaded, later releases tell it in the text only.
    [ "$release" -lt 21 ] ||
        sed -i '/libnone/,$ { s/= -1/= 0/; s/code 255/code 0/ }' expected
    same "jattach" expected actual
else
    skip "jattach" "not installed"
fi
finish

# ---- options ----

start minivm -XX:-EnableDynamicAgentLoading -XX:-UsePerfData
{
    tool jcmd $pid JVMTI.agent_load "$work/libagent.so" x
    raw "1|load|$work/libagent.so|true|x" '1|load|instrument|false|x.jar'
    tool jps | grep -c "^$pid "
    echo v >&3
} | normal >actual
finish
grep started minivm.out >>actual
cat >expected <<'EOF'
$ jcmd PID JVMTI.agent_load WORK/libagent.so x
PID:
Dynamic agent loading is not enabled. Use -XX:+EnableDynamicAgentLoading to launch target VM.
exit code 0
> 1|load|WORK/libagent.so|true|x
-1
Dynamic agent loading is not enabled. Use -XX:+EnableDynamicAgentLoading to launch target VM.
> 1|load|instrument|false|x.jar
-1
Dynamic agent loading is not enabled. Use -XX:+EnableDynamicAgentLoading to launch target VM.
0
started 0, options 'none', agent null
EOF
same "-XX:-EnableDynamicAgentLoading refuses agents, -XX:-UsePerfData hides" \
    expected actual

for side in hotspot minivm; do
    start $side -XX:+DisableAttachMechanism
    tool jcmd -J-Dsun.tools.attach.attachTimeout=300 $pid VM.version >$side.refusal
    was=$pid
    finish
    pid=$was normal <$side.refusal | sed 's/[0-9]*ms/MS/; s/^	at.*//' >$side.refused
    pid=
done
same "-XX:+DisableAttachMechanism: no socket" hotspot.refused minivm.refused

program=Deadlock
for side in hotspot minivm; do
    start $side
    tool jstack $pid >stacks
    sed -n '/^Found one/,$p' stacks | normal >$side.deadlock
    finish
done
[ "$(grep -c '^Found' minivm.deadlock)" = 3 ] && diff hotspot.deadlock minivm.deadlock \
    >diff
report $? "jstack finds deadlocks of monitors and of locks" diff

# JVM TI "Agent Shutdown": start-up failure is an end, too (HotSpot says nothing).
"$minivm" -agentpath:"$work/libagent.so"=good -agentpath:"$work/libagent.so"=fail \
    -version >actual 2>/dev/null
failed='failed to init'
[ "$release" = 17 ] || failed='failed Agent_OnLoad'
cat >expected <<EOF
OnLoad 'good'
OnLoad 'fail'
Error occurred during initialization of VM
agent library $failed: $work/libagent.so
OnUnload
OnUnload
EOF
sort expected >expected.sorted
sort actual >actual.sorted
same "Agent_OnUnload is called when the VM does not come up" expected.sorted actual.sorted

# A file that a killed process left behind.
rm -f in stale.out && mkfifo in
sh -c 'echo stale >/tmp/.java_pid$$; exec "$@"' sh "$minivm" -cp classes Target \
    <in >stale.out 2>stale.err &
pid=$!
exec 3>in
until grep -q '^ready' stale.out || ! kill -0 $pid 2>/dev/null; do
    sleep 0.1
done
[ ! -e /tmp/.java_pid$pid ] && tool jcmd $pid VM.uptime >actual && grep -q ' s$' actual
report $? "a stale file is no obstacle" actual
was=$pid
finish
[ ! -e /tmp/.java_pid$was ] && [ "$code" = 0 ]
report $? "the socket is gone after the end"

# A debugger holds the VM in VMInit, and others attach to find it.
"$minivm" -agentlib:jdwp=transport=dt_socket,server=y,suspend=y -cp classes Target \
    </dev/null >held.out 2>&1 3>&- &
pid=$!
await 'grep -q Listening held.out || ! kill -0 $pid 2>/dev/null'
tool jcmd $pid VM.version >actual && grep -q '^tiforge minivm' actual
report $? "a VM that waits for its debugger can be attached to" actual
kill -KILL $pid
wait $pid 2>/dev/null
echo "1..$count"
