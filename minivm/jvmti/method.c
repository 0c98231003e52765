/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/method.c -- JVM TI "Method", and the prefixes of native methods.
 *
 * The functions get a method version, which a jmethodID names: an obsolete version
 * keeps its own bytecodes and tables (JVM TI "Obsolete Methods").  What the class file
 * says of a version is in its struct cf_method; a method that the VM itself has made
 * has none. */

#include "base/buf.h"
#include "jni/entry.h"
#include "jvmti/env.h"

jvmtiError
jvmti_GetMethodName(struct method_version *method, char **name, char **signature,
                    char **generic)
{
    TRY(jvmti_copy_symbol(method->method->name, name));
    TRY(jvmti_copy_symbol(method->method->descriptor, signature));
    return jvmti_copy_symbol(method->info ? method->info->signature : NULL, generic);
}

jvmtiError
jvmti_GetMethodDeclaringClass(struct thread *self, struct method_version *method,
                              jclass *declaring_class)
{
    return jvmti_local(self, method->method->class->layout.mirror, declaring_class);
}

jint
jvmti_GetMethodModifiers(struct method_version *method)
{
    return method->method->access_flags;
}

/* Returns NATIVE_METHOD for a native method, to which the functions about bytecodes do
   not apply. */
static jvmtiError
check_bytecode(const struct method_version *method)
{
    return method_is_native(method->method) ? JVMTI_ERROR_NATIVE_METHOD
                                            : JVMTI_ERROR_NONE;
}

/* Returns false for an abstract or native method, and for one that the VM has made. */
static bool
has_code(const struct method_version *method)
{
    return method->info && method->info->has_code;
}

jvmtiError
jvmti_GetMaxLocals(struct method_version *method, jint *max)
{
    TRY(check_bytecode(method));
    *max = has_code(method) ? method->info->max_locals : 0;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetArgumentsSize(struct method_version *method, jint *size)
{
    TRY(check_bytecode(method));
    *size = method->method->arg_slots;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetLineNumberTable(struct method_version *method, jint *count,
                         jvmtiLineNumberEntry **table)
{
    const struct cf_method *info = method->info;
    jvmtiLineNumberEntry *rows;

    TRY(check_bytecode(method));
    if (!info || !info->has_line_table)
        return JVMTI_ERROR_ABSENT_INFORMATION;
    TRY(JVMTI_ALLOC(info->line_count, &rows));
    for (uint32_t i = 0; i < info->line_count; i++)
        rows[i] = (jvmtiLineNumberEntry){ info->lines[i].start_pc,
                                          info->lines[i].line };
    *count = (jint)info->line_count;
    *table = rows;
    return JVMTI_ERROR_NONE;
}

/* An abstract method has no bytecodes: both locations are -1. */
jvmtiError
jvmti_GetMethodLocation(struct method_version *method, jlocation *start_location,
                        jlocation *end_location)
{
    TRY(check_bytecode(method));
    *start_location = has_code(method) ? 0 : -1;
    *end_location = has_code(method) ? (jlocation)method->info->code_length - 1 : -1;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_GetLocalVariableTable(struct method_version *method, jint *count,
                            jvmtiLocalVariableEntry **table)
{
    const struct cf_method *info = method->info;
    jvmtiLocalVariableEntry *rows;

    TRY(check_bytecode(method));
    /* A compiler writes no table for a method without variables, so the information is
       absent only if no method of the class has a table. */
    if (!info || !method->pool->file->has_locals)
        return JVMTI_ERROR_ABSENT_INFORMATION;
    TRY(JVMTI_ALLOC(info->local_count, &rows));
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
jvmti_GetBytecodes(struct method_version *method, jint *count,
                   unsigned char **bytecodes)
{
    size_t length = has_code(method) ? method->info->code_length : 0;

    TRY(check_bytecode(method));
    TRY(jvmti_copy_bytes(length ? method->info->code : NULL, length, bytecodes));
    *count = (jint)length;
    return JVMTI_ERROR_NONE;
}

jboolean
jvmti_IsMethodNative(struct method_version *method)
{
    return method_is_native(method->method);
}

/* A method is synthetic by its access flag, or by an attribute in older class files
   (JVMS 4.7.8). */
jboolean
jvmti_IsMethodSynthetic(struct method_version *method)
{
    return (method->method->access_flags & ACC_SYNTHETIC) != 0
           || (method->info && method->info->synthetic);
}

jboolean
jvmti_IsMethodObsolete(struct method_version *method)
{
    return method->is_obsolete;
}

/* ---- prefixes of native methods ---- */

/* Frees the array and its first count strings; prefixes may be NULL. */
static void
free_prefixes(char **prefixes, jint count)
{
    for (jint i = 0; i < count; i++)
        mem_free(prefixes[i]);
    mem_free(prefixes);
}

/* Returns copies of the prefixes of all environments, for jni/lookup.c, and their
   number.  They are in the order in which ClassFileLoadHook is sent: the environments
   that cannot retransform come first, since they have wrapped the native methods first.
   The array and the strings are the caller's (mem_free); NULL if there are none. */
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

/* Replaces env's prefixes; a count of 0 removes them.  The strings are copied before
   the lock is taken, and nothing has changed if one of them is NULL or memory is short.
   all_prefixes is registered with the lookup of native methods each time, since nobody
   has asked for prefixes before the first. */
jvmtiError
jvmti_SetNativeMethodPrefixes(struct jvmti_env *env, jint prefix_count, char **prefixes)
{
    char **copies = mem_try_calloc((size_t)prefix_count + 1, sizeof *copies);

    if (!copies)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    for (jint i = 0; i < prefix_count; i++) {
        if (!prefixes[i] || !(copies[i] = mem_try_strdup(prefixes[i]))) {
            free_prefixes(copies, i);
            return !prefixes[i] ? JVMTI_ERROR_NULL_POINTER : JVMTI_ERROR_OUT_OF_MEMORY;
        }
    }
    mutex_lock(&the_vm->jvmti->mutex);
    char **old = env->prefixes;
    jint old_count = env->prefix_count;
    env->prefixes = copies;
    env->prefix_count = prefix_count;
    mutex_unlock(&the_vm->jvmti->mutex);
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
