/* SPDX-License-Identifier: @license@ */
/* @copyright@ */
/*
 * An agent that says which VM it is in, counts the threads that start, and sums up when
 * the VM ends.
 */
//c #include <string.h>
//c++ #include <cstring>

#include <tiforge/tiforge.h>

static char *greeting = (char *)"hello";
static const struct tf_option options[] = {
    { "greeting", TF_TEXT, &greeting, NULL, 0, 0, "what to say at the start", NULL }
};

static struct tf_gate gate;
static unsigned threads;

/* A system property as a part of a line; "?" if there is none. */
static void
add_property(struct tf_buffer *out, jvmtiEnv *jvmti, const char *name)
{
    char *value = NULL;

    if (TF_TABLE(jvmti)->GetSystemProperty(jvmti, name, &value) != JVMTI_ERROR_NONE)
        tf_buffer_text(out, "?");
    else
        tf_buffer_printable(out, value, strlen(value));
    tf_deallocate(jvmti, value);
}

static void JNICALL
on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    struct tf_buffer line;

    (void)jni;
    (void)thread;
    tf_buffer_init(&line);
    tf_buffer_format(&line, "%s from ", greeting);
    add_property(&line, jvmti, "java.vm.name");
    tf_buffer_text(&line, " ");
    add_property(&line, jvmti, "java.vm.version");
    printf("@name@: %s\n", tf_buffer_string(&line));
    fflush(stdout);
    tf_buffer_release(&line);
}

static void JNICALL
on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jvmti;
    (void)jni;
    (void)thread;
    if (!tf_gate_enter(&gate))
        return;
    __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
    tf_gate_leave(&gate);
}

/* The last event (JVM TI "VM Death Event"); callbacks of other threads may still run
   until the gate is closed. */
static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti;
    (void)jni;
    tf_gate_close(&gate, 1000);
    printf("@name@: goodbye, %u threads started\n", threads);
    fflush(stdout);
}

static enum tf_outcome
start(struct tf_agent *agent)
{
    jvmtiEnv *jvmti = agent->jvmti;
    jvmtiEventCallbacks callbacks;
    enum tf_outcome outcome = tf_agent_options(agent, "@about@.", options,
                                               sizeof options / sizeof *options);

    if (outcome != TF_RUN)
        return outcome;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = on_vm_init;
    callbacks.ThreadStart = on_thread_start;
    callbacks.VMDeath = on_vm_death;
    if (!TF_CALL(jvmti, SetEventCallbacks, (jvmti, &callbacks, sizeof callbacks))
        || !tf_events_enable(jvmti, JVMTI_EVENT_VM_INIT, JVMTI_EVENT_THREAD_START,
                             JVMTI_EVENT_VM_DEATH, 0))
        return TF_FAILED;
    /* Attached later, there will be no VMInit. */
    if (agent->attached)
        on_vm_init(jvmti, agent->jni, NULL);
    return TF_RUN;
}

TF_AGENT("@name@", JVMTI_VERSION_1_0, start);
