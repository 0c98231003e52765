/* SPDX-License-Identifier: MIT */
/* minivm/jni/call.c -- calling Java methods from native code: the common part of the 90
 * functions that call.h describes, and the functions that make an object (JNI "Object
 * Operations"). */

#include "jni/call.h"

#include "base/mem.h"
#include "classfile/descriptor.h"
#include "jni/functions.h"
#include "linking/ids.h"
#include "linking/initialize.h"
#include "linking/select.h"
#include "runtime/above.h"
#include "runtime/exception.h"

/* A method has at most 255 slots of arguments (JVMS 4.3.3). */
enum { MAX_ARG_SLOTS = 256 };

/* Where the arguments of a call come from. */
struct arguments {
    const jvalue *array; /* the next one; NULL: they are in the list */
    va_list list;
};

/* Returns the next argument of the list, for a parameter whose descriptor begins with
   kind.  C passes what is smaller than an int as an int, and a float as a double. */
static union slot
next_of_list(struct arguments *from, char kind)
{
    union slot s = { .bits = 0 };

    switch (kind) {
    case 'Z': s.i = (jboolean)va_arg(from->list, jint) != 0; break;
    case 'B': s.i = (jbyte)va_arg(from->list, jint); break;
    case 'C': s.i = (jchar)va_arg(from->list, jint); break;
    case 'S': s.i = (jshort)va_arg(from->list, jint); break;
    case 'I': s.i = va_arg(from->list, jint); break;
    case 'J': s.j = va_arg(from->list, jlong); break;
    case 'F': s.f = (jfloat)va_arg(from->list, jdouble); break;
    case 'D': s.d = va_arg(from->list, jdouble); break;
    default: s.ref = ref_get(va_arg(from->list, jobject)); break;
    }
    return s;
}

/* Widens a value to a slot, as the interpreter has it: what is smaller than an int as
   an int, a reference as its object. */
union slot
jni_slot_of_value(char kind, jvalue value)
{
    union slot s = { .bits = 0 };

    switch (kind) {
    case 'Z': s.i = value.z != 0; break;
    case 'B': s.i = value.b; break;
    case 'C': s.i = value.c; break;
    case 'S': s.i = value.s; break;
    case 'I': s.i = value.i; break;
    case 'J': s.j = value.j; break;
    case 'F': s.f = value.f; break;
    case 'D': s.d = value.d; break;
    default: s.ref = ref_get(value.l); break;
    }
    return s;
}

/* The reverse of jni_slot_of_value; an object becomes a local reference of self.  V,
   the result of a void method, gives 0. */
jvalue
jni_value_of_slot(struct thread *self, char kind, union slot slot)
{
    jvalue v = { .j = 0 };

    switch (kind) {
    case 'Z': v.z = slot.i != 0; break;
    case 'B': v.b = (jbyte)slot.i; break;
    case 'C': v.c = (jchar)slot.i; break;
    case 'S': v.s = (jshort)slot.i; break;
    case 'I': v.i = slot.i; break;
    case 'J': v.j = slot.j; break;
    case 'F': v.f = slot.f; break;
    case 'D': v.d = slot.d; break;
    case 'V': break;
    default: v.l = object_ref(self, slot.ref); break;
    }
    return v;
}

/* Initializes a class unless its initialization has begun; returns false with an
   exception pending.  The states are in order, so everything from CLASS_INITIALIZING on
   counts as begun. */
bool
jni_begin_class(struct thread *self, struct class *c)
{
    return class_state(c) >= CLASS_INITIALIZING || class_initialize(self, c);
}

/* Calls the method m or, if is_virtual, the one that the receiver's class selects for
   it.  A static method has no receiver; its class is initialized first.  The arguments
   are taken in the order of m's descriptor, which says how many there are and of what
   types.  result may be NULL.  Returns false with an exception pending: what the method
   threw, NullPointerException for a missing receiver, what initialization or selection
   threw. */
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
        *at = from->array ? jni_slot_of_value(type.kind, *from->array++)
                          : next_of_list(from, type.kind);
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

/*
 * Calls the method of the id for a Call<Type>Method function, with the arguments from a
 * list or array; obj is not looked at for a static method.  Returns the result as a
 * jvalue of the type, an object by a local reference; 0 with an exception pending: what
 * the method threw, NullPointerException for a NULL receiver, InternalError for an id
 * that is no method's any more.
 */
static jvalue
call_method(struct thread *self, enum call_kind kind, char type, jobject obj,
            jmethodID id, struct arguments *from)
{
    union slot result = { .bits = 0 };
    struct method *m = method_of_id((uintptr_t)id);

    if (!m)
        THROW(self, InternalError, "invalid jmethodID");
    else if (!call(self, m, ref_get(obj), from, kind == CALL_VIRTUAL, &result))
        result.bits = 0;
    return jni_value_of_slot(self, type, result);
}

/* The list is copied since va_arg uses it up, and the caller goes on owning its own. */
jvalue
jni_call_list(JNIEnv *env, enum call_kind kind, char type, jobject obj, jmethodID id,
              va_list list)
{
    VM_ENTRY(env);
    struct arguments from = { .array = NULL };

    va_copy(from.list, list);
    jvalue result = call_method(self, kind, type, obj, id, &from);
    va_end(from.list);
    return result;
}

jvalue
jni_call_array(JNIEnv *env, enum call_kind kind, char type, jobject obj, jmethodID id,
               const jvalue *args)
{
    VM_ENTRY(env);
    struct arguments from = { .array = args };

    return call_method(self, kind, type, obj, id, &from);
}

/* ---- new objects ---- */

/* Returns a new instance of a class, which is initialized first, for NewObject and
   AllocObject; NULL with an exception pending. */
static struct object *
instantiate(struct thread *self, jclass clazz)
{
    struct class *c = ref_class(clazz);

    if (!class_may_have_instances(self, c, THROW_EXCEPTION))
        return NULL;
    return class_initialize(self, c) ? object_new(self, c) : NULL;
}

jobject JNICALL
jni_AllocObject(JNIEnv *env, jclass clazz)
{
    VM_ENTRY(env);

    return object_ref(self, instantiate(self, clazz));
}

/* Returns a reference to a new instance on which the constructor id was run, or NULL.
   NULL is returned with an exception pending, except for an id that is no method's any
   more: then nothing is thrown. */
static jobject
construct(struct thread *self, jclass clazz, jmethodID id, struct arguments *from)
{
    struct object *o = handle_new(self, instantiate(self, clazz));
    struct method *m = method_of_id((uintptr_t)id);
    bool is_good = o && m && call(self, m, o, from, false, NULL);

    return object_ref(self, is_good ? o : NULL);
}

jobject JNICALL
jni_NewObject(JNIEnv *env, jclass clazz, jmethodID id, ...)
{
    VM_ENTRY(env);
    struct arguments from = { .array = NULL };

    va_start(from.list, id);
    jobject result = construct(self, clazz, id, &from);
    va_end(from.list);
    return result;
}

jobject JNICALL
jni_NewObjectV(JNIEnv *env, jclass clazz, jmethodID id, va_list list)
{
    VM_ENTRY(env);
    struct arguments from = { .array = NULL };

    va_copy(from.list, list);
    jobject result = construct(self, clazz, id, &from);
    va_end(from.list);
    return result;
}

jobject JNICALL
jni_NewObjectA(JNIEnv *env, jclass clazz, jmethodID id, const jvalue *args)
{
    VM_ENTRY(env);
    struct arguments from = { .array = args };

    return construct(self, clazz, id, &from);
}
