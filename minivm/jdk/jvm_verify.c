/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_verify.c -- the JDK's libverify, and the JVM_ functions by which it
 * reads a class.
 *
 * A class file of version 49 or older has no stack maps, so its code is verified by
 * type inference (JVMS 4.10.2).  That verifier is the JDK's own library, libverify;
 * class_verify_by_inference loads it and calls it as native code.  It reads the class
 * by the functions below.
 *
 * The class that is being verified may not have the class file yet that is judged: a
 * redefinition has it verified first.  So the thread has a list of the files it is
 * having verified (self->verified), where the functions look before they take the
 * class's own.
 *
 * Texts are modified UTF-8.  A method or field is named by its index in the class file,
 * a constant by its index in the constant pool; the library has checked the latter's
 * tag. */

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "jdk/jvm.h"
#include "runtime/above.h"
#include "runtime/reflect.h"

/*
 * VerifyClassForMajorVersion.  Returns what class_verify_by_inference does
 * (runtime/above.h): 1 when the class is good, and else what is to be thrown, with the
 * reason in message.  major is the version of the class file.
 */
typedef jboolean verify_fn(JNIEnv *env, jclass c, char *message, jint length,
                           jint major);

/*
 * Returns the library's entry point; NULL when it cannot be loaded.  The library stays
 * loaded: opening it again only counts.
 */
static verify_fn *
find_verifier(const struct vm *vm)
{
    TEXTS(t);
    void *library = os_library_open(
        own(&t, mem_printf("%s/lib/libverify.so", vm->options.java_home)), NULL);

    return library ? (verify_fn *)dlsym(library, "VerifyClassForMajorVersion") : NULL;
}

/*
 * Verifies file as the class file of c by the JDK's libverify and returns its verdict.
 * The library is called in native state, as a native method is, and its local
 * references are deleted afterwards.  A VM without the library says so as a failed
 * verification.
 */
int
class_verify_by_inference(struct thread *self, struct class *c,
                          const struct classfile *file, char *message, size_t size)
{
    struct verified_file verified = { c, file, self->verified };
    verify_fn *verify = find_verifier(self->vm);
    struct ref_frame refs = ref_frame_begin(self);

    if (!verify) {
        snprintf(message, size, "Could not link verifier");
        return 0;
    }
    jclass mirror = class_ref(self, c);
    if (!mirror)
        return 2;
    self->verified = &verified;
    thread_leave_vm(self);
    int verdict = verify(thread_env(self), mirror, message, (jint)size, file->major);
    thread_enter_vm(self);
    self->verified = verified.outer;
    ref_frame_end(self, refs);
    return verdict;
}

/*
 * Returns the class file by which c is to be judged: the one that this thread is having
 * verified, else c's own; NULL for arrays and primitive classes.
 */
static const struct classfile *
verified_file(const struct thread *self, const struct class *c)
{
    for (const struct verified_file *v = self->verified; v; v = v->outer)
        if (v->class == c)
            return v->file;
    return c->pool ? c->pool->file : NULL;
}

/*
 * Returns the method of cls with that number in its class file; NULL if there is none,
 * or no class file.
 */
static const struct cf_method *
verified_method(const struct thread *self, jclass cls, jint method)
{
    const struct classfile *file = verified_file(self, ref_class(cls));

    return file && method >= 0 && method < file->method_count ? &file->methods[method]
                                                              : NULL;
}

/*
 * Ends the use of a text that one of these functions returned.  Symbols live as long as
 * the process, so no text was copied.
 */
JNIEXPORT void JNICALL
JVM_ReleaseUTF(const char *text UNUSED)
{
}

/* ---- the class ---- */

JNIEXPORT const char *JNICALL
JVM_GetClassNameUTF(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);

    return ref_class(cls)->name->bytes;
}

/* Stores the tag of each constant; types has JVM_GetClassCPEntriesCount bytes. */
JNIEXPORT void JNICALL
JVM_GetClassCPTypes(JNIEnv *env, jclass cls, unsigned char *types)
{
    VM_ENTRY(env);
    const struct classfile *file = verified_file(self, ref_class(cls));

    if (file)
        memcpy(types, file->tags, file->cp_count);
}

JNIEXPORT jint JNICALL
JVM_GetClassCPEntriesCount(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    const struct classfile *file = verified_file(self, ref_class(cls));

    return file ? file->cp_count : 0;
}

JNIEXPORT jint JNICALL
JVM_GetClassFieldsCount(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    const struct classfile *file = verified_file(self, ref_class(cls));

    return file ? file->field_count : 0;
}

/*
 * Returns the number of methods in the class file.  Those that the VM has added need no
 * verification.
 */
JNIEXPORT jint JNICALL
JVM_GetClassMethodsCount(JNIEnv *env, jclass cls)
{
    VM_ENTRY(env);
    const struct classfile *file = verified_file(self, ref_class(cls));

    return file ? file->method_count : 0;
}

/* Returns true if both classes are in the same run-time package (JVMS 5.3). */
JNIEXPORT jboolean JNICALL
JVM_IsSameClassPackage(JNIEnv *env, jclass a, jclass b)
{
    VM_ENTRY(env);

    return class_same_package(ref_class(a), ref_class(b));
}

/* ---- fields and methods ---- */

JNIEXPORT jint JNICALL
JVM_GetFieldIxModifiers(JNIEnv *env, jclass cls, int field)
{
    VM_ENTRY(env);
    const struct classfile *file = verified_file(self, ref_class(cls));

    if (!file || field < 0 || field >= file->field_count)
        return 0;
    return file->fields[field].access_flags & REFLECTED_FIELD_FLAGS;
}

JNIEXPORT jint JNICALL
JVM_GetMethodIxModifiers(JNIEnv *env, jclass cls, jint method)
{
    VM_ENTRY(env);
    const struct cf_method *m = verified_method(self, cls, method);

    return m ? m->access_flags & REFLECTED_METHOD_FLAGS : 0;
}

JNIEXPORT jint JNICALL
JVM_GetMethodIxLocalsCount(JNIEnv *env, jclass cls, jint method)
{
    VM_ENTRY(env);
    const struct cf_method *m = verified_method(self, cls, method);

    return m ? m->max_locals : 0;
}

/* Returns the slots that the arguments take, the receiver included. */
JNIEXPORT jint JNICALL
JVM_GetMethodIxArgsSize(JNIEnv *env, jclass cls, jint method)
{
    VM_ENTRY(env);
    const struct cf_method *m = verified_method(self, cls, method);

    return m ? m->arg_slots : 0;
}

JNIEXPORT jint JNICALL
JVM_GetMethodIxMaxStack(JNIEnv *env, jclass cls, jint method)
{
    VM_ENTRY(env);
    const struct cf_method *m = verified_method(self, cls, method);

    return m ? m->max_stack : 0;
}

JNIEXPORT jint JNICALL
JVM_GetMethodIxByteCodeLength(JNIEnv *env, jclass cls, jint method)
{
    VM_ENTRY(env);
    const struct cf_method *m = verified_method(self, cls, method);

    return m ? m->has_code ? (jint)m->code_length : 0 : 0;
}

/* Returns the number of classes in the Exceptions attribute (JVMS 4.7.5). */
JNIEXPORT jint JNICALL
JVM_GetMethodIxExceptionsCount(JNIEnv *env, jclass cls, jint method)
{
    VM_ENTRY(env);
    const struct cf_method *m = verified_method(self, cls, method);

    return m ? m->exception_count : 0;
}

/* Returns the number of exception handlers (JVMS 4.7.3). */
JNIEXPORT jint JNICALL
JVM_GetMethodIxExceptionTableLength(JNIEnv *env, jclass cls, jint method)
{
    VM_ENTRY(env);
    const struct cf_method *m = verified_method(self, cls, method);

    return m ? m->handler_count : 0;
}

JNIEXPORT jboolean JNICALL
JVM_IsConstructorIx(JNIEnv *env, jclass cls, jint method)
{
    VM_ENTRY(env);
    const struct cf_method *m = verified_method(self, cls, method);

    return m ? symbol_equals(m->name, "<init>") : JNI_FALSE;
}

/* Returns true for a method that is not in the class file. */
JNIEXPORT jboolean JNICALL
JVM_IsVMGeneratedMethodIx(JNIEnv *env, jclass cls, jint method)
{
    VM_ENTRY(env);
    const struct cf_method *m = verified_method(self, cls, method);

    return m ? JNI_FALSE : JNI_TRUE;
}

JNIEXPORT const char *JNICALL
JVM_GetMethodIxNameUTF(JNIEnv *env, jclass cls, jint method)
{
    VM_ENTRY(env);
    const struct cf_method *m = verified_method(self, cls, method);

    return m ? m->name->bytes : NULL;
}

JNIEXPORT const char *JNICALL
JVM_GetMethodIxSignatureUTF(JNIEnv *env, jclass cls, jint method)
{
    VM_ENTRY(env);
    const struct cf_method *m = verified_method(self, cls, method);

    return m ? m->descriptor->bytes : NULL;
}

/* Copies the bytecode; code has JVM_GetMethodIxByteCodeLength bytes. */
JNIEXPORT void JNICALL
JVM_GetMethodIxByteCode(JNIEnv *env, jclass cls, jint method, unsigned char *code)
{
    VM_ENTRY(env);
    const struct cf_method *m = verified_method(self, cls, method);

    if (m && m->has_code)
        memcpy(code, m->code, m->code_length);
}

/*
 * Stores the indexes, in the constant pool, of the classes of the Exceptions attribute.
 */
JNIEXPORT void JNICALL
JVM_GetMethodIxExceptionIndexes(JNIEnv *env, jclass cls, jint method,
                                unsigned short *indexes)
{
    VM_ENTRY(env);
    const struct cf_method *m = verified_method(self, cls, method);

    for (unsigned i = 0; m && i < m->exception_count; i++)
        indexes[i] = m->exceptions[i];
}

/* The JDK's type of an entry of an exception table (JVMS 4.7.3). */
typedef struct {
    jint start_pc, end_pc, handler_pc, catchType;
} JVM_ExceptionTableEntryType;

/* Stores an exception handler. */
JNIEXPORT void JNICALL
JVM_GetMethodIxExceptionTableEntry(JNIEnv *env, jclass cls, jint method, jint entry,
                                   JVM_ExceptionTableEntryType *result)
{
    VM_ENTRY(env);
    const struct cf_method *m = verified_method(self, cls, method);

    if (!m)
        return;
    const struct cf_handler *h = &m->handlers[entry];
    *result = (JVM_ExceptionTableEntryType){ h->start_pc, h->end_pc, h->handler_pc,
                                             h->catch_type };
}

/* ---- constants ---- */

JNIEXPORT const char *JNICALL
JVM_GetCPClassNameUTF(JNIEnv *env, jclass cls, jint index)
{
    VM_ENTRY(env);
    const struct classfile *file = verified_file(self, ref_class(cls));

    return file ? cf_name(file, (unsigned)index)->bytes : NULL;
}

JNIEXPORT const char *JNICALL
JVM_GetCPFieldClassNameUTF(JNIEnv *env, jclass cls, jint index)
{
    VM_ENTRY(env);
    const struct classfile *file = verified_file(self, ref_class(cls));

    return file ? cf_member(file, (unsigned)index).class_name->bytes : NULL;
}

JNIEXPORT const char *JNICALL
JVM_GetCPFieldSignatureUTF(JNIEnv *env, jclass cls, jint index)
{
    VM_ENTRY(env);
    const struct classfile *file = verified_file(self, ref_class(cls));

    return file ? cf_member(file, (unsigned)index).descriptor->bytes : NULL;
}

JNIEXPORT const char *JNICALL
JVM_GetCPMethodNameUTF(JNIEnv *env, jclass cls, jint index)
{
    VM_ENTRY(env);
    const struct classfile *file = verified_file(self, ref_class(cls));

    return file ? cf_member(file, (unsigned)index).name->bytes : NULL;
}

JNIEXPORT const char *JNICALL
JVM_GetCPMethodClassNameUTF(JNIEnv *env, jclass cls, jint index)
{
    VM_ENTRY(env);
    const struct classfile *file = verified_file(self, ref_class(cls));

    return file ? cf_member(file, (unsigned)index).class_name->bytes : NULL;
}

JNIEXPORT const char *JNICALL
JVM_GetCPMethodSignatureUTF(JNIEnv *env, jclass cls, jint index)
{
    VM_ENTRY(env);
    const struct classfile *file = verified_file(self, ref_class(cls));

    return file ? cf_member(file, (unsigned)index).descriptor->bytes : NULL;
}

/*
 * Returns the access flags of the field that the constant index names, if the class
 * called declares it itself; else -1.
 */
JNIEXPORT jint JNICALL
JVM_GetCPFieldModifiers(JNIEnv *env, jclass cls, int index, jclass called)
{
    VM_ENTRY(env);
    const struct classfile *file = verified_file(self, ref_class(cls));

    if (!file)
        return -1;
    struct cf_member wanted = cf_member(file, (unsigned)index);
    const struct field *m = class_own_field(ref_class(called), wanted.name,
                                            wanted.descriptor);
    return m ? m->access_flags & REFLECTED_FIELD_FLAGS : -1;
}

/*
 * Returns the access flags of the method that the constant index names, if the class
 * called declares it itself; else -1.
 */
JNIEXPORT jint JNICALL
JVM_GetCPMethodModifiers(JNIEnv *env, jclass cls, int index, jclass called)
{
    VM_ENTRY(env);
    const struct classfile *file = verified_file(self, ref_class(cls));

    if (!file)
        return -1;
    struct cf_member wanted = cf_member(file, (unsigned)index);
    const struct method *m = class_own_method(ref_class(called), wanted.name,
                                              wanted.descriptor);
    return m ? m->access_flags & REFLECTED_METHOD_FLAGS : -1;
}
