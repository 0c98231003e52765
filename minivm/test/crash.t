#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What the report of a crash says, for an agent that crashes in many places and ways.

top_builddir=$(cd "${top_builddir:-.}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)/crash
top_srcdir=$(cd "$here/../../.." && pwd)
work=$top_builddir/minivm/test/crash.work
home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")}
minivm=$top_builddir/minivm/minivm
unset JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH
# In a build with AddressSanitizer the signals are that's unless told otherwise.
ASAN_OPTIONS=detect_leaks=0:handle_segv=0:handle_sigbus=0:handle_sigfpe=0
ASAN_OPTIONS=$ASAN_OPTIONS:handle_sigill=0:allocator_may_return_null=1
LC_ALL=C.UTF-8
export LC_ALL ASAN_OPTIONS

count=0
report() # RC NAME [FILE]
{
    count=$((count + 1))
    if [ "$1" = 0 ]; then
        echo "ok $count - $2"
    else
        echo "not ok $count - $2"
        [ -z "$3" ] || head -n 60 "$3" | cut -c 1-200 | sed 's/^/#   /'
    fi
}

rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
ulimit -c 0
"$home/bin/javac" -nowarn -d . "$here/Crash.java" 2>javac.log &&
    ${CC:-cc} -shared -fPIC -g -O1 -fno-omit-frame-pointer -I"$home/include" \
        -I"$home/include/linux" -o libcrash.so "$here/agent.c" -lpthread 2>cc.log ||
    { echo "Bail out! the agent does not build"; exit 1; }

# run MODE [ARG...]: the summary is in err, the report in log, the status in $status.
run()
{
    mode=$1
    shift
    rm -f log out err
    timeout -k 5 120 "$minivm" -agentpath:./libcrash.so="$mode" -XX:ErrorFile=log -cp . \
        "$@" Crash >out 2>err
    status=$?
}

# says FILE WHAT PATTERN...: the file has a line for each extended regular expression.
says()
{
    file=$1 what=$2 rc=0
    shift 2
    for pattern; do
        grep -qE -- "$pattern" "$file" || { echo "# no $pattern"; rc=1; }
    done
    report $rc "$what" "$file"
}

ended() # WHAT STATUS
{
    [ "$status" = "$2" ]
    report $? "$1: status $2, was $status" err
}

# The source line of the place that the summary names, as binutils find it.
line_is() # WHAT TEXT
{
    at=$(sed -n 's/^#  place *libcrash.so+\(0x[0-9a-f]*\):.*/\1/p' err)
    found=$(addr2line -e libcrash.so "$at" 2>/dev/null)
    sed -n "$(echo "${found##*:}" | sed 's/[^0-9].*//')p" "$here/agent.c" >line
    grep -qF -- "$2" line
    report $? "$1: the place is the line with $2" err
}

# ---- the facts, each once ----

run MethodEntry:segv
ended "in MethodEntry" 134
says err "the summary" \
    '^# minivm met a fatal error: SIGSEGV \(11\), SEGV_MAPERR: .*, 0x0000000000001230$' \
    '^#  place     libcrash.so\+0x[0-9a-f]+: do_segv\+0x[0-9a-f]+ \(pc 0x[0-9a-f]{16}\)$' \
    '^#  event     JVM TI event MethodEntry of libcrash.so\+0x[0-9a-f]+: on_method_entry\+0x0$' \
    '^#  Java      Crash.target\(Crash.java:9\)$' \
    '^#  thread    "main", id [0-9]+$' '^#  VM        live phase, process [0-9]+$' \
    '^# log$'
line_is "in MethodEntry" '0x1230'
says log "signal, thread, frames" \
    '^address: 0x0000000000001230, where nothing is mapped$' \
    '^code:    (c7 04 25|[0-9a-f]{2} )' '^state:     running foreign code$' \
    '^#0  0x[0-9a-f]+  libcrash.so\+0x[0-9a-f]+: do_segv\+0x' \
    '^#1  0x[0-9a-f]+  libcrash.so\+0x[0-9a-f]+: crash_now\+0x' \
    '^#2  0x[0-9a-f]+  libcrash.so\+0x[0-9a-f]+: on_method_entry\+0x' \
    'libjvm.so\+0x[0-9a-f]+: jni_CallStaticVoidMethod' \
    '^  at Crash.target\(Crash.java:9\)$' '^  at Crash.main\(Crash.java:2[0-9]\)$'
says log "VM, agents, arguments, registers, threads, map" \
    '^uptime:    [0-9]+\.[0-9]{3} s$' "^JDK:       $home, release " \
    '^asked for: -agentpath:./libcrash.so=MethodEntry:segv$' \
    '^started:   crash, of ./libcrash.so, with the options "MethodEntry:segv"$' \
    '^command: .*-cp \. Crash$' '^VM argument: -XX:ErrorFile=log$' \
    '^r(ip|ax|sp) 0x[0-9a-f]{16}' '^"Reference Handler", id [0-9]+, blocked in the VM$' \
    '^  at java.lang.ref.Reference\$ReferenceHandler.run\(Reference.java:[0-9]+\)$' \
    'pthread_cond_wait' '^[0-9a-f]+-[0-9a-f]+ r-xp .*/libcrash.so$' \
    '^--- End of the report ---$'
! grep -q 'left out' log
report $? "no step failed" log

# ---- where ----

case_of() # WHERE HOW STATUS PATTERN...
{
    mode=$1:$2 want=$3
    shift 3
    run "$mode"
    ended "$mode" "$want"
    says err "$mode: summary" "$@"
    tail -n 1 log >last 2>/dev/null
    says last "$mode: the report is whole" '^--- End of the report ---$'
}

segv='^# minivm met a fatal error: SIGSEGV \(11\), '
place='^#  place     libcrash.so\+0x[0-9a-f]+: '
under='^#  under     libcrash.so\+0x[0-9a-f]+: '
case_of OnLoad segv 134 "$segv" "$place"'do_segv' \
    '^#  event     Agent_OnLoad of libcrash.so\+0x[0-9a-f]+: Agent_OnLoad\+0x0$' \
    '^#  VM        starting, OnLoad phase'
case_of VMInit segv 134 '^#  event     JVM TI event VMInit of .*: on_vm_init\+0x0$'
case_of ClassPrepare segv 134 '^#  event     JVM TI event ClassPrepare of .*: on_class_prepare'
case_of Exception segv 134 '^#  event     JVM TI event Exception of .*: on_exception' \
    '^#  Java      Crash.thrower\(Crash.java:12\)$'
case_of ThreadStart segv 134 '^#  event     JVM TI event ThreadStart of' \
    '^#  thread    "worker", id'
case_of GarbageCollectionStart segv 134 \
    '^#  event     JVM TI event GarbageCollectionStart of .*: on_gc_start' \
    '^#  VM        live phase, at a safepoint: System.gc\(\), by thread'
case_of GarbageCollectionFinish segv 134 \
    '^#  event     JVM TI event GarbageCollectionFinish of .*: on_gc_finish'
case_of ObjectFree segv 134 '^#  event     JVM TI event ObjectFree of .*: on_object_free'
case_of heap segv 134 \
    '^#  function  JVM TI IterateThroughHeap, called by libcrash.so.*: Java_Crash_natively'
case_of native segv 134 "$place"'do_segv' '^#  Java      Crash.natively\(Native Method\)$'
case_of unattached segv 134 "$place"'do_segv' '^#  thread    .* not attached to the VM$'
case_of attached segv 134 "$place"'do_segv' '^#  thread    "visitor", id'
case_of VMDeath segv 134 '^#  event     JVM TI event VMDeath of .*: on_vm_death'
case_of OnUnload segv 134 '^#  event     Agent_OnUnload of' '^#  VM        ended'

# ---- how ----

case_of native fpe 134 'SIGFPE \(8\), FPE_INTDIV: an integer was divided by zero' \
    "$place"'do_fpe'
line_is native:fpe 'sink / zero'
case_of native ill 134 'SIGILL \(4\), ILL_ILLOP' "$place"'do_ill'
case_of native bus 134 'SIGBUS \(7\), BUS_ADRERR' "$place"'do_bus'
case_of native abort 134 'SIGABRT \(6\), abort\(\) was called' "$under"'do_abort'
# A sanitizer ends the process by itself here, and below.
[ -n "$SANITIZER_RUNTIME" ] || case_of native free 134 'SIGABRT \(6\), abort\(\) was called' "$under"'do_free' '^(double )?free'
case_of native null 134 '^#  place     nothing is mapped there \(pc 0x0000000000000000\)$' \
    "$under"'do_null'
says log "a jump to 0: its caller's frames" '^#1  .*: do_null\+0x' '^#2  .*: crash_now\+0x' \
    '^#3  .*: Java_Crash_natively\+0x'
case_of native data 134 ', which is not executable' "$under"'do_data'
case_of native return 134 "$segv" "$place"'do_return'
says log "an overwritten return address: words of the stack" \
    'The stack is broken here' '^\?  .*libjvm.so.*: native_invoke'
case_of native pointer 134 "$segv" "$place"'do_pointer'
says log "a lost stack pointer: words of the stack" '^sp: +0x0000000000000010$' \
    'The stack is broken here' '^\?  .*libjvm.so.*: java_call'
case_of native overflow 134 'stack overflow: the C stack of the thread is used up' \
    "$place"'do_overflow'
says log "a stack overflow: both ends" '^#95 .*do_overflow' \
    '^\.\.\. [0-9]+ frames are left out$' ': Java_Crash_natively\+0x'
case_of attached overflow 134 'stack overflow' '^#  thread    "visitor", id'
case_of native jvmti 134 ', 0x0000000000001238$' \
    '^#  function  JVM TI GetPhase, called by libcrash.so.*: do_jvmti'
case_of native jni 134 ', 0x0000000000001240$' \
    '^#  function  JNI GetStringLength, called by libcrash.so.*: do_jni'
case_of native text 134 ', 0x0000000000001250$' \
    '^#  function  JNI NewStringUTF, called by libcrash.so.*: do_text'
run beside:segv '-XX:OnError=sleep 2'
ended "the program ends while the report is written" 134
says err "the program ends while the report is written: summary" "$segv"
run native:kill
ended "a signal that was sent" 134
says err "a signal that was sent: summary" 'SIGSEGV \(11\), the process sent it to itself'
if [ -z "$SANITIZER_RUNTIME" ]; then
    case_of native corrupt 134 "$place"'do_segv'
    says log "what the VM keeps of the thread is overwritten" \
        '\[the rest of this is left out: signal 11' '^#1  .*: do_corrupt\+0x' \
        '^--- Java frames ---$'
fi

run none:none
[ "$status" = 0 ] && [ "$(cat out)" = survived ] && [ ! -s err ] && [ ! -e log ]
report $? "nothing is reported when nothing crashes" err

# ---- options ----

run native:segv -XX:-CreateCoredumpOnCrash
ended "-XX:-CreateCoredumpOnCrash" 1
run native:segv -XX:+ErrorFileToStderr
says err "-XX:+ErrorFileToStderr" '^--- Memory map ---$' '^--- End of the report ---$'
[ ! -e log ]
report $? "-XX:+ErrorFileToStderr: no file"
run native:segv -XX:+ErrorFileToStdout
says out "-XX:+ErrorFileToStdout" '^--- Memory map ---$' '^--- End of the report ---$'
says err "-XX:+ErrorFileToStdout: the summary" "$segv"
run native:segv '-XX:OnError=echo one %p %%; echo two' '-XX:OnError=echo three >three'
pid=$(sed -n 's/^#  VM .*process //p' err)
printf '%s\n' "one $pid %" two >wanted
cmp -s wanted out && [ "$(cat three)" = three ]
report $? "-XX:OnError" err
run native:segv '-XX:ErrorFile=own_%p_%%.log'
pid=$(sed -n 's/^#  VM .*process //p' err)
says "own_${pid}_%.log" "-XX:ErrorFile with %p" '^--- End of the report ---$'
timeout -k 5 60 "$minivm" -agentpath:./libcrash.so=native:segv -cp . Crash >out 2>err
pid=$(sed -n 's/^#  VM .*process //p' err)
says err "a file in the working folder" "^# $work/tiforge_err_pid$pid\\.log\$"
says "tiforge_err_pid$pid.log" "that file" '^--- End of the report ---$'
mkdir gone
(cd gone && rmdir ../gone && timeout -k 5 60 "$minivm" \
    -agentpath:"$work/libcrash.so"=OnLoad:segv -cp "$work" Crash) >out 2>err
pid=$(sed -n 's/^#  VM .*process //p' err)
says "/tmp/tiforge_err_pid$pid.log" "a file in the temporary folder" '^--- End of the report ---$'
rm -f "/tmp/tiforge_err_pid$pid.log"
run native:segv -XX:+ShowMessageBoxOnError
says err "-XX:+ShowMessageBoxOnError" 'warning: -XX:\+ShowMessageBoxOnError is not supported'

# ---- who reads the report reads no more ----

mkfifo pipe
exec 3<>pipe
# However large the system lets it be.
dd if=/dev/zero of=pipe bs=512 count=4096 oflag=nonblock 2>dd.err
# The shell's own words about the signal must not go there.
(exec timeout -k 5 60 "$minivm" -agentpath:./libcrash.so=native:segv -XX:ErrorFile=log \
    -XX:ErrorLogTimeout=3 -cp . Crash >out 2>pipe) 2>sh.err
status=$?
exec 3>&-
ended "a full pipe as standard error" 134

# ---- others' handlers ----

if [ -z "$SANITIZER_RUNTIME" ]; then
    CRASH_HANDLER=1 LD_PRELOAD=$work/libcrash.so timeout -k 5 60 "$minivm" \
        -agentpath:./libcrash.so=native:segv -cp . Crash >out 2>err
    status=$?
    says err "a handler that was there before is called" '^the handler before$'
    ended "a handler that was there before" 42
else
    timeout -k 5 60 env -u ASAN_OPTIONS "$minivm" -agentpath:./libcrash.so=native:segv \
        -cp . Crash >out 2>err
    says err "the sanitizer's handler was there before" '^AddressSanitizer:DEADLYSIGNAL$'
fi
timeout -k 5 60 "$minivm" -agentpath:./libcrash.so=native:segv -cp . Crash handle >out 2>err
status=$?
ended "a handler that the program installs" 42
run none:none -XX:+CrashOnOutOfMemoryError
timeout -k 5 60 "$minivm" -agentpath:./libcrash.so=none:none -cp . Crash register >out 2>err
"$home/bin/java" -agentpath:./libcrash.so=none:none -cp . Crash register >expected 2>/dev/null
cmp -s expected out
report $? "the handler of SIGABRT that Java sees is the default" out

# ---- many threads ----

rm -f log
timeout -k 5 120 "$minivm" -agentpath:./libcrash.so=native:segv -XX:ErrorFile=log -cp . \
    Crash crowd >out 2>err
shown=$(sed -n '/^--- All threads ---$/,/^--- Process ---$/p' log | grep -c ', id [0-9]*, ')
[ "$shown" = 256 ]
report $? "256 threads are shown, and not $shown" log
says log "how many are not shown" '^\.\.\. [0-9]+ threads are left out$'

# ---- the VM's own end ----

cat >Fill.java <<'END'
public class Fill {
    public static void main(String[] args) {
        Object[] all = null;
        for (;;)
            all = new Object[] { all, new byte[1 << 16] };
    }
}
END
"$home/bin/javac" -d . Fill.java
timeout -k 5 60 "$minivm" -Xmx16m -XX:+CrashOnOutOfMemoryError -XX:ErrorFile=log -cp . Fill \
    >out 2>err
status=$?
ended "-XX:+CrashOnOutOfMemoryError" 134
says err "fatal() of the VM" '^minivm: fatal: .*: Java heap space$' \
    '^#  message   OutOfMemory.*: Java heap space$' '^#  Java      Fill.main\(Fill.java:5\)$'

# ---- a process that hangs is asked from outside ----

timeout -k 5 60 "$minivm" -agentpath:./libcrash.so=MethodEntry:hang -XX:ErrorFile=log -cp . \
    Crash >out 2>err &
hung=$!
tries=0
until grep -q '^hangs$' err || [ $tries = 500 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
java=$(cat "/proc/$hung/task/$hung/children")
kill -ABRT ${java% }
wait $hung
status=$?
ended "kill -ABRT" 134
says log "kill -ABRT: what each thread does" 'sent by process [0-9]+$' \
    '^"main", id [0-9]+, running foreign code$' '^  in JVM TI event MethodEntry of .*on_method_entry' \
    '^  at Crash.target\(Crash.java:9\)$' ': do_hang\+0x'

echo "1..$count"
