/* SPDX-License-Identifier: MIT */
/* minivm/jni/call.c -- calling methods (JNI "Calling Instance Methods", "Calling
 * Static Methods"). */

#include "jni/jni_floor.h"

#include <stdarg.h>

#include "base/mem.h"
#include "classfile/descriptor.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/link.h"

enum { MAX_ARG_SLOTS = 256 };

/* Where a call's arguments come from. */
struct arguments {
    const jvalue *array;       /* or NULL: the list */
    va_list *list;
};

static union slot
next_argument(struct arguments *from, char kind)
{
    union slot s = { .bits = 0 };

    if (from->array) {
        const jvalue *v = from->array++;
        switch (kind) {
        case 'Z':
            s.i = v->z;
            break;
        case 'B':
            s.i = v->b;
            break;
        case 'C':
            s.i = v->c;
            break;
        case 'S':
            s.i = v->s;
            break;
        case 'I':
            s.i = v->i;
            break;
        case 'J':
            s.j = v->j;
            break;
        case 'F':
            s.f = v->f;
            break;
        case 'D':
            s.d = v->d;
            break;
        default:
            s.ref = ref_get(v->l);
            break;
        }
        return s;
    }
    switch (kind) {
    case 'Z':
        s.i = va_arg(*from->list, jint) != 0;
        break;
    case 'B':
        s.i = (jbyte)va_arg(*from->list, jint);
        break;
    case 'C':
        s.i = (jchar)va_arg(*from->list, jint);
        break;
    case 'S':
        s.i = (jshort)va_arg(*from->list, jint);
        break;
    case 'I':
        s.i = va_arg(*from->list, jint);
        break;
    case 'J':
        s.j = va_arg(*from->list, jlong);
        break;
    case 'F':
        s.f = (jfloat)va_arg(*from->list, jdouble);
        break;
    case 'D':
        s.d = va_arg(*from->list, jdouble);
        break;
    default:
        s.ref = ref_get(va_arg(*from->list, jobject));
        break;
    }
    return s;
}

static bool
call(struct thread *self, struct method *m, struct object *receiver,
     struct arguments *from, bool is_virtual, union slot *result)
{
    union slot args[MAX_ARG_SLOTS], *at = args;
    struct descriptor_iter it = descriptor_parameters(m->descriptor);
    struct descriptor_type type;

    if (!method_is_static(m)) {
        if (!receiver) {
            THROW0(self, NullPointerException);
            return false;
        }
        (at++)->ref = receiver;
        if (is_virtual)
            m = select_method(self, object_class(receiver), m);
    } else if (!class_initialize(self, m->class)) {
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
    struct arguments from = { args, NULL };

    return call(self, m, receiver, &from, is_virtual, result);
}

/* The core of every Call function: 0 when something is pending. */
static union slot
run(struct thread *self, jobject receiver, jmethodID id, struct arguments *from,
    bool is_virtual)
{
    union slot result = { .bits = 0 };
    struct method *m = method_of_id((uintptr_t)id);

    if (!m) {
        THROW(self, InternalError, "invalid jmethodID");
        return result;
    }
    if (!call(self, m, ref_get(receiver), from, is_virtual, &result))
        result.bits = 0;
    return result;
}

/* Name, type, how a slot becomes one. */
#define CALL_FAMILY(Name, type, convert) \
static type JNICALL \
Call##Name##MethodV(JNIEnv *env, jobject obj, jmethodID id, va_list list) \
{ \
    VM_ENTRY(env); \
    va_list copy; \
    va_copy(copy, list); \
    struct arguments from = { NULL, &copy }; \
    union slot r = run(self, obj, id, &from, true); \
    va_end(copy); \
    return convert; \
} \
static type JNICALL \
Call##Name##Method(JNIEnv *env, jobject obj, jmethodID id, ...) \
{ \
    va_list list; \
    va_start(list, id); \
    type r = Call##Name##MethodV(env, obj, id, list); \
    va_end(list); \
    return r; \
} \
static type JNICALL \
Call##Name##MethodA(JNIEnv *env, jobject obj, jmethodID id, const jvalue *args) \
{ \
    VM_ENTRY(env); \
    struct arguments from = { args ? args : (const jvalue *)&self, NULL }; \
    union slot r = run(self, obj, id, &from, true); \
    return convert; \
} \
static type JNICALL \
CallNonvirtual##Name##MethodV(JNIEnv *env, jobject obj, jclass c, jmethodID id, \
                              va_list list) \
{ \
    (void)c; \
    VM_ENTRY(env); \
    va_list copy; \
    va_copy(copy, list); \
    struct arguments from = { NULL, &copy }; \
    union slot r = run(self, obj, id, &from, false); \
    va_end(copy); \
    return convert; \
} \
static type JNICALL \
CallNonvirtual##Name##Method(JNIEnv *env, jobject obj, jclass c, jmethodID id, ...) \
{ \
    va_list list; \
    va_start(list, id); \
    type r = CallNonvirtual##Name##MethodV(env, obj, c, id, list); \
    va_end(list); \
    return r; \
} \
static type JNICALL \
CallNonvirtual##Name##MethodA(JNIEnv *env, jobject obj, jclass c, jmethodID id, \
                              const jvalue *args) \
{ \
    (void)c; \
    VM_ENTRY(env); \
    struct arguments from = { args ? args : (const jvalue *)&self, NULL }; \
    union slot r = run(self, obj, id, &from, false); \
    return convert; \
} \
static type JNICALL \
CallStatic##Name##MethodV(JNIEnv *env, jclass c, jmethodID id, va_list list) \
{ \
    return CallNonvirtual##Name##MethodV(env, NULL, c, id, list); \
} \
static type JNICALL \
CallStatic##Name##Method(JNIEnv *env, jclass c, jmethodID id, ...) \
{ \
    va_list list; \
    va_start(list, id); \
    type r = CallStatic##Name##MethodV(env, c, id, list); \
    va_end(list); \
    return r; \
} \
static type JNICALL \
CallStatic##Name##MethodA(JNIEnv *env, jclass c, jmethodID id, const jvalue *args) \
{ \
    return CallNonvirtual##Name##MethodA(env, NULL, c, id, args); \
}

#define PRIMITIVE_CALLS(Name, type, member, slot_member, kind) \
    CALL_FAMILY(Name, type, (type)r.slot_member)
JNI_PRIMITIVES(PRIMITIVE_CALLS)
CALL_FAMILY(Object, jobject, object_ref(self, r.ref))

/* void needs its own shape: there is nothing to return. */
static void JNICALL
CallVoidMethodV(JNIEnv *env, jobject obj, jmethodID id, va_list list)
{
    VM_ENTRY(env);
    va_list copy;
    va_copy(copy, list);
    struct arguments from = { NULL, &copy };
    run(self, obj, id, &from, true);
    va_end(copy);
}

static void JNICALL
CallVoidMethod(JNIEnv *env, jobject obj, jmethodID id, ...)
{
    va_list list;
    va_start(list, id);
    CallVoidMethodV(env, obj, id, list);
    va_end(list);
}

static void JNICALL
CallVoidMethodA(JNIEnv *env, jobject obj, jmethodID id, const jvalue *args)
{
    VM_ENTRY(env);
    struct arguments from = { args ? args : (const jvalue *)&self, NULL };
    run(self, obj, id, &from, true);
}

static void JNICALL
CallNonvirtualVoidMethodV(JNIEnv *env, jobject obj, jclass c, jmethodID id,
                          va_list list)
{
    (void)c;
    VM_ENTRY(env);
    va_list copy;
    va_copy(copy, list);
    struct arguments from = { NULL, &copy };
    run(self, obj, id, &from, false);
    va_end(copy);
}

static void JNICALL
CallNonvirtualVoidMethod(JNIEnv *env, jobject obj, jclass c, jmethodID id, ...)
{
    va_list list;
    va_start(list, id);
    CallNonvirtualVoidMethodV(env, obj, c, id, list);
    va_end(list);
}

static void JNICALL
CallNonvirtualVoidMethodA(JNIEnv *env, jobject obj, jclass c, jmethodID id,
                          const jvalue *args)
{
    (void)c;
    VM_ENTRY(env);
    struct arguments from = { args ? args : (const jvalue *)&self, NULL };
    run(self, obj, id, &from, false);
}

static void JNICALL
CallStaticVoidMethodV(JNIEnv *env, jclass c, jmethodID id, va_list list)
{
    CallNonvirtualVoidMethodV(env, NULL, c, id, list);
}

static void JNICALL
CallStaticVoidMethod(JNIEnv *env, jclass c, jmethodID id, ...)
{
    va_list list;
    va_start(list, id);
    CallStaticVoidMethodV(env, c, id, list);
    va_end(list);
}

static void JNICALL
CallStaticVoidMethodA(JNIEnv *env, jclass c, jmethodID id, const jvalue *args)
{
    CallNonvirtualVoidMethodA(env, NULL, c, id, args);
}

/* ---- objects ---- */

/* A new instance for NewObject and AllocObject; NULL with an exception pending. */
static struct object *
instantiate(struct thread *self, jclass clazz)
{
    struct class *c = ref_class(clazz);

    if (c->primitive || class_is_array(c) || c == KC(self->vm, Class)
        || (c->access_flags & (ACC_ABSTRACT | ACC_INTERFACE))) {
        char *name = class_external_name(c);
        THROW(self, InstantiationException, "%s", name);
        mem_free(name);
        return NULL;
    }
    return class_initialize(self, c) ? object_new(self, c) : NULL;
}

static jobject JNICALL
AllocObject(JNIEnv *env, jclass clazz)
{
    VM_ENTRY(env);
    return object_ref(self, instantiate(self, clazz));
}

static jobject
construct(struct thread *self, jclass clazz, jmethodID id, struct arguments *from)
{
    struct object *o = keep(self, instantiate(self, clazz));
    struct method *m = method_of_id((uintptr_t)id);

    if (!o || !m || !call(self, m, o, from, false, NULL))
        return NULL;
    return object_ref(self, o);
}

static jobject JNICALL
NewObjectV(JNIEnv *env, jclass clazz, jmethodID id, va_list list)
{
    VM_ENTRY(env);
    va_list copy;
    va_copy(copy, list);
    struct arguments from = { NULL, &copy };
    jobject r = construct(self, clazz, id, &from);
    va_end(copy);
    return r;
}

static jobject JNICALL
NewObject(JNIEnv *env, jclass clazz, jmethodID id, ...)
{
    va_list list;
    va_start(list, id);
    jobject r = NewObjectV(env, clazz, id, list);
    va_end(list);
    return r;
}

static jobject JNICALL
NewObjectA(JNIEnv *env, jclass clazz, jmethodID id, const jvalue *args)
{
    VM_ENTRY(env);
    struct arguments from = { args ? args : (const jvalue *)&self, NULL };
    return construct(self, clazz, id, &from);
}

#define FILL_FAMILY(Name) \
    t->Call##Name##Method = Call##Name##Method; \
    t->Call##Name##MethodV = Call##Name##MethodV; \
    t->Call##Name##MethodA = Call##Name##MethodA; \
    t->CallNonvirtual##Name##Method = CallNonvirtual##Name##Method; \
    t->CallNonvirtual##Name##MethodV = CallNonvirtual##Name##MethodV; \
    t->CallNonvirtual##Name##MethodA = CallNonvirtual##Name##MethodA; \
    t->CallStatic##Name##Method = CallStatic##Name##Method; \
    t->CallStatic##Name##MethodV = CallStatic##Name##MethodV; \
    t->CallStatic##Name##MethodA = CallStatic##Name##MethodA;
#define FILL_PRIMITIVE(Name, type, member, slot_member, kind) FILL_FAMILY(Name)

void
jni_fill_calls(struct JNINativeInterface_ *t)
{
    JNI_PRIMITIVES(FILL_PRIMITIVE)
    FILL_FAMILY(Object)
    FILL_FAMILY(Void)
    t->AllocObject = AllocObject;
    t->NewObject = NewObject;
    t->NewObjectV = NewObjectV;
    t->NewObjectA = NewObjectA;
}
