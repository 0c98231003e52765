/* SPDX-License-Identifier: MIT */
/*
 * agents/tracer/tracer.c -- options, and when a session begins and ends.
 *
 * MethodEntry and MethodExit are sent to an environment that has their capabilities
 * (JVM TI "Method Entry").  VMs that give them in the OnLoad phase only can be traced
 * by attach all the same, if an idle agent was loaded then: its environment is used.
 */
#include "agents/tracer/tracer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ON_EXIT = 1, ON_SIGNAL = 2 };
enum {
    MAX_SAMPLE_DEPTH = 2048,
    SELDOM = 10000000           /* nanoseconds between samples that are to be cheap */
};

static const char about[] =
    "Records when methods are entered and left: as a trace for Chrome, Perfetto or "
    "speedscope, as collapsed stacks, or as a tree of calls.  Attached once more with "
    "stop, it writes and ends";

/* Without any patterns. */
static char *library[] = {
    (char *)"java.*", (char *)"javax.*", (char *)"jdk.*", (char *)"sun.*",
    (char *)"com.sun.*", NULL
};

struct config config;
static unsigned on;             /* bits of ON_... */

/* Starts and stops. */
static pthread_mutex_t control = PTHREAD_MUTEX_INITIALIZER;
static jvmtiEnv *running;       /* the session's environment; NULL: there is none */
static jvmtiEnv *loaded;        /* of Agent_OnLoad, which stays */
static uint32_t sessions;
static uint64_t begun_at;       /* the processor's time when the session began */
static struct tf_worker *worker;        /* started once, runs for ever */
static bool asked;              /* for reading */
static bool warned;             /* that recording costs much; under the store's lock */

/* -- what it costs -- */

/* What a recorded call adds on HotSpot, nanoseconds of the processor
   (agents/tracer/bench). */
enum { CALL_COST = 350 };

/* Did recording cost more than the program?  Only events of each call do, and those of calls
   that are left out hardly less than the others. */
static bool
costs_much(void)
{
    return config.sample == 0 && !config.probes
        && (store_calls() + recorder_left_out()) * CALL_COST
            > (recorder_processor_time(CLOCK_PROCESS_CPUTIME_ID) - begun_at) / 2;
}

/* Tell it, once, while the program runs: its user may wait for long. */
static void
warn_meanwhile(void)
{
    enum { MANY = 4000000 };

    if (warned || store_calls() + recorder_left_out() < MANY || !costs_much())
        return;
    warned = true;
    tf_warning("%llu calls so far, those that are left out with them, and being told of "
               "them costs more than the program: it will take many times as long; use "
               "probes with include, or sample=10ms",
               (unsigned long long)(store_calls() + recorder_left_out()));
}

/* -- the worker's -- */

static void
read_work(jvmtiEnv *jvmti, JNIEnv *jni, void *argument)
{
    (void)jvmti;
    (void)jni;
    (void)argument;
    threads_ignore();
    __atomic_store_n(&asked, false, __ATOMIC_RELEASE);
    store_lock();
    if (__atomic_load_n(&recorder_session, __ATOMIC_ACQUIRE) != 0) {
        recorder_read();
        warn_meanwhile();
    }
    store_unlock();
}

void
ask_for_reading(void)
{
    if (!__atomic_load_n(&asked, __ATOMIC_RELAXED)
        && !__atomic_exchange_n(&asked, true, __ATOMIC_ACQ_REL)
        && !tf_worker_post(worker, read_work, NULL))
        __atomic_store_n(&asked, false, __ATOMIC_RELEASE);
}

/* Under the store's lock. */
static bool
write_result(void)
{
    recorder_read();
    threads_read();
    store_flush();
    return formats_write(recorder_now());
}

static void
write_work(jvmtiEnv *jvmti, JNIEnv *jni, void *argument)
{
    (void)jvmti;
    (void)jni;
    (void)argument;
    threads_ignore();
    store_lock();
    if (__atomic_load_n(&recorder_session, __ATOMIC_ACQUIRE) != 0)
        write_result();
    store_unlock();
}

/* -- sessions -- */

static bool
start_worker(jvmtiEnv *jvmti, JNIEnv *jni)
{
    if (worker != NULL)
        return true;
    worker = tf_worker_new(jvmti, 16);
    if (worker == NULL)
        tf_error("out of memory");
    else if (!tf_worker_start(worker, jni, "tracer")) {
        tf_worker_free(worker);
        worker = NULL;
    }
    return worker != NULL;
}

/* The event of ends of virtual threads; 0, which ends a list of events, without them. */
static int
virtual_end(jvmtiEnv *jvmti)
{
    return threads_know_virtual(jvmti) ? JVMTI_EVENT_VIRTUAL_THREAD_END : 0;
}

/* Under control.  The configuration is the session's already. */
static bool
begin_session(jvmtiEnv *jvmti, JNIEnv *jni)
{
    bool good = start_worker(jvmti, jni) && store_open();

    begun_at = recorder_processor_time(CLOCK_PROCESS_CPUTIME_ID);
    warned = false;
    if (good && !recorder_start(sessions + 1, jvmti, jni)) {
        tf_error("out of memory");
        good = false;
    }
    if (!good) {
        store_close();
        return false;
    }
    sessions++;
    running = jvmti;
    if (config.sample > 0) {
        good = tf_events_enable(jvmti, JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END, 0)
            && ((on & ON_SIGNAL) == 0
                || tf_events_enable(jvmti, JVMTI_EVENT_DATA_DUMP_REQUEST, 0));
        if (good && !sampler_start(jvmti, jni, sessions)) {
            tf_error("the sampling thread cannot be started");
            good = false;
        }
        return good;
    }
    if (config.probes) {
        return tf_events_enable(jvmti, JVMTI_EVENT_THREAD_END, virtual_end(jvmti), 0)
            && instrument_start(jvmti, jni)
            && ((on & ON_SIGNAL) == 0
                || tf_events_enable(jvmti, JVMTI_EVENT_DATA_DUMP_REQUEST, 0));
    }
    /* A stop by attach sees to it that there is an end before the VM's. */
    return tf_events_enable(jvmti, JVMTI_EVENT_THREAD_END, virtual_end(jvmti), 0)
        && tf_events_enable(jvmti, JVMTI_EVENT_METHOD_EXIT, JVMTI_EVENT_METHOD_ENTRY, 0)
        && ((on & ON_SIGNAL) == 0
            || tf_events_enable(jvmti, JVMTI_EVENT_DATA_DUMP_REQUEST, 0));
}

/* Say what the user had better know of a result.  Under the store's lock. */
static void
warn_of_result(void)
{
    uint64_t calls = store_calls();

    if (config.include != NULL && !method_any_included(sessions))
        tf_warning("no method that was called fits include");
    if (config.sample > 0 && sampler_held_back() > 0)
        tf_warning("the last samples came every %.1f ms and not every %.1f ms: more would "
                   "cost over %lld %% of the program's time (cost=0 takes them all)",
                   sampler_held_back() / 1e6, (double)config.sample / 1e6, config.cost);
    if (calls + recorder_left_out() > 10000 && costs_much())
        tf_warning("recording %llu calls and leaving out %llu cost more than what was "
                   "measured: times are too long, most of all those of methods that call "
                   "many others; use probes with include, or sample=10ms",
                   (unsigned long long)calls, (unsigned long long)recorder_left_out());
}

/* Under control: write the result, if it is wanted, and end. */
static bool
end_session(bool wanted)
{
    bool good = true;

    if (config.sample > 0) {
        sampler_stop();
        tf_events_disable(running, JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END,
                          JVMTI_EVENT_DATA_DUMP_REQUEST, 0);
    } else {
        if (config.probes)      /* They stay, and find no session. */
            tf_events_disable(running, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, 0);
        else
            tf_events_disable(running, JVMTI_EVENT_METHOD_ENTRY, JVMTI_EVENT_METHOD_EXIT,
                              0);
        tf_events_disable(running, JVMTI_EVENT_DATA_DUMP_REQUEST, JVMTI_EVENT_THREAD_END,
                          virtual_end(running), 0);
    }
    recorder_stop();
    store_lock();
    if (wanted) {
        uint64_t lost;

        good = write_result();
        lost = recorder_lost() + store_lost();
        if (lost > 0)
            tf_warning("%llu calls were lost; see buffer, limit and full of help",
                       (unsigned long long)lost);
        warn_of_result();
    }
    store_close();
    store_unlock();
    running = NULL;
    return good;
}

/* -- events -- */

static void JNICALL
on_method_entry(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method)
{
    (void)thread;
    recorder_enter(jvmti, jni, method);
}

static void JNICALL
on_method_exit(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
               jboolean was_popped_by_exception, jvalue return_value)
{
    (void)thread;
    (void)return_value;
    recorder_leave(jvmti, jni, method, was_popped_by_exception);
}

static void JNICALL
on_thread_end(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)thread;
    if (config.sample > 0)
        sampler_threads_changed();
    else
        recorder_thread_end(jvmti, jni);
}

static void JNICALL
on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jvmti;
    (void)jni;
    (void)thread;
    sampler_threads_changed();
}

static void JNICALL
on_class_file(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
              const char *name, jobject domain, jint length, const unsigned char *bytes,
              jint *new_length, unsigned char **new_bytes)
{
    (void)jni;
    (void)redefined;
    (void)loader;
    (void)domain;
    instrument_class(jvmti, name, length, bytes, new_length, new_bytes);
}

static void JNICALL
on_data_dump(jvmtiEnv *jvmti)
{
    (void)jvmti;
    if (!tf_worker_post(worker, write_work, NULL))
        tf_warning("the trace is being written already");
}

static void JNICALL
on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)thread;
    pthread_mutex_lock(&control);
    if (!begin_session(jvmti, jni))
        tf_error("nothing is traced");
    pthread_mutex_unlock(&control);
}

static void JNICALL
on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jni;
    pthread_mutex_lock(&control);
    if (running == jvmti)
        end_session((on & ON_EXIT) != 0);
    /* HotSpot's end waits 300 ms for a thread that is in native code, as one that waits
       for work is.  Threads of the program may still post, so nothing is freed. */
    if (running == NULL && worker != NULL && !tf_worker_stop(worker, 5000))
        tf_warning("the last writing does not end");
    pthread_mutex_unlock(&control);
}

/* -- start -- */

static bool
parse_on(const struct config *given, unsigned *when)
{
    *when = given->on == NULL ? ON_EXIT : 0;
    for (char **name = given->on; name != NULL && *name != NULL; name++)
        if (strcmp(*name, "exit") == 0)
            *when |= ON_EXIT;
        else if (strcmp(*name, "signal") == 0)
            *when |= ON_SIGNAL;
        else {
            tf_error("on: \"%s\" is not one of exit, signal", *name);
            return false;
        }
    return true;
}

/* What is asked for goes together. */
static bool
fits_together(const struct config *given)
{
    size_t files = 0;

    while (given->compare != NULL && given->compare[files] != NULL)
        files++;
    if (given->compare != NULL && files != 2)
        tf_error("compare: two files of format=collapsed, before:after");
    else if (given->compare != NULL && given->format != FORMAT_HTML)
        tf_error("compare: the format is html");
    else if (given->sample > 0
             && (given->format == FORMAT_CHROME || given->format == FORMAT_SPEEDSCOPE))
        tf_error("sample: the format is html, collapsed or tree");
    else if (given->format != FORMAT_TREE && (given->top >= 0 || given->min > 0))
        tf_error("%s: only with format=tree", given->top >= 0 ? "top" : "min");
    else if (given->sample > 0 && given->value >= 0)
        tf_error("value: not with sample");
    else if (given->sample == 0 && given->cost >= 0)
        tf_error("cost: only with sample");
    else if (given->probes && given->include == NULL)
        tf_error("probes: include says which methods get them");
    else if (given->probes && given->sample > 0)
        tf_error("probes: not with sample");
    else
        return true;
    return false;
}

static bool
set_defaults(struct config *given)
{
    static const char *const files[] = {
        [FORMAT_CHROME] = "tracer-%p.json",
        [FORMAT_SPEEDSCOPE] = "tracer-%p.speedscope.json",
        [FORMAT_COLLAPSED] = "tracer-%p.collapsed",
        [FORMAT_TREE] = "-", [FORMAT_HTML] = "tracer-%p.html"
    };
    struct tf_buffer error = { 0 };

    if (given->include == NULL && given->exclude == NULL && given->sample == 0)
        given->exclude = library;
    if (given->cost < 0)
        given->cost = given->sample < SELDOM ? 10 : 3;
    if (given->sample > 0 && given->depth > MAX_SAMPLE_DEPTH)
        given->depth = MAX_SAMPLE_DEPTH;
    if (given->file == NULL)
        given->file = tf_path_expand(files[given->format], &error);
    if (given->file == NULL)
        tf_error("out of memory");
    return given->file != NULL;
}

static enum tf_outcome
parse(struct tf_agent *agent, struct config *given, unsigned *when)
{
    const struct tf_option options[] = {
        { "file", TF_PATH, &given->file, NULL, 0, 0,
          "where to write to, - for the output; by default tracer-%p with the format's "
          "ending, and the output for tree", NULL },
        { "format", TF_CHOICE, &given->format, "chrome|speedscope|collapsed|tree|html", 0,
          0, "what to write", NULL },
        { "sample", TF_DURATION, &given->sample, NULL, 1000000, 60 * 1000000000LL,
          "instead of tracing calls, look at the stacks of threads that run this often; "
          "10ms costs hardly anything", NULL },
        { "cost", TF_INT, &given->cost, NULL, 0, 100,
          "percent of the program's time that samples may cost: they are taken less often "
          "than sample says rather than cost more; by default 3, with a sample below 10ms "
          "10; 0 for any", NULL },
        { "compare", TF_LIST, &given->compare, NULL, 0, 0,
          "run nothing: write the difference of two files of format=collapsed as html",
          "BEFORE:AFTER" },
        { "value", TF_CHOICE, &given->value, "time|calls", 0, 0,
          "what collapsed counts, or the files of compare: nanoseconds without callees, or "
          "calls", NULL },
        { "include", TF_LIST, &given->include, NULL, 0, 0,
          "classes, methods (p.C.m) or methods with parameters (p.C.m(int, long[])) to "
          "trace", NULL },
        { "exclude", TF_LIST, &given->exclude, NULL, 0, 0,
          "those to leave out; without include and exclude, the class library", NULL },
        { "probes", TF_FLAG, &given->probes, NULL, 0, 0,
          "change the bytecode of what is included instead of asking for each call of "
          "the program: much cheaper; native methods are not seen", NULL },
        { "depth", TF_INT, &given->depth, NULL, 1, UINT32_MAX - 1,
          "of recorded calls; deeper ones are a part of their caller; by default none is "
          "too deep", NULL },
        { "on", TF_LIST, &given->on, NULL, 0, 0,
          "when to write: exit, signal (SIGQUIT); by default exit", NULL },
        { "buffer", TF_SIZE, &given->buffer, NULL, 4096, 1 << 30,
          "of each thread; a call takes 48 bytes of it", NULL },
        { "full", TF_CHOICE, &given->full, "drop|wait", 0, 0,
          "when a thread's buffer is full: count the calls that are lost, or have the "
          "thread wait", NULL },
        { "limit", TF_SIZE, &given->limit, NULL, 4096, 1LL << 50,
          "of what is kept: on disk for chrome and speedscope, else in memory; and of "
          "the result of collapsed", NULL },
        { "top", TF_INT, &given->top, NULL, 0, 1000000000,
          "rows of a tree: the calls of each thread that have the most, and the hottest "
          "methods; by default all calls and 10 methods, 0 for all", NULL },
        { "min", TF_INT, &given->min, NULL, 0, 100,
          "of a tree: percent of all that a row has at least", NULL },
        PROGRESS_OPTION(&given->progress),
        { "idle", TF_FLAG, &given->idle, NULL, 0, 0,
          "begin when the agent is attached, not with the VM", NULL },
        { "stop", TF_FLAG, &given->stop, NULL, 0, 0,
          "write the trace that runs and end it; by attach", NULL }
    };
    enum tf_outcome outcome;

    given->format = given->value = -1;  /* as yet not given; help shows the first */
    given->buffer = 1 << 20;
    given->limit = 1 << 30;
    given->depth = UINT32_MAX;
    given->cost = given->top = -1;
    outcome = tf_agent_options(agent, about, options, sizeof options / sizeof *options);
    if (given->format < 0)
        given->format = given->compare != NULL || given->sample > 0 ? FORMAT_HTML
            : FORMAT_CHROME;
    if (outcome == TF_RUN
        && (!parse_on(given, when) || !fits_together(given) || !set_defaults(given)))
        return TF_FAILED;
    return outcome;
}

static bool
listen(jvmtiEnv *jvmti, const struct config *given)
{
    bool samples = given->sample > 0, asks = !samples && !given->probes;
    jvmtiCapabilities required = {
        .can_generate_method_entry_events = asks,
        .can_generate_method_exit_events = asks,
        .can_retransform_classes = given->probes
    };
    jvmtiEventCallbacks callbacks = {
        .VMInit = on_vm_init, .VMDeath = on_vm_death, .ThreadStart = on_thread_start,
        .ThreadEnd = on_thread_end, .VirtualThreadEnd = on_thread_end,
        .MethodEntry = on_method_entry, .MethodExit = on_method_exit,
        .DataDumpRequest = on_data_dump, .ClassFileLoadHook = on_class_file
    };
    jvmtiCapabilities wanted = { .can_get_thread_cpu_time = samples,
                                 .can_retransform_any_class = given->probes,
                                 .can_support_virtual_threads = 1 };

    return tf_capabilities_add(jvmti, &required, &wanted, NULL)
        && TF_CALL(jvmti, SetEventCallbacks, (jvmti, &callbacks, sizeof callbacks))
        && tf_events_enable(jvmti, JVMTI_EVENT_VM_DEATH, 0);
}

static enum tf_outcome
load(struct tf_agent *agent, const struct config *given, unsigned when)
{
    if (loaded != NULL || given->stop) {
        tf_error(given->stop ? "stop is for an attach" : "the agent is loaded already");
        return TF_FAILED;
    }
    /* A file that cannot be made is better known now than in the end. */
    if (!listen(agent->jvmti, given) || !tf_output_try(given->file)
        || (!given->idle && !tf_events_enable(agent->jvmti, JVMTI_EVENT_VM_INIT, 0)))
        return TF_FAILED;
    loaded = agent->jvmti;
    config = *given;
    on = when;
    return TF_RUN;
}

static enum tf_outcome
attach_start(struct tf_agent *agent, const struct config *given, unsigned when)
{
    jvmtiEnv *jvmti = loaded != NULL ? loaded : agent->jvmti;

    if (running != NULL) {
        tf_error("a trace runs already; stop ends it");
        return TF_FAILED;
    }
    if (loaded == NULL && !listen(jvmti, given)) {
        tf_error("load the agent with the VM, as in -agentpath:...=idle, and attach it "
                 "then");
        return TF_FAILED;
    }
    if (loaded == NULL || *agent->options != '\0') {
        config = *given;
        on = when;
    }
    if (!tf_output_try(config.file) || !begin_session(jvmti, agent->jni)) {
        if (running != NULL)
            end_session(false);
        return TF_FAILED;
    }
    return jvmti == loaded ? TF_DONE : TF_RUN;
}

static enum tf_outcome
attach_stop(void)
{
    jvmtiEnv *jvmti = running;
    bool good;

    if (jvmti == NULL) {
        tf_error("no trace runs");
        return TF_FAILED;
    }
    good = end_session(true);
    if (jvmti != loaded)
        TF_CALL(jvmti, DisposeEnvironment, (jvmti));
    return good ? TF_DONE : TF_FAILED;
}

static enum tf_outcome
start(struct tf_agent *agent)
{
    struct config given = { 0 };
    unsigned when;
    enum tf_outcome outcome = parse(agent, &given, &when);

    if (outcome != TF_RUN)
        return outcome;
    if (given.compare != NULL) {
        config = given;
        return compare_write() ? TF_DONE : TF_FAILED;
    }
    pthread_mutex_lock(&control);
    outcome = !agent->attached ? load(agent, &given, when)
        : given.stop ? attach_stop() : attach_start(agent, &given, when);
    pthread_mutex_unlock(&control);
    return outcome;
}

TF_AGENT("tracer", JVMTI_VERSION_1_0, start);
