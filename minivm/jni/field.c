/* SPDX-License-Identifier: MIT */
/* minivm/jni/field.c -- fields (JNI "Accessing Fields of Objects"). */

#include "jni/functions.h"
#include "jni/entry.h"

#include <string.h>

#include "base/events.h"
#include "base/mem.h"
#include "vm/exception.h"
#include "vm/link.h"

/* Watched fields are reported for JNI too, with the caller's frame; its location is 0
   in a native method. */
static uint32_t
location_of(const struct frame *f)
{
    return frame_is_native(f) ? 0 : (uint32_t)frame_bci(f);
}

static void
report_access(struct thread *self, struct field *f, struct object *o)
{
    struct frame *top = thread_top_frame(self);

    if ((f->watched & 1) && top)
        EVENT_SEND(EVENT_FIELD_ACCESS, field_access, self, top, location_of(top), f, o);
}

static void
report_modification(struct thread *self, struct field *f, struct object *o,
                    const union slot *value)
{
    struct frame *top = thread_top_frame(self);

    if ((f->watched & 2) && top)
        EVENT_SEND(EVENT_FIELD_MODIFICATION, field_modification, self, top,
                   location_of(top), f, o, value);
}

/* The field of id and where it lies in o (instance) or in its mirror; NULL with an
   exception pending. */
static void *
field_place(struct thread *self, jobject obj, jfieldID id, bool is_static,
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

/* ctype: as the field holds it; to_jni and from_jni convert "value" and "given". */
#define FIELD_ACCESS(Static, is_static, Name, jtype, ctype, slot_member, to_jni, \
                     from_jni) \
jtype JNICALL \
jni_Get##Static##Name##Field(JNIEnv *env, jobject obj, jfieldID id) \
{ \
    VM_ENTRY(env); \
    struct field *f; \
    ctype value = 0; \
    ctype *p = field_place(self, obj, id, is_static, &f); \
    if (p) { \
        report_access(self, f, is_static ? NULL : ref_get(obj)); \
        __atomic_load(p, &value, __ATOMIC_SEQ_CST); \
    } \
    return to_jni; \
} \
void JNICALL \
jni_Set##Static##Name##Field(JNIEnv *env, jobject obj, jfieldID id, jtype given) \
{ \
    VM_ENTRY(env); \
    struct field *f; \
    ctype value = from_jni; \
    ctype *p = field_place(self, obj, id, is_static, &f); \
    if (p) { \
        report_modification(self, f, is_static ? NULL : ref_get(obj), \
                            &(union slot){ .slot_member = value }); \
        __atomic_store(p, &value, __ATOMIC_SEQ_CST); \
    } \
}
#define FIELD_FAMILY(...) \
    FIELD_ACCESS(, false, __VA_ARGS__) FIELD_ACCESS(Static, true, __VA_ARGS__)
#define PRIMITIVE_FIELDS(Name, type, promoted, member, slot_member, kind) \
    FIELD_FAMILY(Name, type, type, slot_member, value, \
                 kind == 'Z' ? (type)((int)given & 1) : given)

JNI_PRIMITIVES(PRIMITIVE_FIELDS)
FIELD_FAMILY(Object, jobject, struct object *, ref, object_ref(self, value),
             ref_get(given))
