/* SPDX-License-Identifier: @license@ */
/* @copyright@ */
/*
 * An agent that is started with the VM or attached later, and stopped by attaching it
 * once more with `stop`. The library stays loaded: the VM never unloads one, so what
 * the agent leaves behind is what it has to clean up itself.
 */
//c #include <stdlib.h>
//c #include <string.h>
//c++ #include <cstdlib>
//c++ #include <cstring>

#include <tiforge/tiforge.h>

/* The running agent: starts and stops come one after the other, on the thread that
   attaches, but VMDeath may come at the same time. */
static struct {
    jvmtiEnv *jvmti;            /* NULL: it does not run */
    struct tf_gate gate;
    unsigned long long classes;
} running;

static bool stop;
static char **include;
static const struct tf_option options[] = {
    { "stop", TF_FLAG, &stop, NULL, 0, 0, "stop the agent that runs", NULL },
    { "include", TF_LIST, &include, NULL, 0, 0, "classes to count", NULL }
};

static void JNICALL
on_class_prepare(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass klass)
{
    struct tf_buffer name;

    (void)jni;
    (void)thread;
    if (!tf_gate_enter(&running.gate))
        return;
    tf_buffer_init(&name);
    if (tf_name_class(&name, jvmti, klass)
        && tf_name_wanted(include, NULL, tf_buffer_string(&name)))
        __atomic_fetch_add(&running.classes, 1, __ATOMIC_RELAXED);
    tf_buffer_release(&name);
    tf_gate_leave(&running.gate);
}

/* Take the running environment, so that only one of stop and VMDeath ends it. */
static jvmtiEnv *
take(void)
{
    return __atomic_exchange_n(&running.jvmti, (jvmtiEnv *)NULL, __ATOMIC_ACQ_REL);
}

static void
finish(jvmtiEnv *jvmti)
{
    tf_events_disable(jvmti, JVMTI_EVENT_CLASS_PREPARE, JVMTI_EVENT_VM_DEATH, 0);
    if (!tf_gate_close(&running.gate, 2000))
        tf_warning("some callbacks did not end");
    printf("@name@: stopped, %llu classes\n", running.classes);
    fflush(stdout);
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti;
    (void)jni;
    jvmti = take();
    if (jvmti != NULL)
        finish(jvmti);
}

/* Whatever belongs to the environment goes with it: capabilities, events, monitors. */
static enum tf_outcome
stop_agent(void)
{
    jvmtiEnv *jvmti = take();

    if (jvmti == NULL) {
        tf_error("the agent does not run");
        return TF_FAILED;
    }
    finish(jvmti);
    TF_CALL(jvmti, DisposeEnvironment, (jvmti));
    return TF_DONE;
}

static enum tf_outcome
start(struct tf_agent *agent)
{
    jvmtiEnv *jvmti = agent->jvmti, *none = NULL;
    jvmtiEventCallbacks callbacks;
    enum tf_outcome outcome;

    stop = false;
    outcome = tf_agent_options(agent, "@about@.", options,
                               sizeof options / sizeof *options);
    if (outcome != TF_RUN)
        return outcome;
    if (stop)
        return stop_agent();
    if (!__atomic_compare_exchange_n(&running.jvmti, &none, jvmti, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        tf_error("the agent runs already; stop ends it");
        return TF_FAILED;
    }
    running.classes = 0;
    tf_gate_open(&running.gate);
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.ClassPrepare = on_class_prepare;
    callbacks.VMDeath = on_vm_death;
    if (!TF_CALL(jvmti, SetEventCallbacks, (jvmti, &callbacks, sizeof callbacks))
        || !tf_events_enable(jvmti, JVMTI_EVENT_CLASS_PREPARE, JVMTI_EVENT_VM_DEATH,
                             0)) {
        take();
        return TF_FAILED;
    }
    printf("@name@: started%s\n", agent->attached ? " by attach" : "");
    fflush(stdout);
    return TF_RUN;
}

TF_AGENT("@name@", JVMTI_VERSION_1_0, start);
