/* SPDX-License-Identifier: MIT */
/*
 * layer/reference.c -- rules about references, strings and arrays (JNI "Global and Local
 * References", "String Operations", "Array Operations").
 *
 * Whether a reference is good the VM tells, by GetObjectRefType.  What was got and has to
 * be given back, characters, elements, global references, is in a table.
 */
#include <stdlib.h>
#include <string.h>

#include "layer/check.h"

#define BUCKETS 4096
/* So many global references of one place are many. */
#define MANY 256

enum held_kind { CHARS, CRITICAL, GLOBAL, WEAK };

struct held {
    void *pointer;
    enum held_kind kind;
    const char *function;
    jweak owner;            /* CHARS: the string or array */
    struct stack stack;
    struct held *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct held *table[BUCKETS];

static struct held **
bucket(const void *pointer)
{
    return &table[((uintptr_t)pointer >> 3) * 2654435761u % BUCKETS];
}

static void
hold(const struct interpose_jni_call *call, enum held_kind kind)
{
    struct held *held = malloc(sizeof *held);

    if (held == NULL)
        return;
    held->pointer = call->result.p;
    held->kind = kind;
    held->function = interpose_jni_functions[call->function].name;
    held->owner = kind == CHARS
        ? (*call->real)->NewWeakGlobalRef(call->real, call->args[0].p) : NULL;
    stack_take_at(&held->stack, call->caller, call);
    pthread_mutex_lock(&lock);
    held->next = *bucket(held->pointer);
    *bucket(held->pointer) = held;
    pthread_mutex_unlock(&lock);
}

/* False if there is no such thing.  Its owner is the caller's to delete. */
static bool
release(const void *pointer, enum held_kind kind, jweak *owner)
{
    struct held **at, *held;

    pthread_mutex_lock(&lock);
    at = bucket(pointer);
    while (*at != NULL && ((*at)->pointer != pointer || (*at)->kind != kind))
        at = &(*at)->next;
    held = *at;
    if (held != NULL)
        *at = held->next;
    pthread_mutex_unlock(&lock);
    *owner = held != NULL ? held->owner : NULL;
    free(held);
    return held != NULL;
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

/* HotSpot takes a deleted local reference for one as long as its place is not cut off,
   but there is nothing in it: only a weak reference may be to no object. */
static bool
is_stale(JNIEnv *jni, void *reference)
{
    jobjectRefType type;

    if (reference == NULL)
        return false;
    type = (*jni)->GetObjectRefType(jni, reference);
    return type == JNIInvalidRefType
        || (type != JNIWeakGlobalRefType && (*jni)->IsSameObject(jni, reference, NULL));
}

bool
reference_check(JNIEnv *jni, const char *function, const char *param, void *reference)
{
    if (!is_stale(jni, reference))
        return true;
    check_found(RULE_REFERENCE_STALE, function,
                "%s gets as '%s' what is no reference of this thread now: it was deleted, "
                "or its callback has returned, or it is another thread's", function, param);
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
    return false;
}

/* ---- calls ---- */

static bool
is_critical(int function)
{
    return function == INTERPOSE_JNI_GetPrimitiveArrayCritical
        || function == INTERPOSE_JNI_GetStringCritical
        || function == INTERPOSE_JNI_ReleasePrimitiveArrayCritical
        || function == INTERPOSE_JNI_ReleaseStringCritical;
}

/* Get... with a parameter isCopy gives memory, and Release... takes it as its second
   parameter. */
static bool
gives_memory(const struct interpose_jni_function *f)
{
    return f->count == 2 && strcmp(f->params[1].name, "isCopy") == 0;
}

static bool
check_release(const struct interpose_jni_call *call)
{
    const struct interpose_jni_function *f = &interpose_jni_functions[call->function];
    enum held_kind kind = is_critical(call->function) ? CRITICAL : CHARS;

    jweak owner = NULL;
    bool is_owner;

    if (strncmp(f->name, "Release", 7) != 0
        || (f->count == 3 && call->args[2].i == JNI_COMMIT))
        return true;
    if (release(call->args[1].p, kind, &owner)) {
        is_owner = owner == NULL
            || (*call->real)->IsSameObject(call->real, owner, call->args[0].p);
        (*call->real)->DeleteWeakGlobalRef(call->real, owner);
        if (!is_owner)
            check_found(RULE_REFERENCE_RELEASE_UNKNOWN, f->name,
                        "JNI's %s gets what is of another %s", f->name,
                        f->params[0].name);
        return is_owner;
    }
    check_found(RULE_REFERENCE_RELEASE_UNKNOWN, f->name,
                "JNI's %s gets what no function gave, or what was released before",
                f->name);
    return false;
}

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
    if (is_cleared(jni, reference)) {
        tell_cleared(name, p->name);
        call->error = error_for(p->type);
        return false;
    }
    check_kept(call->thread->state, jni, name, p->name, reference);
    return true;
}

bool
reference_call_begin(struct interpose_call *call)
{
    const struct interpose_function *f = &interpose_functions[call->function];
    const struct check_thread *thread = call->thread->state;
    void *jni = NULL;
    bool is_good = true;

    if (thread->criticals > 0)
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
    jweak owner;

    if (thread->criticals > 0 && !is_critical(call->function))
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
        return check_delete(call, JNILocalRefType);
    case INTERPOSE_JNI_DeleteGlobalRef:
        release(call->args[0].p, GLOBAL, &owner);
        return check_delete(call, JNIGlobalRefType);
    case INTERPOSE_JNI_DeleteWeakGlobalRef:
        release(call->args[0].p, WEAK, &owner);
        return check_delete(call, JNIWeakGlobalRefType);
    default:
        return check_release(call);
    }
}

void
reference_jni_end(const struct interpose_jni_call *call)
{
    const struct interpose_jni_function *f = &interpose_jni_functions[call->function];
    struct check_thread *thread = call->thread->state;

    if (f->returns == 'p' && call->result.p != NULL) {
        if (gives_memory(f))
            hold(call, is_critical(call->function) ? CRITICAL : CHARS);
        else if (call->function == INTERPOSE_JNI_NewGlobalRef)
            hold(call, GLOBAL);
        else if (call->function == INTERPOSE_JNI_NewWeakGlobalRef)
            hold(call, WEAK);
    }
    if (is_critical(call->function)) {
        if (f->returns == 'v')
            thread->criticals -= thread->criticals > 0;
        else
            thread->criticals += call->result.p != NULL;
    }
}

/* ---- the end ---- */

static int
compare_places(const void *a, const void *b)
{
    const struct held *x = *(struct held *const *)a, *y = *(struct held *const *)b;

    return (x->stack.frames[0] > y->stack.frames[0])
        - (x->stack.frames[0] < y->stack.frames[0]);
}

/* Tell of places that have made many global references. */
static void
tell_growth(struct held **globals, size_t count)
{
    qsort(globals, count, sizeof *globals, compare_places);
    for (size_t i = 0, next; i < count; i = next) {
        next = i;
        while (next < count && compare_places(&globals[i], &globals[next]) == 0)
            next++;
        if (next - i >= MANY)
            check_found_at(RULE_REFERENCE_GLOBAL_GROWTH, globals[i]->function,
                           &globals[i]->stack, (long)(next - i),
                           "%zu references of %s at one place are there still",
                           next - i, globals[i]->function);
    }
}

void
reference_at_exit(void)
{
    struct held **globals;
    size_t count = 0, globals_count = 0;

    for (int i = 0; i < BUCKETS; i++)
        for (const struct held *h = table[i]; h != NULL; h = h->next)
            count++;
    globals = calloc(count + 1, sizeof *globals);
    for (int i = 0; i < BUCKETS; i++)
        for (struct held *h = table[i]; h != NULL; h = h->next)
            if (h->kind == CHARS || h->kind == CRITICAL)
                check_found_at(RULE_REFERENCE_NOT_RELEASED, h->function, &h->stack, 1,
                               "what %s gave was never released", h->function);
            else if (globals != NULL && globals_count < count)
                globals[globals_count++] = h;
    if (globals != NULL)
        tell_growth(globals, globals_count);
    free(globals);
}
