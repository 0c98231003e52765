/* SPDX-License-Identifier: MIT */
/* minivm/jni/call.c -- calling methods (JNI "Calling Instance Methods", "Calling
 * Static Methods"). */

#include "jni/functions.h"
#include "jni/entry.h"

#include <stdarg.h>

#include "base/mem.h"
#include "classfile/descriptor.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/link.h"

enum { MAX_ARG_SLOTS = 256 };

/* Where a call's arguments come from. */
struct arguments {
    const jvalue *array;           /* or NULL: the list */
    va_list list;
};

#define NEXT_OF(Name, type, promoted, member, slot_member, kind) \
    case kind: \
        s.slot_member = from->array ? from->array++->member \
                                    : (type)va_arg(from->list, promoted); \
        break;

static union slot
next_argument(struct arguments *from, char kind)
{
    union slot s = { .bits = 0 };

    switch (kind) {
    JNI_PRIMITIVES(NEXT_OF)
    default:
        s.ref = ref_get(from->array ? from->array++->l : va_arg(from->list, jobject));
        break;
    }
    if (kind == 'Z')
        s.i = s.i != 0;
    return s;
}

bool
jni_begin_class(struct thread *self, struct class *c)
{
    return class_state(c) >= CLASS_INITIALIZING || class_initialize(self, c);
}

static bool
call(struct thread *self, struct method *m, struct object *receiver,
     struct arguments *from, bool is_virtual, union slot *result)
{
    union slot args[MAX_ARG_SLOTS], *at = args;
    struct descriptor_iter it = descriptor_parameters(m->descriptor);
    struct descriptor_type type;

    if (!method_is_static(m)) {
        if (!receiver)
            return THROW0(self, NullPointerException);
        (at++)->ref = receiver;
        if (is_virtual)
            m = select_method(self, object_class(receiver), m);
    } else if (!jni_begin_class(self, m->class)) {
        return false;
    }
    if (!m)
        return false;
    while (descriptor_next(&it, &type)) {
        *at = next_argument(from, type.kind);
        at += descriptor_kind_slots(type.kind);
    }
    return java_call(self, m, args, result);
}

bool
jni_call_method(struct thread *self, struct method *m, struct object *receiver,
                const jvalue *args, bool is_virtual, union slot *result)
{
    struct arguments from = { .array = args };

    return call(self, m, receiver, &from, is_virtual, result);
}

/* The core of every Call function: 0 when something is pending. */
static union slot
run(struct thread *self, struct object *receiver, jmethodID id, struct arguments *from,
    bool is_virtual)
{
    union slot result = { .bits = 0 };
    struct method *m = method_of_id((uintptr_t)id);

    if (!m)
        THROW(self, InternalError, "invalid jmethodID");
    else if (!call(self, m, receiver, from, is_virtual, &result))
        result.bits = 0;
    return result;
}

/* The three forms of a function; core makes r of "from", finish a result of r.  Behind
   them stand the parameters before the jmethodID. */
#define CALL_FORMS(name, type, core, finish, ...) \
type JNICALL \
jni_##name(JNIEnv *env, __VA_ARGS__, jmethodID id, ...) \
{ \
    VM_ENTRY(env); \
    struct arguments from = { .array = NULL }; \
    va_start(from.list, id); \
    union slot r = core; \
    va_end(from.list); \
    finish; \
} \
type JNICALL \
jni_##name##V(JNIEnv *env, __VA_ARGS__, jmethodID id, va_list list) \
{ \
    VM_ENTRY(env); \
    struct arguments from = { .array = NULL }; \
    va_copy(from.list, list); \
    union slot r = core; \
    va_end(from.list); \
    finish; \
} \
type JNICALL \
jni_##name##A(JNIEnv *env, __VA_ARGS__, jmethodID id, const jvalue *args) \
{ \
    VM_ENTRY(env); \
    struct arguments from = { .array = args }; \
    union slot r = core; \
    finish; \
}

#define CALL_FAMILY(Name, type, finish) \
    CALL_FORMS(Call##Name##Method, type, \
               run(self, ref_get(obj), id, &from, true), finish, jobject obj) \
    CALL_FORMS(CallNonvirtual##Name##Method, type, \
               run(self, ((void)c, ref_get(obj)), id, &from, false), finish, \
               jobject obj, jclass c) \
    CALL_FORMS(CallStatic##Name##Method, type, \
               run(self, ((void)c, NULL), id, &from, false), finish, jclass c)
#define PRIMITIVE_CALLS(Name, type, promoted, member, slot_member, kind) \
    CALL_FAMILY(Name, type, return (type)r.slot_member)

JNI_PRIMITIVES(PRIMITIVE_CALLS)
CALL_FAMILY(Object, jobject, return object_ref(self, r.ref))
CALL_FAMILY(Void, void, (void)r)

/* A new instance for NewObject and AllocObject; NULL with an exception pending. */
static struct object *
instantiate(struct thread *self, jclass clazz)
{
    struct class *c = ref_class(clazz);

    if (!class_may_have_instances(self, c, false))
        return NULL;
    return class_initialize(self, c) ? object_new(self, c) : NULL;
}

JVM_VALUE(jobject, jni_AllocObject, (JNIEnv *env, jclass clazz),
          object_ref(self, instantiate(self, clazz)))

static union slot
construct(struct thread *self, jclass clazz, jmethodID id, struct arguments *from)
{
    struct object *o = keep(self, instantiate(self, clazz));
    struct method *m = method_of_id((uintptr_t)id);
    bool good = o && m && call(self, m, o, from, false, NULL);

    return (union slot){ .ref = good ? o : NULL };
}

CALL_FORMS(NewObject, jobject, construct(self, clazz, id, &from),
           return object_ref(self, r.ref), jclass clazz)
