/* SPDX-License-Identifier: MIT */
/* minivm/test/jvmti/Heap.c -- the chapters about the heap, called by Heap.java.
 *
 * A walk writes a line for each callback that is about a tagged object; Heap.java
 * knows the graph and compares.  Environments are numbered. */

#include "check.h"

#include <stdarg.h>

enum { ENVS = 3 };
static jvmtiEnv *envs[ENVS];
static jrawMonitorID lock;
static jobject global;

/* ---- lines ---- */

static struct {
    char (*lines)[160];
    size_t count, capacity;
} log;

static void
say(const char *format, ...)
{
    va_list args;

    if (log.count == log.capacity) {
        log.capacity = log.capacity * 2 + 1000;
        log.lines = realloc(log.lines, log.capacity * sizeof *log.lines);
    }
    va_start(args, format);
    vsnprintf(log.lines[log.count++], sizeof *log.lines, format, args);
    va_end(args);
}

static jobjectArray
take_lines(JNIEnv *jni)
{
    jclass string = (*jni)->FindClass(jni, "java/lang/String");
    jobjectArray array = (*jni)->NewObjectArray(jni, (jsize)log.count, string, NULL);

    for (size_t i = 0; i < log.count; i++) {
        jstring line = (*jni)->NewStringUTF(jni, log.lines[i]);
        (*jni)->SetObjectArrayElement(jni, array, (jsize)i, line);
        (*jni)->DeleteLocalRef(jni, line);
    }
    log.count = 0;
    return array;
}

/* ---- tags ---- */

JNIEXPORT jint JNICALL
Java_Heap_setTag(JNIEnv *jni, jclass c, jint env, jobject o, jlong tag)
{
    return (*envs[env])->SetTag(envs[env], o, tag);
}

JNIEXPORT jlong JNICALL
Java_Heap_getTag(JNIEnv *jni, jclass c, jint env, jobject o)
{
    jlong tag = 12345;
    jint error = (*envs[env])->GetTag(envs[env], o, &tag);

    return error == JVMTI_ERROR_NONE ? tag : -error;
}

/* "count tag:hash..." of what has the tags, in some order, or the error. */
JNIEXPORT jobjectArray JNICALL
Java_Heap_withTags(JNIEnv *jni, jclass c, jint env, jlongArray wanted, jboolean objects,
                   jboolean tags)
{
    jvmtiEnv *ti = envs[env];
    jint count = -7, wanted_count = (*jni)->GetArrayLength(jni, wanted);
    jlong *list = (*jni)->GetLongArrayElements(jni, wanted, NULL), *found_tags = NULL;
    jobject *found = NULL;
    jint error = (*ti)->GetObjectsWithTags(ti, wanted_count, list, &count,
                                           objects ? &found : NULL,
                                           tags ? &found_tags : NULL);

    say("error %d", error);
    say("count %d", count);
    for (jint i = 0; i < count; i++) {
        jint hash = -1;
        if (objects)
            (*ti)->GetObjectHashCode(ti, found[i], &hash);
        say("%lld %d", tags ? (long long)found_tags[i] : -1LL, hash);
    }
    for (jint i = 0; objects && i < count; i++)
        (*jni)->DeleteLocalRef(jni, found[i]);
    (*ti)->Deallocate(ti, (unsigned char *)found);
    (*ti)->Deallocate(ti, (unsigned char *)found_tags);
    return take_lines(jni);
}

JNIEXPORT void JNICALL
Java_Heap_collect(JNIEnv *jni, jclass c)
{
    (*envs[0])->ForceGarbageCollection(envs[0]);
}

JNIEXPORT void JNICALL
Java_Heap_keepGlobal(JNIEnv *jni, jclass c, jobject o)
{
    global = (*jni)->NewGlobalRef(jni, o);
}

/* ---- today's walks ---- */

static const char *const kinds[] = {
    [1] = "CLASS", "FIELD", "ELEMENT", "LOADER", "SIGNERS", "DOMAIN", "INTERFACE",
    "STATIC", "CONSTANT", "SUPERCLASS", [21] = "GLOBAL", "SYSTEM_CLASS", "MONITOR",
    "STACK", "JNI_LOCAL", "THREAD", "OTHER"
};

/* What a walk's callbacks do beside writing lines. */
struct walk {
    jvmtiEnv *ti;
    jlong prune;                   /* do not go on behind objects with this tag */
    jlong paint, paint_referrer;   /* give untagged ones of the class these tags, */
    jlong paint_class;             /* whose class has this tag */
    jint abort_after;              /* callbacks; -1: never */
    jint called;
    bool all;                      /* lines for untagged objects, too */
    bool is_quiet;
    jint result;                   /* of what is called in a callback */
};

enum { REFERENCES = 1, FIELDS = 2, ARRAYS = 4, STRINGS = 8, OBJECTS = 16 };

static jint
answer(struct walk *w, jlong tag)
{
    w->called++;
    if (w->abort_after >= 0 && w->called >= w->abort_after)
        return JVMTI_VISIT_ABORT | JVMTI_VISIT_OBJECTS;
    return w->prune != 0 && tag == w->prune ? 0 : JVMTI_VISIT_OBJECTS;
}

static void
paint(const struct walk *w, jlong class_tag, jlong *tag)
{
    if (w->paint_class != 0 && class_tag == w->paint_class && *tag == 0)
        *tag = w->paint;
}

/* The name of a method and whether the location is what it was before the walk. */
static const char *
describe_method(jvmtiEnv *ti, jmethodID method)
{
    static char buffer[64];
    char *name = NULL;

    if (method == NULL)
        return "none";
    if ((*ti)->GetMethodName(ti, method, &name, NULL, NULL) != JVMTI_ERROR_NONE)
        return "bad";
    snprintf(buffer, sizeof buffer, "%s", name);
    (*ti)->Deallocate(ti, (unsigned char *)name);
    return buffer;
}

/* Roots are written when the walk is over: a callback may not ask for names. */
struct root {
    jvmtiHeapReferenceKind kind;
    jvmtiHeapReferenceInfo info;
    jlong tag;
};
static struct root roots[20000];
static size_t root_count;

static jint JNICALL
on_reference(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
             jlong class_tag, jlong referrer_class_tag, jlong size, jlong *tag,
             jlong *referrer_tag, jint length, void *data)
{
    struct walk *w = data;
    bool indexed = kind == JVMTI_HEAP_REFERENCE_FIELD
                   || kind == JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT
                   || kind == JVMTI_HEAP_REFERENCE_STATIC_FIELD
                   || kind == JVMTI_HEAP_REFERENCE_CONSTANT_POOL;
    bool is_root = kind >= JVMTI_HEAP_REFERENCE_JNI_GLOBAL;
    bool on_stack = kind == JVMTI_HEAP_REFERENCE_STACK_LOCAL
                    || kind == JVMTI_HEAP_REFERENCE_JNI_LOCAL;
    jlong before = *tag;

    paint(w, class_tag, tag);
    if (w->paint_referrer != 0 && referrer_tag != NULL && before == w->prune)
        *referrer_tag = w->paint_referrer;
    if ((info != NULL) != (indexed || on_stack) || (referrer_tag == NULL) != is_root
        || size <= 0)
        say("BAD %d", kind);
    if (w->is_quiet || (before == 0 && !w->all))
        return answer(w, before);
    if (is_root) {
        if (root_count < sizeof roots / sizeof *roots) {
            roots[root_count].kind = kind;
            roots[root_count].tag = before;
            if (info != NULL)
                roots[root_count].info = *info;
            root_count++;
        }
    } else if (*referrer_tag != 0) {
        say("%s %d %lld > %lld classes %lld > %lld length %d%s", kinds[kind],
            indexed ? info->field.index : -1, (long long)*referrer_tag,
            (long long)before, (long long)referrer_class_tag, (long long)class_tag,
            length, referrer_tag == tag ? " self" : "");
    }
    return answer(w, before);
}

static void
say_roots(jvmtiEnv *ti)
{
    for (size_t i = 0; i < root_count; i++) {
        const struct root *r = &roots[i];
        const jvmtiHeapReferenceInfoStackLocal *s = &r->info.stack_local;
        const jvmtiHeapReferenceInfoJniLocal *j = &r->info.jni_local;
        jlocation location = -2;
        jmethodID method;

        if (r->kind == JVMTI_HEAP_REFERENCE_STACK_LOCAL) {
            (*ti)->GetFrameLocation(ti, NULL, s->depth, &method, &location);
            say("STACK %lld thread %lld id %lld depth %d %s slot %d location %s",
                (long long)r->tag, (long long)s->thread_tag, (long long)s->thread_id,
                s->depth, describe_method(ti, s->method), s->slot,
                location == s->location && method == s->method ? "right" : "wrong");
        } else if (r->kind == JVMTI_HEAP_REFERENCE_JNI_LOCAL) {
            say("JNI_LOCAL %lld thread %lld id %lld depth %d %s", (long long)r->tag,
                (long long)j->thread_tag, (long long)j->thread_id, j->depth,
                describe_method(ti, j->method));
        } else {
            say("%s %lld", kinds[r->kind], (long long)r->tag);
        }
    }
    root_count = 0;
}

static jint JNICALL
on_field(jvmtiHeapReferenceKind kind, const jvmtiHeapReferenceInfo *info,
         jlong class_tag, jlong *tag, jvalue value, jvmtiPrimitiveType type, void *data)
{
    struct walk *w = data;
    char text[40];

    if (*tag != 0 && !w->is_quiet) {
        switch (type) {
        case 'Z': snprintf(text, sizeof text, "%s", value.z ? "true" : "false"); break;
        case 'B': snprintf(text, sizeof text, "%d", value.b); break;
        case 'C': snprintf(text, sizeof text, "%d", value.c); break;
        case 'S': snprintf(text, sizeof text, "%d", value.s); break;
        case 'I': snprintf(text, sizeof text, "%d", value.i); break;
        case 'J': snprintf(text, sizeof text, "%lld", (long long)value.j); break;
        case 'F': snprintf(text, sizeof text, "%g", value.f); break;
        case 'D': snprintf(text, sizeof text, "%g", value.d); break;
        default: snprintf(text, sizeof text, "?"); break;
        }
        say("value %s %d of %lld class %lld: %c %s", kinds[kind], info->field.index,
            (long long)*tag, (long long)class_tag, type, text);
    }
    return answer(w, *tag);
}

static jint JNICALL
on_array(jlong class_tag, jlong size, jlong *tag, jint count, jvmtiPrimitiveType type,
         const void *elements, void *data)
{
    struct walk *w = data;
    static const char letters[] = "ZBCSIFJD";
    size_t each = (size_t)1 << (strchr(letters, type) - letters == 0 ? 0
                                : strchr("CS", type) ? 1 : strchr("IF", type) ? 2
                                : strchr("JD", type) ? 3 : 0);
    char text[100] = "";

    if (*tag != 0 && !w->is_quiet) {
        for (size_t i = 0; i < count * each && i < 40; i++)
            snprintf(text + 2 * i, 3, "%02x", ((const unsigned char *)elements)[i]);
        say("array %lld class %lld %c %d %s", (long long)*tag, (long long)class_tag,
            type, count, text);
    }
    return answer(w, *tag);
}

static jint JNICALL
on_string(jlong class_tag, jlong size, jlong *tag, const jchar *value, jint length,
          void *data)
{
    struct walk *w = data;
    char text[100] = "";

    if (*tag != 0 && !w->is_quiet) {
        for (jint i = 0; i < length && i < 20; i++)
            snprintf(text + 4 * i, 5, "%04x", value[i]);
        say("string %lld class %lld %d %s", (long long)*tag, (long long)class_tag,
            length, text);
    }
    return answer(w, *tag);
}

static jint JNICALL
on_object(jlong class_tag, jlong size, jlong *tag, jint length, void *data)
{
    struct walk *w = data;

    paint(w, class_tag, tag);
    if ((*tag != 0 || w->all) && !w->is_quiet)
        say("object %lld class %lld length %d", (long long)*tag, (long long)class_tag,
            length);
    return answer(w, *tag);
}

static jvmtiHeapCallbacks
make_callbacks(jint which)
{
    jvmtiHeapCallbacks callbacks = { 0 };

    callbacks.heap_reference_callback = which & REFERENCES ? on_reference : NULL;
    callbacks.primitive_field_callback = which & FIELDS ? on_field : NULL;
    callbacks.array_primitive_value_callback = which & ARRAYS ? on_array : NULL;
    callbacks.string_primitive_value_callback = which & STRINGS ? on_string : NULL;
    callbacks.heap_iteration_callback = which & OBJECTS ? on_object : NULL;
    return callbacks;
}

static struct walk settings;

/* Settings of the next walk only. */
JNIEXPORT void JNICALL
Java_Heap_set(JNIEnv *jni, jclass c, jlong prune, jlong paint_tag, jlong paint_referrer,
              jlong paint_class, jint abort_after, jboolean all, jboolean quiet)
{
    settings = (struct walk){ .prune = prune, .paint = paint_tag,
                              .paint_referrer = paint_referrer,
                              .paint_class = paint_class, .abort_after = abort_after,
                              .all = all, .is_quiet = quiet };
}

static void
begin(jvmtiEnv *ti)
{
    settings.ti = ti;
    settings.called = 0;
}

static jobjectArray
finish(JNIEnv *jni, jint error)
{
    if (error != JVMTI_ERROR_NONE)
        say("error %d", error);
    if (settings.is_quiet || settings.abort_after >= 0)
        say("called %d", settings.called);
    settings = (struct walk){ .abort_after = -1 };
    return take_lines(jni);
}

JNIEXPORT jobjectArray JNICALL
Java_Heap_follow(JNIEnv *jni, jclass c, jint env, jint which, jint filter, jclass klass,
                 jobject from)
{
    jvmtiHeapCallbacks callbacks = make_callbacks(which);
    jint error;

    begin(envs[env]);
    error = (*envs[env])->FollowReferences(envs[env], filter, klass, from, &callbacks,
                                           &settings);
    say_roots(envs[env]);
    return finish(jni, error);
}

JNIEXPORT jobjectArray JNICALL
Java_Heap_iterate(JNIEnv *jni, jclass c, jint env, jint which, jint filter,
                  jclass klass)
{
    jvmtiHeapCallbacks callbacks = make_callbacks(which);
    jint error;

    begin(envs[env]);
    error = (*envs[env])->IterateThroughHeap(envs[env], filter, klass, &callbacks,
                                             &settings);
    return finish(jni, error);
}

/* Follow from the roots while this frame holds one more local reference. */
JNIEXPORT jobjectArray JNICALL
Java_Heap_roots(JNIEnv *jni, jclass c, jobject held)
{
    (*jni)->NewLocalRef(jni, held);
    settings.abort_after = -1;
    return Java_Heap_follow(jni, c, 0, REFERENCES, 0, NULL, NULL);
}

/* The same from below: this frame holds a reference and calls Java. */
JNIEXPORT jobject JNICALL
Java_Heap_upcall(JNIEnv *jni, jclass c, jobject held, jobject supplier)
{
    jclass type = (*jni)->GetObjectClass(jni, supplier);
    jmethodID get = (*jni)->GetMethodID(jni, type, "get", "()Ljava/lang/Object;");

    for (int i = 0; i < 100; i++)
        (*jni)->NewLocalRef(jni, held);
    return (*jni)->CallObjectMethod(jni, supplier, get);
}

/* ---- what callbacks may call ---- */

static jint JNICALL
on_safe(jlong class_tag, jlong size, jlong *tag, jint length, void *data)
{
    jvmtiEnv *ti = envs[0];
    unsigned char *memory = NULL;
    void *storage = NULL;
    struct walk *w = data;

    w->result = (*ti)->Allocate(ti, 100, &memory);
    w->result |= (*ti)->Deallocate(ti, memory);
    w->result |= (*ti)->RawMonitorEnter(ti, lock);
    w->result |= (*ti)->RawMonitorNotifyAll(ti, lock);
    w->result |= (*ti)->RawMonitorExit(ti, lock);
    w->result |= (*ti)->SetEnvironmentLocalStorage(ti, data);
    w->result |= (*ti)->GetEnvironmentLocalStorage(ti, &storage);
    w->result |= storage != data;
    return JVMTI_VISIT_ABORT;
}

JNIEXPORT jint JNICALL
Java_Heap_safeCalls(JNIEnv *jni, jclass c)
{
    jvmtiHeapCallbacks callbacks = { .heap_iteration_callback = on_safe };
    struct walk w = { .result = -1 };

    (*envs[0])->IterateThroughHeap(envs[0], 0, NULL, &callbacks, &w);
    return w.result;
}

/* Functions that must not be called: what they answer, once each. */
static jint JNICALL
on_unsafe(jlong class_tag, jlong size, jlong *tag, jint length, void *data)
{
    jvmtiEnv *ti = envs[0];
    jvmtiHeapCallbacks callbacks = { .heap_iteration_callback = on_safe };
    struct walk *w = data;
    jlong value;
    jint count;

    w->result += (*ti)->GetTag(ti, global, &value) != JVMTI_ERROR_NONE;
    w->result += (*ti)->SetTag(ti, global, 1) != JVMTI_ERROR_NONE;
    w->result += (*ti)->ForceGarbageCollection(ti) != JVMTI_ERROR_NONE;
    w->result += (*ti)->GetFrameCount(ti, NULL, &count) != JVMTI_ERROR_NONE;
    w->result += (*ti)->IterateThroughHeap(ti, 0, NULL, &callbacks, data)
                 != JVMTI_ERROR_NONE;
    w->result += (*ti)->DisposeEnvironment(envs[1]) != JVMTI_ERROR_NONE;
    return JVMTI_VISIT_ABORT;
}

JNIEXPORT jint JNICALL
Java_Heap_unsafeCalls(JNIEnv *jni, jclass c)
{
    jvmtiHeapCallbacks callbacks = { .heap_iteration_callback = on_unsafe };
    struct walk w = { .result = 0 };

    (*envs[0])->IterateThroughHeap(envs[0], 0, NULL, &callbacks, &w);
    return w.result;
}

/* ---- the walks of 1.0 ---- */

static jvmtiIterationControl
answer10(struct walk *w, jlong tag)
{
    jint flags = answer(w, tag);

    return flags & JVMTI_VISIT_ABORT ? JVMTI_ITERATION_ABORT
           : flags != 0 ? JVMTI_ITERATION_CONTINUE : JVMTI_ITERATION_IGNORE;
}

static jvmtiIterationControl JNICALL
on_object10(jlong class_tag, jlong size, jlong *tag, void *data)
{
    return on_object(class_tag, size, tag, -1, data) & JVMTI_VISIT_ABORT
               ? JVMTI_ITERATION_ABORT : JVMTI_ITERATION_CONTINUE;
}

static jvmtiIterationControl JNICALL
on_root10(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag, void *data)
{
    if (*tag != 0)
        say("%s %lld", kinds[kind + 20], (long long)*tag);
    return answer10(data, *tag);
}

/* As on_reference: no names in a callback. */
static jvmtiIterationControl JNICALL
on_stack10(jvmtiHeapRootKind kind, jlong class_tag, jlong size, jlong *tag,
           jlong thread_tag, jint depth, jmethodID method, jint slot, void *data)
{
    if (*tag != 0) {
        struct root *r = &roots[root_count++];
        r->kind = (jvmtiHeapReferenceKind)(kind + 20);
        r->tag = *tag;
        r->info.stack_local = (jvmtiHeapReferenceInfoStackLocal){
            .thread_tag = thread_tag, .depth = depth, .method = method, .slot = slot };
    }
    return answer10(data, *tag);
}

static jvmtiIterationControl JNICALL
on_reference10(jvmtiObjectReferenceKind kind, jlong class_tag, jlong size, jlong *tag,
               jlong referrer_tag, jint index, void *data)
{
    if (*tag != 0 && referrer_tag != 0)
        say("%s %d %lld > %lld class %lld", kinds[kind], index, (long long)referrer_tag,
            (long long)*tag, (long long)class_tag);
    return answer10(data, *tag);
}

JNIEXPORT jobjectArray JNICALL
Java_Heap_reachable10(JNIEnv *jni, jclass c, jobject from)
{
    begin(envs[0]);
    return finish(jni, (*envs[0])->IterateOverObjectsReachableFromObject(
                           envs[0], from, on_reference10, &settings));
}

JNIEXPORT jobjectArray JNICALL
Java_Heap_roots10(JNIEnv *jni, jclass c, jobject held, jboolean edges)
{
    jint error;

    (*jni)->NewLocalRef(jni, held);
    begin(envs[0]);
    error = (*envs[0])->IterateOverReachableObjects(
        envs[0], on_root10, on_stack10, edges ? on_reference10 : NULL, &settings);
    for (size_t i = 0; i < root_count; i++) {
        const jvmtiHeapReferenceInfoStackLocal *s = &roots[i].info.stack_local;
        say("%s %lld thread %lld depth %d %s slot %d", kinds[roots[i].kind],
            (long long)roots[i].tag, (long long)s->thread_tag, s->depth,
            describe_method(envs[0], s->method),
            roots[i].kind == JVMTI_HEAP_REFERENCE_JNI_LOCAL ? -1 : s->slot);
    }
    root_count = 0;
    return finish(jni, error);
}

JNIEXPORT jobjectArray JNICALL
Java_Heap_instances10(JNIEnv *jni, jclass c, jclass klass, jint filter)
{
    jvmtiEnv *ti = envs[0];

    begin(ti);
    return finish(jni, klass != NULL
                           ? (*ti)->IterateOverInstancesOfClass(
                                 ti, klass, (jvmtiHeapObjectFilter)filter, on_object10,
                                 &settings)
                           : (*ti)->IterateOverHeap(ti, (jvmtiHeapObjectFilter)filter,
                                                    on_object10, &settings));
}

/* ---- events ---- */

enum { FREED = 100000 };
static unsigned char freed[FREED];
static jint freed_elsewhere;

static void JNICALL
on_free(jvmtiEnv *ti, jlong tag)
{
    unsigned char *memory = NULL;

    if ((*ti)->Allocate(ti, 10, &memory) != JVMTI_ERROR_NONE
        || (*ti)->Deallocate(ti, memory) != JVMTI_ERROR_NONE
        || (*ti)->RawMonitorEnter(ti, lock) != JVMTI_ERROR_NONE)
        return;
    if (tag > 0 && tag < FREED)
        freed[tag]++;
    else
        freed_elsewhere++;
    (*ti)->RawMonitorExit(ti, lock);
}

JNIEXPORT void JNICALL
Java_Heap_reportFree(JNIEnv *jni, jclass c, jboolean on)
{
    (*envs[0])->SetEventNotificationMode(envs[0], on ? JVMTI_ENABLE : JVMTI_DISABLE,
                                         JVMTI_EVENT_OBJECT_FREE, NULL);
}

/* How many of the tags [from, to) were freed so many times. */
JNIEXPORT jint JNICALL
Java_Heap_freed(JNIEnv *jni, jclass c, jint from, jint to, jint times)
{
    jint count = 0;

    (*envs[0])->RawMonitorEnter(envs[0], lock);
    for (jint i = from; i < to; i++)
        count += freed[i] == times;
    (*envs[0])->RawMonitorExit(envs[0], lock);
    return count;
}

JNIEXPORT jint JNICALL
Java_Heap_freedElsewhere(JNIEnv *jni, jclass c)
{
    return freed_elsewhere;
}

static jclass sample_class;
static jint samples, bad_samples, all_samples;

static void JNICALL
on_sample(jvmtiEnv *ti, JNIEnv *jni, jthread thread, jobject o, jclass klass,
          jlong size)
{
    jthread current = NULL;
    jlong real = -1;

    (*ti)->RawMonitorEnter(ti, lock);
    all_samples++;
    if (sample_class != NULL && (*jni)->IsSameObject(jni, klass, sample_class)) {
        (*ti)->GetObjectSize(ti, o, &real);
        (*ti)->GetCurrentThread(ti, &current);
        samples++;
        bad_samples += real != size || !(*jni)->IsInstanceOf(jni, o, klass)
                       || !(*jni)->IsSameObject(jni, thread, current);
    }
    (*ti)->RawMonitorExit(ti, lock);
}

JNIEXPORT jint JNICALL
Java_Heap_sample(JNIEnv *jni, jclass c, jclass klass, jint interval, jthread thread)
{
    sample_class = klass != NULL ? (*jni)->NewGlobalRef(jni, klass) : NULL;
    samples = bad_samples = all_samples = 0;
    if (klass == NULL)
        return (*envs[0])->SetEventNotificationMode(
            envs[0], JVMTI_DISABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, thread);
    jint error = (*envs[0])->SetHeapSamplingInterval(envs[0], interval);
    return error | (*envs[0])->SetEventNotificationMode(
                       envs[0], JVMTI_ENABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, thread);
}

JNIEXPORT jint JNICALL
Java_Heap_samples(JNIEnv *jni, jclass c, jint which)
{
    return which == 0 ? samples : which == 1 ? bad_samples : all_samples;
}

JNIEXPORT jobject JNICALL
Java_Heap_allocate(JNIEnv *jni, jclass c, jclass klass)
{
    return (*jni)->AllocObject(jni, klass);
}

/* ---- a third environment that goes ---- */

JNIEXPORT jint JNICALL
Java_Heap_dispose(JNIEnv *jni, jclass c, jint env)
{
    return (*envs[env])->DisposeEnvironment(envs[env]);
}

JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    jvmtiCapabilities wanted = { .can_tag_objects = 1,
                                 .can_generate_object_free_events = 1 };
    jvmtiEventCallbacks callbacks = { .ObjectFree = on_free,
                                      .SampledObjectAlloc = on_sample };

    for (int i = 0; i < ENVS; i++) {
        wanted.can_generate_sampled_object_alloc_events = i == 0;
        envs[i] = make_env(vm, JVMTI_VERSION_11, &wanted);
    }
    settings.abort_after = -1;
    (*envs[0])->SetEventCallbacks(envs[0], &callbacks, sizeof callbacks);
    return (*envs[0])->CreateRawMonitor(envs[0], "heap", &lock);
}
