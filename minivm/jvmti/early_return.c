/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/early_return.c -- JVM TI "Force Early Return".
 *
 * The frame is not left here: interp/force.h notes the request, and the frame's thread
 * leaves the frame when it goes on. */

#include <string.h>

#include "classfile/descriptor.h"
#include "interp/force.h"
#include "interp/interp.h"
#include "jvmti/env.h"

/* The argument of the handshake: the type of the result, by the letter of its
   descriptor (I, J, F, D, L or V), and the result. */
struct early_return {
    char type;
    union slot value;
};

/* Returns true if m may return the value.  An int is narrowed to the result type if
   that is smaller; an object must be of the result type.  r->value is narrowed in
   place.  An object's class has to be a real subtype (STRICT): the verifier
   would take any object for an interface. */
static bool
fit_result(const struct method *m, struct early_return *r)
{
    struct descriptor_type type;

    if (r->type == 'I' && strchr("ZBCSI", m->return_type)) {
        r->value.i = narrowed(r->value.i, m->return_type);
        return true;
    }
    if (r->type != m->return_type)
        return false;
    return r->type != 'L' || !r->value.ref
           || (descriptor_return(m->descriptor, &type)
               && type_accepts(m->class->loader, type.text, type.length,
                               object_class(r->value.ref), STRICT));
}

/* The operation of the handshake. */
static jvmtiError
return_early(struct thread *t, struct thread *requester, void *arg)
{
    struct early_return *r = arg;
    struct frame *f;

    TRY(stack_frame_for(t, requester, 0, &f));
    if (t->is_picture || frame_is_opaque(f))
        return JVMTI_ERROR_OPAQUE_FRAME;
    if (!fit_result(f->version->method, r))
        return JVMTI_ERROR_TYPE_MISMATCH;
    return force_return(t, r->value) ? JVMTI_ERROR_NONE : JVMTI_ERROR_OPAQUE_FRAME;
}

jvmtiError
jvmti_ForceEarlyReturnObject(struct thread *self, const struct target *thread,
                             struct object *value)
{
    struct early_return result = { .type = 'L', .value.ref = value };

    return jvmti_handshake(self, thread, return_early, &result);
}

jvmtiError
jvmti_ForceEarlyReturnInt(struct thread *self, const struct target *thread, jint value)
{
    struct early_return result = { .type = 'I', .value.i = value };

    return jvmti_handshake(self, thread, return_early, &result);
}

jvmtiError
jvmti_ForceEarlyReturnLong(struct thread *self, const struct target *thread,
                           jlong value)
{
    struct early_return result = { .type = 'J', .value.j = value };

    return jvmti_handshake(self, thread, return_early, &result);
}

jvmtiError
jvmti_ForceEarlyReturnFloat(struct thread *self, const struct target *thread,
                            jfloat value)
{
    struct early_return result = { .type = 'F', .value.f = value };

    return jvmti_handshake(self, thread, return_early, &result);
}

jvmtiError
jvmti_ForceEarlyReturnDouble(struct thread *self, const struct target *thread,
                             jdouble value)
{
    struct early_return result = { .type = 'D', .value.d = value };

    return jvmti_handshake(self, thread, return_early, &result);
}

jvmtiError
jvmti_ForceEarlyReturnVoid(struct thread *self, const struct target *thread)
{
    struct early_return result = { .type = 'V' };

    return jvmti_handshake(self, thread, return_early, &result);
}
