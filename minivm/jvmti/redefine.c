/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/redefine.c -- JVM TI "Class": RedefineClasses, RetransformClasses. */

#include "vm/redefine.h"

#include "interp/form.h"
#include "jvmti/env.h"

static jvmtiError
error_of(enum redefine_result result)
{
    static const jvmtiError errors[] = {
        [REDEFINE_DONE] = JVMTI_ERROR_NONE,
        [REDEFINE_NO_MEMORY] = JVMTI_ERROR_OUT_OF_MEMORY,
        [REDEFINE_FORMAT] = JVMTI_ERROR_INVALID_CLASS_FORMAT,
        [REDEFINE_VERSION] = JVMTI_ERROR_UNSUPPORTED_VERSION,
        [REDEFINE_NAME] = JVMTI_ERROR_NAMES_DONT_MATCH,
        [REDEFINE_CIRCULAR] = JVMTI_ERROR_CIRCULAR_CLASS_DEFINITION,
        [REDEFINE_HIERARCHY] = JVMTI_ERROR_UNSUPPORTED_REDEFINITION_HIERARCHY_CHANGED,
        [REDEFINE_ATTRIBUTE] =
            JVMTI_ERROR_UNSUPPORTED_REDEFINITION_CLASS_ATTRIBUTE_CHANGED,
        [REDEFINE_CLASS_MODIFIERS] =
            JVMTI_ERROR_UNSUPPORTED_REDEFINITION_CLASS_MODIFIERS_CHANGED,
        [REDEFINE_SCHEMA] = JVMTI_ERROR_UNSUPPORTED_REDEFINITION_SCHEMA_CHANGED,
        [REDEFINE_METHOD_ADDED] = JVMTI_ERROR_UNSUPPORTED_REDEFINITION_METHOD_ADDED,
        [REDEFINE_METHOD_DELETED] = JVMTI_ERROR_UNSUPPORTED_REDEFINITION_METHOD_DELETED,
        [REDEFINE_METHOD_MODIFIERS] =
            JVMTI_ERROR_UNSUPPORTED_REDEFINITION_METHOD_MODIFIERS_CHANGED,
        [REDEFINE_VERIFICATION] = JVMTI_ERROR_FAILS_VERIFICATION,
    };

    return errors[result];
}

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
        error = error_of(classes_redefine(self, versions, (size_t)count,
                                          class_clear_breakpoints));
    mem_free(versions);
    return error;
}

JVMTI_BODY(jvmtiError, jvmti_RedefineClasses,
           (jint class_count, const jvmtiClassDefinition *class_definitions),
           replace_classes(class_count, NULL, class_definitions))
JVMTI_BODY(jvmtiError, jvmti_RetransformClasses,
           (jint class_count, const jclass *classes),
           replace_classes(class_count, classes, NULL))
