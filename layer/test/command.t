#!/bin/sh
# SPDX-License-Identifier: MIT
# tiforge check: its options, its exit statuses, its reports.
command=check
. "${top_srcdir:?}/layer/test/command.sh"

# -- exit statuses --
gives 0 "$misuse=memory.free,right" -- -cp . Target && ! says 'tiforge check: error'
point "nothing was found"
gives 9 "$misuse=memory.free,right" -- -cp . Target 9
point "the program's own status"
gives 70 "$misuse=memory.free,wrong" -- -cp . Target 9 && says '^tiforge check: error: free' &&
    says '^    at free_it\+0x[0-9a-f]+ \(libmisuse.so' && says '^    thread "main"$' &&
    says 'section "Memory Management"; remedy: '
point "an error was found"
gives 0 "$misuse=event.no-callback,wrong" -- -cp . Target &&
    says 'warning: .*\[event.no-callback\]'
point "a warning alone does not make it fail"
gives 70 --fail-on warning "$misuse=event.no-callback,wrong" -- -cp . Target
point "unless that is wanted"
gives 70 --fail-on advice "$misuse=monitor.never-destroyed,wrong" -- -cp . Target
point "nor does advice"
gives 70 --vm "$JDK17/bin/java" "$misuse=memory.free,wrong" -- -cp . Target
point "another VM"
if python3 -c 'import pty; pty.openpty()' 2>/dev/null; then
    # With a terminal for its output, and without.
    python3 -c 'import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))' \
        "$tiforge" check "$misuse=memory.free,right" -- -cp . Target </dev/null >out 2>&1 &&
        says '^tiforge: checking with .*minivm, an interpreter: --vm java is faster; findings' &&
        gives 0 "$misuse=memory.free,right" -- -cp . Target && ! says 'tiforge: checking'
    point "it is told on a terminal that it goes on"
else
    count=$((count + 1))
    echo "ok $count - it is told on a terminal that it goes on # SKIP no terminal by python3"
fi
gives 1 "$work/kit/lib/libtiforge.a" -- -cp . Target && says "cannot load"
point "a library that is none"

# -- what became of it --
gives 70 "$misuse=reference.stale,wrong" -- -cp . Target &&
    says 'it was deleted before, at use_deleted\+' &&
    gives 70 "$misuse=reference.stale/global,wrong" -- -cp . Target &&
    says 'it was deleted before, at use_deleted_global\+' &&
    gives 70 "$misuse=reference.stale/text,wrong" -- -cp . Target &&
    says 'argument 1 of setName.*points into libmisuse'
point "why a reference is none"
gives 70 "$misuse=memory.class-bytes-foreign/gone,wrong" -- -cp . Target &&
    says 'memory of Allocate that was deallocated before' && ! says 'bytes-malformed' &&
    gives 70 "$misuse=memory.deallocate-interior/frames,wrong" -- -cp . Target &&
    says 'GetAllStackTraces, of which it is a part'
point "why memory cannot be given back"
gives 70 "$misuse=memory.free/delete,wrong" -- -cp . Target &&
    says 'error: delete was given memory of GetThreadInfo'
point "which function gets it"
for vm in minivm "$JDK17/bin/java"; do
    gives 70 --vm "$vm" "$misuse=memory.leak/many,wrong" -- -cp . Target &&
        [ "$(grep -c 'memory.leak\]' out)" = 2 ] &&
        grep -A4 'error: 120 blocks that Allocate .* were never deallocated: 1920 bytes \[' \
            out | grep -q 'at lose_numbers+' &&
        grep -A4 'error: 80 blocks that Allocate .* were never deallocated: 1280 bytes \[' \
            out | grep -q 'at lose_names+'
    point "all that was lost, by who has lost it: ${vm##*/}"
done

cat >broken.c <<'END'
#include <jvmti.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *mode;

/* A thread that has run no code of the agent with the VM. */
static void *
end(void *arg)
{
    abort();
    return arg;
}

static void JNICALL
on_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (*jvmti)->Deallocate(jvmti, (unsigned char *)mode);
    if (*mode == 'c')
        *(volatile int *)8 = 0;
    if (*mode == 'a') {
        pthread_t other;

        pthread_create(&other, NULL, end, NULL);
        pthread_join(other, NULL);
    }
    while (*mode == 'h')
        sleep(1);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks = { .VMInit = on_init };
    jvmtiEnv *jvmti = NULL;

    mode = strdup(options);
    /* Of the level 4095, or of one that is there; who does not look crashes. */
    (*vm)->GetEnv(vm, (void **)&jvmti, *mode == 'g' ? 0x3FFF0000 : JVMTI_VERSION_11);
    (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks);
    return (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT,
                                              NULL);
}

JNIEXPORT void JNICALL
Agent_OnUnload(JavaVM *vm)
{
    if (*mode == 'u')
        *(volatile int *)8 = 0;
}
END
${CC:-cc} -g -shared -fPIC -I"$build/sdk/include" -o libbroken.so broken.c || exit 1
! command -v addr2line >/dev/null || {
    gives 70 ./libbroken.so=lines -- -cp . Target &&
        says '^    at on_init\+0x[0-9a-f]+ \(libbroken.so\+0x[0-9a-f]+\) broken\.c:[0-9]+'
}
point "the lines of the agent, where there is addr2line"
# What the agent does through libtiforge: its own line stands first, and two lines are two
# findings.  The folder of the sources is below the working folder.
mkdir -p sources/one
cat >sources/one/helped.c <<'END'
#include <tiforge/tiforge.h>

static struct tf_monitor monitor;

static void
wake_first(void)
{
    tf_monitor_notify(&monitor);
}

static void
wake_second(void)
{
    tf_monitor_notify(&monitor);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEnv *jvmti;

    (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11);
    tf_monitor_init(&monitor, jvmti, "helped");
    wake_first();
    wake_second();
    return 0;
}
END
for linked in "$work/kit/lib/libtiforge.a" "$build/sdk/.libs/libtiforge.so"; do
    (mkdir -p objects && cd objects &&
        ${CC:-cc} -g -O0 -shared -fPIC -I"$work/kit/include/tiforge" \
            -o ../libhelped.so ../sources/../sources/one/helped.c "$linked" \
            -Wl,-rpath,"${linked%/*}") || exit 1
    ! command -v addr2line >/dev/null || {
        gives 70 --report helped.sarif ./libhelped.so -- -cp . Target &&
            [ "$(grep -c 'error: .*\[monitor.not-owner\]' out)" = 2 ] &&
            [ "$(grep -A1 'monitor.not-owner\]' out | grep -cE \
                '^    at wake_(first|second)\+0x[0-9a-f]+ .* sources/one/helped\.c:(8|14), through tf_monitor_notify$')" = 2 ] &&
            grep -q '"uri": "sources/one/helped.c"' helped.sarif &&
            grep -q '"startLine": 8' helped.sarif
    }
    point "the agent's own line stands before that of ${linked##*/}"
    echo 'monitor.not-owner * tf_monitor_notify' >suppressed
    gives 0 --suppress suppressed ./libhelped.so -- -cp . Target
    point "which suppressions may name"
done
# An agent in C++: names are told as they are written, and its own line stands before those of
# the header's functions and of the C library.
cat >sources/named.cpp <<'END'
#include <jvmti.h>
#include <cstring>

namespace names {
static void
lose(jvmtiEnv *jvmti, jthread thread)
{
    jvmtiThreadInfo info;

    jvmti->GetThreadInfo(thread, &info);
}

static void
copy(jvmtiEnv *jvmti)
{
    volatile size_t size = 8;
    unsigned char *bytes;
    char copied[8];

    jvmti->Allocate(16, &bytes);
    memcpy(copied, bytes + (64 << 12), size);
    jvmti->Deallocate(bytes);
}
}

static void JNICALL
on_init(jvmtiEnv *jvmti, JNIEnv *, jthread thread)
{
    names::lose(jvmti, thread);
    names::copy(jvmti);
}

extern "C" JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *, void *)
{
    jvmtiEventCallbacks callbacks = {};
    jvmtiEnv *jvmti;

    callbacks.VMInit = on_init;
    vm->GetEnv((void **)&jvmti, JVMTI_VERSION_1_0);
    jvmti->SetEventCallbacks(&callbacks, sizeof callbacks);
    jvmti->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
    return 0;
}
END
${CXX:-c++} -g -O0 -shared -fPIC -I"$build/sdk/include" -o libnamed.so sources/named.cpp || exit 1
line=
! command -v addr2line >/dev/null || line=' sources/named\.cpp:'
for vm in minivm "$JDK17/bin/java"; do
    gives 70 --vm "$vm" ./libnamed.so -- -cp . Target &&
        grep -A1 'memory.leak\]' out |
            grep -qE "^    at names::lose\+0x[0-9a-f]+ \(libnamed.so\+0x[0-9a-f]+\)${line:+${line}10\$}" &&
        grep -A1 'memory.overrun\]' out |
            grep -qE "^    at names::copy\+0x[0-9a-f]+ \(libnamed.so\+0x[0-9a-f]+\)${line:+${line}21}, through "
    point "names and lines of an agent in C++, ${vm##*/}"
done
for vm in minivm "$JDK17/bin/java"; do
    rm -f crash.json
    gives 71 --vm "$vm" --report crash.json ./libbroken.so=crash -- \
        -XX:ErrorFile="$work/crash.txt" -cp . Target && says 'the program crashed' &&
        grep -q '"memory.deallocate-foreign"' crash.json
    point "a crash, after which the report is there: ${vm##*/}"
    cat crash.txt tiforge_check_pid*.log >told 2>/dev/null
    rm -f crash.txt tiforge_check_pid*.log
    grep -q '^    Deallocate = NONE$' told && grep -q '^It is in the callback of VMInit' told &&
        grep -q '^    error: .*\[memory.deallocate-foreign\]$' told
    point "which tells the agent's last calls: ${vm##*/}"
    gives 71 --vm "$vm" ./libbroken.so=unload -- -XX:ErrorFile="$work/crash.txt" -cp . Target
    cat crash.txt tiforge_check_pid*.log >told 2>/dev/null
    rm -f crash.txt tiforge_check_pid*.log
    grep -q '^It is in Agent_OnUnload' told && grep -q '^    Deallocate = NONE$' told
    point "a crash in Agent_OnUnload: ${vm##*/}"
    gives 71 --vm "$vm" ./libbroken.so=getenv -- -XX:ErrorFile="$work/crash.txt" \
        -cp . Target
    cat crash.txt tiforge_check_pid*.log >told 2>/dev/null
    rm -f crash.txt tiforge_check_pid*.log
    grep -q '^GetEnv gave no environment of version 0x3fff0000: JNI_EVERSION' told
    point "a crash for want of an environment: ${vm##*/}"
    gives 71 --vm "$vm" ./libbroken.so=abort -- -XX:ErrorFile="$work/crash.txt" -cp . Target
    cat crash.txt tiforge_check_pid*.log >told 2>/dev/null
    rm -f crash.txt tiforge_check_pid*.log
    grep -q 'The thread that crashed has run no code of an agent' told &&
        sed -n '/^Other threads that ran code/,$p' told >others &&
        grep -q '^It is in the callback of VMInit' others &&
        grep -q '^    Deallocate = NONE$' others
    point "a crash in a thread that has run none of the agent's code: ${vm##*/}"
done
# abort() of glibc 2.41 and later, for machines that have an older one: SIGABRT stays
# blocked, and the process ends all the same.
cat >abort.c <<'END'
#include <signal.h>
#include <stdlib.h>

void
abort(void)
{
    sigset_t only;

    raise(SIGABRT);
    signal(SIGABRT, SIG_DFL);
    raise(SIGABRT);
    sigemptyset(&only);
    sigaddset(&only, SIGABRT);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    _Exit(127);
}
END
${CC:-cc} -shared -fPIC -o libabort.so abort.c || exit 1
export LD_PRELOAD="$work/libabort.so"
gives 71 --vm "$JDK17/bin/java" ./libbroken.so=crash -- -XX:ErrorFile="$work/crash.txt" \
    -cp . Target
unset LD_PRELOAD
cat tiforge_check_pid*.log >told 2>/dev/null
rm -f crash.txt tiforge_check_pid*.log
grep -q '^It is in the callback of VMInit' told
point "a crash where abort() leaves SIGABRT blocked"
gives 72 --timeout 3 ./libbroken.so=hang -- -cp . Target && says 'ended after 3 seconds'
point "a hang"
for vm in minivm "$JDK17/bin/java"; do
    gives 72 --vm "$vm" --watchdog 3 --report hang.json ./libbroken.so=hang -- -cp . Target &&
        says 'VMInit has not come back for 3 seconds \[progress.callback\]' &&
        says '^thread .*, in VMInit$' && says '^    at on_init\+0x' &&
        says '^Full thread dump' && grep -q '"progress.callback"' hang.json
    point "the watchdog shows the stacks of C and Java: ${vm##*/}"
done

# -- bad input --
gives 2 && says '^usage: tiforge check'
point "no agent"
gives 2 nothing && says "there is no agent 'nothing'"
point "an unknown agent"
gives 2 --vm no-such-vm "$misuse" && says "no launcher 'no-such-vm'"
point "an unknown VM"
gives 2 --only memory.lost "$misuse" && says "no rule 'memory.lost'"
point "an unknown rule"
gives 2 --report out.html "$misuse" && says "not 'out.html'"
point "an unknown kind of report"
gives 2 --report no/such/out.json "$misuse" && says "no folder for 'no/such/out.json'"
point "a report in no folder"
gives 2 --suppress no-file "$misuse" && says "cannot read 'no-file'"
point "no file of suppressions"
gives 2 --fail-on often "$misuse" && says "not 'often'"
point "an unknown severity"
gives 2 --timeout soon "$misuse" && says "not 'soon'"
point "no number of seconds"
gives 2 --watchdog -1 "$misuse" && says "not '-1'"
point "no number for the watchdog"
gives 2 --frobnicate "$misuse" && says "no option '--frobnicate'"
point "an unknown option"
gives 2 --vm && says -- '--vm wants a value'
point "an option without its value"

# -- choosing --
gives 0 --only phase,memory.leak "$misuse=memory.free,wrong" -- -cp . Target &&
    ! says 'memory.free\]'
point "other rules only"
gives 70 --only memory "$misuse=memory.free,wrong" -- -cp . Target
point "a family"
printf '# ours\nmemory.free free free_*\n' >suppressed
gives 0 --suppress suppressed "$misuse=memory.free,wrong" -- -cp . Target &&
    ! says 'memory.free\]'
point "suppressed by the function of the frame"
echo 'memory.* * libother.so' >suppressed
gives 70 --suppress suppressed "$misuse=memory.free,wrong" -- -cp . Target
point "not suppressed in another library"
gives 70 --poison "$misuse=memory.output-after-error,wrong" -- -cp . Target
point "poison"

# -- reports --
gives 70 --report r.json "$misuse=memory.free,wrong" -- -cp . Target &&
    grep -q '"rule": "memory.free"' r.json && grep -q '"severity": "error"' r.json &&
    grep -q '"function": "free"' r.json && grep -q '"thread": "main"' r.json &&
    grep -q '"section": "Memory Management"' r.json && grep -q '"count": 1' r.json &&
    grep -q '"free_it+0x' r.json
point "JSON"
gives 0 --report none.json "$misuse=memory.free,right" -- -cp . Target &&
    [ "$(tr -d ' \n' <none.json | sed 's/"rule":"[a-z.-]*","severity":"advice"//g' |
        grep -c '"severity"')" = 0 ] && grep -q '"findings": \[' none.json
point "JSON without findings"
gives 0 --report none.sarif --only memory "$misuse=memory.free,right" -- -cp . Target &&
    tr -d ' \n' <none.sarif | grep -q '"results":\[\]' &&
    gives 0 --report none.tap "$misuse=memory.free,right" -- -cp . Target &&
    grep -q '^1\.\.[1-9]' none.tap && ! grep -q '^not ok' none.tap &&
    gives 0 --report none.xml "$misuse=memory.free,right" -- -cp . Target &&
    grep -q 'failures="0"' none.xml && ! grep -q '<failure' none.xml
point "SARIF, TAP and JUnit without findings"
gives 70 --report r.sarif "$misuse=memory.free,wrong" -- -cp . Target &&
    grep -q '"ruleId": "memory.free"' r.sarif && grep -q '"version": "2.1.0"' r.sarif
point "SARIF"
gives 70 --report r.tap "$misuse=memory.free,wrong" -- -cp . Target &&
    [ "$(grep -c '^ok' r.tap)" = $(($(sed -n 's/^1\.\.//p' r.tap) - 1)) ] &&
    grep -q '^not ok [0-9]* - memory.free$' r.tap
point "TAP"
gives 70 --report r.xml "$misuse=memory.free,wrong" -- -cp . Target &&
    grep -q 'failures="1"' r.xml && grep -q 'message="free() was given' r.xml &&
    { ! command -v xmllint >/dev/null || xmllint --noout r.xml 2>>out; }
point "JUnit"
cat >options.c <<'END'
#include <jvmti.h>
#include <stdio.h>

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    printf("options '%s'\n", options);
    fflush(stdout);
    return 0;
}
END
${CC:-cc} -shared -fPIC -I"$build/sdk/include" -o liboptions.so options.c || exit 1
gives 0 './liboptions.so=a=1,options=b,report=c' -- -cp . Target &&
    says "^options 'a=1,options=b,report=c'$"
point "the agent's options, commas included"
gives 0 ./liboptions.so -- -cp . Target && says "^options ''$"
point "no options"

timeout 60 "$tiforge" explain memory.free >out 2>&1 && says 'rule of tiforge check, error' &&
    says 'free\(info.name\)'
point "a rule explained"
echo "1..$count"
