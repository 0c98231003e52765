/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/redefine.c -- JVM TI "Class": RedefineClasses, RetransformClasses.
 *
 * This file checks the agent's arrays and translates the results; linking/redefine.h
 * does the work. */

#include "linking/redefine.h"

#include "interp/debugging.h"
#include "jvmti/env.h"

/* The error of RedefineClasses and RetransformClasses for each result. */
static const jvmtiError redefine_errors[] = {
    [REDEFINE_DONE] = JVMTI_ERROR_NONE,
    [REDEFINE_FORMAT] = JVMTI_ERROR_INVALID_CLASS_FORMAT,
    [REDEFINE_CIRCULAR] = JVMTI_ERROR_CIRCULAR_CLASS_DEFINITION,
    [REDEFINE_VERIFICATION] = JVMTI_ERROR_FAILS_VERIFICATION,
    [REDEFINE_METHOD_ADDED] = JVMTI_ERROR_UNSUPPORTED_REDEFINITION_METHOD_ADDED,
    [REDEFINE_SCHEMA] = JVMTI_ERROR_UNSUPPORTED_REDEFINITION_SCHEMA_CHANGED,
    [REDEFINE_HIERARCHY] = JVMTI_ERROR_UNSUPPORTED_REDEFINITION_HIERARCHY_CHANGED,
    [REDEFINE_METHOD_DELETED] = JVMTI_ERROR_UNSUPPORTED_REDEFINITION_METHOD_DELETED,
    [REDEFINE_VERSION] = JVMTI_ERROR_UNSUPPORTED_VERSION,
    [REDEFINE_NAME] = JVMTI_ERROR_NAMES_DONT_MATCH,
    [REDEFINE_CLASS_MODIFIERS] =
        JVMTI_ERROR_UNSUPPORTED_REDEFINITION_CLASS_MODIFIERS_CHANGED,
    [REDEFINE_METHOD_MODIFIERS] =
        JVMTI_ERROR_UNSUPPORTED_REDEFINITION_METHOD_MODIFIERS_CHANGED,
    [REDEFINE_ATTRIBUTE] = JVMTI_ERROR_UNSUPPORTED_REDEFINITION_CLASS_ATTRIBUTE_CHANGED,
    [REDEFINE_NO_MEMORY] = JVMTI_ERROR_OUT_OF_MEMORY,
};

/* Resolves one class of the agent's array, which must be modifiable. */
static jvmtiError
resolve_modifiable_class(struct thread *self, jclass klass, struct class **result)
{
    struct jvmti_call call = { .self = self };

    TRY(jvmti_resolve_class(&call, klass, NULL_IS_INVALID, result));
    return class_is_modifiable(*result) ? JVMTI_ERROR_NONE
                                        : JVMTI_ERROR_UNMODIFIABLE_CLASS;
}

/* Checks one element of RedefineClasses' array and sets *v to the new version. */
static jvmtiError
resolve_definition(struct thread *self, const jvmtiClassDefinition *d,
                   struct new_version *v)
{
    TRY(resolve_modifiable_class(self, d->klass, &v->class));
    if (!d->class_bytes)
        return JVMTI_ERROR_NULL_POINTER;
    if (d->class_byte_count <= 0)
        return JVMTI_ERROR_INVALID_CLASS_FORMAT;
    v->bytes = d->class_bytes;
    v->length = (size_t)d->class_byte_count;
    return JVMTI_ERROR_NONE;
}

/* Redefines the classes of definitions, or retransforms those of classes; the other
   array is NULL.  Nothing is changed if one element is wrong. */
static jvmtiError
replace_classes(struct thread *self, jint count, const jclass *classes,
                const jvmtiClassDefinition *definitions)
{
    struct new_version *versions = mem_try_calloc((size_t)count + 1, sizeof *versions);
    jvmtiError error = versions ? JVMTI_ERROR_NONE : JVMTI_ERROR_OUT_OF_MEMORY;

    for (jint i = 0; i < count && error == JVMTI_ERROR_NONE; i++)
        error = classes ? resolve_modifiable_class(self, classes[i], &versions[i].class)
                        : resolve_definition(self, &definitions[i], &versions[i]);
    if (error == JVMTI_ERROR_NONE && count > 0)
        error = redefine_errors[classes_redefine(self, versions, (size_t)count,
                                                 class_clear_breakpoints)];
    mem_free(versions);
    return error;
}

jvmtiError
jvmti_RedefineClasses(struct thread *self, jint class_count,
                      const jvmtiClassDefinition *class_definitions)
{
    return replace_classes(self, class_count, NULL, class_definitions);
}

jvmtiError
jvmti_RetransformClasses(struct thread *self, jint class_count, const jclass *classes)
{
    return replace_classes(self, class_count, classes, NULL);
}
