/* SPDX-License-Identifier: @license@ */
/* @copyright@ */
/*
 * Logs exceptions when they are thrown (JVM TI "Exception"): class, place, and the
 * method that will catch it. Sums them up by class in the end.
 */
//c #include <stdlib.h>
//c #include <string.h>
//c++ #include <cstdlib>
//c++ #include <cstring>

#include <tiforge/tiforge.h>

struct row {
    struct row *next;
    unsigned long long thrown, uncaught;
    char name[];
};

static struct row *rows;
static unsigned long long logged;
static struct tf_monitor lock;      /* of both */
static struct tf_gate gate;

enum { ALL, UNCAUGHT };
static int which = ALL;
static char **include, **exclude;
static long long limit = 1000;
static const struct tf_option options[] = {
    { "which", TF_CHOICE, &which, "all|uncaught", 0, 0, "which to log", NULL },
    { "include", TF_LIST, &include, NULL, 0, 0, "classes of exceptions to log", NULL },
    { "exclude", TF_LIST, &exclude, NULL, 0, 0, "classes to leave out", NULL },
    { "limit", TF_INT, &limit, NULL, 0, 1000000000, "lines to write", NULL }
};

static void
count_exception(const char *name, bool uncaught)
{
    struct row **link, *row;
    size_t length = strlen(name);

    for (link = &rows; *link != NULL && strcmp((*link)->name, name) != 0; )
        link = &(*link)->next;
    if (*link == NULL) {
        row = (struct row *)malloc(sizeof *row + length + 1);
        if (row == NULL)
            return;
        memset(row, 0, sizeof *row);
        memcpy(row->name, name, length + 1);
        *link = row;
    }
    (*link)->thrown++;
    (*link)->uncaught += uncaught;
}

/* "uncaught" as far as Java frames go: a native method may still look for it, and the
   thread's handler comes last. */
static void JNICALL
on_exception(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
             jlocation location, jobject exception, jmethodID catch_method,
             jlocation catch_location)
{
    struct tf_buffer name, line;
    bool uncaught = catch_method == NULL;
    jclass klass;

    (void)thread;
    if ((which == UNCAUGHT && !uncaught) || !tf_gate_enter(&gate))
        return;
    tf_buffer_init(&name);
    tf_buffer_init(&line);
    klass = TF_TABLE(jni)->GetObjectClass(jni, exception);
    tf_name_class(&name, jvmti, klass);
    TF_TABLE(jni)->DeleteLocalRef(jni, klass);
    if (tf_name_wanted(include, exclude, tf_buffer_string(&name))) {
        tf_buffer_format(&line, "@name@: %s at ", tf_buffer_string(&name));
        tf_name_frame(&line, jvmti, jni, method, location);
        tf_buffer_text(&line, uncaught ? ", not caught" : ", caught at ");
        if (!uncaught)
            tf_name_frame(&line, jvmti, jni, catch_method, catch_location);
        tf_buffer_text(&line, "\n");
        if (tf_monitor_enter(&lock)) {
            count_exception(tf_buffer_string(&name), uncaught);
            if (logged++ < (unsigned long long)limit) {
                fputs(tf_buffer_string(&line), stdout);
                fflush(stdout);
            }
            tf_monitor_exit(&lock);
        }
    }
    tf_buffer_release(&line);
    tf_buffer_release(&name);
    tf_gate_leave(&gate);
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
    printf("@name@: thrown uncaught class\n");
    for (struct row *row = rows; row != NULL; row = row->next)
        printf("@name@: %llu %llu %s\n", row->thrown, row->uncaught, row->name);
    fflush(stdout);
}

/* Before, the VM throws exceptions of its own. */
static void JNICALL
on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jni;
    (void)thread;
    tf_events_enable(jvmti, JVMTI_EVENT_EXCEPTION, 0);
}

static enum tf_outcome
start(struct tf_agent *agent)
{
    jvmtiEnv *jvmti = agent->jvmti;
    jvmtiCapabilities required, wanted;
    jvmtiEventCallbacks callbacks;
    enum tf_outcome outcome = tf_agent_options(agent, "@about@.", options,
                                               sizeof options / sizeof *options);

    if (outcome != TF_RUN)
        return outcome;
    memset(&required, 0, sizeof required);
    memset(&wanted, 0, sizeof wanted);
    required.can_generate_exception_events = 1;
    wanted.can_get_line_numbers = 1;
    wanted.can_get_source_file_name = 1;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = on_vm_init;
    callbacks.VMDeath = on_vm_death;
    callbacks.Exception = on_exception;
    if (!tf_capabilities_add(jvmti, &required, &wanted, NULL)
        || !tf_monitor_init(&lock, jvmti, "@name@")
        || !TF_CALL(jvmti, SetEventCallbacks, (jvmti, &callbacks, sizeof callbacks))
        || !tf_events_enable(jvmti, JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH, 0))
        return TF_FAILED;
    if (agent->attached)
        on_vm_init(jvmti, agent->jni, NULL);
    return TF_RUN;
}

TF_AGENT("@name@", JVMTI_VERSION_1_0, start);
