/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/redefine.c -- JVM TI "Class": RedefineClasses, RetransformClasses. */

#include "vm/redefine.h"

#include "interp/form.h"
#include "jvmti/env.h"

_Static_assert((jvmtiError)REDEFINE_NAME == JVMTI_ERROR_NAMES_DONT_MATCH
                   && (jvmtiError)REDEFINE_NO_MEMORY == JVMTI_ERROR_OUT_OF_MEMORY,
               "results are numbered as errors");

static jvmtiError
modifiable_class(jclass klass, struct class **result)
{
    struct jvmti_call call = { .self = current_thread };

    TRY(jvmti_resolve_class(&call, klass, NULL_IS_INVALID, result));
    return class_is_modifiable(*result) ? JVMTI_ERROR_NONE
                                        : JVMTI_ERROR_UNMODIFIABLE_CLASS;
}

static jvmtiError
given_version(const jvmtiClassDefinition *d, struct new_version *v)
{
    TRY(modifiable_class(d->klass, &v->class));
    if (d->class_bytes == NULL)
        return JVMTI_ERROR_NULL_POINTER;
    if (d->class_byte_count <= 0)
        return JVMTI_ERROR_INVALID_CLASS_FORMAT;
    v->bytes = d->class_bytes;
    v->length = (size_t)d->class_byte_count;
    return JVMTI_ERROR_NONE;
}

/* classes or definitions is NULL. */
static jvmtiError
replace_classes(jint count, const jclass *classes,
                const jvmtiClassDefinition *definitions)
{
    struct thread *self = current_thread;
    struct new_version *versions = mem_try_calloc((size_t)count + 1, sizeof *versions);
    jvmtiError error = versions ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;

    for (jint i = 0; i < count && error == JVMTI_ERROR_NONE; i++)
        error = classes ? modifiable_class(classes[i], &versions[i].class)
                        : given_version(&definitions[i], &versions[i]);
    if (error == JVMTI_ERROR_NONE && count > 0)
        error = (jvmtiError)classes_redefine(self, versions, (size_t)count,
                                             class_clear_breakpoints);
    mem_free(versions);
    return error;
}

JVMTI_BODY(jvmtiError, jvmti_RedefineClasses,
           (jint class_count, const jvmtiClassDefinition *class_definitions),
           replace_classes(class_count, NULL, class_definitions))
JVMTI_BODY(jvmtiError, jvmti_RetransformClasses,
           (jint class_count, const jclass *classes),
           replace_classes(class_count, classes, NULL))
