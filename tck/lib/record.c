/* SPDX-License-Identifier: MIT */
#include "tck/lib/record.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define MAX_RECORDS 250000

static struct record records[MAX_RECORDS];
static atomic_int reserved;
/* So many from the first one on need not be waited for. */
static atomic_int awaited;
/* Events that only the hook sees. */
static atomic_bool passing[JVMTI_MAX_EVENT_TYPE_VAL + 1];
static _Atomic(record_hook) hook;

static struct record *
new_record(jvmtiEnv *env, JNIEnv *jni, jvmtiEvent event)
{
    static _Thread_local struct record overflow;
    int index = atomic_load(&passing[event]) ? MAX_RECORDS : atomic_fetch_add(&reserved, 1);
    struct record *r = index < MAX_RECORDS ? &records[index] : &overflow;

    memset(r, 0, sizeof *r);
    r->env = env;
    r->thread = pthread_self();
    r->jni = jni != NULL;
    r->event = event;
    /* GetPhase is not among the functions that these handlers may call. */
    if (event != JVMTI_EVENT_GARBAGE_COLLECTION_START
        && event != JVMTI_EVENT_GARBAGE_COLLECTION_FINISH
        && event != JVMTI_EVENT_OBJECT_FREE)
        (*env)->GetPhase(env, &r->phase);
    return r;
}

static void
finish(jvmtiEnv *env, JNIEnv *jni, struct record *r)
{
    record_hook h = atomic_load(&hook);

    __atomic_store_n(&r->whole, true, __ATOMIC_RELEASE);
    if (h != NULL)
        h(env, jni, r);
}

static jint
hash_of(jvmtiEnv *env, jobject object)
{
    jint hash = 0;

    if (object != NULL)
        (*env)->GetObjectHashCode(env, object, &hash);
    return hash;
}

static void
note_class(jvmtiEnv *env, jclass klass, struct record *r)
{
    char *signature = NULL;

    if ((*env)->GetClassSignature(env, klass, &signature, NULL) == JVMTI_ERROR_NONE) {
        snprintf(r->text, sizeof r->text, "%s", signature);
        (*env)->Deallocate(env, (unsigned char *)signature);
    }
}

static void
note_thread(jvmtiEnv *env, JNIEnv *jni, jthread thread, struct record *r)
{
    jvmtiThreadInfo info;

    memset(&info, 0, sizeof info);
    r->hash2 = hash_of(env, thread);
    if (thread != NULL && (*env)->GetThreadInfo(env, thread, &info) == JVMTI_ERROR_NONE) {
        snprintf(r->text, sizeof r->text, "%s", info.name == NULL ? "" : info.name);
        (*env)->Deallocate(env, (unsigned char *)info.name);
        if (info.thread_group != NULL)
            (*jni)->DeleteLocalRef(jni, info.thread_group);
        if (info.context_class_loader != NULL)
            (*jni)->DeleteLocalRef(jni, info.context_class_loader);
    }
}

static void
note_top(jvmtiEnv *env, struct record *r)
{
    (*env)->GetFrameLocation(env, NULL, 0, &r->top, &r->top_location);
}

static void
life(jvmtiEnv *env, JNIEnv *jni, jvmtiEvent event)
{
    finish(env, jni, new_record(env, jni, event));
}

static void
of_thread(jvmtiEnv *env, JNIEnv *jni, jthread thread, jvmtiEvent event)
{
    struct record *r = new_record(env, jni, event);

    if (r->phase == JVMTI_PHASE_LIVE)
        note_thread(env, jni, thread, r);
    finish(env, jni, r);
}

static void
of_method(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
          jlocation location, jvmtiEvent event)
{
    struct record *r = new_record(env, jni, event);

    r->hash2 = hash_of(env, thread);
    r->method = method;
    r->location = location;
    note_top(env, r);
    finish(env, jni, r);
}

static void
of_object(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object, jclass klass,
          jlong value, jvmtiEvent event)
{
    struct record *r = new_record(env, jni, event);

    r->hash2 = hash_of(env, thread);
    r->hash = hash_of(env, object);
    r->a = value;
    if (klass != NULL) {
        note_class(env, klass, r);
        r->hash3 = hash_of(env, klass);
    }
    finish(env, jni, r);
}

static void JNICALL
on_vm_init(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
    of_thread(env, jni, thread, JVMTI_EVENT_VM_INIT);
}

static void JNICALL
on_vm_death(jvmtiEnv *env, JNIEnv *jni)
{
    life(env, jni, JVMTI_EVENT_VM_DEATH);
}

static void JNICALL
on_vm_start(jvmtiEnv *env, JNIEnv *jni)
{
    life(env, jni, JVMTI_EVENT_VM_START);
}

static void JNICALL
on_thread_start(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
    of_thread(env, jni, thread, JVMTI_EVENT_THREAD_START);
}

static void JNICALL
on_thread_end(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
    of_thread(env, jni, thread, JVMTI_EVENT_THREAD_END);
}

static void JNICALL
on_virtual_start(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
    of_thread(env, jni, thread, JVMTI_EVENT_VIRTUAL_THREAD_START);
}

static void JNICALL
on_virtual_end(jvmtiEnv *env, JNIEnv *jni, jthread thread)
{
    of_thread(env, jni, thread, JVMTI_EVENT_VIRTUAL_THREAD_END);
}

static void JNICALL
on_class_file(jvmtiEnv *env, JNIEnv *jni, jclass redefined, jobject loader,
              const char *name, jobject domain, jint length, const unsigned char *data,
              jint *new_length, unsigned char **new_data)
{
    struct record *r = new_record(env, jni, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK);

    (void)new_length, (void)new_data;
    snprintf(r->text, sizeof r->text, "%s", name == NULL ? "" : name);
    r->a = length;
    r->b = length >= 4 ? (jlong)data[0] << 24 | data[1] << 16 | data[2] << 8 | data[3] : 0;
    if (r->phase == JVMTI_PHASE_LIVE) {
        r->hash = hash_of(env, redefined);
        r->hash2 = hash_of(env, loader);
        r->hash3 = hash_of(env, domain);
    }
    finish(env, jni, r);
}

static void
of_class(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass klass, jvmtiEvent event)
{
    struct record *r = new_record(env, jni, event);
    jint count = -1;
    jmethodID *methods;

    r->hash2 = hash_of(env, thread);
    note_class(env, klass, r);
    (*env)->GetClassStatus(env, klass, &count);
    r->a = count;
    if ((*env)->GetClassMethods(env, klass, &count, &methods) == JVMTI_ERROR_NONE) {
        r->b = count;
        (*env)->Deallocate(env, (unsigned char *)methods);
    } else {
        r->b = -1;
    }
    finish(env, jni, r);
}

static void JNICALL
on_class_load(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass klass)
{
    of_class(env, jni, thread, klass, JVMTI_EVENT_CLASS_LOAD);
}

static void JNICALL
on_class_prepare(jvmtiEnv *env, JNIEnv *jni, jthread thread, jclass klass)
{
    of_class(env, jni, thread, klass, JVMTI_EVENT_CLASS_PREPARE);
}

static void JNICALL
on_exception(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
             jlocation location, jobject exception, jmethodID catch_method,
             jlocation catch_location)
{
    struct record *r = new_record(env, jni, JVMTI_EVENT_EXCEPTION);

    r->hash2 = hash_of(env, thread);
    r->method = method;
    r->location = location;
    r->catch_method = catch_method;
    r->catch_location = catch_location;
    r->hash = hash_of(env, exception);
    note_class(env, (*jni)->GetObjectClass(jni, exception), r);
    finish(env, jni, r);
}

static void JNICALL
on_exception_catch(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
                   jlocation location, jobject exception)
{
    struct record *r = new_record(env, jni, JVMTI_EVENT_EXCEPTION_CATCH);

    r->hash2 = hash_of(env, thread);
    r->method = method;
    r->location = location;
    r->hash = hash_of(env, exception);
    finish(env, jni, r);
}

static void JNICALL
on_step(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, jlocation location)
{
    of_method(env, jni, thread, method, location, JVMTI_EVENT_SINGLE_STEP);
}

static void JNICALL
on_breakpoint(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
              jlocation location)
{
    of_method(env, jni, thread, method, location, JVMTI_EVENT_BREAKPOINT);
}

static void JNICALL
on_frame_pop(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
             jboolean popped)
{
    struct record *r = new_record(env, jni, JVMTI_EVENT_FRAME_POP);

    r->hash2 = hash_of(env, thread);
    r->method = method;
    r->a = popped;
    note_top(env, r);
    finish(env, jni, r);
}

static void JNICALL
on_access(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
          jlocation location, jclass klass, jobject object, jfieldID field)
{
    struct record *r = new_record(env, jni, JVMTI_EVENT_FIELD_ACCESS);

    r->hash2 = hash_of(env, thread);
    r->method = method;
    r->location = location;
    r->field = field;
    r->hash = hash_of(env, object);
    note_class(env, klass, r);
    finish(env, jni, r);
}

static void JNICALL
on_modification(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method,
                jlocation location, jclass klass, jobject object, jfieldID field,
                char type, jvalue value)
{
    struct record *r = new_record(env, jni, JVMTI_EVENT_FIELD_MODIFICATION);

    r->hash2 = hash_of(env, thread);
    r->method = method;
    r->location = location;
    r->field = field;
    r->type = type;
    r->b = type == 'I' ? value.i : type == 'J' ? value.j : type == 'Z' ? value.z
        : type == 'L' || type == '[' ? hash_of(env, value.l) : 0;
    r->hash = hash_of(env, object);
    note_class(env, klass, r);
    finish(env, jni, r);
}

static void JNICALL
on_entry(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method)
{
    of_method(env, jni, thread, method, -2, JVMTI_EVENT_METHOD_ENTRY);
}

static void JNICALL
on_exit(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, jboolean popped,
        jvalue value)
{
    struct record *r = new_record(env, jni, JVMTI_EVENT_METHOD_EXIT);

    r->hash2 = hash_of(env, thread);
    r->method = method;
    r->a = popped;
    r->value = value;
    note_top(env, r);
    finish(env, jni, r);
}

static void JNICALL
on_bind(jvmtiEnv *env, JNIEnv *jni, jthread thread, jmethodID method, void *address,
        void **new_address)
{
    struct record *r = new_record(env, jni, JVMTI_EVENT_NATIVE_METHOD_BIND);

    (void)new_address;
    r->hash2 = hash_of(env, thread);
    r->method = method;
    r->a = (jlong)(intptr_t)address;
    finish(env, jni, r);
}

/*
 * Does the map not say which code belongs to which location?  The code of an entry goes on
 * to the start of the next one, so they ascend.
 */
static bool
is_bad_map(const char *address, jint length, const jvmtiAddrLocationMap *map)
{
    for (jint i = 0; i < length; i++) {
        const char *start = map[i].start_address;

        if (start < address || map[i].location < -1 || map[i].location >= 65536
            || (i > 0 && start < (const char *)map[i - 1].start_address))
            return true;
    }
    return false;
}

static void JNICALL
on_compiled(jvmtiEnv *env, jmethodID method, jint size, const void *address, jint length,
            const jvmtiAddrLocationMap *map, const void *info)
{
    struct record *r = new_record(env, NULL, JVMTI_EVENT_COMPILED_METHOD_LOAD);

    (void)info;
    r->method = method;
    r->a = size;
    r->b = (jlong)(intptr_t)address;
    r->bad_map = map == NULL ? length != 0 : is_bad_map(address, length, map);
    finish(env, NULL, r);
}

static void JNICALL
on_uncompiled(jvmtiEnv *env, jmethodID method, const void *address)
{
    struct record *r = new_record(env, NULL, JVMTI_EVENT_COMPILED_METHOD_UNLOAD);

    r->method = method;
    r->b = (jlong)(intptr_t)address;
    finish(env, NULL, r);
}

static void JNICALL
on_code(jvmtiEnv *env, const char *name, const void *address, jint length)
{
    struct record *r = new_record(env, NULL, JVMTI_EVENT_DYNAMIC_CODE_GENERATED);

    snprintf(r->text, sizeof r->text, "%s", name);
    r->a = length;
    r->b = (jlong)(intptr_t)address;
    finish(env, NULL, r);
}

static void JNICALL
on_dump(jvmtiEnv *env)
{
    life(env, NULL, JVMTI_EVENT_DATA_DUMP_REQUEST);
}

static void JNICALL
on_wait(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object, jlong timeout)
{
    of_object(env, jni, thread, object, NULL, timeout, JVMTI_EVENT_MONITOR_WAIT);
}

static void JNICALL
on_waited(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object, jboolean timed_out)
{
    of_object(env, jni, thread, object, NULL, timed_out, JVMTI_EVENT_MONITOR_WAITED);
}

static void JNICALL
on_contended(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object)
{
    of_object(env, jni, thread, object, NULL, 0, JVMTI_EVENT_MONITOR_CONTENDED_ENTER);
}

static void JNICALL
on_entered(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object)
{
    of_object(env, jni, thread, object, NULL, 0, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED);
}

static void JNICALL
on_exhausted(jvmtiEnv *env, JNIEnv *jni, jint flags, const void *reserved_arg,
             const char *description)
{
    struct record *r = new_record(env, jni, JVMTI_EVENT_RESOURCE_EXHAUSTED);

    (void)reserved_arg;
    r->a = flags;
    snprintf(r->text, sizeof r->text, "%s", description == NULL ? "" : description);
    finish(env, jni, r);
}

static void JNICALL
on_gc_start(jvmtiEnv *env)
{
    life(env, NULL, JVMTI_EVENT_GARBAGE_COLLECTION_START);
}

static void JNICALL
on_gc_finish(jvmtiEnv *env)
{
    life(env, NULL, JVMTI_EVENT_GARBAGE_COLLECTION_FINISH);
}

static void JNICALL
on_free(jvmtiEnv *env, jlong tag)
{
    struct record *r = new_record(env, NULL, JVMTI_EVENT_OBJECT_FREE);

    r->a = tag;
    finish(env, NULL, r);
}

static void JNICALL
on_vm_alloc(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object, jclass klass,
            jlong size)
{
    of_object(env, jni, thread, object, klass, size, JVMTI_EVENT_VM_OBJECT_ALLOC);
}

static void JNICALL
on_sample(jvmtiEnv *env, JNIEnv *jni, jthread thread, jobject object, jclass klass,
          jlong size)
{
    of_object(env, jni, thread, object, klass, size, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC);
}

static const jvmtiEventCallbacks all_callbacks = {
    .VMInit = on_vm_init, .VMDeath = on_vm_death, .VMStart = on_vm_start,
    .ThreadStart = on_thread_start, .ThreadEnd = on_thread_end,
    .ClassFileLoadHook = on_class_file, .ClassLoad = on_class_load,
    .ClassPrepare = on_class_prepare, .Exception = on_exception,
    .ExceptionCatch = on_exception_catch, .SingleStep = on_step,
    .FramePop = on_frame_pop, .Breakpoint = on_breakpoint, .FieldAccess = on_access,
    .FieldModification = on_modification, .MethodEntry = on_entry, .MethodExit = on_exit,
    .NativeMethodBind = on_bind, .CompiledMethodLoad = on_compiled,
    .CompiledMethodUnload = on_uncompiled, .DynamicCodeGenerated = on_code,
    .DataDumpRequest = on_dump, .MonitorWait = on_wait, .MonitorWaited = on_waited,
    .MonitorContendedEnter = on_contended, .MonitorContendedEntered = on_entered,
    .ResourceExhausted = on_exhausted, .GarbageCollectionStart = on_gc_start,
    .GarbageCollectionFinish = on_gc_finish, .ObjectFree = on_free,
    .VMObjectAlloc = on_vm_alloc, .SampledObjectAlloc = on_sample,
    .VirtualThreadStart = on_virtual_start, .VirtualThreadEnd = on_virtual_end
};

void
record_also(struct tck *t, jvmtiEnv *env)
{
    tck_want(t, "SetEventCallbacks", JVMTI_ERROR_NONE,
             (*env)->SetEventCallbacks(env, &all_callbacks, sizeof all_callbacks));
}

void
record_start(struct tck *t, jvmtiEnv *env)
{
    record_clear();
    record_also(t, env);
}

void
record_stop(struct tck *t, jvmtiEnv *env)
{
    tck_want(t, "SetEventCallbacks", JVMTI_ERROR_NONE,
             (*env)->SetEventCallbacks(env, NULL, 0));
    record_set_hook(NULL);
}

void
record_clear(void)
{
    /* So that a record that is being made is not taken for the one it replaces. */
    for (int i = record_count(); i-- > 0; ) {
        records[i].event = 0;
        __atomic_store_n(&records[i].whole, false, __ATOMIC_RELAXED);
    }
    atomic_store(&awaited, 0);
    atomic_store(&reserved, 0);
}

void
record_pass(jvmtiEvent event)
{
    atomic_store(&passing[event], true);
}

int
record_count(void)
{
    const struct timespec pause = { 0, 1000000 };
    int count = atomic_load(&reserved), tries = 100;

    if (count > MAX_RECORDS)
        count = MAX_RECORDS;
    for (int i = atomic_load(&awaited); i < count; i++)
        while (!__atomic_load_n(&records[i].whole, __ATOMIC_ACQUIRE) && tries-- > 0)
            nanosleep(&pause, NULL);
    atomic_store(&awaited, count);
    return count;
}

const struct record *
record_at(int index)
{
    return &records[index];
}

static bool
fits(const struct record *r, jvmtiEnv *env, jvmtiEvent event, jmethodID method,
     const char *text)
{
    return r->event == event && r->env == env
        && (method == NULL || r->method == method)
        && (text == NULL || strcmp(r->text, text) == 0);
}

int
record_find(jvmtiEnv *env, jvmtiEvent event, jmethodID method, const char *text, int from)
{
    for (int i = from; i < record_count(); i++)
        if (fits(&records[i], env, event, method, text))
            return i;
    return -1;
}

int
record_matches(jvmtiEnv *env, jvmtiEvent event, jmethodID method, const char *text)
{
    int count = 0;

    for (int i = 0; i < record_count(); i++)
        count += fits(&records[i], env, event, method, text);
    return count;
}

bool
record_is_own(const struct record *r)
{
    return pthread_equal(r->thread, pthread_self()) != 0;
}

int
record_next_own(int from)
{
    for (int i = from; i < record_count(); i++)
        if (record_is_own(&records[i]))
            return i;
    return -1;
}

int
record_own_matches(jvmtiEnv *env, jvmtiEvent event, jmethodID method, const char *text)
{
    int count = 0;

    for (int i = 0; i < record_count(); i++)
        count += record_is_own(&records[i]) && fits(&records[i], env, event, method, text);
    return count;
}

void
record_await(jvmtiEnv *env, jvmtiEvent event, const char *text, jint hash2)
{
    struct timespec pause = { 0, 2000000 };

    for (int round = 0; round < 5000; round++) {
        for (int i = 0; i < record_count(); i++)
            if (fits(&records[i], env, event, NULL, text)
                && (hash2 == 0 || records[i].hash2 == hash2))
                return;
        nanosleep(&pause, NULL);
    }
}

void
record_set_hook(record_hook h)
{
    atomic_store(&hook, h);
}

bool
record_enable(struct tck *t, jvmtiEnv *env, jvmtiEvent event, jthread thread)
{
    return tck_want(t, "SetEventNotificationMode(JVMTI_ENABLE)", JVMTI_ERROR_NONE,
                    (*env)->SetEventNotificationMode(env, JVMTI_ENABLE, event, thread));
}

bool
record_disable(struct tck *t, jvmtiEnv *env, jvmtiEvent event, jthread thread)
{
    return tck_want(t, "SetEventNotificationMode(JVMTI_DISABLE)", JVMTI_ERROR_NONE,
                    (*env)->SetEventNotificationMode(env, JVMTI_DISABLE, event, thread));
}

jint
record_hash(struct tck *t, jobject object)
{
    return hash_of(t->jvmti, object);
}

jint
record_own_hash(struct tck *t)
{
    jthread thread = NULL;

    (*t->jvmti)->GetCurrentThread(t->jvmti, &thread);
    return record_hash(t, thread);
}

void
record_quiet(struct tck *t)
{
    for (int i = 0; i < tck_event_count; i++) {
        int cap = tck_events[i].cap;

        if (tck_events[i].since <= t->level
            && (cap < 0 || tck_cap_get(&t->held, cap)))
            (*t->jvmti)->SetEventNotificationMode(t->jvmti, JVMTI_DISABLE,
                                                  tck_events[i].number, NULL);
    }
    record_set_hook(NULL);
    (*t->jvmti)->SetEventCallbacks(t->jvmti, NULL, 0);
}

const struct record *
record_the(struct tck *t, jvmtiEvent event, jmethodID method, int n)
{
    int at = -1;

    do
        at = record_find(t->jvmti, event, method, NULL, at + 1);
    while (at >= 0 && n-- > 0);
    if (at < 0) {
        tck_fail(t, "expected an event %d of the method, got none", (int)event);
        return NULL;
    }
    return record_at(at);
}
