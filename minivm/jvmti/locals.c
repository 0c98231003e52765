/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/locals.c -- JVM TI "Local Variable".
 *
 * A variable's type is what the local variable table says at the frame's location; a
 * method without a table has what the frame's map tells apart.  Both must agree: a slot
 * that holds nothing yet reads as 0, and tables that lie are a type mismatch. */

#include <string.h>

#include "classfile/descriptor.h"
#include "classfile/framemap.h"
#include "interp/force.h"
#include "jvmti/env.h"

/* One access; type is I, J, F, D or L. */
struct local_access {
    jint depth, slot;
    char type;
    bool set;
    union slot value;
};

static char
type_of_descriptor(char first)
{
    return strchr("ZBCS", first) != NULL ? 'I' : first == '[' ? 'L' : first;
}

static char
type_of_kind(uint8_t kind)
{
    static const char types[] = { [SLOT_INT] = 'I', [SLOT_FLOAT] = 'F',
                                  [SLOT_LONG] = 'J', [SLOT_DOUBLE] = 'D',
                                  [SLOT_REFERENCE] = 'L' };

    return kind < sizeof types ? types[kind] : 0;
}

/* The table's row for a slot at bci; NULL: no variable there. */
static const struct cf_local *
find_row(const struct cf_method *m, jint slot, uint32_t bci)
{
    for (uint32_t i = 0; i < m->local_count; i++) {
        const struct cf_local *row = &m->locals[i];
        if (row->slot == slot && bci >= row->start_pc
            && bci < (uint32_t)row->start_pc + row->length)
            return row;
    }
    return NULL;
}

/* The declared type of a slot without a table: a parameter's, or NULL. */
static bool
find_parameter(const struct method *m, jint slot, struct descriptor_type *type)
{
    struct descriptor_iter it = descriptor_parameters(m->descriptor);

    for (jint at = !method_is_static(m); at <= slot && descriptor_next(&it, type);
         at += (jint)descriptor_kind_slots(type->kind))
        if (at == slot)
            return true;
    return false;
}

/* May the object be stored in a variable of that type? */
static bool
value_fits(const struct frame *f, jint slot, const struct cf_local *row,
           const struct object *value)
{
    const struct method *m = f->code->method;
    struct descriptor_type type;

    if (value == NULL)
        return true;
    if (row != NULL)
        return type_takes(m->class->loader, row->descriptor->bytes,
                          row->descriptor->length, object_class(value), false);
    if (!method_is_static(m) && slot == 0)
        return object_is_instance(value, m->class);
    return !find_parameter(m, slot, &type)
           || type_takes(m->class->loader, type.text, type.length, object_class(value),
                         false);
}

static jvmtiError
access_local(struct thread *t, struct thread *asker, void *arg)
{
    struct local_access *a = arg;
    const struct cf_local *row = NULL;
    struct frame *f;

    TRY(stack_frame_for(t, asker, a->depth, &f));
    if (frame_is_opaque(f))
        return JVMTI_ERROR_OPAQUE_FRAME;
    const struct cf_method *m = f->code->info;
    int wide = a->type == 'J' || a->type == 'D';
    if (a->slot < 0 || a->slot >= m->max_locals - wide)
        return JVMTI_ERROR_INVALID_SLOT;
    char holds = type_of_kind(frame_local_kind(f, (unsigned)a->slot)), type = holds;
    if (m->local_count != 0) {
        row = find_row(m, a->slot, (uint32_t)frame_bci(f));
        type = row != NULL ? type_of_descriptor(row->descriptor->bytes[0]) : 0;
    }
    if (type == 0)
        return JVMTI_ERROR_INVALID_SLOT;
    if (type != a->type || (holds != 0 && holds != type)
        || (a->set && type == 'L' && !value_fits(f, a->slot, row, a->value.ref)))
        return JVMTI_ERROR_TYPE_MISMATCH;
    if (a->set && (holds != 0 || type != 'L'))
        frame_locals(f)[a->slot] = a->value;
    else if (!a->set && holds != 0)
        a->value = frame_locals(f)[a->slot];
    if (type == 'L')
        keep(asker, a->value.ref);
    return JVMTI_ERROR_NONE;
}

#define GET_LOCAL(function, letter, ctype, member) \
jvmtiError \
function(const struct target *thread, jint depth, jint slot, ctype *to) \
{ \
    struct local_access a = { .depth = depth, .slot = slot, .type = letter }; \
    TRY(jvmti_ask(thread, access_local, &a)); \
    *to = a.value.member; \
    return JVMTI_ERROR_NONE; \
}

#define SET_LOCAL(function, letter, ctype, member) \
jvmtiError \
function(const struct target *thread, jint depth, jint slot, ctype value) \
{ \
    struct local_access a = { .depth = depth, .slot = slot, .type = letter, \
                              .set = true, .value.member = value }; \
    return jvmti_ask(thread, access_local, &a); \
}

GET_LOCAL(jvmti_GetLocalInt, 'I', jint, i)
GET_LOCAL(jvmti_GetLocalLong, 'J', jlong, j)
GET_LOCAL(jvmti_GetLocalFloat, 'F', jfloat, f)
GET_LOCAL(jvmti_GetLocalDouble, 'D', jdouble, d)
SET_LOCAL(jvmti_SetLocalInt, 'I', jint, i)
SET_LOCAL(jvmti_SetLocalLong, 'J', jlong, j)
SET_LOCAL(jvmti_SetLocalFloat, 'F', jfloat, f)
SET_LOCAL(jvmti_SetLocalDouble, 'D', jdouble, d)
SET_LOCAL(jvmti_SetLocalObject, 'L', struct object *, ref)

jvmtiError
jvmti_GetLocalObject(const struct target *thread, jint depth, jint slot, jobject *value)
{
    struct local_access a = { .depth = depth, .slot = slot, .type = 'L' };

    TRY(jvmti_ask(thread, access_local, &a));
    return jvmti_local(a.value.ref, value);
}

/* Native frames have their receiver too, but no map. */
static jvmtiError
get_instance(struct thread *t, struct thread *asker, void *arg)
{
    struct local_access *a = arg;
    struct frame *f;

    TRY(stack_frame_for(t, asker, a->depth, &f));
    if (method_is_static(f->code->method)
        || (!frame_is_opaque(f) && frame_local_kind(f, 0) != SLOT_REFERENCE))
        return JVMTI_ERROR_INVALID_SLOT;
    a->value.ref = keep(asker, frame_locals(f)[0].ref);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetLocalInstance(const struct target *thread, jint depth, jobject *value)
{
    struct local_access a = { .depth = depth };

    TRY(jvmti_ask(thread, get_instance, &a));
    return jvmti_local(a.value.ref, value);
}
