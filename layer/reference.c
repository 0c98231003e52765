/* SPDX-License-Identifier: MIT */
/*
 * layer/reference.c -- rules about references (JNI "Global and Local References").
 *
 * Whether a reference is good the VM tells, by GetObjectRefType.  Global references are in
 * a table until they are deleted; at the exit, those that nothing in the process points to
 * were lost (reach.c).
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layer/check.h"
#include "layer/reach.h"

#define BUCKETS 4096
/* So many global references of one place are many. */
#define MANY 256
/* And so many where none was ever deleted, or so many of one object. */
#define MANY_KEPT 64
#define MANY_SAME 16

/* Values are kept inverted: the search at the exit must not find ours. */
struct global {
    uintptr_t hidden;
    bool is_weak;
    bool is_class;              /* agents keep one for each class, so that its ids stay */
    bool is_again;              /* of the same object as the place's last one before it */
    const char *function;
    void *caller;
    struct stack stack;
    struct global *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct global *table[BUCKETS];

static struct global **
bucket(const void *reference)
{
    return &table[((uintptr_t)reference >> 3) * 2654435761u % BUCKETS];
}

/* Places that make references, by a hash; a newer one takes the place of an older. */
#define PLACES 1024
static struct {
    uintptr_t caller, last;     /* the last reference, inverted; 0 for none */
    long deleted;
} places[PLACES];

static size_t
place_of(const void *caller)
{
    return ((uintptr_t)caller ^ (uintptr_t)caller >> 10) % PLACES;
}

/* Under the lock: nobody deletes the last one meanwhile. */
static bool
note_place(JNIEnv *jni, const void *caller, jobject reference)
{
    size_t i = place_of(caller);
    bool is_again;

    if (places[i].caller != (uintptr_t)caller) {
        places[i].caller = (uintptr_t)caller;
        places[i].last = 0;
        places[i].deleted = 0;
    }
    is_again = places[i].last != 0
        && (*jni)->IsSameObject(jni, (jobject)~places[i].last, reference);
    places[i].last = ~(uintptr_t)reference;
    return is_again;
}

static long
deleted_of(const struct global *global)
{
    size_t i = place_of(global->caller);

    return places[i].caller == (uintptr_t)global->caller ? places[i].deleted : 1;
}

/* The last ones that were deleted, inverted, and where. */
#define DELETED 256
static struct {
    uintptr_t hidden;
    void *caller;
} deleted[DELETED];
static int next_deleted;

static void
note_global(const struct interpose_jni_call *call, bool is_weak)
{
    struct global *global = malloc(sizeof *global);
    struct global **at = bucket(call->result.p);

    if (global == NULL)
        return;
    global->hidden = ~(uintptr_t)call->result.p;
    global->is_weak = is_weak;
    global->is_class = kind_is_class(call->real, call->result.p);
    global->function = interpose_jni_functions[call->function].name;
    global->caller = call->caller;
    stack_take_at(&global->stack, call->caller, call);
    pthread_mutex_lock(&lock);
    for (int i = 0; i < DELETED; i++)
        if (deleted[i].hidden == global->hidden)
            deleted[i].hidden = 0;
    global->is_again = note_place(call->real, call->caller, call->result.p);
    global->next = *at;
    *at = global;
    pthread_mutex_unlock(&lock);
}

/* Where it was deleted, unless it was made again since; NULL if that is not known. */
static void *
deleted_at(const void *reference)
{
    void *caller = NULL;

    pthread_mutex_lock(&lock);
    for (int i = 1; i <= DELETED && caller == NULL; i++)
        if (deleted[(next_deleted + DELETED - i) % DELETED].hidden == ~(uintptr_t)reference)
            caller = deleted[(next_deleted + DELETED - i) % DELETED].caller;
    pthread_mutex_unlock(&lock);
    return caller;
}

static bool
is_global(const void *reference)
{
    const struct global *global;

    pthread_mutex_lock(&lock);
    global = *bucket(reference);
    while (global != NULL && global->hidden != ~(uintptr_t)reference)
        global = global->next;
    pthread_mutex_unlock(&lock);
    return global != NULL;
}

static void
forget_global(const void *reference, bool is_weak, void *caller)
{
    struct global **at, *global;

    pthread_mutex_lock(&lock);
    at = bucket(reference);
    while (*at != NULL
           && ((*at)->hidden != ~(uintptr_t)reference || (*at)->is_weak != is_weak))
        at = &(*at)->next;
    global = *at;
    if (global != NULL) {
        size_t i = place_of(global->caller);

        *at = global->next;
        deleted[next_deleted].hidden = global->hidden;
        deleted[next_deleted].caller = caller;
        next_deleted = (next_deleted + 1) % DELETED;
        if (places[i].caller == (uintptr_t)global->caller) {
            places[i].deleted++;
            if (places[i].last == global->hidden)
                places[i].last = 0;
        }
    }
    pthread_mutex_unlock(&lock);
    free(global);
}

/* ---- references ---- */

/* A bit for each parameter that is a reference; of JNI also those that are ids or must
   not be NULL. */
static unsigned char call_references[INTERPOSE_FUNCTION_COUNT];
static unsigned char jni_references[INTERPOSE_JNI_COUNT], jni_needed[INTERPOSE_JNI_COUNT];

static bool
is_cleared(JNIEnv *jni, void *reference)
{
    return reference != NULL
        && (*jni)->GetObjectRefType(jni, reference) == JNIWeakGlobalRefType
        && (*jni)->IsSameObject(jni, reference, NULL);
}

static void
tell_cleared(const char *function, const char *param)
{
    check_found(RULE_REFERENCE_CLEARED, function,
                "%s gets in '%s' a weak global reference whose object is gone", function,
                param);
}

/* The library whose memory the address is in, or NULL. */
static const char *
library_of(const void *address)
{
    Dl_info info;
    const char *slash;

    if (dladdr(address, &info) == 0 || info.dli_fname == NULL)
        return NULL;
    slash = strrchr(info.dli_fname, '/');
    return slash != NULL ? slash + 1 : info.dli_fname;
}

/* Newer HotSpots end the process when they are asked of an address that has the low bits
   of a global reference and is in none of their tables.  So they are not asked of what is
   memory that cannot have references: that of libraries, of the stack, of JVM TI. */
static bool
is_hopeless(const void *reference)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0), value = (uintptr_t)reference;

    if ((value & 3) == 0 || is_global(reference))
        return false;
    return value < 4096 || block_has(reference)
        || (value > here && value - here < 1u << 20) || library_of(reference) != NULL;
}

/* HotSpot takes a deleted local reference for one as long as its place is not cut off,
   but there is nothing in it: only a weak reference may be to no object. */
static bool
is_stale(JNIEnv *jni, void *reference)
{
    jobjectRefType type;

    if (reference == NULL)
        return false;
    if (is_hopeless(reference))
        return true;
    type = (*jni)->GetObjectRefType(jni, reference);
    return type == JNIInvalidRefType
        || (type != JNIWeakGlobalRefType && (*jni)->IsSameObject(jni, reference, NULL));
}

/* Why it is none, as far as that is known. */
static void
describe_stale(const void *reference, char *text, size_t size)
{
    void *caller = NULL, *global = deleted_at(reference);
    enum local_fate fate = local_fate_of(check_thread_self(), reference, &caller);
    struct frame_text frame;
    const char *library = library_of(reference);

    if (global != NULL) {
        fate = LOCAL_DELETED;
        caller = global;
    }
    if (library != NULL || is_hopeless(reference))
        snprintf(text, size, "it is none at all, but points into %s",
                 library != NULL ? library : "memory of the agent's");
    else if (fate == LOCAL_DELETED && stack_frame((uintptr_t)caller, &frame))
        snprintf(text, size, "it was deleted before, at %.300s", frame.text);
    else if (fate == LOCAL_DELETED)
        snprintf(text, size, "it was deleted before");
    else if (fate == LOCAL_RETURNED)
        snprintf(text, size, "its callback has returned");
    else if (fate == LOCAL_FOREIGN)
        snprintf(text, size, "it is of a callback on another thread");
    else
        snprintf(text, size, "it was deleted, or its callback has returned, or it is "
                 "another thread's");
}

bool
reference_check(JNIEnv *jni, const char *function, const char *param, void *reference)
{
    char why[400];

    if (!is_stale(jni, reference))
        return true;
    describe_stale(reference, why, sizeof why);
    check_found(RULE_REFERENCE_STALE, function,
                "%s gets as '%s' what is no reference of this thread now: %s", function,
                param, why);
    return false;
}

/* Parameters that may be NULL, of some functions all. */
static bool
may_be_null(const char *function, const char *param)
{
    static const char *const params[] = { "val", "value", "init", "loader", "result",
                                          "obj1", "obj2", "lobj", "gref", "ref", NULL };
    static const char *const functions[] = { "DeleteLocalRef", "NewWeakGlobalRef",
                                             "IsInstanceOf", "IsVirtualThread",
                                             "GetObjectRefType", NULL };

    for (int i = 0; params[i] != NULL; i++)
        if (strcmp(params[i], param) == 0)
            return true;
    for (int i = 0; functions[i] != NULL; i++)
        if (strcmp(functions[i], function) == 0)
            return true;
    return false;
}

void
reference_start(void)
{
    for (int i = 0; i < INTERPOSE_FUNCTION_COUNT; i++)
        for (int k = 0; k < interpose_functions[i].count; k++)
            if (local_is_reference(interpose_functions[i].params[k].type))
                call_references[i] |= (unsigned char)(1u << k);
    for (int i = 0; i < INTERPOSE_JNI_COUNT; i++) {
        const struct interpose_jni_function *f = &interpose_jni_functions[i];

        for (int k = 0; k < f->count; k++) {
            const char *type = f->params[k].type;
            bool is_reference = local_is_reference(type);

            if (is_reference && i != INTERPOSE_JNI_GetObjectRefType)
                jni_references[i] |= (unsigned char)(1u << k);
            if ((is_reference || strcmp(type, "jmethodID") == 0
                 || strcmp(type, "jfieldID") == 0)
                && !may_be_null(f->name, f->params[k].name))
                jni_needed[i] |= (unsigned char)(1u << k);
        }
    }
}

/* The VM cannot tell that a reference was kept, if its place is in use again. */
static bool
check_kept(const struct check_thread *thread, JNIEnv *jni, const char *function,
           const char *param, void *reference)
{
    if (reference == NULL || !local_was_kept(thread, reference)
        || (*jni)->GetObjectRefType(jni, reference) != JNILocalRefType)
        return true;
    check_found(RULE_REFERENCE_KEPT, function,
                "%s gets in '%s' a local reference of a callback that has returned, whose "
                "place is that of another object now", function, param);
    return false;
}

/* Objects, classes and ids; false if the VM would use NULL or a stale reference. */
static bool
check_arguments(const struct interpose_jni_call *call)
{
    const struct interpose_jni_function *f = &interpose_jni_functions[call->function];
    unsigned references = jni_references[call->function];
    unsigned needed = jni_needed[call->function];
    bool is_good = true;

    for (int i = 0; (references | needed) >> i != 0; i++) {
        void *value = call->args[i].p;

        if (value == NULL && (needed & 1u << i)) {
            check_found(RULE_REFERENCE_NULL, f->name, "JNI's %s gets NULL in '%s'",
                        f->name, f->params[i].name);
            is_good = false;
        }
        if ((references & 1u << i)
            && (!reference_check(call->real, f->name, f->params[i].name, value)
                || !check_kept(call->thread->state, call->real, f->name,
                               f->params[i].name, value)))
            is_good = false;
        else if ((references & needed & 1u << i)
                 && call->function != INTERPOSE_JNI_DeleteWeakGlobalRef
                 && is_cleared(call->real, value)) {
            tell_cleared(f->name, f->params[i].name);
            is_good = false;
        }
    }
    return is_good;
}

static bool
check_delete(const struct interpose_jni_call *call, jobjectRefType wanted)
{
    static const char *const kinds[] = { "no", "a local", "a global", "a weak global" };
    const char *name = interpose_jni_functions[call->function].name;
    jobjectRefType type = (*call->real)->GetObjectRefType(call->real, call->args[0].p);

    if (call->args[0].p == NULL || type == wanted || type == JNIInvalidRefType)
        return true;
    check_found(RULE_REFERENCE_WRONG_DELETE, name, "JNI's %s gets %s reference", name,
                kinds[type]);
    /* The agent has done with it. */
    forget_global(call->args[0].p, type == JNIWeakGlobalRefType, call->caller);
    return false;
}

/* ---- calls ---- */

/* What the VM would say of the reference. */
static jvmtiError
error_for(const char *type)
{
    return strcmp(type, "jthread") == 0       ? JVMTI_ERROR_INVALID_THREAD
        : strcmp(type, "jthreadGroup") == 0 ? JVMTI_ERROR_INVALID_THREAD_GROUP
        : strcmp(type, "jclass") == 0       ? JVMTI_ERROR_INVALID_CLASS
                                            : JVMTI_ERROR_INVALID_OBJECT;
}

/* One reference; false if the VM would use an object that is not there. */
static bool
check_reference(struct interpose_call *call, JNIEnv *jni, int param)
{
    const char *name = interpose_functions[call->function].name;
    const struct interpose_param *p = &interpose_functions[call->function].params[param];
    void *reference = call->args[param].p;

    if (!reference_check(jni, name, p->name, reference)) {
        call->error = error_for(p->type);
        return false;
    }
    if ((*jni)->GetObjectRefType(jni, reference) == JNIWeakGlobalRefType) {
        if ((*jni)->IsSameObject(jni, reference, NULL)) {
            tell_cleared(name, p->name);
            call->error = error_for(p->type);
            return false;
        }
        check_found(RULE_REFERENCE_WEAK, name,
                    "%s gets in '%s' a weak global reference, whose object may go at any "
                    "time", name, p->name);
    }
    if (!check_kept(call->thread->state, jni, name, p->name, reference))
        ((struct check_thread *)call->thread->state)->is_kept_used = true;
    return true;
}

bool
reference_call_begin(struct interpose_call *call)
{
    const struct interpose_function *f = &interpose_functions[call->function];
    struct check_thread *thread = call->thread->state;
    void *jni = NULL;
    bool is_good = true;

    thread->is_kept_used = false;
    /* What is safe in callbacks neither blocks nor collects, but for monitors. */
    if (thread->criticals > 0
        && (!f->is_callback_safe || call->function == INTERPOSE_RawMonitorEnter
            || call->function == INTERPOSE_RawMonitorWait))
        check_found(RULE_REFERENCE_CRITICAL_CALL, f->name,
                    "%s is called in a critical region", f->name);
    for (int i = 0; call_references[call->function] >> i != 0; i++)
        if ((call_references[call->function] & 1u << i) && call->args[i].p != NULL
            && (jni != NULL
                || (check_may_ask(call->thread)
                    && (*check_real_vm)->GetEnv(check_real_vm, &jni, JNI_VERSION_1_2)
                        == JNI_OK)))
            is_good = check_reference(call, jni, i) && is_good;
    return is_good;
}

bool
reference_jni_begin(struct interpose_jni_call *call)
{
    const struct interpose_jni_function *f = &interpose_jni_functions[call->function];
    struct check_thread *thread = call->thread->state;

    if (thread->criticals > 0 && !elements_is_critical(call->function))
        check_found(RULE_REFERENCE_CRITICAL_CALL, f->name,
                    "JNI's %s is called in a critical region", f->name);
    if (call->thread->restricted > 0 || call->jni->thread != call->thread
        || check_phase() == JVMTI_PHASE_DEAD)
        return true;
    if (thread->criticals == 0 && !check_arguments(call))
        return false;
    if (thread->criticals == 0 && !kind_jni_begin(call))
        return false;
    switch (call->function) {
    case INTERPOSE_JNI_DeleteLocalRef:
        local_deleted(thread, call->args[0].p, call->caller);
        return check_delete(call, JNILocalRefType);
    case INTERPOSE_JNI_DeleteGlobalRef:
        forget_global(call->args[0].p, false, call->caller);
        return check_delete(call, JNIGlobalRefType);
    case INTERPOSE_JNI_DeleteWeakGlobalRef:
        forget_global(call->args[0].p, true, call->caller);
        return check_delete(call, JNIWeakGlobalRefType);
    default:
        return elements_begin(call);
    }
}

void
reference_jni_end(const struct interpose_jni_call *call)
{
    if (call->result.p != NULL && call->function == INTERPOSE_JNI_NewGlobalRef)
        note_global(call, false);
    else if (call->result.p != NULL && call->function == INTERPOSE_JNI_NewWeakGlobalRef)
        note_global(call, true);
}

/* ---- the end ---- */

/* What reference_collect has found, until reference_at_exit. */
static struct global **left;
static size_t left_count;

size_t
reference_collect(void)
{
    size_t count = 0;

    pthread_mutex_lock(&lock);
    for (int i = 0; i < BUCKETS; i++)
        for (const struct global *g = table[i]; g != NULL; g = g->next)
            count++;
    left = calloc(count + 1, sizeof *left);
    for (int i = 0; i < BUCKETS && left != NULL; i++)
        for (struct global *g = table[i]; g != NULL; g = g->next)
            left[left_count++] = g;
    pthread_mutex_unlock(&lock);
    return left_count;
}

void
reference_add_to(struct reach *reach)
{
    for (size_t i = 0; i < left_count; i++)
        reach_add(reach, ~left[i]->hidden, 0);
}

static int
compare_places(const void *a, const void *b)
{
    const struct global *x = *(struct global *const *)a, *y = *(struct global *const *)b;

    return (x->stack.frames[0] > y->stack.frames[0])
        - (x->stack.frames[0] < y->stack.frames[0]);
}

/* References of one place.  Very many are told of, and else those that are lost. */
static void
tell_place(struct global *const *globals, size_t count, const struct reach *reach)
{
    const struct global *first = globals[0];
    size_t lost = 0, objects = 0, again = 0;
    bool is_growing;

    for (size_t i = 0; i < count; i++) {
        lost += !reach_is_found(reach, ~globals[i]->hidden);
        objects += !globals[i]->is_class;
        again += globals[i]->is_again;
    }
    is_growing = objects >= MANY
        || (deleted_of(first) == 0 && (objects >= MANY_KEPT || again >= MANY_SAME));
    if (is_growing)
        check_found_at(RULE_REFERENCE_GLOBAL_GROWTH, first->function, &first->stack,
                       (long)count, "%zu references of %s at one place are there still%s",
                       count, first->function,
                       again >= MANY_SAME ? ", many of them of one object" : "");
    else if (lost > 0)
        check_found_at(RULE_REFERENCE_GLOBAL_LOST, first->function, &first->stack,
                       (long)lost, "%zu reference%s of %s %s never deleted, and nothing "
                       "points to %s any more", lost, lost == 1 ? "" : "s",
                       first->function, lost == 1 ? "was" : "were",
                       lost == 1 ? "it" : "them");
}

void
reference_at_exit(const struct reach *reach)
{
    if (left != NULL)
        qsort(left, left_count, sizeof *left, compare_places);
    for (size_t i = 0, next; i < left_count; i = next) {
        next = i;
        while (next < left_count && compare_places(&left[i], &left[next]) == 0)
            next++;
        tell_place(&left[i], next - i, reach);
    }
    free(left);
}
