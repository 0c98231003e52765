/* SPDX-License-Identifier: MIT */
/*
 * tck/agent/event_scope.c -- every event: sent when it is enabled, and not when it is
 * disabled, enabled elsewhere or enabled for another thread.
 */
#include "tck/lib/record.h"
#include "tck/lib/stage.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* How to make the VM send an event, and how to know it for the one. */
struct probe {
    jvmtiEvent event;
    void (*provoke)(struct tck *t);
    void (*prepare)(struct tck *t, bool on);   /* breakpoints, watches; or NULL */
    const char *method[2];                     /* of tck.Events: name, signature */
    const char *text;                          /* of the record */
    bool own_thread;                           /* sent on the thread that provokes it */
    bool late;                                 /* may come after provoke has returned */
};

/* -- provoking -- */

static void
by_call(struct tck *t, const char *name)
{
    stage_call_void(t, "tck/Events", name, "()V");
}

static void
provoke_step(struct tck *t)
{
    stage_call_long(t, "tck/Events", "step", "(I)I", (jint)4);
}

static void
provoke_thread(struct tck *t)
{
    by_call(t, "runThread");
}

static void
provoke_virtual(struct tck *t)
{
    by_call(t, "runVirtual");
}

static void
provoke_load(struct tck *t)
{
    stage_call(t, "tck/Events", "load", "()Ljava/lang/Class;");
}

static jobject
new_exception(struct tck *t)
{
    jclass k = stage_class(t, "java/lang/IllegalStateException");

    return (*t->jni)->NewObject(t->jni, k,
                                (*t->jni)->GetMethodID(t->jni, k, "<init>", "()V"));
}

static void
provoke_exception(struct tck *t)
{
    stage_call_long(t, "tck/Events", "failAndCatch", "(Ljava/lang/RuntimeException;)I",
                    new_exception(t));
}

static jvmtiEnv *pop_env;

JNIEXPORT void JNICALL
Java_tck_Events_notifyPop(JNIEnv *jni, jclass klass)
{
    (void)jni, (void)klass;
    if (pop_env != NULL)
        tck_want(&tck, "NotifyFramePop(caller)", JVMTI_ERROR_NONE,
                 (*pop_env)->NotifyFramePop(pop_env, NULL, 1));
}

static void
provoke_pop(struct tck *t)
{
    pop_env = t->jvmti;
    stage_call_long(t, "tck/Events", "popped", "()I");
    pop_env = NULL;
}

static void
provoke_read(struct tck *t)
{
    stage_call_long(t, "tck/Events", "readStatic", "()I");
}

static void
provoke_write(struct tck *t)
{
    stage_call_void(t, "tck/Events", "writeStatic", "(I)V", (jint)9);
}

static void JNICALL
bound(JNIEnv *jni, jclass klass)
{
    (void)jni, (void)klass;
}

static void
provoke_bind(struct tck *t)
{
    JNINativeMethod method = { (char *)"toBind", (char *)"()V", (void *)bound };

    /* A second binding to the same address need not be reported. */
    (*t->jni)->UnregisterNatives(t->jni, stage_class(t, "tck/Events"));
    if ((*t->jni)->RegisterNatives(t->jni, stage_class(t, "tck/Events"), &method, 1) != 0)
        tck_fail(t, "RegisterNatives failed");
}

static void
provoke_compiled(struct tck *t)
{
    tck_want(t, "GenerateEvents(CompiledMethodLoad)", JVMTI_ERROR_NONE,
             (*t->jvmti)->GenerateEvents(t->jvmti, JVMTI_EVENT_COMPILED_METHOD_LOAD));
}

static void
provoke_code(struct tck *t)
{
    tck_want(t, "GenerateEvents(DynamicCodeGenerated)", JVMTI_ERROR_NONE,
             (*t->jvmti)->GenerateEvents(t->jvmti, JVMTI_EVENT_DYNAMIC_CODE_GENERATED));
}

/* Which signal asks for a dump is up to the VM; one that takes no note of it would die. */
static void
provoke_dump(struct tck *t)
{
    struct sigaction action;
    sigset_t blocked;

    sigaction(SIGQUIT, NULL, &action);
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    if (action.sa_handler == SIG_IGN
        || (action.sa_handler == SIG_DFL && !sigismember(&blocked, SIGQUIT)))
        tck_skip(t, "the VM does not handle SIGQUIT");
    else
        kill(getpid(), SIGQUIT);
}

static void
provoke_wait(struct tck *t)
{
    by_call(t, "waitShortly");
}

static void
provoke_contention(struct tck *t)
{
    by_call(t, "contend");
}

static void
provoke_exhaustion(struct tck *t)
{
    if (!stage_call_long(t, "tck/Events", "exhaust", "()I"))
        tck_skip(t, "the heap is too large to be exhausted");
}

static void
provoke_gc(struct tck *t)
{
    tck_want(t, "ForceGarbageCollection", JVMTI_ERROR_NONE,
             (*t->jvmti)->ForceGarbageCollection(t->jvmti));
}

/* Objects that are tagged and then garbage; a collector may leave one of them or another. */
#define DROPPED 50
static jweak dropped[DROPPED];

static bool
was_collected(struct tck *t)
{
    bool any = false;

    for (int i = 0; i < DROPPED; i++) {
        any = any || (*t->jni)->IsSameObject(t->jni, dropped[i], NULL);
        (*t->jni)->DeleteWeakGlobalRef(t->jni, dropped[i]);
    }
    return any;
}

/* Another environment whose tags the objects get as well, or NULL. */
static jvmtiEnv *also_tagged;

static void
provoke_free(struct tck *t)
{
    for (int i = 0; i < DROPPED; i++) {
        jobject object = stage_object(t);

        tck_want(t, "SetTag", JVMTI_ERROR_NONE,
                 (*t->jvmti)->SetTag(t->jvmti, object, 4711));
        if (also_tagged != NULL)
            tck_want(t, "SetTag", JVMTI_ERROR_NONE,
                     (*also_tagged)->SetTag(also_tagged, object, 4711));
        dropped[i] = (*t->jni)->NewWeakGlobalRef(t->jni, object);
        (*t->jni)->DeleteLocalRef(t->jni, object);
    }
    provoke_gc(t);
}

static void
provoke_vm_alloc(struct tck *t)
{
    by_call(t, "allocateInVM");
}

static void
provoke_sample(struct tck *t)
{
    /* "It might take various number of allocations" until a new interval counts. */
    for (int i = 0; i < 40; i++) {
        if (record_next_own(0) >= 0)
            break;
        by_call(t, "allocate");
    }
}

/* -- preparing -- */

static void
prepare_breakpoint(struct tck *t, bool on)
{
    jmethodID step = stage_method(t, "tck/Events", "step", "(I)I", true);
    jlocation first = stage_first_location(t, step);

    tck_want(t, on ? "SetBreakpoint" : "ClearBreakpoint", JVMTI_ERROR_NONE,
             on ? (*t->jvmti)->SetBreakpoint(t->jvmti, step, first)
                : (*t->jvmti)->ClearBreakpoint(t->jvmti, step, first));
}

static void
prepare_access(struct tck *t, bool on)
{
    jclass k = stage_class(t, "tck/Events");
    jfieldID f = stage_field(t, "tck/Events", "watched", "I", true);

    tck_want(t, "the access watch", JVMTI_ERROR_NONE,
             on ? (*t->jvmti)->SetFieldAccessWatch(t->jvmti, k, f)
                : (*t->jvmti)->ClearFieldAccessWatch(t->jvmti, k, f));
}

static void
prepare_modification(struct tck *t, bool on)
{
    jclass k = stage_class(t, "tck/Events");
    jfieldID f = stage_field(t, "tck/Events", "watched", "I", true);

    tck_want(t, "the modification watch", JVMTI_ERROR_NONE,
             on ? (*t->jvmti)->SetFieldModificationWatch(t->jvmti, k, f)
                : (*t->jvmti)->ClearFieldModificationWatch(t->jvmti, k, f));
}

static void
prepare_sampling(struct tck *t, bool on)
{
    tck_want(t, "SetHeapSamplingInterval", JVMTI_ERROR_NONE,
             (*t->jvmti)->SetHeapSamplingInterval(t->jvmti, on ? 0 : 512 * 1024));
    /* A new interval holds from the next sample on (JVM TI "Set Heap Sampling
     * Interval"): let one pass under the old one. */
    for (int i = 0; on && i < 20; i++)
        by_call(t, "allocate");
}

#define LOADED "Ltck/Loaded;"
#define STEP { "step", "(I)I" }
#define ANY { NULL, NULL }

static const struct probe
    ThreadStart = { JVMTI_EVENT_THREAD_START, provoke_thread, NULL, ANY, "tck-probe",
                    false, false },
    ThreadEnd = { JVMTI_EVENT_THREAD_END, provoke_thread, NULL, ANY, "tck-probe",
                  false, true },
    ClassFileLoadHook = { JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, provoke_load, NULL, ANY,
                          "tck/Loaded", true, false },
    ClassLoad = { JVMTI_EVENT_CLASS_LOAD, provoke_load, NULL, ANY, LOADED, true, false },
    ClassPrepare = { JVMTI_EVENT_CLASS_PREPARE, provoke_load, NULL, ANY, LOADED, true,
                     false },
    Exception = { JVMTI_EVENT_EXCEPTION, provoke_exception, NULL,
                  { "fail", "(Ljava/lang/RuntimeException;)V" }, NULL, true, false },
    ExceptionCatch = { JVMTI_EVENT_EXCEPTION_CATCH, provoke_exception, NULL,
                       { "failAndCatch", "(Ljava/lang/RuntimeException;)I" }, NULL, true,
                       false },
    SingleStep = { JVMTI_EVENT_SINGLE_STEP, provoke_step, NULL, STEP, NULL, true, false },
    FramePop = { JVMTI_EVENT_FRAME_POP, provoke_pop, NULL, { "popped", "()I" }, NULL, true,
                 false },
    Breakpoint = { JVMTI_EVENT_BREAKPOINT, provoke_step, prepare_breakpoint, STEP, NULL,
                   true, false },
    FieldAccess = { JVMTI_EVENT_FIELD_ACCESS, provoke_read, prepare_access,
                    { "readStatic", "()I" }, NULL, true, false },
    FieldModification = { JVMTI_EVENT_FIELD_MODIFICATION, provoke_write,
                          prepare_modification, { "writeStatic", "(I)V" }, NULL, true,
                          false },
    MethodEntry = { JVMTI_EVENT_METHOD_ENTRY, provoke_step, NULL, STEP, NULL, true, false },
    MethodExit = { JVMTI_EVENT_METHOD_EXIT, provoke_step, NULL, STEP, NULL, true, false },
    NativeMethodBind = { JVMTI_EVENT_NATIVE_METHOD_BIND, provoke_bind, NULL,
                         { "toBind", "()V" }, NULL, true, false },
    CompiledMethodLoad = { JVMTI_EVENT_COMPILED_METHOD_LOAD, provoke_compiled, NULL, ANY,
                           NULL, false, false },
    DynamicCodeGenerated = { JVMTI_EVENT_DYNAMIC_CODE_GENERATED, provoke_code, NULL, ANY,
                             NULL, false, false },
    DataDumpRequest = { JVMTI_EVENT_DATA_DUMP_REQUEST, provoke_dump, NULL, ANY, NULL,
                        false, true },
    MonitorWait = { JVMTI_EVENT_MONITOR_WAIT, provoke_wait, NULL, ANY, NULL, true, false },
    MonitorWaited = { JVMTI_EVENT_MONITOR_WAITED, provoke_wait, NULL, ANY, NULL, true,
                      false },
    MonitorContendedEnter = { JVMTI_EVENT_MONITOR_CONTENDED_ENTER, provoke_contention,
                              NULL, ANY, NULL, true, false },
    MonitorContendedEntered = { JVMTI_EVENT_MONITOR_CONTENDED_ENTERED, provoke_contention,
                                NULL, ANY, NULL, true, false },
    ResourceExhausted = { JVMTI_EVENT_RESOURCE_EXHAUSTED, provoke_exhaustion, NULL, ANY,
                          NULL, true, false },
    GarbageCollectionStart = { JVMTI_EVENT_GARBAGE_COLLECTION_START, provoke_gc, NULL,
                               ANY, NULL, false, false },
    GarbageCollectionFinish = { JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, provoke_gc, NULL,
                                ANY, NULL, false, false },
    ObjectFree = { JVMTI_EVENT_OBJECT_FREE, provoke_free, NULL, ANY, NULL, false, true },
    VMObjectAlloc = { JVMTI_EVENT_VM_OBJECT_ALLOC, provoke_vm_alloc, NULL, ANY, NULL, true,
                      false },
    SampledObjectAlloc = { JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, provoke_sample,
                           prepare_sampling, ANY, NULL, true, false },
    VirtualThreadStart = { JVMTI_EVENT_VIRTUAL_THREAD_START, provoke_virtual, NULL, ANY,
                           NULL, false, false },
    VirtualThreadEnd = { JVMTI_EVENT_VIRTUAL_THREAD_END, provoke_virtual, NULL, ANY, NULL,
                         false, true };

/* -- judging -- */

static jmethodID
method_of(struct tck *t, const struct probe *p)
{
    return p->method[0] == NULL ? NULL
        : stage_method(t, "tck/Events", p->method[0], p->method[1], true);
}

static int
seen(jvmtiEnv *env, const struct probe *p, jmethodID method)
{
    int count = 0;

    for (int i = -1; (i = record_find(env, p->event, method, p->text, i + 1)) >= 0; )
        count += !p->own_thread
            || pthread_equal(record_at(i)->thread, pthread_self()) != 0;
    return count;
}

/* Provoke the event and count; waits for one that comes late if it is wanted. */
static int
provoked(struct tck *t, jvmtiEnv *env, const struct probe *p, bool wanted)
{
    struct timespec pause = { 0, 10000000 };
    jmethodID method = method_of(t, p);
    int count;

    record_clear();
    p->provoke(t);
    count = seen(env, p, method);
    for (int i = 0; p->late && count == 0 && i < (wanted ? 1000 : 10); i++) {
        nanosleep(&pause, NULL);
        if (p->event == JVMTI_EVENT_OBJECT_FREE && i % 20 == 19)
            provoke_gc(t);
        count = seen(env, p, method);
    }
    if (p->event == JVMTI_EVENT_OBJECT_FREE && !was_collected(t) && count == 0)
        tck_skip(t, "the VM did not collect objects that nothing refers to");
    return count;
}

/* Capability and level; false skips the case. */
static bool
offered(struct tck *t, const struct probe *p)
{
    const struct tck_event *event = &tck_events[tck_event_index(p->event)];

    if (event->cap >= 0 && !tck_cap_get(&t->held, event->cap)) {
        tck_skip(t, "the VM does not offer %s", tck_capabilities[event->cap].name);
        return false;
    }
    /* "Except as required by the optional capabilities, the set of resources which report
       exhaustion is implementation dependent." */
    if (p->event == JVMTI_EVENT_RESOURCE_EXHAUSTED
        && !tck_has(t, "can_generate_resource_exhaustion_heap_events")) {
        tck_skip(t, "the VM does not offer can_generate_resource_exhaustion_heap_events");
        return false;
    }
    if (p->event == JVMTI_EVENT_OBJECT_FREE && !tck_has(t, "can_tag_objects")) {
        tck_skip(t, "the VM does not offer can_tag_objects");
        return false;
    }
    /* Without this the event need not come "for every loaded class". */
    if (p->event == JVMTI_EVENT_CLASS_FILE_LOAD_HOOK
        && !tck_has(t, "can_generate_all_class_hook_events")) {
        tck_skip(t, "the VM does not offer can_generate_all_class_hook_events");
        return false;
    }
    return true;
}

static bool
begin(struct tck *t, const struct probe *p)
{
    if (!offered(t, p))
        return false;
    /* Classes that provoking loads must not disturb the count. */
    record_start(t, t->jvmti);
    if (p->prepare != NULL)
        p->prepare(t, true);
    return !t->failed;
}

static void
end(struct tck *t, const struct probe *p)
{
    if (p->prepare != NULL)
        p->prepare(t, false);
    record_stop(t, t->jvmti);
}

/*
 * Events that a VM need not ever send: what is dynamic or compiled it may have none of,
 * "some collectors will never generate" those of collections, a request for a dump "is
 * just a hint", and which methods it runs itself is up to it.
 */
static bool
may_be_missing(const struct probe *p)
{
    switch (p->event) {
    case JVMTI_EVENT_DYNAMIC_CODE_GENERATED:
    case JVMTI_EVENT_COMPILED_METHOD_LOAD:
    case JVMTI_EVENT_GARBAGE_COLLECTION_START:
    case JVMTI_EVENT_GARBAGE_COLLECTION_FINISH:
    case JVMTI_EVENT_DATA_DUMP_REQUEST:
    case JVMTI_EVENT_VM_OBJECT_ALLOC:
        return true;
    default:
        return false;
    }
}

static void
judge_sent(struct tck *t, const struct probe *p, int count)
{
    if (count == 0 && may_be_missing(p))
        tck_skip(t, "the VM has none to report");
    else if (count == 0 && !t->skipped)
        tck_fail(t, "the event was provoked while it was enabled: expected it, got none");
}

/* The phases that the event was seen in are among those it may be sent in. */
static void
judge_phase(struct tck *t, const struct probe *p)
{
    unsigned phases = tck_events[tck_event_index(p->event)].phases;

    for (int i = 0; i < record_count(); i++) {
        const struct record *r = record_at(i);

        if (r->event == p->event && r->phase == JVMTI_PHASE_LIVE
            && (phases & TCK_LIVE) == 0)
            tck_fail(t, "the event was sent in the live phase");
    }
}

static void
run_sent(struct tck *t, const void *data)
{
    const struct probe *p = data;
    int count;

    if (!begin(t, p))
        return;
    if (record_enable(t, t->jvmti, p->event, NULL)) {
        count = provoked(t, t->jvmti, p, true);
        /* Of two that may be missing it is inferred that they are not. */
        if (p->event == JVMTI_EVENT_DATA_DUMP_REQUEST
            || p->event == JVMTI_EVENT_VM_OBJECT_ALLOC)
            tck_true(t, "the event was provoked while it was enabled, and sent",
                     count > 0 || t->skipped);
        else
            judge_sent(t, p, count);
        judge_phase(t, p);
        record_disable(t, t->jvmti, p->event, NULL);
    }
    end(t, p);
}

/*
 * The same where the event must not come: how often it does.  What occurred on another
 * thread before the event was disabled may still be on its way to the handler; such a one
 * does not come time and again.
 */
static int
provoked_in_vain(struct tck *t, const struct probe *p)
{
    int count = 1;

    for (int i = 0; i < (p->own_thread ? 1 : 3) && count > 0; i++)
        count = provoked(t, t->jvmti, p, false);
    return count;
}

static void
run_disabled(struct tck *t, const void *data)
{
    const struct probe *p = data;

    if (!begin(t, p))
        return;
    /* Once enabled and disabled again is disabled. */
    if (record_enable(t, t->jvmti, p->event, NULL)
        && record_disable(t, t->jvmti, p->event, NULL))
        tck_same(t, "events while disabled", 0, provoked_in_vain(t, p));
    end(t, p);
}

/* Have an environment possess what the event needs, as far as more than one can: only its
   events are not enabled then. */
static void
equip(struct tck *t, const struct probe *p, jvmtiEnv *env)
{
    int needed = tck_events[tck_event_index(p->event)].cap;
    jvmtiCapabilities wanted, potential;

    memset(&wanted, 0, sizeof wanted);
    memset(&potential, 0, sizeof potential);
    tck_want(t, "GetPotentialCapabilities", JVMTI_ERROR_NONE,
             (*env)->GetPotentialCapabilities(env, &potential));
    if (needed >= 0 && tck_cap_get(&potential, needed))
        tck_cap_set(&wanted, needed, true);
    if (p->event == JVMTI_EVENT_OBJECT_FREE)
        wanted.can_tag_objects = potential.can_tag_objects;
    tck_want(t, "AddCapabilities", JVMTI_ERROR_NONE,
             (*env)->AddCapabilities(env, &wanted));
    if (wanted.can_tag_objects)
        also_tagged = env;
}

static void
run_other_env(struct tck *t, const void *data)
{
    const struct probe *p = data;
    jvmtiEnv *other;

    if (!begin(t, p))
        return;
    other = tck_new_env(t);
    if (other != NULL && record_enable(t, t->jvmti, p->event, NULL)) {
        equip(t, p, other);
        record_also(t, other);
        judge_sent(t, p, provoked(t, t->jvmti, p, true));
        /* Environments may be told one after the other of an object that is free. */
        if (p->event == JVMTI_EVENT_OBJECT_FREE)
            provoke_gc(t);
        also_tagged = NULL;
        tck_same(t, "events in an environment that has not enabled them", 0,
                 record_matches(other, p->event, NULL, NULL));
        record_disable(t, t->jvmti, p->event, NULL);
        (*other)->DisposeEnvironment(other);
    }
    end(t, p);
}

static jthread
current(struct tck *t)
{
    jthread thread = NULL;

    tck_want(t, "GetCurrentThread", JVMTI_ERROR_NONE,
             (*t->jvmti)->GetCurrentThread(t->jvmti, &thread));
    return thread;
}

/* The number of events that the probe provokes with the event enabled for this thread. */
static int
provoked_again(struct tck *t, const struct probe *p)
{
    int count;

    if (!record_enable(t, t->jvmti, p->event, current(t)))
        return 0;
    count = provoked(t, t->jvmti, p, true);
    record_disable(t, t->jvmti, p->event, current(t));
    return count;
}

/* Of one thread only; the VM has none to report if it has none for all threads either. */
static void
judge_sent_to_thread(struct tck *t, const struct probe *p, int count)
{
    if (count == 0 && may_be_missing(p)
        && record_enable(t, t->jvmti, p->event, NULL)) {
        int of_all = provoked(t, t->jvmti, p, true);

        record_disable(t, t->jvmti, p->event, NULL);
        /* It may have had a reason the second time that it had not the first. */
        if (of_all > 0)
            count = provoked_again(t, p);
        tck_same(t, "events that come only when all threads have them enabled", 0,
                 count == 0 ? of_all : 0);
    }
    judge_sent(t, p, count);
}

static void
run_thread(struct tck *t, const void *data)
{
    const struct probe *p = data;
    jthread self;

    if (!begin(t, p))
        return;
    self = current(t);
    if (record_enable(t, t->jvmti, p->event, self)) {
        judge_sent_to_thread(t, p, provoked(t, t->jvmti, p, true));
        record_disable(t, t->jvmti, p->event, self);
    }
    end(t, p);
}

static void
run_other_thread(struct tck *t, const void *data)
{
    const struct probe *p = data;
    jthread other;

    if (!begin(t, p))
        return;
    other = stage_start(t, 'W');
    if (record_enable(t, t->jvmti, p->event, other)) {
        tck_same(t, "events of a thread while another one has them enabled", 0,
                 provoked_in_vain(t, p));
        record_disable(t, t->jvmti, p->event, other);
    }
    end(t, p);
}

static void
run_two_levels(struct tck *t, const void *data)
{
    const struct probe *p = data;
    jthread self;

    if (!begin(t, p))
        return;
    self = current(t);
    if (record_enable(t, t->jvmti, p->event, self)
        && record_enable(t, t->jvmti, p->event, NULL)
        && record_disable(t, t->jvmti, p->event, NULL)) {
        judge_sent_to_thread(t, p, provoked(t, t->jvmti, p, true));
        record_disable(t, t->jvmti, p->event, self);
        if (!t->failed && !t->skipped)
            tck_same(t, "events after both levels were disabled", 0,
                     provoked_in_vain(t, p));
    }
    end(t, p);
}

/* What the event is told to have happened on is the thread that it happened on. */
static void
run_thread_argument(struct tck *t, const void *data)
{
    const struct probe *p = data;
    int count = 0;

    if (!begin(t, p))
        return;
    if (record_enable(t, t->jvmti, p->event, NULL)) {
        judge_sent(t, p, provoked(t, t->jvmti, p, true));
        record_disable(t, t->jvmti, p->event, NULL);
    }
    for (int i = 0; i < record_count(); i++) {
        const struct record *r = record_at(i);

        if (r->event != p->event || pthread_equal(r->thread, pthread_self()) == 0)
            continue;
        tck_same(t, "the identity of the thread argument", record_own_hash(t), r->hash2);
        count++;
    }
    end(t, p);
    if (!t->skipped)
        tck_true(t, "the event came on the thread that provoked it", count > 0);
}

/* The event is none of those that cannot be controlled for one thread. */
static void
run_thread_level(struct tck *t, const void *data)
{
    const struct probe *p = data;
    jthread self;

    if (!offered(t, p))
        return;
    self = current(t);
    if (record_enable(t, t->jvmti, p->event, self))
        record_disable(t, t->jvmti, p->event, self);
}

/* Where the rules stand of what is enabled and what is not. */
#define MODE "Set Event Notification Mode"

/* A thread that has it enabled for itself has its own end told, and no other. */
TCK_CASE("event-scope", ThreadEnd_own, "ThreadEnd.event.thread", MODE, 474)
{
    jthread ends, stays;

    record_start(t, t->jvmti);
    ends = stage_start(t, 'V');
    stays = stage_start(t, 'W');
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_THREAD_END, ends);
    stage_finish(t, ends);
    record_await(t->jvmti, JVMTI_EVENT_THREAD_END, "stage-V", 0);
    SAME(1, record_matches(t->jvmti, JVMTI_EVENT_THREAD_END, NULL, "stage-V"));
    record_clear();
    ends = stage_start(t, 'V');
    CALL(SetEventNotificationMode, JVMTI_ENABLE, JVMTI_EVENT_THREAD_END, stays);
    stage_finish(t, ends);
    SAME(0, record_matches(t->jvmti, JVMTI_EVENT_THREAD_END, NULL, "stage-V"));
    CALL(SetEventNotificationMode, JVMTI_DISABLE, JVMTI_EVENT_THREAD_END, stays);
    record_quiet(t);
}

/* How often the end of a virtual thread is told when `enabled` has it enabled. */
static int
ends_told(struct tck *t, jthread ends, jthread enabled)
{
    jint hash = record_hash(t, ends);
    int count = 0;

    record_start(t, t->jvmti);
    if (!record_enable(t, t->jvmti, JVMTI_EVENT_VIRTUAL_THREAD_END, enabled))
        return -1;
    stage_call_void(t, "tck/Stage", "endVirtual", "(Ljava/lang/Thread;)V", ends);
    if (enabled == ends)
        record_await(t->jvmti, JVMTI_EVENT_VIRTUAL_THREAD_END, NULL, hash);
    /* A thread that has ended has nothing to disable. */
    if (enabled != ends)
        record_disable(t, t->jvmti, JVMTI_EVENT_VIRTUAL_THREAD_END, enabled);
    record_quiet(t);
    for (int i = 0; i < record_count(); i++)
        count += record_at(i)->hash2 == hash;
    return count;
}

TCK_CASE_IN("event-scope", VirtualThreadEnd_own, "VirtualThreadEnd.event.thread",
            MODE, 474, TCK_LIVE, 21)
{
    jthread ends;

    NEED("can_support_virtual_threads");
    ends = stage_virtual(t);
    SAME(1, ends_told(t, ends, ends));
    ends = stage_virtual(t);
    SAME(0, ends_told(t, ends, stage_start(t, 'W')));
}

#define EVENT_SENT(name, title, since, note)                                           \
    TCK_CASE_DATA("event-scope", name##_sent, #name ".event.sent", title, note,        \
                  TCK_LIVE, since, run_sent, &name);                                   \
    TCK_CASE_DATA("event-scope", name##_disabled, #name ".event.disabled",           \
                  MODE, 474, TCK_LIVE, since, run_disabled, &name);                               \
    TCK_CASE_DATA("event-scope", name##_other_env, #name ".event.other-environment",   \
                  "Environments", 40, TCK_LIVE, since, run_other_env, &name)

#define EVENT(name, title, since) EVENT_SENT(name, title, since, 571)

/* Those that tell the thread that provoked them. */
#define THREAD_ARGUMENT(name, title)                                                   \
    TCK_CASE_DATA("event-scope", name##_thread_argument,                               \
                  #name ".behaviour.thread-argument", title, 677, TCK_LIVE, 11,        \
                  run_thread_argument, &name)

/* Events that one thread may have enabled, and that the provoking thread gets. */
#define THREAD_EVENT(name, title) THREAD_EVENT_SENT(name, title, 571)
#define THREAD_EVENT_SENT(name, title, note)                                           \
    EVENT_SENT(name, title, 11, note);                                                 \
    TCK_CASE_DATA("event-scope", name##_thread, #name ".event.thread", MODE, 474,      \
                  TCK_LIVE, 11, run_thread, &name);                                    \
    TCK_CASE_DATA("event-scope", name##_other_thread, #name ".event.other-thread",     \
                  MODE, 474, TCK_LIVE, 11, run_other_thread, &name);                   \
    TCK_CASE_DATA("event-scope", name##_two_levels, #name ".event.two-levels", MODE,   \
                  475, TCK_LIVE, 11, run_two_levels, &name)

EVENT(ThreadStart, "Thread Start", 11);
EVENT(ThreadEnd, "Thread End", 11);
THREAD_EVENT(ClassFileLoadHook, "Class File Load Hook");
THREAD_EVENT(ClassLoad, "Class Load");
THREAD_EVENT(ClassPrepare, "Class Prepare");
THREAD_EVENT(Exception, "Exception");
THREAD_EVENT(ExceptionCatch, "Exception Catch");
THREAD_EVENT(SingleStep, "Single Step");
THREAD_EVENT(FramePop, "Frame Pop");
THREAD_EVENT(Breakpoint, "Breakpoint");
THREAD_EVENT(FieldAccess, "Field Access");
THREAD_EVENT(FieldModification, "Field Modification");
THREAD_EVENT(MethodEntry, "Method Entry");
THREAD_EVENT(MethodExit, "Method Exit");
THREAD_EVENT(NativeMethodBind, "Native Method Bind");
EVENT(CompiledMethodLoad, "Compiled Method Load", 11);
EVENT(DynamicCodeGenerated, "Dynamic Code Generated", 11);
EVENT_SENT(DataDumpRequest, "Data Dump Request", 11, 651);
THREAD_EVENT(MonitorWait, "Monitor Wait");
THREAD_EVENT(MonitorWaited, "Monitor Waited");
THREAD_EVENT(MonitorContendedEnter, "Monitor Contended Enter");
THREAD_EVENT(MonitorContendedEntered, "Monitor Contended Entered");
THREAD_EVENT(ResourceExhausted, "Resource Exhausted");
EVENT(GarbageCollectionStart, "Garbage Collection Start", 11);
EVENT(GarbageCollectionFinish, "Garbage Collection Finish", 11);
EVENT(ObjectFree, "Object Free", 11);
THREAD_EVENT_SENT(VMObjectAlloc, "VM Object Allocation", 763);
THREAD_EVENT(SampledObjectAlloc, "Sampled Object Allocation");
EVENT(VirtualThreadStart, "Virtual Thread Start", 21);
EVENT(VirtualThreadEnd, "Virtual Thread End", 21);

THREAD_ARGUMENT(ClassLoad, "Class Load");
THREAD_ARGUMENT(ClassPrepare, "Class Prepare");
THREAD_ARGUMENT(Exception, "Exception");
THREAD_ARGUMENT(ExceptionCatch, "Exception Catch");
THREAD_ARGUMENT(SingleStep, "Single Step");
THREAD_ARGUMENT(FramePop, "Frame Pop");
THREAD_ARGUMENT(Breakpoint, "Breakpoint");
THREAD_ARGUMENT(FieldAccess, "Field Access");
THREAD_ARGUMENT(FieldModification, "Field Modification");
THREAD_ARGUMENT(MethodEntry, "Method Entry");
THREAD_ARGUMENT(MethodExit, "Method Exit");
THREAD_ARGUMENT(NativeMethodBind, "Native Method Bind");
THREAD_ARGUMENT(MonitorWait, "Monitor Wait");
THREAD_ARGUMENT(MonitorWaited, "Monitor Waited");
THREAD_ARGUMENT(MonitorContendedEnter, "Monitor Contended Enter");
THREAD_ARGUMENT(MonitorContendedEntered, "Monitor Contended Entered");
THREAD_ARGUMENT(VMObjectAlloc, "VM Object Allocation");
THREAD_ARGUMENT(SampledObjectAlloc, "Sampled Object Allocation");

#define THREAD_LEVEL(name, since)                                                      \
    TCK_CASE_DATA("event-scope", name##_thread_level, #name ".event.thread-level",     \
                  MODE, 474, TCK_LIVE, since, run_thread_level, &name)

THREAD_LEVEL(ThreadEnd, 11);
THREAD_LEVEL(GarbageCollectionStart, 11);
THREAD_LEVEL(GarbageCollectionFinish, 11);
THREAD_LEVEL(ObjectFree, 11);
THREAD_LEVEL(VirtualThreadEnd, 21);
