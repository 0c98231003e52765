#!/bin/sh
# SPDX-License-Identifier: MIT
# tiforge test --check, --faults and --stress: a project's tests with the checking layer.
command=test
. "${top_srcdir:?}/layer/test/command.sh"

"$tiforge" new --dir good good >out 2>&1 && "$tiforge" new --dir bad bad >>out 2>&1 ||
    { cat out; exit 1; }

# A leak, and an error of GetSystemProperty that is not looked at.
cat >bad/src/agent.c <<'END'
#include <jvmti.h>
#include <string.h>

static void JNICALL
on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    char *name = NULL;
    jint count;
    jthread *threads;

    (void)jni, (void)thread;
    (*jvmti)->GetAllThreads(jvmti, &count, &threads);
    threads = NULL;
    (*jvmti)->GetSystemProperty(jvmti, "java.vm.name", &name);
    if (strlen(name) == 0)
        return;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiEventCallbacks callbacks = { .VMInit = on_vm_init };
    jvmtiEnv *jvmti;

    (void)options, (void)reserved;
    (*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_0);
    return (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks)
        || (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT,
                                              NULL);
}
END
cat >bad/t/agent.t <<'END'
. "$(dirname "$0")/lib.sh"
compile
run '' Target
is 'the program ends well' $status 0
done_testing
END

timeout 600 "$tiforge" test --check good >out 2>&1
[ $? = 0 ] && says '^minivm: 11 passed, 0 failed' && says '^HotSpot [0-9].*: 11 passed, 0 failed'
point "a template breaks no rule, on both VMs"
gives 0 --vm minivm bad && says '^minivm: 1 passed, 0 failed'
point "an agent with a mistake passes its tests"
gives 1 --check --vm minivm bad &&
    says '^not ok - agent.t: breaks no rule of tiforge check$' &&
    says 'error: .*GetAllThreads allocated.*\[memory.leak\]'
point "but not with --check"

sed -i '/threads = NULL/s/.*/    (*jvmti)->Deallocate(jvmti, (unsigned char *)threads);/' \
    bad/src/agent.c
timeout 600 "$tiforge" test --faults bad >out 2>&1
[ $? = 1 ] && says '^not ok - GetSystemProperty fails with OUT_OF_MEMORY$' &&
    says '^  # a crash \(status 13[49]\)$'
point "a fault that the agent does not survive"
sed -i 's/^    char \*name = NULL;/    char *name = (char *)"";/; s/^    jthread \*threads;/    jthread *threads = NULL;/' \
    bad/src/agent.c
timeout 600 "$tiforge" test --faults bad >out 2>&1
[ $? = 0 ] && says '^minivm: [1-9][0-9]* faults, 0 of them not survived$'
point "and one that does"
timeout 600 "$tiforge" test --stress --seed 7 bad >out 2>&1
[ $? = 0 ] && says '^minivm: 3 runs with the seed 7, 0 of them not survived$'
point "an agent that is disturbed"
gives 2 --stress --seed x bad && says "not 'x'"
point "no seed"
gives 2 --faults --nth 0 bad && says "not '0'"
point "no number of a call"
echo "1..$count"
