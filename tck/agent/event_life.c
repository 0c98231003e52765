/* SPDX-License-Identifier: MIT */
/*
 * tck/agent/event_life.c -- the events of the VM's life, all events over all phases.
 *
 * The recording environment is set up in OnLoad; most cases look at what was recorded
 * when the VM is dead.
 */
#include "tck/lib/record.h"
#include "tck/lib/stage.h"

#include <stdatomic.h>
#include <string.h>

static jvmtiEnv *env;
static jvmtiEnv *quiet;   /* has callbacks, enables nothing */

/* Counted by the hook, since there may be any number of some: [event][phase bit]; [5]:
   unknown. */
static atomic_int counts[JVMTI_MAX_EVENT_TYPE_VAL + 1][6];
static atomic_int quiet_count;
static atomic_int init_end;   /* how many records there were when VMInit's handler ended */

/* What the handler of VMStart found that it could do by JNI. */
static bool jni_works;
/* A class that the handler makes: tck.Early, without members. */
static const unsigned char early_class[] = {
    0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 55,
    0, 5,                                                   /* the pool */
    1, 0, 9, 't', 'c', 'k', '/', 'E', 'a', 'r', 'l', 'y',
    7, 0, 1,
    1, 0, 16, 'j', 'a', 'v', 'a', '/', 'l', 'a', 'n', 'g', '/', 'O', 'b', 'j', 'e', 'c', 't',
    7, 0, 3,
    0, 0x21, 0, 2, 0, 4,                                    /* public, this, super */
    0, 0, 0, 0, 0, 0, 0, 0
};

/* Of the time after VMDeath. */
static atomic_bool dead;
static pthread_t death_thread;
static atomic_int after_death;

static int
phase_index(jvmtiPhase phase)
{
    switch (phase) {
    case JVMTI_PHASE_ONLOAD: return 0;
    case JVMTI_PHASE_PRIMORDIAL: return 1;
    case JVMTI_PHASE_START: return 2;
    case JVMTI_PHASE_LIVE: return 3;
    case JVMTI_PHASE_DEAD: return 4;
    default: return 5;
    }
}

/*
 * "No events will occur after the VMDeath event."  What had occurred on another thread may
 * still be on its way to its handler then, once for each thread.
 */
static void
count_after_death(const struct record *r)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static pthread_t late[64];
    static int late_count;
    bool again = pthread_equal(r->thread, death_thread) != 0;

    pthread_mutex_lock(&lock);
    for (int i = 0; i < late_count; i++)
        again = again || pthread_equal(late[i], r->thread) != 0;
    if (again || late_count == 64)
        after_death++;
    else
        late[late_count++] = r->thread;
    pthread_mutex_unlock(&lock);
}

/* The agent "is free to call any JNI function" now. */
static void
try_jni(JNIEnv *jni)
{
    jclass made = (*jni)->DefineClass(jni, "tck/Early", NULL, (const jbyte *)early_class,
                                      sizeof early_class);
    jclass found = (*jni)->FindClass(jni, "java/lang/String");
    jstring text = (*jni)->NewStringUTF(jni, "early");

    jni_works = made != NULL && found != NULL && text != NULL
        && (*jni)->GetStringLength(jni, text) == 5 && (*jni)->IsInstanceOf(jni, text, found);
    (*jni)->ExceptionClear(jni);
}

static void
count_event(jvmtiEnv *e, JNIEnv *jni, const struct record *r)
{
    if (e != env) {
        quiet_count++;
        return;
    }
    counts[r->event][phase_index(r->phase)]++;
    if (atomic_load(&dead))
        count_after_death(r);
    if (r->event == JVMTI_EVENT_VM_START && jni != NULL)
        try_jni(jni);
    if (r->event == JVMTI_EVENT_VM_INIT)
        atomic_store(&init_end, record_count());
    if (r->event == JVMTI_EVENT_VM_DEATH) {
        death_thread = r->thread;
        atomic_store(&dead, true);
    }
}

/* All events but those that slow every instruction down. */
static bool
is_wanted(struct tck *t, const struct tck_event *event)
{
    return event->number != JVMTI_EVENT_SINGLE_STEP && event->since <= t->level
        && (event->cap < 0 || tck_cap_get(&t->held, event->cap));
}

/* What a call in the set-up answered first that was no success. */
static jvmtiError setup_error;

static void
note(jvmtiError error)
{
    if (setup_error == JVMTI_ERROR_NONE)
        setup_error = error;
}

TCK_SETUP("event-life", life, TCK_ONLOAD)
{
    static const jvmtiEvent many[] = {
        JVMTI_EVENT_METHOD_ENTRY, JVMTI_EVENT_METHOD_EXIT, JVMTI_EVENT_EXCEPTION,
        JVMTI_EVENT_EXCEPTION_CATCH, JVMTI_EVENT_NATIVE_METHOD_BIND,
        JVMTI_EVENT_COMPILED_METHOD_LOAD, JVMTI_EVENT_COMPILED_METHOD_UNLOAD,
        JVMTI_EVENT_DYNAMIC_CODE_GENERATED, JVMTI_EVENT_VM_OBJECT_ALLOC,
        JVMTI_EVENT_SAMPLED_OBJECT_ALLOC
    };

    env = t->jvmti;
    for (size_t i = 0; i < sizeof many / sizeof many[0]; i++)
        record_pass(many[i]);
    record_start(t, env);
    record_set_hook(count_event);
    quiet = tck_new_env(t);
    record_also(t, quiet);
    /* Often enough that each phase has its samples. */
    if (tck_has(t, "can_generate_sampled_object_alloc_events"))
        note((*env)->SetHeapSamplingInterval(env, 0));
    for (int i = 0; i < tck_event_count; i++)
        if (is_wanted(t, &tck_events[i]))
            note((*env)->SetEventNotificationMode(env, JVMTI_ENABLE,
                                                  tck_events[i].number, NULL));
}

TCK_CASE_IN("event-life", life_setup, "SetEventNotificationMode.behaviour.in-onload",
            "Set Event Notification Mode", 630, TCK_ONLOAD, 11)
{
    SAME(JVMTI_ERROR_NONE, setup_error);
}

static int
total(jvmtiEvent event)
{
    int sum = 0;

    for (int i = 0; i < 6; i++)
        sum += counts[event][i];
    return sum;
}

/* -- while the VM is live -- */

TCK_SETUP("event-life", events, TCK_LIVE)
{
    stage_call_void(t, "tck/Events", "waitShortly", "()V");
    stage_call_void(t, "tck/Events", "contend", "()V");
    stage_call_void(t, "tck/Events", "runThread", "()V");
    stage_call_long(t, "tck/Events", "catchPopped", "()I");
    note((*env)->ForceGarbageCollection(env));
}

TCK_CASE("event-life", onload_lasts, "SetEventNotificationMode.behaviour.onload-lasts",
         "Set Event Notification Mode", 630)
{
    TRUE(total(JVMTI_EVENT_MONITOR_WAIT) > 0
         || !tck_has(t, "can_generate_monitor_events"));
    TRUE(record_find(env, JVMTI_EVENT_THREAD_START, NULL, "tck-probe", 0) >= 0);
}

TCK_CASE("event-life", start_was_sent, "VMStart.event.sent", "VM Start Event", 633)
{
    SAME(1, total(JVMTI_EVENT_VM_START));
}

TCK_CASE("event-life", init_was_sent, "VMInit.event.sent", "VM Initialization Event",
         638)
{
    SAME(1, total(JVMTI_EVENT_VM_INIT));
}

TCK_CASE("event-life", start_phase,
         "VMStart.behaviour.phase-in-handler", "Get Phase", 540)
{
    SAME(1, counts[JVMTI_EVENT_VM_START][2]);
}

TCK_CASE("event-life", init_phase,
         "VMInit.behaviour.phase-in-handler", "Get Phase", 540)
{
    SAME(1, counts[JVMTI_EVENT_VM_INIT][3]);
}

TCK_CASE("event-life", init_thread, "VMInit.behaviour.initial-thread",
         "VM Initialization Event", 761)
{
    int init = record_find(env, JVMTI_EVENT_VM_INIT, NULL, NULL, 0);

    TRUE(init >= 0);
    /* The cases run on the thread of main(); nothing says what its name is. */
    SAME(record_own_hash(t), record_at(init)->hash2);
}

TCK_CASE("event-life", start_first, "VMStart.behaviour.before-other-start-events",
         "VM Start Event", 636)
{
    int start = record_find(env, JVMTI_EVENT_VM_START, NULL, NULL, 0);

    TRUE(start >= 0);
    for (int i = 0; i < start; i++) {
        /* Another thread may start in the moment in which this one is told. */
        if (pthread_equal(record_at(i)->thread, record_at(start)->thread) == 0)
            continue;
        TRUE(record_at(i)->event != JVMTI_EVENT_CLASS_LOAD);
        TRUE(record_at(i)->event != JVMTI_EVENT_CLASS_PREPARE);
        TRUE(record_at(i)->event != JVMTI_EVENT_THREAD_START);
    }
}

TCK_CASE("event-life", start_before_init, "VMStart.behaviour.before-VMInit",
         "VM Start Event", 702)
{
    int start = record_find(env, JVMTI_EVENT_VM_START, NULL, NULL, 0);
    int init = record_find(env, JVMTI_EVENT_VM_INIT, NULL, NULL, 0);

    TRUE(start >= 0);
    TRUE(init > start);
}

/* The start of the thread that the cases run on, which is that of main(), or -1. */
static int
start_of_main(void)
{
    int at = -1;

    while ((at = record_find(env, JVMTI_EVENT_THREAD_START, NULL, NULL, at + 1)) >= 0)
        if (record_is_own(record_at(at)))
            return at;
    return -1;
}

TCK_CASE("event-life", main_thread_start, "ThreadStart.behaviour.main-after-VMInit",
         "Thread Start", 608)
{
    int at = start_of_main();

    if (at < 0)
        tck_skip(t, "the start of the thread of main() was not told");
    else
        TRUE(at >= atomic_load(&init_end) && atomic_load(&init_end) > 0);
}

TCK_CASE("event-life", main_starts, "ThreadStart.behaviour.main-is-reported",
         "Thread Start", 762)
{
    TRUE(start_of_main() >= 0);
}

TCK_CASE("event-life", start_jni, "VMStart.behaviour.jni-usable", "VM Start Event", 633)
{
    int start = record_find(env, JVMTI_EVENT_VM_START, NULL, NULL, 0);

    TRUE(start >= 0 && record_at(start)->jni);
    TRUE(jni_works);
}

TCK_CASE("event-life", no_event_elsewhere, "VMInit.event.other-environment",
         "Environments", 40)
{
    SAME(0, quiet_count);
}

/* Of the class that the handler of VMStart has made. */
TCK_CASE("event-life", early_loads, "ClassLoad.event.start-phase", "Class Load", 630)
{
    int load = record_find(env, JVMTI_EVENT_CLASS_LOAD, NULL, "Ltck/Early;", 0);

    if (!jni_works) {
        tck_skip(t, "no class was made in the start phase");
        return;
    }
    TRUE(load >= 0);
    SAME(JVMTI_PHASE_START, record_at(load)->phase);
}

TCK_CASE("event-life", hook_before_load, "ClassFileLoadHook.behaviour.before-ClassLoad",
         "Class File Load Hook", 619)
{
    int hook = record_find(env, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL, "tck/Host", 0);
    int load = record_find(env, JVMTI_EVENT_CLASS_LOAD, NULL, "Ltck/Host;", 0);

    NEED("can_generate_all_class_hook_events");
    TRUE(hook >= 0 && hook < load);
}

TCK_CASE("event-life", no_array_loads,
         "ClassLoad.behaviour.no-arrays", "Class Load", 613)
{
    stage_call(t, "tck/Values", "freshArray", "()Ljava/lang/Object;");
    for (int i = 0; i < record_count(); i++)
        if (record_at(i)->event == JVMTI_EVENT_CLASS_LOAD
            || record_at(i)->event == JVMTI_EVENT_CLASS_PREPARE)
            TRUE(record_at(i)->text[0] == 'L');
}

TCK_CASE("event-life", death_not_yet, "VMDeath.event.not-while-live",
         "VM Death Event", 643)
{
    SAME(0, total(JVMTI_EVENT_VM_DEATH));
}

/* -- when it is dead -- */

TCK_CASE_IN("event-life", death_sent,
            "VMDeath.event.sent", "Agent Shutdown", 30, TCK_DEAD, 11)
{
    SAME(1, total(JVMTI_EVENT_VM_DEATH));
}

TCK_CASE_IN("event-life", death_phase,
            "VMDeath.behaviour.phase-in-handler", "Get Phase",
            540, TCK_DEAD, 11)
{
    SAME(1, counts[JVMTI_EVENT_VM_DEATH][3]);
}

TCK_CASE_IN("event-life", death_last, "VMDeath.behaviour.last-event",
            "VM Death Event", 643, TCK_DEAD, 11)
{
    SAME(0, after_death);
}

TCK_CASE_IN("event-life", death_elsewhere,
            "VMDeath.event.other-environment", "Environments",
            40, TCK_DEAD, 11)
{
    int found = record_find(quiet, JVMTI_EVENT_VM_DEATH, NULL, NULL, 0);

    SAME(-1, found);
}

TCK_CASE_IN("event-life", unload_phase, "GetPhase.behaviour.dead-after-VMDeath",
            "Get Phase", 537, TCK_DEAD, 11)
{
    jvmtiPhase phase;

    CALL(GetPhase, &phase);
    SAME(JVMTI_PHASE_DEAD, phase);
}

/* Was an event seen that some VM is known to send in the start phase? */
static void
run_not_in_start(struct tck *t, const void *data)
{
    const struct tck_event *event = &tck_events[tck_event_index(*(const jvmtiEvent *)data)];

    if (total(event->number) == 0)
        tck_skip(t, "the event was not seen in this run");
    SAME(0, counts[event->number][phase_index(JVMTI_PHASE_START)]);
}

/* Events that have an assertion of their own about the start phase. */
static bool
is_apart(jvmtiEvent event)
{
    return event == JVMTI_EVENT_METHOD_ENTRY || event == JVMTI_EVENT_METHOD_EXIT
        || event == JVMTI_EVENT_SAMPLED_OBJECT_ALLOC;
}

/* Each event was seen in none but its phases. */
static void
run_phases(struct tck *t, const void *data)
{
    const char *name = data;
    static const char *const names[] = { "onload", "primordial", "start", "live" };

    for (int i = 0; i < tck_event_count; i++) {
        const struct tck_event *event = &tck_events[i];

        if (strcmp(event->name, name) != 0)
            continue;
        if (total(event->number) == 0)
            tck_skip(t, "the event was not seen in this run");
        /* A handler may begin when the VM is dead, of what occurred before: see
           count_after_death(). */
        for (int p = 0; p < 4; p++)
            if (counts[event->number][p] > 0 && (event->phases & 1u << p) == 0
                && !(p == phase_index(JVMTI_PHASE_START) && is_apart(event->number)))
                tck_fail(t, "the event was sent in phase %s, %d times", names[p],
                         counts[event->number][p]);
    }
}

#define PHASES(name, title)                                                            \
    TCK_CASE_DATA("event-life", name##_phases, #name ".event.phases", title, 564,      \
                  TCK_DEAD, 11, run_phases, #name)

PHASES(VMInit, "VM Initialization Event");
PHASES(VMDeath, "VM Death Event");
PHASES(VMStart, "VM Start Event");
PHASES(ThreadStart, "Thread Start");
PHASES(ThreadEnd, "Thread End");
PHASES(ClassFileLoadHook, "Class File Load Hook");
PHASES(ClassLoad, "Class Load");
PHASES(ClassPrepare, "Class Prepare");
PHASES(Exception, "Exception");
PHASES(ExceptionCatch, "Exception Catch");
PHASES(MethodEntry, "Method Entry");
PHASES(MethodExit, "Method Exit");
PHASES(NativeMethodBind, "Native Method Bind");
PHASES(CompiledMethodLoad, "Compiled Method Load");
PHASES(CompiledMethodUnload, "Compiled Method Unload");
PHASES(DynamicCodeGenerated, "Dynamic Code Generated");
PHASES(MonitorWait, "Monitor Wait");
PHASES(MonitorWaited, "Monitor Waited");
PHASES(MonitorContendedEnter, "Monitor Contended Enter");
PHASES(MonitorContendedEntered, "Monitor Contended Entered");
PHASES(VMObjectAlloc, "VM Object Allocation");
PHASES(SampledObjectAlloc, "Sampled Object Allocation");

#define NOT_IN_START(name, title, number)                                              \
    static const jvmtiEvent number_of_##name = number;                                 \
    TCK_CASE_DATA("event-life", name##_start, #name ".event.not-in-start-phase", title, \
                  564, TCK_DEAD, 11, run_not_in_start, &number_of_##name)

NOT_IN_START(MethodEntry, "Method Entry", JVMTI_EVENT_METHOD_ENTRY);
NOT_IN_START(MethodExit, "Method Exit", JVMTI_EVENT_METHOD_EXIT);
NOT_IN_START(SampledObjectAlloc, "Sampled Object Allocation",
             JVMTI_EVENT_SAMPLED_OBJECT_ALLOC);
