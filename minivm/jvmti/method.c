/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/method.c -- JVM TI "Method". */

#include "base/buf.h"
#include "jni/entry.h"
#include "jvmti/env.h"

jvmtiError
jvmti_GetMethodName(struct code *method, char **name, char **signature,
                    char **generic)
{
    TRY(jvmti_copy_symbol(method->method->name, name));
    TRY(jvmti_copy_symbol(method->method->descriptor, signature));
    return jvmti_copy_symbol(method->info ? method->info->signature : NULL, generic);
}

JVMTI_BODY(jvmtiError, jvmti_GetMethodDeclaringClass,
           (struct code *method, jclass *declaring_class),
           jvmti_local(method->method->class->layout.mirror, declaring_class))
JVMTI_BODY(jint, jvmti_GetMethodModifiers, (struct code *method),
           method->method->access_flags)

/* Those of the functions below that are about code. */
static jvmtiError
check_bytecode(const struct code *method)
{
    return method_is_native(method->method) ? JVMTI_ERROR_NATIVE_METHOD
                                            : JVMTI_ERROR_NONE;
}

static bool
has_code(const struct code *method)
{
    return method->info != NULL && method->info->has_code;
}

jvmtiError
jvmti_GetMaxLocals(struct code *method, jint *max)
{
    TRY(check_bytecode(method));
    *max = has_code(method) ? method->info->max_locals : 0;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetArgumentsSize(struct code *method, jint *size)
{
    TRY(check_bytecode(method));
    *size = method->method->arg_slots;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetLineNumberTable(struct code *method, jint *count, jvmtiLineNumberEntry **table)
{
    const struct cf_method *info = method->info;
    jvmtiLineNumberEntry *rows;

    TRY(check_bytecode(method));
    if (info == NULL || !info->has_line_table)
        return JVMTI_ERROR_ABSENT_INFORMATION;
    TRY(jvmti_alloc(info->line_count * sizeof *rows, &rows));
    for (uint32_t i = 0; i < info->line_count; i++)
        rows[i] = (jvmtiLineNumberEntry){ info->lines[i].start_pc,
                                          info->lines[i].line };
    *count = (jint)info->line_count;
    *table = rows;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetMethodLocation(struct code *method, jlocation *start_location,
                        jlocation *end_location)
{
    TRY(check_bytecode(method));
    *start_location = has_code(method) ? 0 : -1;
    *end_location = has_code(method) ? (jlocation)method->info->code_length - 1 : -1;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetLocalVariableTable(struct code *method, jint *count,
                            jvmtiLocalVariableEntry **table)
{
    const struct cf_method *info = method->info;
    jvmtiLocalVariableEntry *rows;

    TRY(check_bytecode(method));
    /* "Class information": a compiler writes no table for a method without variables. */
    if (info == NULL || !method->pool->file->has_locals)
        return JVMTI_ERROR_ABSENT_INFORMATION;
    TRY(jvmti_alloc(info->local_count * sizeof *rows, &rows));
    for (uint32_t i = 0; i < info->local_count; i++) {
        const struct cf_local *from = &info->locals[i];
        rows[i] = (jvmtiLocalVariableEntry){ .start_location = from->start_pc,
                                             .length = from->length,
                                             .slot = from->slot };
        TRY(jvmti_copy_symbol(from->name, &rows[i].name));
        TRY(jvmti_copy_symbol(from->descriptor, &rows[i].signature));
        TRY(jvmti_copy_symbol(from->signature, &rows[i].generic_signature));
    }
    *count = (jint)info->local_count;
    *table = rows;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetBytecodes(struct code *method, jint *count, unsigned char **bytecodes)
{
    size_t length = has_code(method) ? method->info->code_length : 0;

    TRY(check_bytecode(method));
    TRY(jvmti_copy_bytes(length ? method->info->code : NULL, length, bytecodes));
    *count = (jint)length;
    return JVMTI_ERROR_NONE;
}

JVMTI_BODY(jboolean, jvmti_IsMethodNative, (struct code *method),
           method_is_native(method->method))
JVMTI_BODY(jboolean, jvmti_IsMethodSynthetic, (struct code *method),
           (method->method->access_flags & ACC_SYNTHETIC) != 0
               || (method->info != NULL && method->info->synthetic))
JVMTI_BODY(jboolean, jvmti_IsMethodObsolete, (struct code *method), method->is_obsolete)

static void
free_prefixes(char **prefixes, jint count)
{
    for (jint i = 0; i < count; i++)
        mem_free(prefixes[i]);
    mem_free(prefixes);
}

/* In the order of the class file load hook: wrappers of those that cannot retransform
   are the innermost. */
static char **
all_prefixes(size_t *count)
{
    struct vm *vm = the_vm;
    struct buf list = { 0 };
    LOCK(&vm->jvmti->mutex);

    for (int capable = 0; capable < 2; capable++)
        FOR_EACH_ENV(vm, e)
            for (jint i = 0; i < e->prefix_count; i++)
                if (e->is_retransform_capable == (bool)capable) {
                    char *copy = mem_strdup(e->prefixes[i]);
                    buf_append(&list, &copy, sizeof copy);
                }
    *count = list.length / sizeof(char *);
    return buf_steal(&list, NULL);
}

jvmtiError
jvmti_SetNativeMethodPrefixes(struct jvmti_env *env, jint prefix_count, char **prefixes)
{
    char **copies = mem_try_calloc((size_t)prefix_count + 1, sizeof *copies);

    if (copies == NULL)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    for (jint i = 0; i < prefix_count; i++) {
        if (prefixes[i] == NULL || (copies[i] = mem_try_strdup(prefixes[i])) == NULL) {
            free_prefixes(copies, i);
            return prefixes[i] == NULL ? JVMTI_ERROR_NULL_POINTER
                                       : JVMTI_ERROR_OUT_OF_MEMORY;
        }
    }
    mutex_lock(&current_thread->vm->jvmti->mutex);
    char **old = env->prefixes;
    jint old_count = env->prefix_count;
    env->prefixes = copies;
    env->prefix_count = prefix_count;
    mutex_unlock(&current_thread->vm->jvmti->mutex);
    native_set_prefixes(all_prefixes);
    free_prefixes(old, old_count);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_SetNativeMethodPrefix(struct jvmti_env *env, const char *prefix)
{
    char *one = (char *)(uintptr_t)prefix;

    return jvmti_SetNativeMethodPrefixes(env, prefix != NULL, &one);
}
