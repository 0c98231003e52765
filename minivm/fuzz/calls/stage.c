/* SPDX-License-Identifier: MIT */
/* minivm/fuzz/calls/stage.c -- the agent around the streams, see stage.h. */
#include "fuzz/calls/stage.h"

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct stage stage = { .streams = 1, .hang_seconds = 120 };

const char *const type_names[10] = {
    "Object", "Boolean", "Byte", "Char", "Short", "Int", "Long", "Float", "Double",
    "Void"
};
static const char *const descriptors[10] = {
    "Ljava/lang/Object;", "Z", "B", "C", "S", "I", "J", "F", "D", "V"
};

static struct stream all_streams[ALL_STREAMS];
static _Thread_local struct stream *own;
static _Thread_local bool is_watchdog;
/* No call gets these: global references to the watchdog and to the threads without
   which no memory comes free, Finalizer and Reference Handler. */
static jthread spared[3];
static jvmtiEnv *shared_environments[2];
static atomic_bool is_over;

static pthread_mutex_t guests_mutex = PTHREAD_MUTEX_INITIALIZER;
static bool guest_taken[GUESTS];

void
stage_fail(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    fprintf(stderr, "calls: seed %llu: ", (unsigned long long)stage.seed);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    fflush(NULL);
    _exit(1);
}

struct stream *
stage_stream(int number)
{
    return &all_streams[number];
}

/* ---- environments ---- */

void
stage_all_capabilities(jvmtiEnv *env)
{
    jvmtiCapabilities all;

    memset(&all, 0, sizeof all);
    (*env)->GetPotentialCapabilities(env, &all);
    (*env)->AddCapabilities(env, &all);
}

static jvmtiEnv *
new_environment(void)
{
    jvmtiEnv *env = NULL;

    if ((*stage.vm)->GetEnv(stage.vm, (void **)&env, JVMTI_VERSION_11) != JNI_OK)
        return NULL;
    (*env)->SetEventCallbacks(env, &event_callbacks, (jint)sizeof event_callbacks);
    return env;
}

void
stage_environment(struct stream *s, int i)
{
    jvmtiEnv *env = new_environment();

    if (env != NULL)
        s->env[i] = env;
}

void
stage_calm(jvmtiEnv *env)
{
    for (int i = JVMTI_MIN_EVENT_TYPE_VAL; i <= JVMTI_MAX_EVENT_TYPE_VAL; i++)
        (*env)->SetEventNotificationMode(env, JVMTI_DISABLE, (jvmtiEvent)i, NULL);
}

/* ---- registers ---- */

void
stage_clear_exception(struct stream *s)
{
    if (s->jni != NULL && (*s->jni)->ExceptionCheck(s->jni))
        (*s->jni)->ExceptionClear(s->jni);
}

static void
let_go(struct stream *s, enum kind kind, int i)
{
    struct cell *c = &s->cell[kind][i];

    if (c->owner != NULL && s->jni != NULL)
        (*s->jni)->DeleteGlobalRef(s->jni, c->owner);
    c->owner = NULL;
    if (kind < METHOD && c->state == VALID && s->jni != NULL)
        (*s->jni)->DeleteGlobalRef(s->jni, c->value);
    else if (kind < METHOD && c->state == WEAK && s->jni != NULL)
        (*s->jni)->DeleteWeakGlobalRef(s->jni, c->value);
    else if (kind == MONITOR && c->state == VALID)
        (*stage.base)->DestroyRawMonitor(stage.base, c->value);
}

void
stage_spoil(struct stream *s, enum kind kind, int i)
{
    struct cell *c = &s->cell[kind][i];

    let_go(s, kind, i);
    if (c->state != EMPTY)
        c->state = STALE;
}

static bool
is_spared(JNIEnv *jni, jthread thread)
{
    for (int i = 0; i < 3; i++)
        if (spared[i] != NULL && (*jni)->IsSameObject(jni, thread, spared[i]))
            return true;
    return false;
}

bool
stage_is_spared(struct stream *s)
{
    jthread thread = NULL;
    bool result;

    if (s->jni == NULL
        || (*stage.base)->GetCurrentThread(stage.base, &thread) != JVMTI_ERROR_NONE)
        return false;
    result = is_spared(s->jni, thread);
    (*s->jni)->DeleteLocalRef(s->jni, thread);
    return result;
}

void
stage_store(struct stream *s, enum kind kind, int i, jobject local, bool weak)
{
    struct cell *c = &s->cell[kind][i];

    if (local == NULL || s->jni == NULL)
        return;
    if (kind == THREAD && is_spared(s->jni, local)) {
        (*s->jni)->DeleteLocalRef(s->jni, local);
        return;
    }
    let_go(s, kind, i);
    c->value = weak ? (*s->jni)->NewWeakGlobalRef(s->jni, local)
                    : (*s->jni)->NewGlobalRef(s->jni, local);
    c->state = c->value == NULL ? EMPTY : weak ? WEAK : VALID;
    (*s->jni)->DeleteLocalRef(s->jni, local);
    stage_clear_exception(s);
}

void
stage_store_id(struct stream *s, enum kind kind, int i, void *id, jclass owner)
{
    struct cell *c = &s->cell[kind][i];

    let_go(s, kind, i);
    c->value = id;
    c->state = id == NULL ? EMPTY : VALID;
    if (owner != NULL && s->jni != NULL)
        c->owner = (*s->jni)->NewGlobalRef(s->jni, owner);
    stage_clear_exception(s);
}

/* A method or field of one of the classes in the registers. */
static void
refresh_id(struct stream *s, enum kind kind, int i, int variant)
{
    const struct cell *class = &s->cell[CLASS][variant % REGISTERS];
    void **ids = NULL;
    jint count = 0;
    int which = variant / REGISTERS;

    if (class->state != VALID)
        return;
    if (kind == METHOD)
        (*stage.base)->GetClassMethods(stage.base, class->value, &count,
                                       (jmethodID **)&ids);
    else
        (*stage.base)->GetClassFields(stage.base, class->value, &count,
                                      (jfieldID **)&ids);
    if (count > 0)
        stage_store_id(s, kind, i, ids[which % count], class->value);
    (*stage.base)->Deallocate(stage.base, (unsigned char *)ids);
}

void
stage_refresh(struct stream *s, enum kind kind, int i, int variant)
{
    if (kind == MONITOR) {
        jrawMonitorID monitor = NULL;

        (*stage.base)->CreateRawMonitor(stage.base, "calls", &monitor);
        stage_store_id(s, kind, i, monitor, NULL);
    } else if (s->jni == NULL || !stage.is_set) {
        return;
    } else if (kind == METHOD || kind == FIELD) {
        refresh_id(s, kind, i, variant);
    } else {
        stage_clear_exception(s);
        stage_store(s, kind, i,
                    (*s->jni)->CallStaticObjectMethod(s->jni, stage.calls, stage.make,
                                                      (jint)kind, (jint)variant),
                    false);
        stage_clear_exception(s);
    }
}

void
stage_action(struct stream *s, int what)
{
    if (s->jni == NULL || !stage.is_set)
        return;
    stage_clear_exception(s);
    (*s->jni)->CallStaticVoidMethod(s->jni, stage.calls, stage.action, (jint)what);
    stage_clear_exception(s);
}

static bool
is_life_method(jmethodID method)
{
    for (int i = 0; i < stage.life_method_count; i++)
        if (stage.life_methods[i] == method)
            return true;
    return false;
}

bool
stage_may_disturb(struct stream *s, jthread thread)
{
    jvmtiFrameInfo frames[8];
    jint count = 0;

    (void)s;
    if ((*stage.base)->GetStackTrace(stage.base, thread, 0, 8, frames, &count)
        != JVMTI_ERROR_NONE)
        return true;   /* an error is what the call will get */
    for (int i = 0; i < count; i++)
        if (frames[i].location >= 0)
            return is_life_method(frames[i].method);
    return false;
}

/* ---- threads ---- */

struct foreign {
    struct stream stream;
    void (*make_calls)(struct stream *s);
};

static void *
foreign_thread(void *argument)
{
    struct foreign *f = argument;

    own = &f->stream;
    f->make_calls(&f->stream);
    return NULL;
}

void
stage_foreign(struct stream *s, void make_calls(struct stream *s))
{
    struct foreign f = { .make_calls = make_calls };
    pthread_t thread;

    f.stream = *s;
    f.stream.jni = NULL;
    f.stream.memory = NULL;
    if (pthread_create(&thread, NULL, foreign_thread, &f) == 0)
        pthread_join(thread, NULL);
}

static bool
run_stream(struct stream *s, JNIEnv *jni)
{
    struct stream *before = own;
    bool goes_on;

    own = s;
    s->jni = jni;
    if (s->thread == NULL) {
        jthread thread = NULL;

        (*stage.base)->GetCurrentThread(stage.base, &thread);
        s->thread = (*jni)->NewGlobalRef(jni, thread);
        for (int i = 0; i < ENVIRONMENTS; i++)
            s->env[i] = i < 2 ? shared_environments[i] : new_environment();
        for (int kind = 0; kind < KINDS; kind++)
            for (int i = 0; i < REGISTERS; i++)
                stage_refresh(s, (enum kind)kind, i, i);
    }
    s->busy = true;
    goes_on = (*jni)->PushLocalFrame(jni, 64) == 0 && sequence_batch(s);
    stage_clear_exception(s);
    (*jni)->PopLocalFrame(jni, NULL);
    s->busy = goes_on;
    s->progress++;
    own = before;
    return goes_on;
}

static pthread_t c_threads[STREAMS];
static bool has_c_thread[STREAMS];

static void *
c_stream(void *argument)
{
    struct stream *s = argument;
    JNIEnv *jni;

    if ((*stage.vm)->AttachCurrentThread(stage.vm, (void **)&jni, NULL) != JNI_OK)
        stage_fail("a thread cannot be attached");
    while (run_stream(s, jni))
        continue;
    (*stage.vm)->DetachCurrentThread(stage.vm);
    return NULL;
}

/* Streams 3 and 6 are C threads without a Java frame. */
static bool
is_c_stream(int number)
{
    return number % 3 == 0 && number != 0;
}

JNIEXPORT jint JNICALL Java_Calls_streams(JNIEnv *jni, jclass class, jboolean bits);
JNIEXPORT jboolean JNICALL Java_Calls_batch(JNIEnv *jni, jclass class, jint number);
JNIEXPORT void JNICALL Java_Calls_join(JNIEnv *jni, jclass class);
JNIEXPORT void JNICALL Java_Calls_resume(JNIEnv *jni, jclass class, jthread thread);
JNIEXPORT void JNICALL Java_Calls_sleepInNative(JNIEnv *jni, jclass class, jint millis);

static void prepare(JNIEnv *jni, jclass calls);

JNIEXPORT jint JNICALL
Java_Calls_streams(JNIEnv *jni, jclass class, jboolean bits)
{
    jint result = 0;

    if (!bits)
        return stage.streams;
    prepare(jni, class);
    for (int i = 0; i < stage.streams; i++)
        if (!is_c_stream(i))
            result |= 1 << i;
        else
            has_c_thread[i] = pthread_create(&c_threads[i], NULL, c_stream,
                                             stage_stream(i)) == 0;
    return result;
}

JNIEXPORT jboolean JNICALL
Java_Calls_batch(JNIEnv *jni, jclass class, jint number)
{
    (void)class;
    return run_stream(stage_stream(number), jni);
}

static void
resume_all(JNIEnv *jni)
{
    jthread *threads = NULL;
    jint count = 0;

    (*stage.base)->GetAllThreads(stage.base, &count, &threads);
    for (int i = 0; i < count; i++) {
        (*stage.base)->ResumeThread(stage.base, threads[i]);
        (*jni)->DeleteLocalRef(jni, threads[i]);
    }
    (*stage.base)->Deallocate(stage.base, (unsigned char *)threads);
}

JNIEXPORT void JNICALL
Java_Calls_join(JNIEnv *jni, jclass class)
{
    (void)class;
    for (int i = 0; i < STREAMS; i++)
        if (has_c_thread[i])
            pthread_join(c_threads[i], NULL);
    is_over = true;
    for (int i = 0; i < 2; i++)
        stage_calm(shared_environments[i]);
    for (int i = 0; i < STREAMS; i++)
        for (int k = 2; k < ENVIRONMENTS; k++)
            if (all_streams[i].env[k] != NULL)
                stage_calm(all_streams[i].env[k]);
    resume_all(jni);
    sequence_end();
}

JNIEXPORT void JNICALL
Java_Calls_resume(JNIEnv *jni, jclass class, jthread thread)
{
    (void)jni, (void)class;
    (*stage.base)->ResumeThread(stage.base, thread);
}

JNIEXPORT void JNICALL
Java_Calls_sleepInNative(JNIEnv *jni, jclass class, jint millis)
{
    (void)jni, (void)class;
    usleep((useconds_t)millis * 1000);
}

/* ---- a stream that stands still ---- */

static double
seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* For how long each stream has made no progress. */
struct standing {
    uint64_t progress[STREAMS + 1];
    double since[STREAMS + 1];         /* the last one is for all together */
};

static double
standing_still(struct standing *w, int i)
{
    double now = seconds_now();
    uint64_t progress = 0;
    bool busy = true;

    if (i < STREAMS) {
        progress = stage_stream(i)->progress;
        busy = stage_stream(i)->busy;
    } else {
        for (int k = 0; k < stage.streams; k++)
            progress += stage_stream(k)->progress;
    }
    if (!busy || progress != w->progress[i] || w->since[i] == 0) {
        w->progress[i] = progress;
        w->since[i] = now;
    }
    return now - w->since[i];
}

/* Streams suspend one another and themselves; a thread that is left alone by all calls
   resumes them, and then everybody, whose locks a stream may wait for. */
static void JNICALL
watch(jvmtiEnv *env, JNIEnv *jni, void *argument)
{
    struct standing w = { 0 };

    (void)argument;
    is_watchdog = true;
    while (stage.phase != JVMTI_PHASE_DEAD) {
        usleep(5000);
        /* Callbacks that had begun go on suspending. */
        if (is_over) {
            resume_all(jni);
            usleep(20000);
        }
        for (int i = 0; i < stage.streams; i++) {
            double still = standing_still(&w, i);

            if (still > 0.02 && stage_stream(i)->thread != NULL)
                (*env)->ResumeThread(env, stage_stream(i)->thread);
            if (still > 0.2) {
                resume_all(jni);
                usleep(20000);
            }
        }
        /* A thread may also be suspended before its stream or after it. */
        if (standing_still(&w, STREAMS) > 0.2) {
            resume_all(jni);
            usleep(20000);
        }
    }
}

/* The stacks in C, if there is a debugger. */
static void
print_stacks(void)
{
    char pid[16];
    pid_t child;

    snprintf(pid, sizeof pid, "%d", (int)getpid());
    fflush(NULL);
    child = fork();
    if (child == 0) {
        sigset_t none;

        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        dup2(2, 1);
        execlp("gdb", "gdb", "-q", "-nx", "-batch", "-p", pid, "-ex",
               "thread apply all backtrace 40", (char *)NULL);
        _exit(127);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
}

static _Noreturn void
hangs(int stream, unsigned long long call)
{
    if (stream == STREAMS)
        fprintf(stderr, "calls: seed %llu: no stream hangs, but none goes on\n",
                (unsigned long long)stage.seed);
    else if (stream >= 0)
        fprintf(stderr, "calls: seed %llu: stream %d hangs in call %llu\n",
                (unsigned long long)stage.seed, stream, call);
    else
        fprintf(stderr, "calls: seed %llu: the VM does not end\n",
                (unsigned long long)stage.seed);
    kill(getpid(), SIGQUIT);           /* the stacks in Java */
    sleep(2);
    print_stacks();
    fflush(NULL);
    _exit(3);
}

/* A thread that the VM does not know, for it may be the VM that hangs. */
static void *
watch_for_hangs(void *argument)
{
    struct standing w = { 0 };
    double over_since = 0;

    (void)argument;
    for (;;) {
        usleep(100000);
        for (int i = 0; i < stage.streams; i++)
            if (!is_over && standing_still(&w, i) > stage.hang_seconds)
                hangs(i, (unsigned long long)stage_stream(i)->index);
        if (!is_over && standing_still(&w, STREAMS) > stage.hang_seconds)
            hangs(STREAMS, 0);
        if (is_over && over_since == 0)
            over_since = seconds_now();
        if (is_over && seconds_now() - over_since > stage.hang_seconds)
            hangs(-1, 0);
    }
    return NULL;
}

static void
find_spared(JNIEnv *jni)
{
    jthread *threads = NULL;
    jint count = 0, found = 1;

    (*stage.base)->GetAllThreads(stage.base, &count, &threads);
    for (int i = 0; i < count; i++) {
        jvmtiThreadInfo info;

        memset(&info, 0, sizeof info);
        (*stage.base)->GetThreadInfo(stage.base, threads[i], &info);
        if (info.name != NULL && found < 3
            && (strcmp(info.name, "Finalizer") == 0
                || strcmp(info.name, "Reference Handler") == 0))
            spared[found++] = (*jni)->NewGlobalRef(jni, threads[i]);
        (*stage.base)->Deallocate(stage.base, (unsigned char *)info.name);
    }
    (*stage.base)->Deallocate(stage.base, (unsigned char *)threads);
}

static void
start_watching(JNIEnv *jni)
{
    jclass class = (*jni)->FindClass(jni, "java/lang/Thread");
    jmethodID init = (*jni)->GetMethodID(jni, class, "<init>", "(Ljava/lang/String;)V");
    jobject thread = (*jni)->NewObject(jni, class, init,
                                       (*jni)->NewStringUTF(jni, "watchdog"));
    pthread_t unattached;

    spared[0] = (*jni)->NewGlobalRef(jni, thread);
    find_spared(jni);
    if ((*stage.base)->RunAgentThread(stage.base, spared[0], watch, NULL,
                                      JVMTI_THREAD_NORM_PRIORITY) != JVMTI_ERROR_NONE
        || pthread_create(&unattached, NULL, watch_for_hangs, NULL) != 0)
        stage_fail("no watchdog");
    pthread_detach(unattached);
}

/* ---- Java's side ---- */

static jobject
global(JNIEnv *jni, jobject local)
{
    jobject result = (*jni)->NewGlobalRef(jni, local);

    if ((*jni)->ExceptionCheck(jni)) {
        (*jni)->ExceptionDescribe(jni);
        stage_fail("the stage cannot be set");
    }
    (*jni)->DeleteLocalRef(jni, local);
    return result;
}

static void
find_members(JNIEnv *jni)
{
    char name[32], descriptor[64];

    for (int i = 0; i < 10; i++)
        for (int is_static = 0; is_static < 2; is_static++) {
            snprintf(name, sizeof name, is_static ? "sCall%s" : "call%s",
                     type_names[i]);
            snprintf(descriptor, sizeof descriptor, "(IJDLjava/lang/Object;)%s",
                     descriptors[i]);
            stage.methods[i][is_static] = is_static
                ? (*jni)->GetStaticMethodID(jni, stage.target, name, descriptor)
                : (*jni)->GetMethodID(jni, stage.target, name, descriptor);
            if (i == 9)
                continue;
            snprintf(name, sizeof name, "%c%s", is_static ? 's' : 'f', type_names[i]);
            stage.fields[i][is_static] = is_static
                ? (*jni)->GetStaticFieldID(jni, stage.target, name, descriptors[i])
                : (*jni)->GetFieldID(jni, stage.target, name, descriptors[i]);
        }
    stage.constructor = (*jni)->GetMethodID(jni, stage.target, "<init>",
                                            "(IJDLjava/lang/Object;)V");
}

static void
find_life(JNIEnv *jni)
{
    jmethodID *methods = NULL;
    jint count = 0;

    stage.life = global(jni, (*jni)->FindClass(jni, "Life"));
    (*stage.base)->GetClassMethods(stage.base, stage.life, &count, &methods);
    for (int i = 0; i < count && i < 64; i++) {
        char *name = NULL;

        (*stage.base)->GetMethodName(stage.base, methods[i], &name, NULL, NULL);
        /* `nest` is below a stream's calls and `hold` has another thread wait. */
        if (strcmp(name, "nest") != 0 && strcmp(name, "end") != 0
            && strcmp(name, "hold") != 0)
            stage.life_methods[stage.life_method_count++] = methods[i];
        (*stage.base)->Deallocate(stage.base, (unsigned char *)name);
    }
    (*stage.base)->Deallocate(stage.base, (unsigned char *)methods);
}

static void
read_versions(JNIEnv *jni)
{
    jmethodID version = (*jni)->GetStaticMethodID(jni, stage.calls, "version", "(I)[B");

    for (int i = 0; i < VERSIONS; i++) {
        jobject bytes = global(jni, (*jni)->CallStaticObjectMethod(jni, stage.calls,
                                                                   version, (jint)i));

        stage.version_length[i] = (*jni)->GetArrayLength(jni, bytes);
        stage.version_bytes[i] = malloc((size_t)stage.version_length[i]);
        (*jni)->GetByteArrayRegion(jni, bytes, 0, stage.version_length[i],
                                   (jbyte *)stage.version_bytes[i]);
        (*jni)->DeleteGlobalRef(jni, bytes);
    }
}

static jobject
made(JNIEnv *jni, int variant)
{
    return global(jni, (*jni)->CallStaticObjectMethod(jni, stage.calls, stage.make,
                                                      (jint)OBJECT, (jint)variant));
}

static void
prepare(JNIEnv *jni, jclass calls)
{
    stage.calls = (*jni)->NewGlobalRef(jni, calls);
    stage.make = (*jni)->GetStaticMethodID(jni, calls, "make",
                                           "(II)Ljava/lang/Object;");
    stage.action = (*jni)->GetStaticMethodID(jni, calls, "action", "(I)V");
    stage.target = global(jni, (*jni)->FindClass(jni, "Target"));
    stage.throwable = global(jni, (*jni)->FindClass(jni, "java/lang/RuntimeException"));
    stage.string_class = global(jni, (*jni)->FindClass(jni, "java/lang/String"));
    find_members(jni);
    find_life(jni);
    read_versions(jni);
    stage.instance = made(jni, 1);
    stage.string = made(jni, 0);
    stage.exception = made(jni, 3);
    for (int i = 0; i < 8; i++)
        stage.arrays[i] = made(jni, 4 + i + 24);
    stage.object_array = made(jni, 12);
    stage.reflected[0] = made(jni, 20);
    stage.reflected[1] = made(jni, 21);
    stage.jni_version = (*jni)->GetVersion(jni);
    start_watching(jni);
    stage.is_set = true;
}

/* ---- events ---- */

/* A thread that is no stream's borrows a guest for the time of a callback; registers
   of guests keep what earlier ones left. */
static struct stream *
take_guest(void)
{
    struct stream *s = NULL;

    if (pthread_mutex_trylock(&guests_mutex) != 0)
        return NULL;
    for (int i = 0; i < GUESTS && s == NULL; i++)
        if (!guest_taken[i]) {
            guest_taken[i] = true;
            s = stage_stream(STREAMS + i);
        }
    pthread_mutex_unlock(&guests_mutex);
    return s;
}

static void
return_guest(struct stream *s)
{
    pthread_mutex_lock(&guests_mutex);
    guest_taken[s->number - STREAMS] = false;
    pthread_mutex_unlock(&guests_mutex);
}

/* The arguments of an event go to the last registers. */
static void
store_arguments(struct stream *s, const struct event *event, const union value *a)
{
    static const struct { const char *type; enum kind kind; } kinds[] = {
        { "jthread", THREAD }, { "jclass", CLASS }, { "jobject", OBJECT },
        { "jmethodID", METHOD }
    };

    for (int i = 0; i < event->count; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (strcmp(event->parameters[i].type, kinds[k].type) == 0) {
                if (kinds[k].kind == METHOD)
                    stage_store_id(s, METHOD, REGISTERS - 1, a[i].p, NULL);
                else if (s->jni != NULL && a[i].p != NULL)
                    stage_store(s, kinds[k].kind, REGISTERS - 1,
                                (*s->jni)->NewLocalRef(s->jni, a[i].p), false);
            }
}

void
event_callback(jvmtiEnv *env, const struct event *event, const union value *a)
{
    struct stream *s = own;
    JNIEnv *jni = event->count > 0
                  && strcmp(event->parameters[0].type, "JNIEnv*") == 0 ? a[0].p : NULL;
    JNIEnv *before;
    bool is_leaf = jni == NULL && event->number != JVMTI_EVENT_DATA_DUMP_REQUEST;
    bool was_leaf;

    if (is_over || is_watchdog || !stage.is_set)
        return;
    if (s == NULL && ((s = take_guest()) == NULL))
        return;
    if (s->callbacks >= 2 || s->leaf) {
        if (own == NULL)
            return_guest(s);
        return;
    }
    before = s->jni;
    was_leaf = s->leaf;
    s->leaf = is_leaf;
    s->jni = jni;
    s->callbacks++;
    s->events++;
    if (own == NULL) {
        own = s;
        for (int i = 0; i < ENVIRONMENTS; i++)
            if (s->env[i] == NULL)
                s->env[i] = i < 2 ? shared_environments[i] : shared_environments[1];
        if (jni != NULL && (s->index & 15) == 0)
            store_arguments(s, event, a);
        sequence_event(s, env, event, a);
        own = NULL;
    } else {
        if (jni != NULL && (s->events & 15) == 1)
            store_arguments(s, event, a);
        sequence_event(s, env, event, a);
    }
    s->callbacks--;
    s->jni = before;
    s->leaf = was_leaf;
    if (own == NULL)
        return_guest(s);
}

void JNICALL
stage_agent_thread(jvmtiEnv *env, JNIEnv *jni, void *number)
{
    struct stream *s = take_guest();

    (void)number;
    if (s == NULL)
        return;
    own = s;
    s->jni = jni;
    for (int i = 0; i < ENVIRONMENTS; i++)
        s->env[i] = shared_environments[i == 0 ? 0 : 1];
    s->callbacks = 1;
    sequence_event(s, env, NULL, NULL);
    s->callbacks = 0;
    s->jni = NULL;
    own = NULL;
    return_guest(s);
}

static void
run_phase(jvmtiPhase phase, JNIEnv *jni)
{
    struct stream *s = stage_stream(PHASES + (int)phase);

    stage.phase = phase;
    s->jni = jni;
    for (int i = 0; i < ENVIRONMENTS; i++)
        s->env[i] = shared_environments[i == 0 ? 0 : 1];
    own = s;
    sequence_phase(s);
    own = NULL;
}

static void JNICALL
vm_start(jvmtiEnv *env, JNIEnv *jni)
{
    (void)env;
    run_phase(JVMTI_PHASE_START, jni);
}

static void JNICALL
vm_init(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
    (void)env, (void)jni, (void)thread;
    stage.phase = JVMTI_PHASE_LIVE;
}

static void JNICALL
vm_death(jvmtiEnv *env, JNIEnv *jni)
{
    (void)env;
    is_over = true;
    run_phase(JVMTI_PHASE_LIVE, jni);
    stage.phase = JVMTI_PHASE_DEAD;
}

static jint
begin(JavaVM *vm, const char *options)
{
    jvmtiEventCallbacks callbacks;

    for (int i = 0; i < ALL_STREAMS; i++)
        all_streams[i].number = i;
    stage.vm = vm;
    sequence_options(options != NULL ? options : "");
    if ((*vm)->GetEnv(vm, (void **)&stage.base, JVMTI_VERSION_11) != JNI_OK)
        return JNI_ERR;
    (*stage.base)->GetVersionNumber(stage.base, &stage.version);
    (*stage.base)->GetPotentialCapabilities(stage.base, &stage.potential);
    for (int i = 0; i < 2; i++) {
        shared_environments[i] = new_environment();
        if (shared_environments[i] == NULL)
            return JNI_ERR;
    }
    stage_all_capabilities(stage.base);
    stage_all_capabilities(shared_environments[0]);
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.VMStart = vm_start;
    callbacks.VMInit = vm_init;
    callbacks.VMDeath = vm_death;
    (*stage.base)->SetEventCallbacks(stage.base, &callbacks, (jint)sizeof callbacks);
    (*stage.base)->SetEventNotificationMode(stage.base, JVMTI_ENABLE,
                                            JVMTI_EVENT_VM_START, NULL);
    (*stage.base)->SetEventNotificationMode(stage.base, JVMTI_ENABLE,
                                            JVMTI_EVENT_VM_INIT, NULL);
    (*stage.base)->SetEventNotificationMode(stage.base, JVMTI_ENABLE,
                                            JVMTI_EVENT_VM_DEATH, NULL);
    return JNI_OK;
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    (void)reserved;
    if (begin(vm, options) != JNI_OK)
        return JNI_ERR;
    run_phase(JVMTI_PHASE_ONLOAD, NULL);
    return JNI_OK;
}

JNIEXPORT jint JNICALL
Agent_OnAttach(JavaVM *vm, char *options, void *reserved)
{
    (void)reserved;
    stage.attached = true;
    stage.phase = JVMTI_PHASE_LIVE;
    return begin(vm, options);
}

JNIEXPORT void JNICALL
Agent_OnUnload(JavaVM *vm)
{
    (void)vm;
    is_over = true;
    run_phase(JVMTI_PHASE_DEAD, NULL);
}
