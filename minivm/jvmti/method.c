/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/method.c -- JVM TI "Method". */

#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "jni/jni_floor.h"
#include "jvmti/env.h"

jvmtiError
jvmti_GetMethodName(struct code *method, char **name_ptr, char **signature_ptr,
                    char **generic_ptr)
{
    const struct method *m = method->method;
    const struct symbol *generic = method->info ? method->info->signature : NULL;

    return jvmti_copy_names((const char *[]){ m->name->bytes, m->descriptor->bytes,
                                              generic ? generic->bytes : NULL },
                            (char **[]){ name_ptr, signature_ptr, generic_ptr });
}

jvmtiError
jvmti_GetMethodDeclaringClass(struct code *method, jclass *declaring_class_ptr)
{
    return jvmti_local(method->method->class->layout.mirror, declaring_class_ptr);
}

jvmtiError
jvmti_GetMethodModifiers(struct code *method, jint *modifiers_ptr)
{
    *modifiers_ptr = method->method->access_flags;
    return JVMTI_ERROR_NONE;
}

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
jvmti_GetMaxLocals(struct code *method, jint *max_ptr)
{
    TRY(check_bytecode(method));
    *max_ptr = has_code(method) ? method->info->max_locals : 0;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetArgumentsSize(struct code *method, jint *size_ptr)
{
    TRY(check_bytecode(method));
    *size_ptr = method->method->arg_slots;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetLineNumberTable(struct code *method, jint *entry_count_ptr,
                         jvmtiLineNumberEntry **table_ptr)
{
    const struct cf_method *info = method->info;
    jvmtiLineNumberEntry *rows;

    TRY(check_bytecode(method));
    if (info == NULL || !info->has_line_table)
        return JVMTI_ERROR_ABSENT_INFORMATION;
    TRY(jvmti_alloc(info->line_count * sizeof *rows, &rows));
    for (uint32_t i = 0; i < info->line_count; i++)
        rows[i] = (jvmtiLineNumberEntry){ info->lines[i].start_pc, info->lines[i].line };
    *entry_count_ptr = (jint)info->line_count;
    *table_ptr = rows;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetMethodLocation(struct code *method, jlocation *start_location_ptr,
                        jlocation *end_location_ptr)
{
    TRY(check_bytecode(method));
    *start_location_ptr = has_code(method) ? 0 : -1;
    *end_location_ptr = has_code(method) ? (jlocation)method->info->code_length - 1 : -1;
    return JVMTI_ERROR_NONE;
}

static void
free_locals(jvmtiLocalVariableEntry *rows, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        jvmti_free(rows[i].name);
        jvmti_free(rows[i].signature);
        jvmti_free(rows[i].generic_signature);
    }
    jvmti_free(rows);
}

static jvmtiError
fill_local(const struct cf_local *from, jvmtiLocalVariableEntry *to)
{
    *to = (jvmtiLocalVariableEntry){ .start_location = from->start_pc,
                                     .length = from->length, .slot = from->slot };
    TRY(jvmti_copy(from->name->bytes, &to->name));
    TRY(jvmti_copy(from->descriptor->bytes, &to->signature));
    return jvmti_copy(from->signature ? from->signature->bytes : NULL,
                      &to->generic_signature);
}

jvmtiError
jvmti_GetLocalVariableTable(struct code *method, jint *entry_count_ptr,
                            jvmtiLocalVariableEntry **table_ptr)
{
    const struct cf_method *info = method->info;
    jvmtiLocalVariableEntry *rows;

    TRY(check_bytecode(method));
    if (info == NULL || !info->has_local_table)
        return JVMTI_ERROR_ABSENT_INFORMATION;
    TRY(jvmti_alloc(info->local_count * sizeof *rows, &rows));
    for (uint32_t i = 0; i < info->local_count; i++) {
        jvmtiError error = fill_local(&info->locals[i], &rows[i]);
        if (error != JVMTI_ERROR_NONE) {
            free_locals(rows, i + 1);
            return error;
        }
    }
    *entry_count_ptr = (jint)info->local_count;
    *table_ptr = rows;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetBytecodes(struct code *method, jint *bytecode_count_ptr,
                   unsigned char **bytecodes_ptr)
{
    unsigned char *bytes;
    size_t length = has_code(method) ? method->info->code_length : 0;

    TRY(check_bytecode(method));
    TRY(jvmti_alloc(length, &bytes));
    if (length != 0)
        memcpy(bytes, method->info->code, length);
    *bytecode_count_ptr = (jint)length;
    *bytecodes_ptr = bytes;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_IsMethodNative(struct code *method, jboolean *is_native_ptr)
{
    *is_native_ptr = method_is_native(method->method);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_IsMethodSynthetic(struct code *method, jboolean *is_synthetic_ptr)
{
    *is_synthetic_ptr = (method->method->access_flags & ACC_SYNTHETIC) != 0
                        || (method->info != NULL && method->info->synthetic);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_IsMethodObsolete(struct code *method, jboolean *is_obsolete_ptr)
{
    *is_obsolete_ptr = method->is_obsolete;
    return JVMTI_ERROR_NONE;
}

/* ---- prefixes of native methods ---- */

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
