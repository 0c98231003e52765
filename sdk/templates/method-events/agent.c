/* SPDX-License-Identifier: @license@ */
/* @copyright@ */
/*
 * Counts entries of methods, and exits by an exception (JVM TI "Method Entry", "Method
 * Exit").
 *
 * The events come for every method of every thread, so a callback must not do more than
 * it has to: the names of a method are asked for once, when it is first seen, and a
 * table without locks remembers whether somebody wants to know of it. Nothing is kept for
 * a thread, so calls of virtual threads count as those of others, whatever runs them.
 */
//c #include <stdlib.h>
//c #include <string.h>
//c++ #include <cstdlib>
//c++ #include <cstring>

#include <tiforge/tiforge.h>

#define TABLE_SIZE 65536    /* methods; a power of two */

struct entry {
    jmethodID method;           /* NULL: free; set once */
    char *name;                 /* NULL: nobody wants it; valid once known is set */
    int known;
    unsigned long long calls, thrown;
};

static struct entry table[TABLE_SIZE];
static unsigned used, dropped;
static struct tf_gate gate;

static char *default_exclude[] = {
    (char *)"java.*", (char *)"jdk.*", (char *)"sun.*", NULL
};
static char **include;
static char **exclude = default_exclude;
static long long top = 20;
static const struct tf_option options[] = {
    { "include", TF_LIST, &include, NULL, 0, 0, "methods to count", NULL },
    { "exclude", TF_LIST, &exclude, NULL, 0, 0, "methods to leave out", NULL },
    { "top", TF_INT, &top, NULL, 1, 1000000, "how many to report", NULL }
};

/* The name under which a new method is reported; NULL if it is not wanted. */
static char *
wanted_name(jvmtiEnv *jvmti, JNIEnv *jni, jmethodID method)
{
    struct tf_buffer name;

    tf_buffer_init(&name);
    if (!tf_name_method(&name, jvmti, jni, method, TF_METHOD_PARAMETERS)
        || !tf_name_wanted(include, exclude, tf_buffer_string(&name))) {
        tf_buffer_release(&name);
        return NULL;
    }
    return tf_buffer_take(&name);
}

/* The method's entry, NULL if it is not wanted or the table is full. */
static struct entry *
find_entry(jvmtiEnv *jvmti, JNIEnv *jni, jmethodID method)
{
    size_t i = ((size_t)method >> 3) * 2654435761u % TABLE_SIZE;

    for (;; i = (i + 1) % TABLE_SIZE) {
        struct entry *entry = &table[i];
        jmethodID seen = __atomic_load_n(&entry->method, __ATOMIC_ACQUIRE);

        if (seen == NULL) {
            if (__atomic_load_n(&used, __ATOMIC_RELAXED) > TABLE_SIZE * 3 / 4) {
                __atomic_fetch_add(&dropped, 1, __ATOMIC_RELAXED);
                return NULL;
            }
            if (!__atomic_compare_exchange_n(&entry->method, &seen, method, false,
                                             __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
                if (seen != method)
                    continue;
            } else {
                __atomic_fetch_add(&used, 1, __ATOMIC_RELAXED);
                entry->name = wanted_name(jvmti, jni, method);
                __atomic_store_n(&entry->known, 1, __ATOMIC_RELEASE);
            }
        } else if (seen != method)
            continue;
        /* Whoever comes while the name is being asked for counts, too: later it shows
           whether somebody wanted it. */
        if (__atomic_load_n(&entry->known, __ATOMIC_ACQUIRE) && entry->name == NULL)
            return NULL;
        return entry;
    }
}

static void JNICALL
on_method_entry(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method)
{
    struct entry *entry;

    (void)thread;
    if (!tf_gate_enter(&gate))
        return;
    entry = find_entry(jvmti, jni, method);
    if (entry != NULL)
        __atomic_fetch_add(&entry->calls, 1, __ATOMIC_RELAXED);
    tf_gate_leave(&gate);
}

static void JNICALL
on_method_exit(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
        jboolean was_popped_by_exception, jvalue return_value)
{
    struct entry *entry;

    (void)thread;
    (void)return_value;
    if (!was_popped_by_exception || !tf_gate_enter(&gate))
        return;
    entry = find_entry(jvmti, jni, method);
    if (entry != NULL)
        __atomic_fetch_add(&entry->thrown, 1, __ATOMIC_RELAXED);
    tf_gate_leave(&gate);
}

static int
compare(const void *a, const void *b)
{
    const struct entry *x = (const struct entry *)a, *y = (const struct entry *)b;

    if ((x->name == NULL) != (y->name == NULL))
        return x->name == NULL ? 1 : -1;
    if (x->name == NULL)
        return 0;
    return x->calls != y->calls ? (x->calls < y->calls ? 1 : -1)
        : strcmp(x->name, y->name);
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jni;
    tf_events_disable(jvmti, JVMTI_EVENT_METHOD_ENTRY, JVMTI_EVENT_METHOD_EXIT, 0);
    if (!tf_gate_close(&gate, 2000))
        tf_warning("some callbacks did not end");
    qsort(table, TABLE_SIZE, sizeof *table, compare);
    printf("@name@: calls thrown method\n");
    for (int i = 0; i < TABLE_SIZE && i < top && table[i].name != NULL; i++)
        printf("@name@: %llu %llu %s\n", table[i].calls, table[i].thrown,
               table[i].name);
    if (dropped > 0)
        printf("@name@: %u events of further methods were not counted\n", dropped);
    fflush(stdout);
}

/* Not before: the VM is not ready to be asked for names in each callback. */
static void JNICALL
on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jni;
    (void)thread;
    tf_events_enable(jvmti, JVMTI_EVENT_METHOD_ENTRY, JVMTI_EVENT_METHOD_EXIT, 0);
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
    required.can_generate_method_entry_events = 1;
    required.can_generate_method_exit_events = 1;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = on_vm_init;
    callbacks.VMDeath = on_vm_death;
    callbacks.MethodEntry = on_method_entry;
    callbacks.MethodExit = on_method_exit;
    if (!tf_capabilities_add(jvmti, &required, NULL, NULL)
        || !TF_CALL(jvmti, SetEventCallbacks, (jvmti, &callbacks, sizeof callbacks))
        || !tf_events_enable(jvmti, JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH, 0))
        return TF_FAILED;
    if (agent->attached)
        on_vm_init(jvmti, agent->jni, NULL);
    return TF_RUN;
}

TF_AGENT("@name@", JVMTI_VERSION_1_0, start);
