/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm.h -- the functions that the JDK's own libraries import from the VM.
 *
 * Their names and types are the JDK's (SUNWprivate_1.1); what they do is said where
 * the class library's documentation does not.  jclass cls or ignored is the class of
 * the Java native method that was called. */

#ifndef MINIVM_JDK_JVM_H
#define MINIVM_JDK_JVM_H

#include <stdarg.h>
#include <stdio.h>

#include "jni/entry.h"

/* ---- jvm_system.c ---- */
JNIEXPORT jint JNICALL JVM_GetInterfaceVersion(void);
JNIEXPORT jlong JNICALL JVM_CurrentTimeMillis(JNIEnv *env, jclass ignored);
JNIEXPORT jlong JNICALL JVM_NanoTime(JNIEnv *env, jclass ignored);
JNIEXPORT jlong JNICALL JVM_GetNanoTimeAdjustment(JNIEnv *env, jclass ignored,
                                                  jlong offset_seconds);
JNIEXPORT void JNICALL JVM_ArrayCopy(JNIEnv *env, jclass ignored, jobject src,
                                     jint src_pos, jobject dst, jint dst_pos,
                                     jint length);
JNIEXPORT jobjectArray JNICALL JVM_GetProperties(JNIEnv *env);
JNIEXPORT jobjectArray JNICALL JVM_GetVmArguments(JNIEnv *env);
JNIEXPORT jobject JNICALL JVM_InitAgentProperties(JNIEnv *env, jobject properties);
JNIEXPORT jstring JNICALL JVM_GetTemporaryDirectory(JNIEnv *env);
JNIEXPORT void JNICALL JVM_BeforeHalt(void);
JNIEXPORT void JNICALL JVM_Halt(jint code);
JNIEXPORT void JNICALL JVM_GC(void);
JNIEXPORT jlong JNICALL JVM_MaxObjectInspectionAge(void);
JNIEXPORT jlong JNICALL JVM_TotalMemory(void);
JNIEXPORT jlong JNICALL JVM_FreeMemory(void);
JNIEXPORT jlong JNICALL JVM_MaxMemory(void);
JNIEXPORT jint JNICALL JVM_ActiveProcessorCount(void);
JNIEXPORT jboolean JNICALL JVM_IsUseContainerSupport(void);
JNIEXPORT jboolean JNICALL JVM_SupportsCX8(void);
JNIEXPORT jint JNICALL JVM_IHashCode(JNIEnv *env, jobject o);
JNIEXPORT jobject JNICALL JVM_Clone(JNIEnv *env, jobject o);
JNIEXPORT jstring JNICALL JVM_InternString(JNIEnv *env, jstring s);
JNIEXPORT jobjectArray JNICALL JVM_GetSystemPackages(JNIEnv *env);
JNIEXPORT jstring JNICALL JVM_GetSystemPackage(JNIEnv *env, jstring name);

/* ---- jvm_library.c ---- */
JNIEXPORT void *JNICALL JVM_LoadLibrary(const char *name);
JNIEXPORT void JNICALL JVM_UnloadLibrary(void *handle);
JNIEXPORT void *JNICALL JVM_FindLibraryEntry(void *handle, const char *name);
JNIEXPORT jboolean JNICALL JVM_IsSupportedJNIVersion(jint version);
JNIEXPORT char *JNICALL JVM_NativePath(char *path);
JNIEXPORT void *JNICALL JVM_RawMonitorCreate(void);
JNIEXPORT void JNICALL JVM_RawMonitorDestroy(void *monitor);
JNIEXPORT jint JNICALL JVM_RawMonitorEnter(void *monitor);
JNIEXPORT void JNICALL JVM_RawMonitorExit(void *monitor);
JNIEXPORT int jio_vsnprintf(char *to, size_t size, const char *format, va_list args);
JNIEXPORT int jio_snprintf(char *to, size_t size, const char *format, ...);
JNIEXPORT int jio_fprintf(FILE *to, const char *format, ...);
JNIEXPORT int jio_vfprintf(FILE *to, const char *format, va_list args);
/* Class data sharing, which this VM does not have. */
JNIEXPORT jboolean JNICALL JVM_IsSharingEnabled(JNIEnv *env);
JNIEXPORT jboolean JNICALL JVM_IsCDSDumpingEnabled(JNIEnv *env);
JNIEXPORT jboolean JNICALL JVM_IsDumpingClassList(JNIEnv *env);
JNIEXPORT jlong JNICALL JVM_GetRandomSeedForDumping(void);
JNIEXPORT void JNICALL JVM_InitializeFromArchive(JNIEnv *env, jclass cls);
JNIEXPORT void JNICALL JVM_DefineArchivedModules(JNIEnv *env, jobject platform,
                                                 jobject system);
JNIEXPORT void JNICALL JVM_LogLambdaFormInvoker(JNIEnv *env, jstring line);
JNIEXPORT void JNICALL JVM_DumpClassListToFile(JNIEnv *env, jstring file);
JNIEXPORT void JNICALL JVM_DumpDynamicArchive(JNIEnv *env, jstring file);
JNIEXPORT void JNICALL
JVM_RegisterLambdaProxyClassForArchiving(JNIEnv *env, jclass caller, jstring name,
                                         jobject factory_type, jobject method_type,
                                         jobject member, jobject instantiated_type,
                                         jclass lambda);
JNIEXPORT jclass JNICALL
JVM_LookupLambdaProxyClassFromArchive(JNIEnv *env, jclass caller, jstring name,
                                      jobject factory_type, jobject method_type,
                                      jobject member, jobject instantiated_type);

/* ---- jvm_load.c ---- */
JNIEXPORT jclass JNICALL JVM_FindClassFromBootLoader(JNIEnv *env, const char *name);
JNIEXPORT jclass JNICALL JVM_FindClassFromCaller(JNIEnv *env, const char *name,
                                                 jboolean init, jobject loader,
                                                 jclass caller);
JNIEXPORT jclass JNICALL JVM_FindClassFromClass(JNIEnv *env, const char *name,
                                                jboolean init, jclass from);
JNIEXPORT jclass JNICALL JVM_FindLoadedClass(JNIEnv *env, jobject loader, jstring name);
JNIEXPORT jclass JNICALL JVM_FindPrimitiveClass(JNIEnv *env, const char *name);
JNIEXPORT jclass JNICALL JVM_DefineClass(JNIEnv *env, const char *name, jobject loader,
                                         const jbyte *bytes, jsize length,
                                         jobject domain);
JNIEXPORT jclass JNICALL JVM_DefineClassWithSource(JNIEnv *env, const char *name,
                                                   jobject loader, const jbyte *bytes,
                                                   jsize length, jobject domain,
                                                   const char *source);
JNIEXPORT jclass JNICALL JVM_LookupDefineClass(JNIEnv *env, jclass lookup,
                                               const char *name, const jbyte *bytes,
                                               jsize length, jobject domain,
                                               jboolean init, int flags,
                                               jobject class_data);
JNIEXPORT jboolean JNICALL JVM_DesiredAssertionStatus(JNIEnv *env, jclass unused,
                                                      jclass cls);
JNIEXPORT jobject JNICALL JVM_AssertionStatusDirectives(JNIEnv *env, jclass unused);

/* ---- jvm_class.c ---- */
JNIEXPORT jstring JNICALL JVM_InitClassName(JNIEnv *env, jclass cls);
JNIEXPORT jobjectArray JNICALL JVM_GetClassInterfaces(JNIEnv *env, jclass cls);
JNIEXPORT jboolean JNICALL JVM_IsInterface(JNIEnv *env, jclass cls);
JNIEXPORT jboolean JNICALL JVM_IsArrayClass(JNIEnv *env, jclass cls);
JNIEXPORT jboolean JNICALL JVM_IsPrimitiveClass(JNIEnv *env, jclass cls);
JNIEXPORT jboolean JNICALL JVM_IsHiddenClass(JNIEnv *env, jclass cls);
JNIEXPORT jboolean JNICALL JVM_IsRecord(JNIEnv *env, jclass cls);
JNIEXPORT jint JNICALL JVM_GetClassModifiers(JNIEnv *env, jclass cls);
JNIEXPORT jint JNICALL JVM_GetClassAccessFlags(JNIEnv *env, jclass cls);
JNIEXPORT jobjectArray JNICALL JVM_GetClassSigners(JNIEnv *env, jclass cls);
JNIEXPORT void JNICALL JVM_SetClassSigners(JNIEnv *env, jclass cls,
                                           jobjectArray signers);
JNIEXPORT jobject JNICALL JVM_GetProtectionDomain(JNIEnv *env, jclass cls);
JNIEXPORT jobjectArray JNICALL JVM_GetDeclaredClasses(JNIEnv *env, jclass cls);
JNIEXPORT jclass JNICALL JVM_GetDeclaringClass(JNIEnv *env, jclass cls);
JNIEXPORT jstring JNICALL JVM_GetSimpleBinaryName(JNIEnv *env, jclass cls);
JNIEXPORT jstring JNICALL JVM_GetClassSignature(JNIEnv *env, jclass cls);
JNIEXPORT jobjectArray JNICALL JVM_GetEnclosingMethodInfo(JNIEnv *env, jclass cls);
JNIEXPORT jclass JNICALL JVM_GetNestHost(JNIEnv *env, jclass cls);
JNIEXPORT jobjectArray JNICALL JVM_GetNestMembers(JNIEnv *env, jclass cls);
JNIEXPORT jboolean JNICALL JVM_AreNestMates(JNIEnv *env, jclass cls, jclass other);
JNIEXPORT jobjectArray JNICALL JVM_GetRecordComponents(JNIEnv *env, jclass cls);
JNIEXPORT jobjectArray JNICALL JVM_GetPermittedSubclasses(JNIEnv *env, jclass cls);
JNIEXPORT jbyteArray JNICALL JVM_GetClassAnnotations(JNIEnv *env, jclass cls);
JNIEXPORT jbyteArray JNICALL JVM_GetClassTypeAnnotations(JNIEnv *env, jclass cls);

/* ---- jvm_pool.c: jdk.internal.reflect.ConstantPool; unused is the Java object and
   pool its constantPoolOop, a Class ---- */
JNIEXPORT jobject JNICALL JVM_GetClassConstantPool(JNIEnv *env, jclass cls);
JNIEXPORT jint JNICALL JVM_ConstantPoolGetSize(JNIEnv *env, jobject unused,
                                               jobject pool);
#define JVM_POOL_GETTER(type, name) \
    JNIEXPORT type JNICALL JVM_ConstantPoolGet##name(JNIEnv *env, jobject unused, \
                                                     jobject pool, jint index)
JVM_POOL_GETTER(jclass, ClassAt);
JVM_POOL_GETTER(jclass, ClassAtIfLoaded);
JVM_POOL_GETTER(jint, ClassRefIndexAt);
JVM_POOL_GETTER(jobject, MethodAt);
JVM_POOL_GETTER(jobject, MethodAtIfLoaded);
JVM_POOL_GETTER(jobject, FieldAt);
JVM_POOL_GETTER(jobject, FieldAtIfLoaded);
JVM_POOL_GETTER(jobjectArray, MemberRefInfoAt);
JVM_POOL_GETTER(jint, NameAndTypeRefIndexAt);
JVM_POOL_GETTER(jobjectArray, NameAndTypeRefInfoAt);
JVM_POOL_GETTER(jint, IntAt);
JVM_POOL_GETTER(jlong, LongAt);
JVM_POOL_GETTER(jfloat, FloatAt);
JVM_POOL_GETTER(jdouble, DoubleAt);
JVM_POOL_GETTER(jstring, StringAt);
JVM_POOL_GETTER(jstring, UTF8At);
JVM_POOL_GETTER(jbyte, TagAt);

/* ---- jvm_reflect.c ---- */
JNIEXPORT jobjectArray JNICALL JVM_GetClassDeclaredMethods(JNIEnv *env, jclass cls,
                                                           jboolean public_only);
JNIEXPORT jobjectArray JNICALL JVM_GetClassDeclaredFields(JNIEnv *env, jclass cls,
                                                          jboolean public_only);
JNIEXPORT jobjectArray JNICALL JVM_GetClassDeclaredConstructors(JNIEnv *env, jclass cls,
                                                                jboolean public_only);
JNIEXPORT jobject JNICALL JVM_InvokeMethod(JNIEnv *env, jobject method,
                                           jobject receiver, jobjectArray args);
JNIEXPORT jobject JNICALL JVM_NewInstanceFromConstructor(JNIEnv *env, jobject ctor,
                                                         jobjectArray args);
JNIEXPORT jobjectArray JNICALL JVM_GetMethodParameters(JNIEnv *env, jobject method);
JNIEXPORT jbyteArray JNICALL JVM_GetMethodTypeAnnotations(JNIEnv *env, jobject method);
JNIEXPORT jbyteArray JNICALL JVM_GetFieldTypeAnnotations(JNIEnv *env, jobject field);

/* ---- jvm_array.c: java.lang.reflect.Array; codes are JVM_T_* ---- */
JNIEXPORT jint JNICALL JVM_GetArrayLength(JNIEnv *env, jobject array);
JNIEXPORT jobject JNICALL JVM_GetArrayElement(JNIEnv *env, jobject array, jint index);
JNIEXPORT jvalue JNICALL JVM_GetPrimitiveArrayElement(JNIEnv *env, jobject array,
                                                      jint index, jint code);
JNIEXPORT void JNICALL JVM_SetArrayElement(JNIEnv *env, jobject array, jint index,
                                           jobject value);
JNIEXPORT void JNICALL JVM_SetPrimitiveArrayElement(JNIEnv *env, jobject array,
                                                    jint index, jvalue value,
                                                    unsigned char code);
JNIEXPORT jobject JNICALL JVM_NewArray(JNIEnv *env, jclass element, jint length);
JNIEXPORT jobject JNICALL JVM_NewMultiArray(JNIEnv *env, jclass element,
                                            jintArray lengths);

/* ---- jvm_module.c; package names are in internal form ---- */
JNIEXPORT void JNICALL JVM_DefineModule(JNIEnv *env, jobject module, jboolean is_open,
                                        jstring version, jstring location,
                                        jobjectArray packages);
JNIEXPORT void JNICALL JVM_SetBootLoaderUnnamedModule(JNIEnv *env, jobject module);
JNIEXPORT void JNICALL JVM_AddModuleExports(JNIEnv *env, jobject from, jstring package,
                                            jobject to);
JNIEXPORT void JNICALL JVM_AddModuleExportsToAllUnnamed(JNIEnv *env, jobject from,
                                                        jstring package);
JNIEXPORT void JNICALL JVM_AddModuleExportsToAll(JNIEnv *env, jobject from,
                                                 jstring package);
JNIEXPORT void JNICALL JVM_AddReadsModule(JNIEnv *env, jobject from, jobject to);

/* ---- jvm_stack.c, jvm_walk.c ---- */
/* The class that called the method that called Reflection.getCallerClass, which is
   the top frame; NULL without one, or with an exception pending. */
struct class *caller_class(struct thread *self);
JNIEXPORT void JNICALL JVM_FillInStackTrace(JNIEnv *env, jobject throwable);
JNIEXPORT void JNICALL JVM_InitStackTraceElementArray(JNIEnv *env, jobjectArray elements,
                                                      jobject throwable);
JNIEXPORT void JNICALL JVM_InitStackTraceElement(JNIEnv *env, jobject element,
                                                 jobject frame_info);
JNIEXPORT jstring JNICALL JVM_GetExtendedNPEMessage(JNIEnv *env, jthrowable throwable);
JNIEXPORT jclass JNICALL JVM_GetCallerClass(JNIEnv *env);
JNIEXPORT jobjectArray JNICALL JVM_GetClassContext(JNIEnv *env);
JNIEXPORT jobject JNICALL JVM_LatestUserDefinedLoader(JNIEnv *env);
JNIEXPORT jobject JNICALL JVM_GetStackAccessControlContext(JNIEnv *env, jclass cls);
JNIEXPORT jobject JNICALL JVM_GetInheritedAccessControlContext(JNIEnv *env, jclass cls);
JNIEXPORT jobject JNICALL JVM_CallStackWalk(JNIEnv *env, jobject stream, jlong mode,
                                            jint skip, jint count, jint start,
                                            jobjectArray frames);
JNIEXPORT jint JNICALL JVM_MoreStackWalk(JNIEnv *env, jobject stream, jlong mode,
                                         jlong anchor, jint count, jint start,
                                         jobjectArray frames);

/* ---- jvm_verify.c: what libverify asks; texts are modified UTF-8 and go to
   JVM_ReleaseUTF, method is an index in the class file ---- */
typedef struct {
    jint start_pc, end_pc, handler_pc, catchType;
} JVM_ExceptionTableEntryType;

JNIEXPORT const char *JNICALL JVM_GetClassNameUTF(JNIEnv *env, jclass cls);
JNIEXPORT void JNICALL JVM_ReleaseUTF(const char *text);
JNIEXPORT void JNICALL JVM_GetClassCPTypes(JNIEnv *env, jclass cls,
                                           unsigned char *types);
JNIEXPORT jint JNICALL JVM_GetClassCPEntriesCount(JNIEnv *env, jclass cls);
JNIEXPORT jint JNICALL JVM_GetClassFieldsCount(JNIEnv *env, jclass cls);
JNIEXPORT jint JNICALL JVM_GetClassMethodsCount(JNIEnv *env, jclass cls);
JNIEXPORT jint JNICALL JVM_GetFieldIxModifiers(JNIEnv *env, jclass cls, int field);
#define JVM_METHOD_GETTER(type, name) \
    JNIEXPORT type JNICALL JVM_##name(JNIEnv *env, jclass cls, int method)
JVM_METHOD_GETTER(jint, GetMethodIxModifiers);
JVM_METHOD_GETTER(jint, GetMethodIxLocalsCount);
JVM_METHOD_GETTER(jint, GetMethodIxArgsSize);
JVM_METHOD_GETTER(jint, GetMethodIxMaxStack);
JVM_METHOD_GETTER(jint, GetMethodIxByteCodeLength);
JVM_METHOD_GETTER(jint, GetMethodIxExceptionsCount);
JVM_METHOD_GETTER(jint, GetMethodIxExceptionTableLength);
JVM_METHOD_GETTER(jboolean, IsConstructorIx);
JVM_METHOD_GETTER(jboolean, IsVMGeneratedMethodIx);
JVM_METHOD_GETTER(const char *, GetMethodIxNameUTF);
JVM_METHOD_GETTER(const char *, GetMethodIxSignatureUTF);
JNIEXPORT void JNICALL JVM_GetMethodIxByteCode(JNIEnv *env, jclass cls, jint method,
                                               unsigned char *code);
JNIEXPORT void JNICALL JVM_GetMethodIxExceptionIndexes(JNIEnv *env, jclass cls,
                                                       jint method,
                                                       unsigned short *indexes);
JNIEXPORT void JNICALL
JVM_GetMethodIxExceptionTableEntry(JNIEnv *env, jclass cls, jint method, jint entry,
                                   JVM_ExceptionTableEntryType *result);
#define JVM_CP_TEXT(name) \
    JNIEXPORT const char *JNICALL JVM_GetCP##name##UTF(JNIEnv *env, jclass cls, \
                                                       jint index)
JVM_CP_TEXT(ClassName);
JVM_CP_TEXT(FieldName);
JVM_CP_TEXT(FieldClassName);
JVM_CP_TEXT(FieldSignature);
JVM_CP_TEXT(MethodName);
JVM_CP_TEXT(MethodClassName);
JVM_CP_TEXT(MethodSignature);
JNIEXPORT jint JNICALL JVM_GetCPFieldModifiers(JNIEnv *env, jclass cls, int index,
                                               jclass called);
JNIEXPORT jint JNICALL JVM_GetCPMethodModifiers(JNIEnv *env, jclass cls, int index,
                                                jclass called);
JNIEXPORT jboolean JNICALL JVM_IsSameClassPackage(JNIEnv *env, jclass a, jclass b);

/* ---- jvm_ref.c ---- */
JNIEXPORT jobject JNICALL JVM_GetAndClearReferencePendingList(JNIEnv *env);
JNIEXPORT jboolean JNICALL JVM_HasReferencePendingList(JNIEnv *env);
JNIEXPORT void JNICALL JVM_WaitForReferencePendingList(JNIEnv *env);
JNIEXPORT jboolean JNICALL JVM_ReferenceRefersTo(JNIEnv *env, jobject ref, jobject o);
JNIEXPORT void JNICALL JVM_ReferenceClear(JNIEnv *env, jobject ref);
JNIEXPORT jboolean JNICALL JVM_PhantomReferenceRefersTo(JNIEnv *env, jobject ref,
                                                        jobject o);

#endif
