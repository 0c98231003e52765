/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/locals.c -- JVM TI "Local Variable".
 *
 * Each function is one handshake with the frame's thread, access_local, which checks
 * the type and reads or writes the slot.  Two things tell the type of a slot:
 * - the class file's table of local variables, if the method has one: the declared type
 *   of the variable that is in the slot at the frame's location;
 * - the frame's map: what the verifier finds in the slot at that location.
 * With a table, the declared type is required, and the map must not contradict it, so a
 * table that lies does no harm.  Without a table, what the map says is the type.  A
 * variable that is declared but was not assigned yet, so that the map finds nothing in
 * it, reads as 0. */

#include <string.h>

#include "classfile/descriptor.h"
#include "classfile/framemap.h"
#include "interp/force.h"
#include "jvmti/env.h"

/* The argument of the handshake.  type is I, J, F, D or L: it stands for int and all
   smaller types, and for all references. */
struct local_access {
    jint depth, slot;
    char type;
    bool set;
    union slot value;
};

/* Returns the type of a local_access for the first character of a descriptor. */
static char
type_of_descriptor(char first)
{
    return strchr("ZBCS", first) ? 'I' : first == '[' ? 'L' : first;
}

/* Returns the type of a local_access for a slot's kind in the frame's map, an enum
   slot_kind; 0 if the slot holds nothing. */
static char
type_of_kind(uint8_t kind)
{
    /* clang-format off */
    static const char types[] = { [SLOT_INT] = 'I', [SLOT_FLOAT] = 'F',
                                  [SLOT_LONG] = 'J', [SLOT_DOUBLE] = 'D',
                                  [SLOT_REFERENCE] = 'L' };
    /* clang-format on */

    return kind < sizeof types ? types[kind] : 0;
}

/* Returns the row of the method's table for the variable in the slot at bci, or NULL.
   A variable lives from start_pc on, for length bytes of code (JVMS 4.7.13), and one
   slot may serve several variables at different places. */
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

/* Sets *type to the type of the parameter that begins in the slot, by the method's
   descriptor; returns false if none does.  Slots are counted as in the frame: the
   receiver has slot 0, and a long or a double takes two. */
static bool
find_parameter(const struct method *m, jint slot, struct descriptor_type *type)
{
    struct descriptor_iter it = descriptor_parameters(m->descriptor);

    for (jint first = !method_is_static(m); first <= slot && descriptor_next(&it, type);
         first += (jint)descriptor_kind_slots(type->kind))
        if (first == slot)
            return true;
    return false;
}

/* Returns true if the object may be stored in the slot: its class must suit the
   declared type of the variable (row), or, without a table, that of the receiver or
   parameter in the slot.  The type of any other variable is not known without a table.
   A class has to be a real subtype (STRICT): the verifier would take any object for an
   interface. */
static bool
value_fits(const struct frame *f, jint slot, const struct cf_local *row,
           const struct object *value)
{
    const struct method *m = f->version->method;
    struct descriptor_type type;

    if (!value)
        return true;
    if (row)
        return type_accepts(m->class->loader, row->descriptor->bytes,
                            row->descriptor->length, object_class(value), STRICT);
    if (!method_is_static(m) && slot == 0)
        return object_is_instance(value, m->class);
    return !find_parameter(m, slot, &type)
           || type_accepts(m->class->loader, type.text, type.length,
                           object_class(value), STRICT);
}

/* The operation of the handshake.  An object that is read gets a handle of requester.
   Returns INVALID_SLOT for a slot that the method does not have (a long or double needs
   the next one, too) or in which nothing is at this location, and TYPE_MISMATCH for a
   value of another type.  `holds` is the type by the frame's map and `type` the one
   that the agent has to name.  If a declared variable was not assigned yet (holds is
   0), a number can be stored in it; a reference cannot, since the collector goes by the
   map and would not see it, so nothing happens. */
static jvmtiError
access_local(struct thread *t, struct thread *requester, void *arg)
{
    struct local_access *a = arg;
    const struct cf_local *row = NULL;
    struct frame *f;

    TRY(stack_frame_for(t, requester, a->depth, &f));
    if (frame_is_opaque(f))
        return JVMTI_ERROR_OPAQUE_FRAME;
    const struct cf_method *m = f->version->info;
    int wide = a->type == 'J' || a->type == 'D';
    if (a->slot < 0 || a->slot >= m->max_locals - wide)
        return JVMTI_ERROR_INVALID_SLOT;
    char holds = type_of_kind(frame_local_kind(f, (unsigned)a->slot)), type = holds;
    if (m->local_count != 0) {
        row = find_row(m, a->slot, (uint32_t)frame_bci(f));
        type = row ? type_of_descriptor(row->descriptor->bytes[0]) : 0;
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
        handle_new(requester, a->value.ref);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetLocalInt(struct thread *self, const struct target *thread, jint depth,
                  jint slot, jint *value_ptr)
{
    struct local_access a = { .depth = depth, .slot = slot, .type = 'I' };

    TRY(jvmti_handshake(self, thread, access_local, &a));
    *value_ptr = a.value.i;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetLocalLong(struct thread *self, const struct target *thread, jint depth,
                   jint slot, jlong *value_ptr)
{
    struct local_access a = { .depth = depth, .slot = slot, .type = 'J' };

    TRY(jvmti_handshake(self, thread, access_local, &a));
    *value_ptr = a.value.j;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetLocalFloat(struct thread *self, const struct target *thread, jint depth,
                    jint slot, jfloat *value_ptr)
{
    struct local_access a = { .depth = depth, .slot = slot, .type = 'F' };

    TRY(jvmti_handshake(self, thread, access_local, &a));
    *value_ptr = a.value.f;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetLocalDouble(struct thread *self, const struct target *thread, jint depth,
                     jint slot, jdouble *value_ptr)
{
    struct local_access a = { .depth = depth, .slot = slot, .type = 'D' };

    TRY(jvmti_handshake(self, thread, access_local, &a));
    *value_ptr = a.value.d;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetLocalObject(struct thread *self, const struct target *thread, jint depth,
                     jint slot, jobject *value_ptr)
{
    struct local_access a = { .depth = depth, .slot = slot, .type = 'L' };

    TRY(jvmti_handshake(self, thread, access_local, &a));
    return jvmti_local(self, a.value.ref, value_ptr);
}

jvmtiError
jvmti_SetLocalInt(struct thread *self, const struct target *thread, jint depth,
                  jint slot, jint value)
{
    struct local_access a = {
        .depth = depth, .slot = slot, .type = 'I', .set = true, .value.i = value
    };

    return jvmti_handshake(self, thread, access_local, &a);
}

jvmtiError
jvmti_SetLocalLong(struct thread *self, const struct target *thread, jint depth,
                   jint slot, jlong value)
{
    struct local_access a = {
        .depth = depth, .slot = slot, .type = 'J', .set = true, .value.j = value
    };

    return jvmti_handshake(self, thread, access_local, &a);
}

jvmtiError
jvmti_SetLocalFloat(struct thread *self, const struct target *thread, jint depth,
                    jint slot, jfloat value)
{
    struct local_access a = {
        .depth = depth, .slot = slot, .type = 'F', .set = true, .value.f = value
    };

    return jvmti_handshake(self, thread, access_local, &a);
}

jvmtiError
jvmti_SetLocalDouble(struct thread *self, const struct target *thread, jint depth,
                     jint slot, jdouble value)
{
    struct local_access a = {
        .depth = depth, .slot = slot, .type = 'D', .set = true, .value.d = value
    };

    return jvmti_handshake(self, thread, access_local, &a);
}

jvmtiError
jvmti_SetLocalObject(struct thread *self, const struct target *thread, jint depth,
                     jint slot, struct object *value)
{
    struct local_access a = {
        .depth = depth, .slot = slot, .type = 'L', .set = true, .value.ref = value
    };

    return jvmti_handshake(self, thread, access_local, &a);
}

/* The operation of the handshake of GetLocalInstance.  A native method has no map, but
   its receiver is in slot 0 as in other methods. */
static jvmtiError
get_instance(struct thread *t, struct thread *requester, void *arg)
{
    struct local_access *a = arg;
    struct frame *f;

    TRY(stack_frame_for(t, requester, a->depth, &f));
    if (method_is_static(f->version->method)
        || (!frame_is_opaque(f) && frame_local_kind(f, 0) != SLOT_REFERENCE))
        return JVMTI_ERROR_INVALID_SLOT;
    a->value.ref = handle_new(requester, frame_locals(f)[0].ref);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetLocalInstance(struct thread *self, const struct target *thread, jint depth,
                       jobject *value_ptr)
{
    struct local_access a = { .depth = depth };

    TRY(jvmti_handshake(self, thread, get_instance, &a));
    return jvmti_local(self, a.value.ref, value_ptr);
}
