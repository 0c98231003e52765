/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/early_return.c -- JVM TI "Force Early Return". */

#include <string.h>

#include "classfile/descriptor.h"
#include "interp/force.h"
#include "interp/interp.h"
#include "jvmti/env.h"

struct early_return {
    char type;                     /* I, J, F, D, L or V */
    union slot value;
};

/* With the value made into one of m's result type. */
static bool
result_fits(const struct method *m, struct early_return *r)
{
    struct descriptor_type type;

    if (r->type == 'I' && strchr("ZBCSI", m->return_type) != NULL) {
        r->value.i = narrowed(r->value.i, m->return_type);
        return true;
    }
    if (r->type != m->return_type)
        return false;
    return r->type != 'L' || r->value.ref == NULL
           || (descriptor_return(m->descriptor, &type)
               && type_takes(m->class->loader, type.text, type.length,
                             object_class(r->value.ref), false));
}

static jvmtiError
return_early(struct thread *t, struct thread *asker, void *arg)
{
    struct early_return *r = arg;
    struct frame *f;

    TRY(stack_frame_for(t, asker, 0, &f));
    if (frame_is_opaque(f))
        return JVMTI_ERROR_OPAQUE_FRAME;
    if (!result_fits(f->code->method, r))
        return JVMTI_ERROR_TYPE_MISMATCH;
    return force_return(t, r->value) ? JVMTI_ERROR_NONE : JVMTI_ERROR_OPAQUE_FRAME;
}

#define FORCE_EARLY_RETURN(function, letter, ctype, member) \
jvmtiError \
function(const struct target *thread, ctype value) \
{ \
    struct early_return r = { .type = letter, .value.member = value }; \
    return jvmti_ask(thread, return_early, &r); \
}

FORCE_EARLY_RETURN(jvmti_ForceEarlyReturnObject, 'L', struct object *, ref)
FORCE_EARLY_RETURN(jvmti_ForceEarlyReturnInt, 'I', jint, i)
FORCE_EARLY_RETURN(jvmti_ForceEarlyReturnLong, 'J', jlong, j)
FORCE_EARLY_RETURN(jvmti_ForceEarlyReturnFloat, 'F', jfloat, f)
FORCE_EARLY_RETURN(jvmti_ForceEarlyReturnDouble, 'D', jdouble, d)

JVMTI_BODY(jvmtiError, jvmti_ForceEarlyReturnVoid, (const struct target *thread),
           jvmti_ask(thread, return_early, &(struct early_return){ .type = 'V' }))
