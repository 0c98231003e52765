/* SPDX-License-Identifier: @license@ */
/* @copyright@ */
/*
 * Reports what is allocated, by class, and where (JVM TI "Sampled Object Allocation").
 * Where the VM cannot sample, the agent falls back to "VM Object Allocation", which is
 * sent for what the VM itself allocates (reflection, JNI): better than nothing, and
 * said.
 */
//c #include <stdlib.h>
//c #include <string.h>
//c++ #include <cstdlib>
//c++ #include <cstring>

#include <tiforge/tiforge.h>

#define BUCKETS 4096

/* What was allocated at one place: "class at method". */
struct site {
    struct site *next;
    unsigned hash;
    unsigned long long objects, bytes;
    char text[];
};

static struct site *buckets[BUCKETS];
static unsigned long long lost;
static struct tf_monitor lock;      /* of the table */
static struct tf_gate gate;

static long long interval = 512 * 1024;
static long long top = 20;
static char **include;
static const struct tf_option options[] = {
    { "interval", TF_SIZE, &interval, NULL, 0, 1LL << 30,
      "bytes between samples, 0 for every object", NULL },
    { "include", TF_LIST, &include, NULL, 0, 0, "classes to report", NULL },
    { "top", TF_INT, &top, NULL, 1, 1000000, "how many places", NULL }
};

static void
count_site(const char *text, size_t length, jlong size)
{
    struct site **link, *site;
    unsigned hash = 2166136261u;

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    for (link = &buckets[hash % BUCKETS]; *link != NULL; link = &(*link)->next)
        if ((*link)->hash == hash && strcmp((*link)->text, text) == 0)
            break;
    if (*link == NULL) {
        site = (struct site *)malloc(sizeof *site + length + 1);
        if (site == NULL) {
            lost++;
            return;
        }
        memset(site, 0, sizeof *site);
        site->hash = hash;
        memcpy(site->text, text, length + 1);
        *link = site;
    }
    (*link)->objects++;
    (*link)->bytes += (unsigned long long)size;
}

static void JNICALL
on_allocation(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object,
              jclass klass, jlong size)
{
    struct tf_buffer text;
    jvmtiFrameInfo frame;
    jint count = 0;

    (void)thread;
    (void)object;
    if (!tf_gate_enter(&gate))
        return;
    tf_buffer_init(&text);
    tf_name_class(&text, jvmti, klass);
    if (tf_name_wanted(include, NULL, tf_buffer_string(&text))) {
        tf_buffer_text(&text, " at ");
        /* Threads that are about to start or end have no frames: no error. */
        if (TF_TABLE(jvmti)->GetStackTrace(jvmti, NULL, 0, 1, &frame, &count)
            == JVMTI_ERROR_NONE && count == 1)
            tf_name_method(&text, jvmti, jni, frame.method, TF_METHOD_PARAMETERS);
        else
            tf_buffer_text(&text, "(no frame)");
        if (!text.failed && tf_monitor_enter(&lock)) {
            count_site(tf_buffer_string(&text), text.length, size);
            tf_monitor_exit(&lock);
        }
    }
    tf_buffer_release(&text);
    tf_gate_leave(&gate);
}

static int
compare(const void *a, const void *b)
{
    const struct site *x = *(struct site *const *)a, *y = *(struct site *const *)b;

    return x->bytes != y->bytes ? (x->bytes < y->bytes ? 1 : -1)
        : strcmp(x->text, y->text);
}

static void
report(void)
{
    struct site **sites, *site;
    size_t count = 0;

    for (int i = 0; i < BUCKETS; i++)
        for (site = buckets[i]; site != NULL; site = site->next)
            count++;
    sites = (struct site **)malloc((count + 1) * sizeof *sites);
    if (sites == NULL)
        return;
    count = 0;
    for (int i = 0; i < BUCKETS; i++)
        for (site = buckets[i]; site != NULL; site = site->next)
            sites[count++] = site;
    qsort(sites, count, sizeof *sites, compare);
    printf("@name@: objects bytes class and place\n");
    for (size_t i = 0; i < count && i < (size_t)top; i++)
        printf("@name@: %llu %llu %s\n", sites[i]->objects, sites[i]->bytes,
               sites[i]->text);
    if (lost > 0)
        printf("@name@: %llu samples were lost: out of memory\n", lost);
    fflush(stdout);
    free(sites);
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    bool closed = tf_gate_close(&gate, 2000);

    (void)jvmti;
    (void)jni;
    if (!closed)
        tf_warning("some callbacks did not end");
    report();
    if (closed)
        tf_monitor_release(&lock);
}

/* The best event that there is; 0 for none. */
static jvmtiEvent
choose_event(jvmtiEnv *jvmti)
{
    jvmtiCapabilities sets[2];

    memset(sets, 0, sizeof sets);
    sets[0].can_generate_sampled_object_alloc_events = 1;
    sets[1].can_generate_vm_object_alloc_events = 1;
    /* SetHeapSamplingInterval came with 11: a VM before that has a shorter table. */
    if (TF_HAS(jvmti, 11, SetHeapSamplingInterval)
        && tf_capabilities_choose(jvmti, &sets[0], 1) == 0)
        return TF_CALL(jvmti, SetHeapSamplingInterval, (jvmti, (jint)interval))
            ? JVMTI_EVENT_SAMPLED_OBJECT_ALLOC : (jvmtiEvent)0;
    if (tf_capabilities_choose(jvmti, &sets[1], 1) == 0) {
        tf_warning("this VM does not offer samples: only its own allocations count");
        return JVMTI_EVENT_VM_OBJECT_ALLOC;
    }
    tf_error("this VM does not offer events of allocations");
    return (jvmtiEvent)0;
}

static enum tf_outcome
start(struct tf_agent *agent)
{
    jvmtiEnv *jvmti = agent->jvmti;
    jvmtiEventCallbacks callbacks;
    jvmtiEvent event;
    enum tf_outcome outcome = tf_agent_options(agent, "@about@.", options,
                                               sizeof options / sizeof *options);

    if (outcome != TF_RUN)
        return outcome;
    event = choose_event(jvmti);
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMDeath = on_vm_death;
    callbacks.SampledObjectAlloc = on_allocation;
    callbacks.VMObjectAlloc = on_allocation;
    if (event == 0 || !tf_monitor_init(&lock, jvmti, "@name@")
        || !TF_CALL(jvmti, SetEventCallbacks, (jvmti, &callbacks, sizeof callbacks))
        || !tf_events_enable(jvmti, JVMTI_EVENT_VM_DEATH, event, 0))
        return TF_FAILED;
    return TF_RUN;
}

TF_AGENT("@name@", JVMTI_VERSION_1_0, start);
