/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/early_return.c -- JVM TI "Force Early Return". */

#include <string.h>

#include "classfile/descriptor.h"
#include "interp/force.h"
#include "jvmti/stack.h"
#include "vm/safepoint.h"

struct early_return {
    const struct thread *asker;
    char type;                     /* I, J, F, D, L or V */
    union slot value;
    jvmtiError error;
};

/* An int as a method with that result returns it (JVMS 6.5, ireturn). */
static int32_t
narrow(int32_t value, char type)
{
    switch (type) {
    case 'Z': return value & 1;
    case 'B': return (int8_t)value;
    case 'C': return (uint16_t)value;
    case 'S': return (int16_t)value;
    default: return value;
    }
}

/* With the value made into one of m's result type. */
static bool
result_fits(const struct method *m, struct early_return *r)
{
    struct descriptor_type type;

    if (r->type == 'I' && strchr("ZBCSI", m->return_type) != NULL) {
        r->value.i = narrow(r->value.i, m->return_type);
        return true;
    }
    if (r->type != m->return_type)
        return false;
    return r->type != 'L' || r->value.ref == NULL
           || (descriptor_return(m->descriptor, &type)
               && type_takes(m->class->loader, type.text, type.length,
                             object_class(r->value.ref), false));
}

static void
return_early(struct thread *t, void *arg)
{
    struct early_return *r = arg;
    const struct frame *f = thread_top_frame(t);

    if (t != r->asker && !thread_is_suspended(t))
        r->error = JVMTI_ERROR_THREAD_NOT_SUSPENDED;
    else if (f == NULL)
        r->error = JVMTI_ERROR_NO_MORE_FRAMES;
    else if (frame_is_opaque(f))
        r->error = JVMTI_ERROR_OPAQUE_FRAME;
    else if (!result_fits(f->code->method, r))
        r->error = JVMTI_ERROR_TYPE_MISMATCH;
    else if (!force_return(t, r->value))
        r->error = JVMTI_ERROR_OPAQUE_FRAME;
}

static jvmtiError
force(const struct jvmti_target *thread, struct early_return *r)
{
    r->asker = current_thread;
    if (!handshake(current_thread, thread->live, return_early, r))
        return JVMTI_ERROR_THREAD_NOT_ALIVE;
    return r->error;
}

#define FORCE_EARLY_RETURN(name, letter, ctype, member) \
jvmtiError \
jvmti_ForceEarlyReturn##name(const struct jvmti_target *thread, ctype value) \
{ \
    struct early_return r = { .type = letter, .value.member = value }; \
    return force(thread, &r); \
}

FORCE_EARLY_RETURN(Object, 'L', struct object *, ref)
FORCE_EARLY_RETURN(Int, 'I', jint, i)
FORCE_EARLY_RETURN(Long, 'J', jlong, j)
FORCE_EARLY_RETURN(Float, 'F', jfloat, f)
FORCE_EARLY_RETURN(Double, 'D', jdouble, d)

jvmtiError
jvmti_ForceEarlyReturnVoid(const struct jvmti_target *thread)
{
    struct early_return r = { .type = 'V' };

    return force(thread, &r);
}
