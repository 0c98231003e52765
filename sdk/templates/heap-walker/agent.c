/* SPDX-License-Identifier: @license@ */
/* @copyright@ */
/*
 * A histogram of the heap: objects and bytes of each class (JVM TI "Iterate Through
 * Heap"), when the VM ends and on SIGQUIT ("Data Dump Request").
 *
 * The heap callback may call neither JVM TI nor JNI, so all it can know of a class is a
 * number, its tag: classes are tagged before.
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
static struct tf_monitor lock;      /* one histogram at a time: there is one tag a class */

enum { ON_EXIT, ON_SIGNAL, ON_BOTH };
static int on = ON_BOTH;
static char **include;
static long long top = 20;
static char *file = (char *)"-";
static const struct tf_option options[] = {
    { "on", TF_CHOICE, &on, "exit|signal|both", 0, 0, "when to look", NULL },
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
        if (TF_CALL(jvmti, IterateThroughHeap, (jvmti, 0, NULL, &callbacks, &histogram))) {
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

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
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
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMDeath = on_vm_death;
    callbacks.DataDumpRequest = on_data_dump;
    if (!tf_capabilities_add(jvmti, &required, NULL, NULL)
        || !tf_monitor_init(&lock, jvmti, "@name@")
        || !TF_CALL(jvmti, SetEventCallbacks, (jvmti, &callbacks, sizeof callbacks))
        || (on != ON_SIGNAL && !tf_events_enable(jvmti, JVMTI_EVENT_VM_DEATH, 0))
        || (on != ON_EXIT && !tf_events_enable(jvmti, JVMTI_EVENT_DATA_DUMP_REQUEST, 0)))
        return TF_FAILED;
    return TF_RUN;
}

/* IterateThroughHeap came with 1.1. */
TF_AGENT("@name@", JVMTI_VERSION_1_1, start);
