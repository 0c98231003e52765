/* SPDX-License-Identifier: @license@ */
/* @copyright@ */
/*
 * Samples all threads' stacks from a thread of its own (JVM TI "Get All Stack Traces")
 * and writes them in the end as collapsed stacks, "main;p.C.m;p.C.n 12", which flame
 * graph tools read.
 *
 * Only threads that run are counted. Samples are taken at safepoints, so the agent
 * shows where time is spent, but not to the instruction. "Get All Stack Traces" tells of
 * platform threads alone: what virtual threads do is not in the samples.
 */
//c #include <stdlib.h>
//c #include <string.h>
//c++ #include <cstdlib>
//c++ #include <cstring>

#include <tiforge/tiforge.h>

#define BUCKETS 4096

/* A stack that was seen, as text. */
struct stack {
    struct stack *next;
    unsigned hash;
    unsigned long long count;
    char text[];
};

static struct stack *buckets[BUCKETS];
static unsigned long long samples, failed;
static struct tf_worker *worker;
static struct tf_monitor lock;      /* of stopping; notified when that is set */
static bool stopping;

static long long interval = 10 * 1000000LL;
static long long depth = 128;
static char *file = (char *)"-";
static const struct tf_option options[] = {
    { "interval", TF_DURATION, &interval, NULL, 1000000, 60 * 1000000000LL,
      "time between samples", NULL },
    { "depth", TF_INT, &depth, NULL, 1, 10000, "frames of a stack", NULL },
    { "file", TF_PATH, &file, NULL, 0, 0, "where to write to, - for the output", NULL }
};

static void
count_stack(const struct tf_buffer *line)
{
    const char *text = tf_buffer_string(line);
    struct stack **link, *stack;
    unsigned hash = 2166136261u;

    for (const char *c = text; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    for (link = &buckets[hash % BUCKETS]; *link != NULL; link = &(*link)->next)
        if ((*link)->hash == hash && strcmp((*link)->text, text) == 0) {
            (*link)->count++;
            return;
        }
    stack = (struct stack *)malloc(sizeof *stack + line->length + 1);
    if (stack == NULL) {
        failed++;
        return;
    }
    stack->next = NULL;
    stack->hash = hash;
    stack->count = 1;
    memcpy(stack->text, text, line->length + 1);
    *link = stack;
}

/* "thread;outermost;...;innermost" */
static void
add_sample(jvmtiEnv *jvmti, JNIEnv *jni, const jvmtiStackInfo *info)
{
    struct tf_buffer line;

    tf_buffer_init(&line);
    tf_name_thread(&line, jvmti, jni, info->thread);
    for (jint i = info->frame_count; i-- > 0; ) {
        tf_buffer_text(&line, ";");
        tf_name_method(&line, jvmti, jni, info->frame_buffer[i].method,
                       TF_METHOD_SHORT);
    }
    if (line.failed)
        failed++;
    else {
        count_stack(&line);
        samples++;
    }
    tf_buffer_release(&line);
}

static void
take_samples(jvmtiEnv *jvmti, JNIEnv *jni)
{
    jvmtiStackInfo *stacks = NULL;
    jint count = 0;

    if (!TF_CALL(jvmti, GetAllStackTraces, (jvmti, (jint)depth, &stacks, &count)))
        return;
    for (jint i = 0; i < count; i++) {
        if ((stacks[i].state & JVMTI_THREAD_STATE_RUNNABLE) != 0
            && stacks[i].frame_count > 0)
            add_sample(jvmti, jni, &stacks[i]);
        TF_TABLE(jni)->DeleteLocalRef(jni, stacks[i].thread);
    }
    tf_deallocate(jvmti, stacks);
}

/* Wait for the next sample, in a monitor, so that VMDeath need not wait for it, too.
   JVM TI does not tell why a wait ended; one that ended early is a sample more. */
static bool
pause_sampling(void)
{
    bool stop;

    if (!tf_monitor_enter(&lock))
        return false;
    stop = stopping || tf_monitor_wait(&lock, interval / 1000000) == TF_WAIT_FAILED
        || stopping;
    tf_monitor_exit(&lock);
    return !stop;
}

/* The worker's only item. */
static void
sample(jvmtiEnv *jvmti, JNIEnv *jni, void *argument)
{
    (void)argument;
    do
        take_samples(jvmti, jni);
    while (pause_sampling());
}

static void
write_stacks(void)
{
    struct tf_output *output = tf_output_open(file);

    if (output == NULL)
        return;
    for (int i = 0; i < BUCKETS; i++)
        for (struct stack *stack = buckets[i]; stack != NULL; stack = stack->next)
            fprintf(tf_output_stream(output), "%s %llu\n", stack->text, stack->count);
    tf_output_commit(output);
    if (failed > 0)
        tf_warning("%llu samples were lost: out of memory", failed);
}

static void JNICALL
on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)thread;
    worker = tf_worker_new(jvmti, 1);
    if (worker == NULL || !tf_worker_post(worker, sample, NULL)
        || !tf_worker_start(worker, jni, "@name@"))
        tf_error("cannot start the sampling thread");
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti;
    (void)jni;
    if (worker == NULL)
        return;
    if (tf_monitor_enter(&lock)) {
        stopping = true;
        tf_monitor_notify_all(&lock);
        tf_monitor_exit(&lock);
    }
    /* The thread may be taking a sample: without its end there is no result. */
    if (!tf_worker_stop(worker, 5000))
        tf_error("the sampling thread does not end, so nothing is written");
    else
        write_stacks();
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
    callbacks.VMDeath = on_vm_death;
    if (!tf_monitor_init(&lock, jvmti, "@name@")
        || !TF_CALL(jvmti, SetEventCallbacks, (jvmti, &callbacks, sizeof callbacks))
        || !tf_events_enable(jvmti, JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH, 0))
        return TF_FAILED;
    if (agent->attached)
        on_vm_init(jvmti, agent->jni, NULL);
    return TF_RUN;
}

TF_AGENT("@name@", JVMTI_VERSION_1_0, start);
