/* SPDX-License-Identifier: MIT */
/* minivm/jni/field.c -- fields (JNI "Accessing Fields of Objects"). */

#include "jni/jni_floor.h"

#include <string.h>

#include "base/events.h"
#include "base/mem.h"
#include "vm/exception.h"
#include "vm/link.h"

static jfieldID
find_field(JNIEnv *env, jclass clazz, const char *name, const char *signature,
           bool is_static)
{
    VM_ENTRY(env);
    struct class *c = ref_class(clazz);
    const struct symbol *n = symbol_lookup(name, strlen(name));
    const struct symbol *d = symbol_lookup(signature, strlen(signature));

    if (!c->primitive && !class_is_array(c) && !class_initialize(self, c))
        return NULL;
    struct field *f = n && d ? class_find_field(c, n, d) : NULL;
    if (!f || field_is_static(f) != is_static) {
        THROW(self, NoSuchFieldError, "%s", name);
        return NULL;
    }
    return (jfieldID)field_id(f);
}

static jfieldID JNICALL
GetFieldID(JNIEnv *env, jclass clazz, const char *name, const char *signature)
{
    return find_field(env, clazz, name, signature, false);
}

static jfieldID JNICALL
GetStaticFieldID(JNIEnv *env, jclass clazz, const char *name, const char *signature)
{
    return find_field(env, clazz, name, signature, true);
}

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
    if (!*f) {
        THROW(self, InternalError, "invalid jfieldID");
        return NULL;
    }
    struct object *o = is_static ? (*f)->class->layout.mirror : ref_get(obj);
    if (!o) {
        THROW0(self, NullPointerException);
        return NULL;
    }
    if (is_static && !class_initialize(self, (*f)->class))
        return NULL;
    return object_at(o, (*f)->offset);
}

#define FIELD_FAMILY(Name, jtype, member, slot_member, kind) \
static jtype \
get_##Name(JNIEnv *env, jobject obj, jfieldID id, bool is_static) \
{ \
    VM_ENTRY(env); \
    struct field *f; \
    jtype value = 0; \
    void *p = field_place(self, obj, id, is_static, &f); \
    if (p) { \
        report_access(self, f, is_static ? NULL : ref_get(obj)); \
        __atomic_load((jtype *)p, &value, __ATOMIC_SEQ_CST); \
    } \
    return value; \
} \
static void \
set_##Name(JNIEnv *env, jobject obj, jfieldID id, bool is_static, jtype value) \
{ \
    VM_ENTRY(env); \
    struct field *f; \
    void *p = field_place(self, obj, id, is_static, &f); \
    union slot s = { .bits = 0 }; \
    s.slot_member = value; \
    if (p) { \
        if (f->type == 'Z') \
            value = (jtype)((int)value & 1); \
        report_modification(self, f, is_static ? NULL : ref_get(obj), &s); \
        __atomic_store((jtype *)p, &value, __ATOMIC_SEQ_CST); \
    } \
} \
static jtype JNICALL \
Get##Name##Field(JNIEnv *env, jobject obj, jfieldID id) \
{ \
    return get_##Name(env, obj, id, false); \
} \
static void JNICALL \
Set##Name##Field(JNIEnv *env, jobject obj, jfieldID id, jtype value) \
{ \
    set_##Name(env, obj, id, false, value); \
} \
static jtype JNICALL \
GetStatic##Name##Field(JNIEnv *env, jclass c, jfieldID id) \
{ \
    return get_##Name(env, c, id, true); \
} \
static void JNICALL \
SetStatic##Name##Field(JNIEnv *env, jclass c, jfieldID id, jtype value) \
{ \
    set_##Name(env, c, id, true, value); \
}
JNI_PRIMITIVES(FIELD_FAMILY)

static jobject
get_object(JNIEnv *env, jobject obj, jfieldID id, bool is_static)
{
    VM_ENTRY(env);
    struct field *f;
    struct object **p = field_place(self, obj, id, is_static, &f);

    if (!p)
        return NULL;
    report_access(self, f, is_static ? NULL : ref_get(obj));
    return object_ref(self, __atomic_load_n(p, __ATOMIC_SEQ_CST));
}

static void
set_object(JNIEnv *env, jobject obj, jfieldID id, bool is_static, jobject value)
{
    VM_ENTRY(env);
    struct field *f;
    struct object **p = field_place(self, obj, id, is_static, &f);
    union slot s = { .ref = ref_get(value) };

    if (!p)
        return;
    report_modification(self, f, is_static ? NULL : ref_get(obj), &s);
    __atomic_store_n(p, ref_get(value), __ATOMIC_SEQ_CST);
}

static jobject JNICALL
GetObjectField(JNIEnv *env, jobject obj, jfieldID id)
{
    return get_object(env, obj, id, false);
}

static void JNICALL
SetObjectField(JNIEnv *env, jobject obj, jfieldID id, jobject value)
{
    set_object(env, obj, id, false, value);
}

static jobject JNICALL
GetStaticObjectField(JNIEnv *env, jclass c, jfieldID id)
{
    return get_object(env, c, id, true);
}

static void JNICALL
SetStaticObjectField(JNIEnv *env, jclass c, jfieldID id, jobject value)
{
    set_object(env, c, id, true, value);
}

#define FILL_FAMILY(Name) \
    t->Get##Name##Field = Get##Name##Field; \
    t->Set##Name##Field = Set##Name##Field; \
    t->GetStatic##Name##Field = GetStatic##Name##Field; \
    t->SetStatic##Name##Field = SetStatic##Name##Field;
#define FILL_PRIMITIVE(Name, type, member, slot_member, kind) FILL_FAMILY(Name)

void
jni_fill_fields(struct JNINativeInterface_ *t)
{
    JNI_PRIMITIVES(FILL_PRIMITIVE)
    FILL_FAMILY(Object)
    t->GetFieldID = GetFieldID;
    t->GetStaticFieldID = GetStaticFieldID;
}
