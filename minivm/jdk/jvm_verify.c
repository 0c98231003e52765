/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_verify.c -- the JDK's libverify, which judges class files without
 * stack maps (JVMS 4.10.2), and the JVM_ functions by which it reads the class.  Texts
 * are modified UTF-8 and go to JVM_ReleaseUTF; method is an index in the class file. */

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "jdk/jvm.h"
#include "vm/above.h"
#include "vm/reflect.h"

typedef jboolean verify_fn(JNIEnv *env, jclass c, char *message, jint length,
                           jint major);

/* The library stays loaded. */
static verify_fn *
find_verifier(const struct vm *vm)
{
    TEXTS(t);
    void *library = os_library_open(
        own(&t, mem_printf("%s/lib/libverify.so", vm->options.java_home)), NULL);

    return library ? (verify_fn *)dlsym(library, "VerifyClassForMajorVersion") : NULL;
}

int
class_verify_by_inference(struct thread *self, struct class *c,
                          const struct classfile *file, char *message, size_t size)
{
    struct verified_file verified = { c, file, self->verified };
    verify_fn *verify = find_verifier(self->vm);
    struct ref_mark mark = ref_mark(self);

    if (verify == NULL) {
        snprintf(message, size, "Could not link verifier");
        return 0;
    }
    jclass mirror = class_ref(self, c);
    if (mirror == NULL)
        return 2;
    self->verified = &verified;
    thread_leave_vm(self);
    int answer = verify(thread_env(self), mirror, message, (jint)size, file->major);
    thread_enter_vm(self);
    self->verified = verified.outer;
    ref_release(self, mark);
    return answer;
}

/* A version that c is about to have, or c's own; NULL for classes without a file. */
static const struct classfile *
verified_file(const struct thread *self, const struct class *c)
{
    for (const struct verified_file *v = self->verified; v; v = v->outer)
        if (v->class == c)
            return v->file;
    return c->pool ? c->pool->file : NULL;
}

/* Functions that answer a value of file, the class's, or of its method m at an index;
   none for classes without a file and methods that are not there. */
#define FILE_ENTRY(none) \
    VM_ENTRY(env); \
    const struct classfile *file = verified_file(self, ref_class(cls)); \
    if (!file) \
        return none

#define METHOD_ENTRY(none) \
    FILE_ENTRY(none); \
    if (method < 0 || method >= file->method_count) \
        return none; \
    const struct cf_method *m UNUSED = &file->methods[method]

#define FILE_VALUE(type, function, none, value) \
JNIEXPORT type JNICALL \
function(JNIEnv *env, jclass cls) \
{ \
    FILE_ENTRY(none); \
    return value; \
}

#define METHOD_VALUE(type, function, none, value) \
JNIEXPORT type JNICALL \
function(JNIEnv *env, jclass cls, jint method) \
{ \
    METHOD_ENTRY(none); \
    return value; \
}

/* Symbols live as long as the process, so a text needs no copy. */
JVM_PLAIN(void, JVM_ReleaseUTF, (const char *text UNUSED), )

/* ---- the class ---- */

JVM_VALUE(const char *, JVM_GetClassNameUTF, (JNIEnv *env, jclass cls),
          ref_class(cls)->name->bytes)

JNIEXPORT void JNICALL
JVM_GetClassCPTypes(JNIEnv *env, jclass cls, unsigned char *types)
{
    FILE_ENTRY();

    memcpy(types, file->tags, file->cp_count);
}

FILE_VALUE(jint, JVM_GetClassCPEntriesCount, 0, file->cp_count)
FILE_VALUE(jint, JVM_GetClassFieldsCount, 0, file->field_count)
/* Without those that the VM adds: they need no verification. */
FILE_VALUE(jint, JVM_GetClassMethodsCount, 0, file->method_count)

JVM_VALUE(jboolean, JVM_IsSameClassPackage, (JNIEnv *env, jclass a, jclass b),
          class_same_package(ref_class(a), ref_class(b)))

/* ---- fields and methods ---- */

JNIEXPORT jint JNICALL
JVM_GetFieldIxModifiers(JNIEnv *env, jclass cls, int field)
{
    FILE_ENTRY(0);

    if (field < 0 || field >= file->field_count)
        return 0;
    return file->fields[field].access_flags & REFLECTED_FIELD_FLAGS;
}

METHOD_VALUE(jint, JVM_GetMethodIxModifiers, 0,
             m->access_flags & REFLECTED_METHOD_FLAGS)
METHOD_VALUE(jint, JVM_GetMethodIxLocalsCount, 0, m->max_locals)
METHOD_VALUE(jint, JVM_GetMethodIxArgsSize, 0, m->arg_slots)
METHOD_VALUE(jint, JVM_GetMethodIxMaxStack, 0, m->max_stack)
METHOD_VALUE(jint, JVM_GetMethodIxByteCodeLength, 0,
             m->has_code ? (jint)m->code_length : 0)
METHOD_VALUE(jint, JVM_GetMethodIxExceptionsCount, 0, m->exception_count)
METHOD_VALUE(jint, JVM_GetMethodIxExceptionTableLength, 0, m->handler_count)
METHOD_VALUE(jboolean, JVM_IsConstructorIx, JNI_FALSE, symbol_equals(m->name, "<init>"))
METHOD_VALUE(jboolean, JVM_IsVMGeneratedMethodIx, JNI_TRUE, JNI_FALSE)
METHOD_VALUE(const char *, JVM_GetMethodIxNameUTF, NULL, m->name->bytes)
METHOD_VALUE(const char *, JVM_GetMethodIxSignatureUTF, NULL, m->descriptor->bytes)

JNIEXPORT void JNICALL
JVM_GetMethodIxByteCode(JNIEnv *env, jclass cls, jint method, unsigned char *code)
{
    METHOD_ENTRY();

    if (m->has_code)
        memcpy(code, m->code, m->code_length);
}

JNIEXPORT void JNICALL
JVM_GetMethodIxExceptionIndexes(JNIEnv *env, jclass cls, jint method,
                                unsigned short *indexes)
{
    METHOD_ENTRY();

    for (unsigned i = 0; i < m->exception_count; i++)
        indexes[i] = m->exceptions[i];
}

typedef struct {
    jint start_pc, end_pc, handler_pc, catchType;
} JVM_ExceptionTableEntryType;

JNIEXPORT void JNICALL
JVM_GetMethodIxExceptionTableEntry(JNIEnv *env, jclass cls, jint method, jint entry,
                                   JVM_ExceptionTableEntryType *result)
{
    METHOD_ENTRY();
    const struct cf_handler *h = &m->handlers[entry];

    *result = (JVM_ExceptionTableEntryType){ h->start_pc, h->end_pc, h->handler_pc,
                                             h->catch_type };
}

/* ---- constants ---- */

#define CONSTANT_TEXT(function, symbol) \
JNIEXPORT const char *JNICALL \
function(JNIEnv *env, jclass cls, jint index) \
{ \
    FILE_ENTRY(NULL); \
    return symbol->bytes; \
}
CONSTANT_TEXT(JVM_GetCPClassNameUTF, cf_name(file, (unsigned)index))
CONSTANT_TEXT(JVM_GetCPFieldClassNameUTF, cf_member(file, (unsigned)index).class_name)
CONSTANT_TEXT(JVM_GetCPFieldSignatureUTF, cf_member(file, (unsigned)index).descriptor)
CONSTANT_TEXT(JVM_GetCPMethodNameUTF, cf_member(file, (unsigned)index).name)
CONSTANT_TEXT(JVM_GetCPMethodClassNameUTF, cf_member(file, (unsigned)index).class_name)
CONSTANT_TEXT(JVM_GetCPMethodSignatureUTF, cf_member(file, (unsigned)index).descriptor)

/* Those of the member that called itself declares; -1 when it declares none. */
#define MEMBER_MODIFIERS(function, member, find, flags) \
JNIEXPORT jint JNICALL \
function(JNIEnv *env, jclass cls, int index, jclass called) \
{ \
    FILE_ENTRY(-1); \
    struct cf_member wanted = cf_member(file, (unsigned)index); \
    const struct member *m = find(ref_class(called), wanted.name, wanted.descriptor); \
    return m ? m->access_flags & (flags) : -1; \
}
MEMBER_MODIFIERS(JVM_GetCPFieldModifiers, field, class_own_field, REFLECTED_FIELD_FLAGS)
MEMBER_MODIFIERS(JVM_GetCPMethodModifiers, method, class_own_method,
                 REFLECTED_METHOD_FLAGS)
