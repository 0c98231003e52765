/* SPDX-License-Identifier: MIT */
/* minivm/jni/field.c -- JNI "Accessing Fields of Objects", "Accessing Static Fields".
 *
 * The functions differ in the type of the field: get_field and set_field below do the
 * work for all of them.  They are inlined into each function, so that the compiler
 * decides by the constant type what to read or write.  Volatile fields are not told
 * apart: each access is sequentially consistent. */

#include "jni/entry.h"
#include "jni/functions.h"

#include <string.h>

#include "base/events.h"
#include "base/mem.h"
#include "linking/ids.h"
#include "runtime/exception.h"

/* ---- watched fields ----
 *
 * FieldAccess and FieldModification are sent for accesses by JNI, too, with the frame
 * of the calling native method. */

/* Returns the bytecode index of a frame for the event; 0 in a native method. */
static uint32_t
location_of(const struct frame *f)
{
    return frame_is_native(f) ? 0 : (uint32_t)frame_bci(f);
}

/* Sends FieldAccess if f is watched; o is NULL for a static field.  Without a Java
   frame in the thread there is nothing to name as the place of the access, and no
   event. */
static void
report_access(struct thread *self, struct field *f, struct object *o)
{
    struct frame *top = thread_top_frame(self);

    if ((f->watched & FIELD_WATCH_ACCESS) && top)
        EVENT_SEND(EVENT_FIELD_ACCESS, field_access, self, top, location_of(top), f, o);
}

/* Sends FieldModification, as report_access does, before value is stored. */
static void
report_modification(struct thread *self, struct field *f, struct object *o,
                    const union slot *value)
{
    struct frame *top = thread_top_frame(self);

    if ((f->watched & FIELD_WATCH_MODIFICATION) && top)
        EVENT_SEND(EVENT_FIELD_MODIFICATION, field_modification, self, top,
                   location_of(top), f, o, value);
}

/* ---- the work ---- */

/* Sets *f to the field that id names and returns the address of its value: in obj, or
   in the mirror of the field's class if it is static.  Returns NULL with an exception
   pending.  The address stays good when the thread stops, as it may for an event:
   objects do not move, and the caller's reference keeps the object. */
static void *
field_address(struct thread *self, jobject obj, jfieldID id, bool is_static,
              struct field **f)
{
    *f = field_of_id((uintptr_t)id);
    if (!*f)
        return THROW(self, InternalError, "invalid jfieldID");
    struct object *o = is_static ? (*f)->class->layout.mirror : ref_get(obj);
    if (!o)
        return THROW0(self, NullPointerException);
    if (is_static && !jni_begin_class(self, (*f)->class))
        return NULL;
    return object_at(o, (*f)->offset);
}

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* Returns the value of a field whose descriptor begins with type.  An exception may be
   pending: of field_address, with the value 0, or of an agent's FieldAccess callback,
   after which the field is read all the same.  That the field is static as is_static
   says, and that obj is of its class, is the caller's duty (-Xcheck:jni looks).  obj is
   not looked at if the field is static. */
static ALWAYS_INLINE jvalue
get_field(JNIEnv *env, jobject obj, jfieldID id, bool is_static, char type)
{
    VM_ENTRY(env);
    struct field *f;
    jvalue value = { .j = 0 };
    void *p = field_address(self, obj, id, is_static, &f);

    if (!p)
        return value;
    report_access(self, f, is_static ? NULL : ref_get(obj));
    switch (type) {
    case 'Z': value.z = __atomic_load_n((jboolean *)p, __ATOMIC_SEQ_CST); break;
    case 'B': value.b = __atomic_load_n((jbyte *)p, __ATOMIC_SEQ_CST); break;
    case 'C': value.c = __atomic_load_n((jchar *)p, __ATOMIC_SEQ_CST); break;
    case 'S': value.s = __atomic_load_n((jshort *)p, __ATOMIC_SEQ_CST); break;
    case 'I': value.i = __atomic_load_n((jint *)p, __ATOMIC_SEQ_CST); break;
    case 'J': value.j = __atomic_load_n((jlong *)p, __ATOMIC_SEQ_CST); break;
    case 'F': __atomic_load((jfloat *)p, &value.f, __ATOMIC_SEQ_CST); break;
    case 'D': __atomic_load((jdouble *)p, &value.d, __ATOMIC_SEQ_CST); break;
    default:
        value.l = object_ref(self,
                             __atomic_load_n((struct object **)p, __ATOMIC_SEQ_CST));
        break;
    }
    return value;
}

/* Sets a field in the same way.  Of a boolean the lowest bit counts, as for the
   bytecodes (JVMS 6.5, putfield).  Nothing is stored if an exception is thrown by
   field_address. */
static ALWAYS_INLINE void
set_field(JNIEnv *env, jobject obj, jfieldID id, bool is_static, char type,
          jvalue given)
{
    VM_ENTRY(env);
    struct field *f;
    void *p = field_address(self, obj, id, is_static, &f);

    if (type == 'Z')
        given.z &= 1;
    union slot value = jni_slot_of_value(type, given);
    if (!p)
        return;
    report_modification(self, f, is_static ? NULL : ref_get(obj), &value);
    switch (type) {
    case 'Z':
    case 'B': __atomic_store_n((jbyte *)p, (jbyte)value.i, __ATOMIC_SEQ_CST); break;
    case 'C':
    case 'S': __atomic_store_n((jshort *)p, (jshort)value.i, __ATOMIC_SEQ_CST); break;
    case 'I': __atomic_store_n((jint *)p, value.i, __ATOMIC_SEQ_CST); break;
    case 'J': __atomic_store_n((jlong *)p, value.j, __ATOMIC_SEQ_CST); break;
    case 'F': __atomic_store((jfloat *)p, &value.f, __ATOMIC_SEQ_CST); break;
    case 'D': __atomic_store((jdouble *)p, &value.d, __ATOMIC_SEQ_CST); break;
    default: __atomic_store_n((struct object **)p, value.ref, __ATOMIC_SEQ_CST); break;
    }
}

/* ---- instance fields ---- */

jboolean JNICALL
jni_GetBooleanField(JNIEnv *env, jobject obj, jfieldID id)
{
    return get_field(env, obj, id, false, 'Z').z;
}

void JNICALL
jni_SetBooleanField(JNIEnv *env, jobject obj, jfieldID id, jboolean value)
{
    set_field(env, obj, id, false, 'Z', (jvalue){ .z = value });
}

jbyte JNICALL
jni_GetByteField(JNIEnv *env, jobject obj, jfieldID id)
{
    return get_field(env, obj, id, false, 'B').b;
}

void JNICALL
jni_SetByteField(JNIEnv *env, jobject obj, jfieldID id, jbyte value)
{
    set_field(env, obj, id, false, 'B', (jvalue){ .b = value });
}

jchar JNICALL
jni_GetCharField(JNIEnv *env, jobject obj, jfieldID id)
{
    return get_field(env, obj, id, false, 'C').c;
}

void JNICALL
jni_SetCharField(JNIEnv *env, jobject obj, jfieldID id, jchar value)
{
    set_field(env, obj, id, false, 'C', (jvalue){ .c = value });
}

jshort JNICALL
jni_GetShortField(JNIEnv *env, jobject obj, jfieldID id)
{
    return get_field(env, obj, id, false, 'S').s;
}

void JNICALL
jni_SetShortField(JNIEnv *env, jobject obj, jfieldID id, jshort value)
{
    set_field(env, obj, id, false, 'S', (jvalue){ .s = value });
}

jint JNICALL
jni_GetIntField(JNIEnv *env, jobject obj, jfieldID id)
{
    return get_field(env, obj, id, false, 'I').i;
}

void JNICALL
jni_SetIntField(JNIEnv *env, jobject obj, jfieldID id, jint value)
{
    set_field(env, obj, id, false, 'I', (jvalue){ .i = value });
}

jlong JNICALL
jni_GetLongField(JNIEnv *env, jobject obj, jfieldID id)
{
    return get_field(env, obj, id, false, 'J').j;
}

void JNICALL
jni_SetLongField(JNIEnv *env, jobject obj, jfieldID id, jlong value)
{
    set_field(env, obj, id, false, 'J', (jvalue){ .j = value });
}

jfloat JNICALL
jni_GetFloatField(JNIEnv *env, jobject obj, jfieldID id)
{
    return get_field(env, obj, id, false, 'F').f;
}

void JNICALL
jni_SetFloatField(JNIEnv *env, jobject obj, jfieldID id, jfloat value)
{
    set_field(env, obj, id, false, 'F', (jvalue){ .f = value });
}

jdouble JNICALL
jni_GetDoubleField(JNIEnv *env, jobject obj, jfieldID id)
{
    return get_field(env, obj, id, false, 'D').d;
}

void JNICALL
jni_SetDoubleField(JNIEnv *env, jobject obj, jfieldID id, jdouble value)
{
    set_field(env, obj, id, false, 'D', (jvalue){ .d = value });
}

jobject JNICALL
jni_GetObjectField(JNIEnv *env, jobject obj, jfieldID id)
{
    return get_field(env, obj, id, false, 'L').l;
}

void JNICALL
jni_SetObjectField(JNIEnv *env, jobject obj, jfieldID id, jobject value)
{
    set_field(env, obj, id, false, 'L', (jvalue){ .l = value });
}

/* ---- static fields ---- */

jboolean JNICALL
jni_GetStaticBooleanField(JNIEnv *env, jclass c, jfieldID id)
{
    return get_field(env, c, id, true, 'Z').z;
}

void JNICALL
jni_SetStaticBooleanField(JNIEnv *env, jclass c, jfieldID id, jboolean value)
{
    set_field(env, c, id, true, 'Z', (jvalue){ .z = value });
}

jbyte JNICALL
jni_GetStaticByteField(JNIEnv *env, jclass c, jfieldID id)
{
    return get_field(env, c, id, true, 'B').b;
}

void JNICALL
jni_SetStaticByteField(JNIEnv *env, jclass c, jfieldID id, jbyte value)
{
    set_field(env, c, id, true, 'B', (jvalue){ .b = value });
}

jchar JNICALL
jni_GetStaticCharField(JNIEnv *env, jclass c, jfieldID id)
{
    return get_field(env, c, id, true, 'C').c;
}

void JNICALL
jni_SetStaticCharField(JNIEnv *env, jclass c, jfieldID id, jchar value)
{
    set_field(env, c, id, true, 'C', (jvalue){ .c = value });
}

jshort JNICALL
jni_GetStaticShortField(JNIEnv *env, jclass c, jfieldID id)
{
    return get_field(env, c, id, true, 'S').s;
}

void JNICALL
jni_SetStaticShortField(JNIEnv *env, jclass c, jfieldID id, jshort value)
{
    set_field(env, c, id, true, 'S', (jvalue){ .s = value });
}

jint JNICALL
jni_GetStaticIntField(JNIEnv *env, jclass c, jfieldID id)
{
    return get_field(env, c, id, true, 'I').i;
}

void JNICALL
jni_SetStaticIntField(JNIEnv *env, jclass c, jfieldID id, jint value)
{
    set_field(env, c, id, true, 'I', (jvalue){ .i = value });
}

jlong JNICALL
jni_GetStaticLongField(JNIEnv *env, jclass c, jfieldID id)
{
    return get_field(env, c, id, true, 'J').j;
}

void JNICALL
jni_SetStaticLongField(JNIEnv *env, jclass c, jfieldID id, jlong value)
{
    set_field(env, c, id, true, 'J', (jvalue){ .j = value });
}

jfloat JNICALL
jni_GetStaticFloatField(JNIEnv *env, jclass c, jfieldID id)
{
    return get_field(env, c, id, true, 'F').f;
}

void JNICALL
jni_SetStaticFloatField(JNIEnv *env, jclass c, jfieldID id, jfloat value)
{
    set_field(env, c, id, true, 'F', (jvalue){ .f = value });
}

jdouble JNICALL
jni_GetStaticDoubleField(JNIEnv *env, jclass c, jfieldID id)
{
    return get_field(env, c, id, true, 'D').d;
}

void JNICALL
jni_SetStaticDoubleField(JNIEnv *env, jclass c, jfieldID id, jdouble value)
{
    set_field(env, c, id, true, 'D', (jvalue){ .d = value });
}

jobject JNICALL
jni_GetStaticObjectField(JNIEnv *env, jclass c, jfieldID id)
{
    return get_field(env, c, id, true, 'L').l;
}

void JNICALL
jni_SetStaticObjectField(JNIEnv *env, jclass c, jfieldID id, jobject value)
{
    set_field(env, c, id, true, 'L', (jvalue){ .l = value });
}
