/* SPDX-License-Identifier: @license@ */
/* @copyright@ */
/*
 * A histogram of the heap: objects and bytes of each class (JVM TI "Iterate Through
 * Heap"), when the VM ends, on SIGQUIT ("Data Dump Request"), or after each collection.
 *
 * The heap callback may call neither JVM TI nor JNI, so all it can know of a class is a
 * number, its tag: classes are tagged before. The same holds for the events of the
 * collector, so the walk that one asks for is done by a thread of the agent's own.
 */
//c #include <stdlib.h>
//c #include <string.h>
//c++ #include <cstdlib>
//c++ #include <cstring>

#include <tiforge/tiforge.h>

struct row {
    char *name;
    unsigned long long objects, bytes;
};

struct histogram {
    struct row *rows;       /* by tag - 1 */
    jint count;
    unsigned long long objects, bytes;
};

static JavaVM *java_vm;
static struct tf_monitor lock;      /* one histogram at a time: a class has one tag */

static struct tf_worker *worker;    /* for on=gc */

enum { ON_EXIT, ON_SIGNAL, ON_BOTH, ON_GC };
static int on = ON_BOTH;
static char **include;
static long long top = 20;
static char *file = (char *)"-";
static const struct tf_option options[] = {
    { "on", TF_CHOICE, &on, "exit|signal|both|gc", 0, 0, "when to look", NULL },
    { "include", TF_LIST, &include, NULL, 0, 0, "classes to report", NULL },
    { "top", TF_INT, &top, NULL, 1, 10000000, "how many classes", NULL },
    { "file", TF_PATH, &file, NULL, 0, 0, "where to write to, - for the output", NULL }
};

static jint JNICALL
count_object(jlong class_tag, jlong size, jlong *tag, jint length, void *user_data)
{
    struct histogram *histogram = (struct histogram *)user_data;

    (void)tag;
    (void)length;
    histogram->objects++;
    histogram->bytes += (unsigned long long)size;
    /* Classes that were loaded meanwhile have no tag. */
    if (class_tag >= 1 && class_tag <= histogram->count) {
        histogram->rows[class_tag - 1].objects++;
        histogram->rows[class_tag - 1].bytes += (unsigned long long)size;
    }
    return JVMTI_VISIT_OBJECTS;
}

/* Name and tag all classes; tag 0 takes the tags away again. */
static void
tag_classes(jvmtiEnv *jvmti, jclass *classes, struct histogram *histogram, bool tag)
{
    for (jint i = 0; i < histogram->count; i++) {
        struct tf_buffer name;

        TF_CALL(jvmti, SetTag, (jvmti, classes[i], tag ? i + 1 : 0));
        if (!tag)
            continue;
        tf_buffer_init(&name);
        tf_name_class(&name, jvmti, classes[i]);
        histogram->rows[i].name = tf_buffer_take(&name);
    }
}

static int
compare(const void *a, const void *b)
{
    const struct row *x = (const struct row *)a, *y = (const struct row *)b;

    return x->bytes != y->bytes ? (x->bytes < y->bytes ? 1 : -1)
        : strcmp(x->name, y->name);
}

static void
report(struct histogram *histogram)
{
    struct tf_output *output = tf_output_open(file);
    FILE *stream;
    long long rank = 0;

    if (output == NULL)
        return;
    stream = tf_output_stream(output);
    fprintf(stream, "@name@: objects bytes class\n");
    for (jint i = 0; i < histogram->count && rank < top; i++) {
        struct row *row = &histogram->rows[i];

        if (row->objects == 0 || !tf_name_wanted(include, NULL, row->name))
            continue;
        fprintf(stream, "@name@: %llu %llu %s\n", row->objects, row->bytes, row->name);
        rank++;
    }
    fprintf(stream, "@name@: %llu %llu total\n", histogram->objects, histogram->bytes);
    tf_output_commit(output);
}

static void
walk(jvmtiEnv *jvmti, JNIEnv *jni)
{
    struct histogram histogram = { NULL, 0, 0, 0 };
    jvmtiHeapCallbacks callbacks;
    jclass *classes = NULL;
    bool complete = true;

    if (!tf_monitor_enter(&lock))
        return;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.heap_iteration_callback = count_object;
    if (TF_CALL(jvmti, GetLoadedClasses, (jvmti, &histogram.count, &classes)))
        histogram.rows = (struct row *)calloc((size_t)histogram.count + 1,
                                              sizeof *histogram.rows);
    if (histogram.rows != NULL) {
        tag_classes(jvmti, classes, &histogram, true);
        if (TF_CALL(jvmti, IterateThroughHeap,
                    (jvmti, 0, NULL, &callbacks, &histogram))) {
            for (jint i = 0; i < histogram.count; i++)
                complete = complete && histogram.rows[i].name != NULL;
            if (complete)
                qsort(histogram.rows, (size_t)histogram.count, sizeof *histogram.rows,
                      compare);
            if (complete)
                report(&histogram);
            else
                tf_error("out of memory");
        }
        tag_classes(jvmti, classes, &histogram, false);
    }
    for (jint i = 0; histogram.rows != NULL && i < histogram.count; i++)
        free(histogram.rows[i].name);
    free(histogram.rows);
    tf_release_references(jvmti, jni, (jobject *)classes, histogram.count);
    tf_monitor_exit(&lock);
}

/* The event brings no JNI environment along (JVM TI "Data Dump Request"). */
static void JNICALL
on_data_dump(jvmtiEnv *jvmti)
{
    bool detach;
    JNIEnv *jni = tf_jni(java_vm, "@name@", &detach);

    if (jni == NULL)
        return;
    walk(jvmti, jni);
    if (detach)
        TF_TABLE(java_vm)->DetachCurrentThread(java_vm);
}

static void
deferred_walk(jvmtiEnv *jvmti, JNIEnv *jni, void *argument)
{
    (void)argument;
    walk(jvmti, jni);
}

/* The VM is stopped here (JVM TI "Garbage Collection Finish"). Collections that come
   while one walk waits already are answered by that one: the queue is short. */
static void JNICALL
on_gc_finish(jvmtiEnv *jvmti)
{
    (void)jvmti;
    tf_worker_post(worker, deferred_walk, NULL);
}

/* The first moment when a thread can be started. */
static void JNICALL
on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)thread;
    if (tf_worker_start(worker, jni, "@name@"))
        tf_events_enable(jvmti, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, 0);
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    if (worker != NULL) {
        if (!tf_worker_stop(worker, 10000))
            tf_warning("a walk does not end");
    } else
        walk(jvmti, jni);
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
    java_vm = agent->vm;
    memset(&required, 0, sizeof required);
    required.can_tag_objects = 1;
    if (on == ON_GC) {
        required.can_generate_garbage_collection_events = 1;
        worker = tf_worker_new(jvmti, 2);
        if (worker == NULL)
            return TF_FAILED;
    }
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMInit = on_vm_init;
    callbacks.VMDeath = on_vm_death;
    callbacks.GarbageCollectionFinish = on_gc_finish;
    callbacks.DataDumpRequest = on_data_dump;
    if (!tf_capabilities_add(jvmti, &required, NULL, NULL)
        || !tf_monitor_init(&lock, jvmti, "@name@")
        || !TF_CALL(jvmti, SetEventCallbacks, (jvmti, &callbacks, sizeof callbacks))
        || (on != ON_SIGNAL && !tf_events_enable(jvmti, JVMTI_EVENT_VM_DEATH, 0))
        || ((on == ON_SIGNAL || on == ON_BOTH)
            && !tf_events_enable(jvmti, JVMTI_EVENT_DATA_DUMP_REQUEST, 0))
        || (on == ON_GC && !tf_events_enable(jvmti, JVMTI_EVENT_VM_INIT, 0)))
        return TF_FAILED;
    if (on == ON_GC && agent->attached)
        on_vm_init(jvmti, agent->jni, NULL);
    return TF_RUN;
}

/* IterateThroughHeap came with 1.1. */
TF_AGENT("@name@", JVMTI_VERSION_1_1, start);
