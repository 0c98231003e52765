/* SPDX-License-Identifier: MIT */
/* What the library asks of a VM, with a VM that can refuse it. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <tiforge/tiforge.h>

#include <pthread.h>
#include <time.h>

#include "fakevm.h"
#include "tap.h"

static jvmtiEnv *const jvmti = &fake_jvmti;
static JNIEnv *const jni = &fake_jni;
static char *log_text;
static size_t log_size;

/* What was logged since the last call; the text lives until the next one. */
static const char *
logged(void)
{
    static char last[2048];
    static FILE *stream;

    if (stream != NULL) {
        tf_log_set_stream(NULL);
        fclose(stream);
        snprintf(last, sizeof last, "%s", log_text);
        free(log_text);
    }
    stream = open_memstream(&log_text, &log_size);
    tf_log_set_stream(stream);
    return last;
}

/* "(folder/file.c:42)" in the last line as "(file.c)"; line is overwritten. */
static const char *
without_line(const char *text)
{
    static char line[2048];
    char *open = strrchr(strcpy(line, text), '('), *colon, *slash;

    if (open == NULL)
        return line;
    colon = strrchr(open, ':');
    if (colon != NULL)
        memmove(colon, strchr(colon, ')'), strlen(strchr(colon, ')')) + 1);
    slash = strrchr(open, '/');
    if (slash != NULL)
        memmove(open + 1, slash + 1, strlen(slash));
    return line;
}

static void
test_errors(void)
{
    char text[64];

    ok(TF_CALL(jvmti, SetEventNotificationMode,
               (jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL)), "a call that succeeds");
    is_text(logged(), "", "is not logged");
    fake.enable_error = JVMTI_ERROR_MUST_POSSESS_CAPABILITY;
    ok(!tf_events_enable(jvmti, JVMTI_EVENT_VM_INIT, JVMTI_EVENT_BREAKPOINT, 0),
       "events that are refused");
    is_text(without_line(logged()), "agent: warning: SetEventNotificationMode(VMInit): "
            "JVMTI_ERROR_MUST_POSSESS_CAPABILITY (vm-t.c)\n", "are logged with the place");
    ok(!tf_events_enable(jvmti, JVMTI_EVENT_BREAKPOINT, 0), "one without its capability");
    is_text(without_line(logged()), "agent: warning: SetEventNotificationMode(Breakpoint):"
            " JVMTI_ERROR_MUST_POSSESS_CAPABILITY: can_generate_breakpoint_events was not "
            "added (vm-t.c)\n", "names it");
    memset(&fake.held, 0, sizeof fake.held);
    for (int i = 0; i < 3; i++)
        ok(!tf_check_at(jvmti, JVMTI_ERROR_MUST_POSSESS_CAPABILITY, "GetTag", "a.c", 7),
           "a function without its capability");
    is_text(logged(), "agent: warning: GetTag: JVMTI_ERROR_MUST_POSSESS_CAPABILITY: "
            "can_tag_objects was not added (a.c:7)\n", "is logged once for a place");
    (void)tf_check_at(jvmti, JVMTI_ERROR_MUST_POSSESS_CAPABILITY, "GetTag", "a.c", 8);
    is_text(logged(), "agent: warning: GetTag: JVMTI_ERROR_MUST_POSSESS_CAPABILITY: "
            "can_tag_objects was not added (a.c:8)\n", "and for the next one");
    fake.enable_error = JVMTI_ERROR_WRONG_PHASE;
    fake.phase = JVMTI_PHASE_START;
    ok(!tf_events_disable(jvmti, JVMTI_EVENT_VM_INIT, 0), "the wrong phase");
    is_text(without_line(logged()), "agent: warning: SetEventNotificationMode(VMInit): "
            "JVMTI_ERROR_WRONG_PHASE: the phase is start, allowed in onload, live "
            "(vm-t.c)\n", "is logged while the VM lives, with those that are right");
    (void)tf_check_at(jvmti, JVMTI_ERROR_WRONG_PHASE, "GetTime", "a.c", 9);
    is_text(logged(), "agent: warning: GetTime: JVMTI_ERROR_WRONG_PHASE (a.c:9)\n",
            "but for a function that any phase allows");
    fake.phase = JVMTI_PHASE_DEAD;
    ok(!tf_events_disable(jvmti, JVMTI_EVENT_VM_INIT, 0), "and when it is dead");
    is_text(logged(), "", "is silent");
    fake.enable_error = JVMTI_ERROR_NONE;
    is_text(tf_error_text(jvmti, (jvmtiError)4711, text, sizeof text), "error 4711",
            "an error without a name");
    is_text(tf_error_text(NULL, JVMTI_ERROR_INTERRUPT, text, sizeof text),
            "JVMTI_ERROR_INTERRUPT", "a name without a VM");
    is_int(fake.allocated, fake.deallocated, "names are given back");
    fake.version = JVMTI_VERSION_1_2;
    ok(tf_level(jvmti) == 1 && !TF_HAS(jvmti, 9, GetAllModules), "an old level");
    fake.version = JVMTI_VERSION_21;
    ok(tf_level(jvmti) == 21 && !TF_HAS(jvmti, 21, GetAllModules)
       && TF_HAS(jvmti, 1, Deallocate), "a new level with gaps");
}

static void
scoped(bool early)
{
    TF_SCOPED struct tf_scope scope;
    char *name, *unused;
    jlong *numbers;

    tf_scope_open(&scope, jvmti, jni, 16);
    tf_scope_own(&scope, &name);
    tf_scope_own(&scope, &unused);
    tf_scope_own(&scope, &numbers);
    name = (char *)fake_allocate(8);
    if (early)
        return;
    numbers = (jlong *)fake_allocate(8);
}

static void
test_scopes(void)
{
    struct tf_scope scope;
    jobject *list;

    fake.allocated = fake.deallocated = fake.frames = fake.popped = 0;
    list = (jobject *)fake_allocate(2 * sizeof *list);
    scoped(true);
    scoped(false);
    is_int(fake.deallocated, 3, "a scope gives back what its variables have");
    ok(fake.frames == 2 && fake.popped == 2, "and the local references");
    fake.no_frame = true;
    ok(!tf_scope_open(&scope, jvmti, jni, 16), "no frame to be had");
    is_text(logged(), "agent: warning: PushLocalFrame: a Java exception\n", "is logged");
    tf_scope_close(&scope);
    is_int(fake.popped, 2, "and not popped");
    fake.no_frame = false;
    list[0] = (jobject)list;
    list[1] = NULL;
    tf_release_references(jvmti, jni, list, 2);
    ok(fake.deleted == 1 && fake.deallocated == 4, "references of an array");
}

static void
test_capabilities(void)
{
    jvmtiCapabilities sets[2], required, got;
    char text[256];

    memset(&fake.held, 0, sizeof fake.held);
    memset(sets, 0, sizeof sets);
    memset(&required, 0, sizeof required);
    fake.potential.can_tag_objects = 1;
    fake.potential.can_pop_frame = 1;
    fake.potential.can_suspend = 1;
    required.can_tag_objects = 1;
    sets[0].can_pop_frame = sets[0].can_force_early_return = 1;
    sets[1].can_suspend = 1;
    is_int(tf_capabilities_choose(jvmti, sets, 2), 1, "the first set that can be had");
    is_int(tf_capabilities_choose(jvmti, sets, 1), -1, "none can");
    is_text(tf_capabilities_text(&fake.held, text, sizeof text), "can_suspend",
            "nothing else was added");
    ok(tf_capabilities_add(jvmti, &required, &sets[0], &got), "required and wanted ones");
    ok(got.can_tag_objects && got.can_pop_frame && !got.can_force_early_return,
       "what is there is added");
    ok(tf_capabilities_include(&got, &required) && !tf_capabilities_include(&got, &sets[0]),
       "a set includes another");
    required.can_redefine_classes = 1;
    ok(!tf_capabilities_add(jvmti, &required, NULL, NULL), "a required one is missing");
    is_text(logged(), "agent: error: this VM does not offer can_redefine_classes now\n",
            "and named");
    memset(&fake.held, 0, sizeof fake.held);
    fake.refuse = 2;
    sets[0].can_suspend = 1;
    ok(tf_capabilities_add(jvmti, NULL, &sets[0], &got) && got.can_pop_frame
       && got.can_suspend, "wanted ones are tried one by one");
    fake.refuse = 0;
    is_text(tf_capabilities_text(&sets[0], text, 20), "can_pop_frame, can_",
            "names are cut to the buffer");
}

static void
test_monitors(void)
{
    struct tf_monitor monitor;

    ok(tf_monitor_init(&monitor, jvmti, "m"), "a raw monitor");
    is_int(tf_monitor_wait(&monitor, 1), TF_WAITED, "a wait");
    fake.wait_error = JVMTI_ERROR_INTERRUPT;
    is_int(tf_monitor_wait(&monitor, 1), TF_INTERRUPTED, "an interrupt");
    is_text(logged(), "", "is no error");
    fake.wait_error = JVMTI_ERROR_NOT_MONITOR_OWNER;
    is_int(tf_monitor_wait(&monitor, 1), TF_WAIT_FAILED, "a failure");
    is_text(logged(), "agent: warning: RawMonitorWait: JVMTI_ERROR_NOT_MONITOR_OWNER\n",
            "is logged");
    tf_monitor_release(&monitor);
    is_int(fake.allocated, fake.deallocated, "the monitor is destroyed");
}

#define ITEMS 20000
static int order[2 * ITEMS], done;
static struct tf_worker *worker;
static bool drained_inside = true;

static void
item(jvmtiEnv *env, JNIEnv *env_jni, void *argument)
{
    (void)env, (void)env_jni;
    order[done++] = *(int *)argument;
}

static void
drain_inside(jvmtiEnv *env, JNIEnv *env_jni, void *argument)
{
    (void)env, (void)env_jni, (void)argument;
    drained_inside = tf_worker_drain(worker, 1000);
}

static int values[2][ITEMS];

static void *
post_items(void *argument)
{
    int producer = *(int *)argument;
    struct timespec pause = { 0, 100000 };

    for (int i = 0; i < ITEMS; i++) {
        values[producer][i] = producer * ITEMS + i;
        while (!tf_worker_post(worker, item, &values[producer][i]))
            nanosleep(&pause, NULL);
    }
    return NULL;
}

static void
test_worker(void)
{
    int producers[] = { 0, 1 }, last[] = { -1, -1 };
    bool ordered = true;
    pthread_t threads[2];

    worker = tf_worker_new(jvmti, 3);
    for (int i = 0; i < 4; i++) {
        values[0][i] = i;
        ok(tf_worker_post(worker, item, &values[0][i]), "items before the start");
    }
    ok(!tf_worker_post(worker, item, &values[0][0]) && tf_worker_refused(worker) == 1,
       "a full queue refuses, and counts");
    ok(!tf_worker_drain(worker, 10), "nothing to wait for before the start");
    ok(tf_worker_start(worker, jni, "w") && fake.threads == 1, "the start");
    ok(tf_worker_drain(worker, 0), "waits for all");
    ok(done == 4 && order[0] == 0 && order[3] == 3, "which are done in order");
    tf_worker_post(worker, drain_inside, NULL);
    ok(tf_worker_drain(worker, 0) && !drained_inside,
       "the worker does not wait for itself");
    done = 0;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, post_items, &producers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    ok(tf_worker_stop(worker, 10000), "the stop does what was posted");
    is_int(done, 2 * ITEMS, "all of it");
    for (int i = 0; i < done; i++) {
        ordered &= order[i] % ITEMS > last[order[i] / ITEMS];
        last[order[i] / ITEMS] = order[i] % ITEMS;
    }
    ok(ordered, "in the order of each producer");
    ok(!tf_worker_post(worker, item, NULL), "nothing is taken after the stop");
    tf_worker_free(worker);
    is_int(fake.frames, fake.popped, "each item had its local references");
}

int
main(void)
{
    logged();
    test_errors();
    test_scopes();
    test_capabilities();
    test_monitors();
    fake.frames = fake.popped = 0;
    test_worker();
    tf_log_set_stream(NULL);
    return tap_done();
}
