/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_verify.c -- JVM_ functions by which the JDK's libverify reads the
 * class that it verifies. */

#include <string.h>

#include "jdk/jvm.h"
#include "vm/link.h"
#include "vm/reflect.h"

/* A version that c is about to have, or c's own; NULL for classes without a file. */
static const struct classfile *
verified_file(const struct thread *self, const struct class *c)
{
    for (const struct verified_file *v = self->verified; v; v = v->outer)
        if (v->class == c)
            return v->file;
    return c->pool ? c->pool->file : NULL;
}

/* Declares self and file, the class's; answers none for classes without a file. */
#define FILE_ENTRY(none) \
    VM_ENTRY(env); \
    const struct classfile *file = verified_file(self, ref_class(cls)); \
    if (!file) \
        return none

/* The same, and m, the method at that index. */
#define METHOD_ENTRY(none) \
    FILE_ENTRY(none); \
    if (method < 0 || method >= file->method_count) \
        return none; \
    const struct cf_method *m = &file->methods[method]

/* Symbols live as long as the process, so a text needs no copy. */
JNIEXPORT void JNICALL
JVM_ReleaseUTF(const char *text)
{
    (void)text;
}

/* ---- the class ---- */

JNIEXPORT const char *JNICALL
JVM_GetClassNameUTF(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);

    (void)self;
    return ref_class(cls)->name->bytes;
}

JNIEXPORT void JNICALL
JVM_GetClassCPTypes(JNIEnv *env, jclass cls, unsigned char *types)
{
    FILE_ENTRY();

    memcpy(types, file->tags, file->cp_count);
}

JNIEXPORT jint JNICALL
JVM_GetClassCPEntriesCount(JNIEnv *env, jclass cls)
{
    FILE_ENTRY(0);

    return file->cp_count;
}

JNIEXPORT jint JNICALL
JVM_GetClassFieldsCount(JNIEnv *env, jclass cls)
{
    FILE_ENTRY(0);

    return file->field_count;
}

/* Without those that the VM adds: they need no verification. */
JNIEXPORT jint JNICALL
JVM_GetClassMethodsCount(JNIEnv *env, jclass cls)
{
    FILE_ENTRY(0);

    return file->method_count;
}

JNIEXPORT jboolean JNICALL
JVM_IsSameClassPackage(JNIEnv *env, jclass a, jclass b)
{
    VM_ENTRY(env);

    (void)self;
    return class_same_package(ref_class(a), ref_class(b));
}

/* ---- fields and methods ---- */

JNIEXPORT jint JNICALL
JVM_GetFieldIxModifiers(JNIEnv *env, jclass cls, int field)
{
    FILE_ENTRY(0);

    if (field < 0 || field >= file->field_count)
        return 0;
    return file->fields[field].access_flags & REFLECTED_FIELD_FLAGS;
}

JVM_METHOD_GETTER(jint, GetMethodIxModifiers)
{
    METHOD_ENTRY(0);

    return m->access_flags & REFLECTED_METHOD_FLAGS;
}

JVM_METHOD_GETTER(jint, GetMethodIxLocalsCount)
{
    METHOD_ENTRY(0);

    return m->max_locals;
}

JVM_METHOD_GETTER(jint, GetMethodIxArgsSize)
{
    METHOD_ENTRY(0);

    return m->arg_slots;
}

JVM_METHOD_GETTER(jint, GetMethodIxMaxStack)
{
    METHOD_ENTRY(0);

    return m->max_stack;
}

JVM_METHOD_GETTER(jint, GetMethodIxByteCodeLength)
{
    METHOD_ENTRY(0);

    return m->has_code ? (jint)m->code_length : 0;
}

JNIEXPORT void JNICALL
JVM_GetMethodIxByteCode(JNIEnv *env, jclass cls, jint method, unsigned char *code)
{
    METHOD_ENTRY();

    if (m->has_code)
        memcpy(code, m->code, m->code_length);
}

JVM_METHOD_GETTER(jint, GetMethodIxExceptionsCount)
{
    METHOD_ENTRY(0);

    return m->exception_count;
}

JNIEXPORT void JNICALL
JVM_GetMethodIxExceptionIndexes(JNIEnv *env, jclass cls, jint method,
                                unsigned short *indexes)
{
    METHOD_ENTRY();

    for (unsigned i = 0; i < m->exception_count; i++)
        indexes[i] = m->exceptions[i];
}

JVM_METHOD_GETTER(jint, GetMethodIxExceptionTableLength)
{
    METHOD_ENTRY(0);

    return m->handler_count;
}

JNIEXPORT void JNICALL
JVM_GetMethodIxExceptionTableEntry(JNIEnv *env, jclass cls, jint method, jint entry,
                                   JVM_ExceptionTableEntryType *result)
{
    METHOD_ENTRY();
    const struct cf_handler *h = &m->handlers[entry];

    *result = (JVM_ExceptionTableEntryType){ h->start_pc, h->end_pc, h->handler_pc,
                                             h->catch_type };
}

JVM_METHOD_GETTER(jboolean, IsConstructorIx)
{
    METHOD_ENTRY(JNI_FALSE);

    return symbol_equals(m->name, "<init>");
}

JVM_METHOD_GETTER(jboolean, IsVMGeneratedMethodIx)
{
    METHOD_ENTRY(JNI_TRUE);

    (void)m;
    return JNI_FALSE;
}

JVM_METHOD_GETTER(const char *, GetMethodIxNameUTF)
{
    METHOD_ENTRY(NULL);

    return m->name->bytes;
}

JVM_METHOD_GETTER(const char *, GetMethodIxSignatureUTF)
{
    METHOD_ENTRY(NULL);

    return m->descriptor->bytes;
}

/* ---- constants ---- */

#define MEMBER_TEXT(name, part) \
JVM_CP_TEXT(name) \
{ \
    FILE_ENTRY(NULL); \
    return cf_member(file, (unsigned)index).part->bytes; \
}
MEMBER_TEXT(FieldName, name)
MEMBER_TEXT(FieldClassName, class_name)
MEMBER_TEXT(FieldSignature, descriptor)
MEMBER_TEXT(MethodName, name)
MEMBER_TEXT(MethodClassName, class_name)
MEMBER_TEXT(MethodSignature, descriptor)

JVM_CP_TEXT(ClassName)
{
    FILE_ENTRY(NULL);

    return cf_name(file, (unsigned)index)->bytes;
}

/* Those of the member that called itself declares; -1 when it declares none. */
JNIEXPORT jint JNICALL
JVM_GetCPFieldModifiers(JNIEnv *env, jclass cls, int index, jclass called)
{
    FILE_ENTRY(-1);
    struct cf_member wanted = cf_member(file, (unsigned)index);
    const struct field *f =
        class_own_field(ref_class(called), wanted.name, wanted.descriptor);

    return f ? f->access_flags & REFLECTED_FIELD_FLAGS : -1;
}

JNIEXPORT jint JNICALL
JVM_GetCPMethodModifiers(JNIEnv *env, jclass cls, int index, jclass called)
{
    FILE_ENTRY(-1);
    struct cf_member wanted = cf_member(file, (unsigned)index);
    const struct method *m =
        class_own_method(ref_class(called), wanted.name, wanted.descriptor);

    return m ? m->access_flags & REFLECTED_METHOD_FLAGS : -1;
}
