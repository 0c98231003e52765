/* SPDX-License-Identifier: MIT */
/* minivm/vm/wellknown.h -- classes, fields and methods that the VM knows by name.
 *
 * The lists name them; the profile of the JDK release says what they are called
 * there (minivm/jdk/jdk17.c).  vm->known holds them resolved: classes as soon as
 * loaded, offsets and methods when their class is. */

#ifndef MINIVM_VM_WELLKNOWN_H
#define MINIVM_VM_WELLKNOWN_H

#include "vm/class.h"

struct vm;

/* Loaded at the start; of the errors only those that may have to be thrown when nothing
   can be loaded, or that nearly every program meets. */
#define KNOWN_CLASSES_AHEAD(X) \
    X(Object) X(String) X(Class) X(ClassLoader) X(Cloneable) X(Serializable) \
    X(System) X(Thread) X(ThreadGroup) X(Throwable) X(Error) X(Exception) \
    X(RuntimeException) X(Module) X(ProtectionDomain) X(StackTraceElement) \
    X(Reference) X(SoftReference) X(WeakReference) X(FinalReference) \
    X(PhantomReference) X(Finalizer) X(MagicAccessorImpl) \
    X(Method) X(Constructor) X(Field) X(Parameter) X(RecordComponent) \
    X(MethodHandle) X(VarHandle) X(MemberName) X(ResolvedMethodName) \
    X(MethodHandleNatives) X(MethodType) X(LambdaForm) X(CallSite) \
    X(CallSiteContext) X(ConstantPool) X(StackFrameInfo) X(StackStreamFactory) \
    X(AbstractStackWalker) X(LiveStackFrameInfo) X(NativeLibraries) \
    X(AssertionStatusDirectives) X(Unsafe) X(Buffer) X(DirectByteBuffer) \
    X(Boolean) X(Character) X(Byte) X(Short) X(Integer) X(Long) X(Float) X(Double) \
    X(Void) X(Shutdown) X(Properties) X(Record) X(Signal) X(AccessControlContext) \
    X(AccessController) X(ArrayList) X(PlatformClassLoader) X(AppClassLoader) \
    X(MethodAccessorImpl) X(StackWalker) X(SecurityManager) \
    X(AbstractOwnableSynchronizer) \
    X(OutOfMemoryError) X(StackOverflowError) X(InternalError) \
    X(NoClassDefFoundError) X(ClassNotFoundException) X(LinkageError) \
    X(IncompatibleClassChangeError) X(BootstrapMethodError) X(ThreadDeath) \
    X(NullPointerException) X(ArithmeticException) X(ArrayStoreException) \
    X(ArrayIndexOutOfBoundsException) X(IndexOutOfBoundsException) \
    X(ClassCastException) X(IllegalMonitorStateException) \
    X(IllegalArgumentException) X(ExceptionInInitializerError) X(InterruptedException)

/* Loaded when they are asked for. */
#define KNOWN_CLASSES_LATER(X) \
    X(ClassFormatError) X(UnsupportedClassVersionError) \
    X(ClassCircularityError) X(VerifyError) X(AbstractMethodError) \
    X(IllegalAccessError) X(InstantiationError) X(NoSuchFieldError) \
    X(NoSuchMethodError) X(UnsatisfiedLinkError) X(StringIndexOutOfBoundsException) \
    X(NegativeArraySizeException) X(IllegalThreadStateException) \
    X(IllegalStateException) X(CloneNotSupportedException) X(InstantiationException) \
    X(IllegalAccessException) X(InvocationTargetException) X(SecurityException) \
    X(IOException) X(UnsupportedOperationException) X(Perf) X(VMManagement)

#define KNOWN_CLASSES(X) KNOWN_CLASSES_AHEAD(X) KNOWN_CLASSES_LATER(X)

/* Instance or static fields; the offset is in the object or in the mirror.  A
   field that a release lacks has offset 0 there (KNOWN_ABSENT). */
#define KNOWN_FIELDS(X) \
    X(String_value) X(String_coder) X(String_hash) X(String_hashIsZero) \
    X(Class_classLoader) X(Class_module) X(Class_name) X(Class_componentType) \
    X(Class_classData) X(Class_classRedefinedCount) \
    X(ClassLoader_parent) X(ClassLoader_name) X(ClassLoader_nameAndId) \
    X(ClassLoader_parallelLockMap) X(ClassLoader_unnamedModule) \
    X(Module_name) X(Module_loader) \
    X(Thread_name) X(Thread_group) X(Thread_priority) X(Thread_daemon) \
    X(Thread_threadStatus) X(Thread_eetop) X(Thread_tid) X(Thread_interrupted) \
    X(Thread_contextClassLoader) X(Thread_inheritedAccessControlContext) \
    X(Thread_parkBlocker) X(Thread_stackSize) \
    X(ThreadGroup_name) X(ThreadGroup_parent) X(ThreadGroup_maxPriority) \
    X(ThreadGroup_daemon) X(ThreadGroup_ngroups) X(ThreadGroup_groups) \
    X(Throwable_backtrace) X(Throwable_detailMessage) X(Throwable_cause) \
    X(Throwable_stackTrace) X(Throwable_depth) \
    X(StackTraceElement_declaringClassObject) X(StackTraceElement_classLoaderName) \
    X(StackTraceElement_moduleName) X(StackTraceElement_moduleVersion) \
    X(StackTraceElement_declaringClass) X(StackTraceElement_methodName) \
    X(StackTraceElement_fileName) X(StackTraceElement_lineNumber) \
    X(Reference_referent) X(Reference_queue) X(Reference_next) X(Reference_discovered)\
    X(SoftReference_clock) X(SoftReference_timestamp) \
    X(Method_clazz) X(Method_slot) X(Method_name) X(Method_returnType) \
    X(Method_parameterTypes) X(Method_exceptionTypes) X(Method_modifiers) \
    X(Method_signature) X(Method_annotations) X(Method_parameterAnnotations) \
    X(Method_annotationDefault) \
    X(Constructor_clazz) X(Constructor_slot) X(Constructor_parameterTypes) \
    X(Constructor_exceptionTypes) X(Constructor_modifiers) X(Constructor_signature) \
    X(Constructor_annotations) X(Constructor_parameterAnnotations) \
    X(Field_clazz) X(Field_slot) X(Field_name) X(Field_type) X(Field_modifiers) \
    X(Field_trustedFinal) X(Field_signature) X(Field_annotations) \
    X(Parameter_name) X(Parameter_index) X(Parameter_modifiers) X(Parameter_executable)\
    X(RecordComponent_clazz) X(RecordComponent_name) X(RecordComponent_type) \
    X(RecordComponent_accessor) X(RecordComponent_signature) \
    X(RecordComponent_annotations) X(RecordComponent_typeAnnotations) \
    X(ConstantPool_constantPoolOop) X(MethodHandle_form) X(LambdaForm_vmentry) \
    X(MemberName_clazz) X(MemberName_name) X(MemberName_type) X(MemberName_flags) \
    X(MemberName_method) X(ResolvedMethodName_vmholder) \
    X(MethodType_rtype) X(MethodType_ptypes) X(CallSite_target) \
    X(StackFrameInfo_memberName) X(StackFrameInfo_bci) X(StackFrameInfo_version) \
    X(LiveStackFrameInfo_monitors) X(LiveStackFrameInfo_locals) \
    X(LiveStackFrameInfo_operands) X(LiveStackFrameInfo_mode) \
    X(Buffer_address) X(Buffer_capacity) \
    X(Boolean_value) X(Character_value) X(Byte_value) X(Short_value) X(Integer_value) \
    X(Long_value) X(Float_value) X(Double_value) \
    X(AssertionStatusDirectives_classes) X(AssertionStatusDirectives_classEnabled) \
    X(AssertionStatusDirectives_packages) X(AssertionStatusDirectives_packageEnabled) \
    X(AssertionStatusDirectives_deflt) \
    X(AccessControlContext_context) X(AccessControlContext_privilegedContext) \
    X(AccessControlContext_isPrivileged) X(AccessControlContext_isAuthorized) \
    X(AbstractOwnableSynchronizer_exclusiveOwnerThread)

#define KNOWN_METHODS(X) \
    X(System_initPhase1) X(System_initPhase2) X(System_initPhase3) \
    X(Thread_init) X(Thread_initRunnable) X(Thread_run) X(Thread_exit) \
    X(Thread_dispatchUncaughtException) \
    X(ThreadGroup_init) X(ThreadGroup_initChild) X(ThreadGroup_add) \
    X(Throwable_printStackTrace) X(Throwable_getStackTrace) \
    X(ExceptionInInitializerError_init) X(BootstrapMethodError_init) \
    X(ClassLoader_loadClass) X(ClassLoader_getSystemClassLoader) \
    X(ClassLoader_addClass) X(Finalizer_register) X(Shutdown_shutdown) \
    X(Signal_dispatch) X(MethodHandleNatives_linkMethod) \
    X(MethodHandleNatives_linkCallSite) X(MethodHandleNatives_linkDynamicConstant) \
    X(MethodHandleNatives_findMethodHandleType) \
    X(MethodHandleNatives_linkMethodHandleConstant) \
    X(AbstractStackWalker_doStackWalk)

enum known_class {
#define X(name) KNOWN_CLASS_##name,
    KNOWN_CLASSES_AHEAD(X)
    KNOWN_CLASSES_AHEAD_COUNT,
    KNOWN_CLASSES_AHEAD_LAST = KNOWN_CLASSES_AHEAD_COUNT - 1,
    KNOWN_CLASSES_LATER(X)
#undef X
    KNOWN_CLASS_COUNT
};

enum known_field {
#define X(name) KNOWN_FIELD_##name,
    KNOWN_FIELDS(X)
#undef X
    KNOWN_FIELD_COUNT
};

enum known_method {
#define X(name) KNOWN_METHOD_##name,
    KNOWN_METHODS(X)
#undef X
    KNOWN_METHOD_COUNT
};

#define KNOWN_ABSENT 0

struct known {
    struct class *classes[KNOWN_CLASS_COUNT];
    uint32_t fields[KNOWN_FIELD_COUNT];
    struct method *methods[KNOWN_METHOD_COUNT];
    /* primitive classes by descriptor character - 'A' */
    struct class *primitives[26];
    /* arrays of primitives by descriptor character - 'A' */
    struct class *primitive_arrays[26];
    struct class *object_array, *string_array, *class_array;
    /* What the VM adds beside the fields of the list, in every release. */
    uint32_t mirror_class_offset;      /* injected into java.lang.Class: struct class * */
    uint32_t mirror_protection_domain, mirror_signers;
    uint32_t resolved_method_target;   /* injected into ResolvedMethodName: method * */
    uint32_t member_name_index;        /* injected into MemberName: vmindex (long) */
    uint32_t loader_data;              /* injected into ClassLoader: struct loader * */
    uint32_t module_data;              /* injected into Module: struct module * */
};

/* A well-known field or method in a release; unused rows have a NULL name. */
struct profile_field {
    enum known_class owner;
    const char *name, *descriptor;
    bool is_static, is_optional;
    bool is_injected;                  /* the VM adds it: a reference, or 8 bytes
                                          when the descriptor is J */
};
struct profile_method {
    enum known_class owner;
    const char *name, *descriptor;
    bool is_optional;
};

/* What differs between JDK releases; one constant per release. */
struct jdk_profile {
    int feature;                       /* 17 */
    int max_class_major;               /* 61 */
    int jvmti_version;                 /* level that the release's agents expect */
    int jni_version;                   /* JNI_VERSION_10 for 17 */
    const char *const class_names[KNOWN_CLASS_COUNT];
    const struct profile_field fields[KNOWN_FIELD_COUNT];
    const struct profile_method methods[KNOWN_METHOD_COUNT];
};

#define KC(vm, name) ((vm)->known.classes[KNOWN_CLASS_##name])
#define KF(vm, name) ((vm)->known.fields[KNOWN_FIELD_##name])
#define KM(vm, name) ((vm)->known.methods[KNOWN_METHOD_##name])

/* The field of o, a place. */
#define REF_FIELD(vm, o, name) OBJECT_FIELD(struct object *, o, KF(vm, name))
#define INT_FIELD(vm, o, name) OBJECT_FIELD(int32_t, o, KF(vm, name))
#define LONG_FIELD(vm, o, name) OBJECT_FIELD(int64_t, o, KF(vm, name))

/* The class, loaded when it is not yet; NULL with the error pending. */
struct class *known_class(struct thread *self, enum known_class which);

/* Look up whatever of the lists became resolvable; class loaded or not.  Missing
   names that are not optional are fatal: the JDK does not fit its profile. */
void known_resolve_class(struct vm *vm, struct class *c);

#endif
