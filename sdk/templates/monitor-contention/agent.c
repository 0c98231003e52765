/* SPDX-License-Identifier: @license@ */
/* @copyright@ */
/*
 * How often and how long threads are blocked at monitors (JVM TI "Monitor Contended
 * Enter" and "Entered"), and wait ("Monitor Wait", "Waited"), by the monitor's class.
 *
 * A thread is blocked at one monitor at a time, so its thread local storage is room
 * enough for the time when it began; it is the thread's even where virtual threads
 * change the thread of the system that they run on.
 */
//c #include <stdlib.h>
//c #include <string.h>
//c++ #include <cstdlib>
//c++ #include <cstring>

#include <inttypes.h>

#include <tiforge/tiforge.h>

struct times {
    unsigned long long count;
    jlong total, longest;       /* nanoseconds */
};

struct row {
    struct row *next;
    struct times blocked, waited;
    char name[];
};

static struct row *rows;
static struct tf_monitor lock;  /* of the rows; raw monitors are not reported */
static struct tf_gate gate;

static char **include;
static const struct tf_option options[] = {
    { "include", TF_LIST, &include, NULL, 0, 0, "classes of monitors", NULL }
};

static void
begin(jvmtiEnv *jvmti, jthread thread)
{
    jlong now;

    if (!tf_gate_enter(&gate))
        return;
    if (TF_CALL(jvmti, GetTime, (jvmti, &now)))
        TF_CALL(jvmti, SetThreadLocalStorage, (jvmti, thread, (void *)(intptr_t)now));
    tf_gate_leave(&gate);
}

static struct row *
find_row(const char *name)
{
    size_t length = strlen(name);
    struct row *row = rows;

    while (row != NULL && strcmp(row->name, name) != 0)
        row = row->next;
    if (row == NULL) {
        row = (struct row *)malloc(sizeof *row + length + 1);
        if (row == NULL)
            return NULL;
        memset(row, 0, sizeof *row);
        memcpy(row->name, name, length + 1);
        row->next = rows;
        rows = row;
    }
    return row;
}

static void
end(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object, bool waited)
{
    struct tf_buffer name;
    struct row *row;
    struct times *times;
    void *storage = NULL;
    jclass klass;
    jlong now;

    if (!tf_gate_enter(&gate))
        return;
    /* Without a beginning it began before the agent did. */
    if (TF_CALL(jvmti, GetTime, (jvmti, &now))
        && TF_CALL(jvmti, GetThreadLocalStorage, (jvmti, thread, &storage))
        && storage != NULL) {
        TF_CALL(jvmti, SetThreadLocalStorage, (jvmti, thread, NULL));
        now -= (jlong)(intptr_t)storage;
        tf_buffer_init(&name);
        klass = TF_TABLE(jni)->GetObjectClass(jni, object);
        tf_name_class(&name, jvmti, klass);
        TF_TABLE(jni)->DeleteLocalRef(jni, klass);
        if (tf_name_wanted(include, NULL, tf_buffer_string(&name))
            && tf_monitor_enter(&lock)) {
            row = find_row(tf_buffer_string(&name));
            if (row != NULL) {
                times = waited ? &row->waited : &row->blocked;
                times->count++;
                times->total += now;
                times->longest = now > times->longest ? now : times->longest;
            }
            tf_monitor_exit(&lock);
        }
        tf_buffer_release(&name);
    }
    tf_gate_leave(&gate);
}

static void JNICALL
on_contended_enter(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object)
{
    (void)jni;
    (void)object;
    begin(jvmti, thread);
}

static void JNICALL
on_contended_entered(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object)
{
    end(jvmti, jni, thread, object, false);
}

static void JNICALL
on_wait(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object, jlong timeout)
{
    (void)jni;
    (void)object;
    (void)timeout;
    begin(jvmti, thread);
}

/* Waited comes when the monitor is entered again; should that block, it did so without
   an event of its own. */
static void JNICALL
on_waited(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object,
          jboolean timed_out)
{
    (void)timed_out;
    end(jvmti, jni, thread, object, true);
}

static void
print(const char *what, const struct times *times, const char *name)
{
    if (times->count > 0)
        printf("@name@: %s %llu times, %" PRId64 " us, longest %" PRId64 " us: %s\n",
               what, times->count, (int64_t)times->total / 1000,
               (int64_t)times->longest / 1000, name);
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti;
    (void)jni;
    if (tf_gate_close(&gate, 2000))
        tf_monitor_release(&lock);
    else
        tf_warning("some callbacks did not end");
    for (struct row *row = rows; row != NULL; row = row->next) {
        print("blocked", &row->blocked, row->name);
        print("waited", &row->waited, row->name);
    }
    printf("@name@: end\n");
    fflush(stdout);
}

/* Before, GetTime and thread local storage are not to be had everywhere. */
static void JNICALL
on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jni;
    (void)thread;
    tf_events_enable(jvmti, JVMTI_EVENT_MONITOR_CONTENDED_ENTER,
                     JVMTI_EVENT_MONITOR_CONTENDED_ENTERED, JVMTI_EVENT_MONITOR_WAIT,
                     JVMTI_EVENT_MONITOR_WAITED, 0);
}

static enum tf_outcome
start(struct tf_agent *agent)
{
    jvmtiEnv *jvmti = agent->jvmti;
    jvmtiCapabilities required;
    jvmtiEventCallbacks callbacks;
    enum tf_outcome outcome = tf_agent_options(agent, "@about@.", options,
                                               sizeof options / sizeof *options);

    if (outcome != TF_RUN)
        return outcome;
    memset(&required, 0, sizeof required);
    required.can_generate_monitor_events = 1;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = on_vm_init;
    callbacks.VMDeath = on_vm_death;
    callbacks.MonitorContendedEnter = on_contended_enter;
    callbacks.MonitorContendedEntered = on_contended_entered;
    callbacks.MonitorWait = on_wait;
    callbacks.MonitorWaited = on_waited;
    if (!tf_capabilities_add(jvmti, &required, NULL, NULL)
        || !tf_monitor_init(&lock, jvmti, "@name@")
        || !TF_CALL(jvmti, SetEventCallbacks, (jvmti, &callbacks, sizeof callbacks))
        || !tf_events_enable(jvmti, JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH, 0))
        return TF_FAILED;
    if (agent->attached)
        on_vm_init(jvmti, agent->jni, NULL);
    return TF_RUN;
}

TF_AGENT("@name@", JVMTI_VERSION_1_0, start);
