/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_stack.c -- JVM_ functions that look at the calling thread's frames:
 * stack traces, callers, access control contexts.
 *
 * A stack trace is taken in two steps. fillInStackTrace only records the method version
 * and the bytecode index (bci) of each frame, in the throwable's backtrace; the
 * StackTraceElement objects are made when somebody asks.
 *
 * Caller-sensitive methods, such as Class.forName, act for the class that called them.
 * Frames of reflection and of method handles between the two do not count; the methods
 * below leave them out. */

#include <string.h>

#include "jdk/jvm.h"
#include "runtime/backtrace.h"

/* ---- stack traces ---- */

/* Throwable.fillInStackTrace. */
JNIEXPORT void JNICALL
JVM_FillInStackTrace(JNIEnv *env, jobject throwable)
{
    VM_ENTRY(env);

    exception_fill_in(self, ref_get(throwable));
}

/*
 * Fills elements, which the class library has made, from a backtrace: that of a
 * Throwable or, as of JDK 21, the object that was in its field backtrace, and how many
 * frames that has.
 */
JNIEXPORT void JNICALL
JVM_InitStackTraceElementArray(JNIEnv *env, jobjectArray elements, jobject from,
                               jint depth)
{
    VM_ENTRY(env);
    struct object *array = ref_get(elements), *trace = ref_get(from);

    if (!array || !trace) {
        THROW0(self, NullPointerException);
        return;
    }
    if (object_is_instance(trace, KC(self->vm, Throwable))) {
        depth = exception_depth(self, trace);
        trace = REF_FIELD(self->vm, trace, Throwable_backtrace);
    }
    if (array_length(array) != depth)
        THROW0(self, IndexOutOfBoundsException);
    else
        exception_elements(self, trace, array);
}

/*
 * Fills element from a StackFrameInfo, by the method version and bci that jvm_walk.c
 * has stored in it.
 */
JNIEXPORT void JNICALL
JVM_InitStackTraceElement(JNIEnv *env, jobject element, jobject frame_info)
{
    VM_ENTRY(env);
    const struct vm *vm = self->vm;
    const struct object *info = ref_get(frame_info);
    struct method_version *version = (struct method_version *)(uintptr_t)LONG_FIELD(
        vm, info, StackFrameInfo_version);

    exception_element(self, ref_get(element), version,
                      INT_FIELD(vm, info, StackFrameInfo_bci));
}

/*
 * NullPointerException.getExtendedNPEMessage: says what was null, from the bytecodes
 * around the instruction that threw; null when it cannot be told, or with
 * -XX:-ShowCodeDetailsInExceptionMessages.
 */
JNIEXPORT jstring JNICALL
JVM_GetExtendedNPEMessage(JNIEnv *env, jthrowable throwable)
{
    VM_ENTRY(env);
    struct method_version *version;
    int32_t bci;

    if (!self->vm->options.helpful_npe
        || !exception_top(self->vm, ref_get(throwable), &version, &bci))
        return NULL;
    TEXTS(t);
    const char *text = own(&t, helpful_null_message(version, bci));
    return text ? object_ref(self, string_from_modified(self, text, strlen(text)))
                : NULL;
}

/* ---- callers ---- */

/*
 * Returns true if a frame of m stands between a caller-sensitive method and the code
 * that called it.  They are Method.invoke, the accessors that it calls, compiled lambda
 * forms, and the intrinsics of MethodHandle.  MethodAccessorImpl may not be loaded yet.
 */
static bool
is_reflection_frame(const struct vm *vm, const struct method *m)
{
    return (m->class == KC(vm, Method) && symbol_equals(m->name, "invoke"))
           || (KC(vm, MethodAccessorImpl)
               && class_is_subclass(m->class, KC(vm, MethodAccessorImpl)))
           || (m->flags & METHOD_LAMBDA_COMPILED) || method_handle_is_intrinsic(m);
}

/*
 * Returns the class that called the method which called Reflection.getCallerClass; NULL
 * when there is none or with InternalError pending.  The frames 0 and 1 are
 * getCallerClass and the method that has called it, which both must be marked as
 * caller-sensitive; its caller is searched from frame 2 on.
 */
struct class *
caller_class(struct thread *self)
{
    const struct frame *f = thread_top_frame(self);

    for (int n = 0; f; f = frame_older(f), n++) {
        const struct method *m = f->version->method;
        if (n < 2 && !(m->flags & METHOD_CALLER_SENSITIVE))
            return THROW(self, InternalError,
                         "CallerSensitive annotation expected at frame %d", n);
        if (n >= 2 && !is_reflection_frame(self->vm, m))
            return m->class;
    }
    return NULL;
}

/* Reflection.getCallerClass. */
JNIEXPORT jclass JNICALL
JVM_GetCallerClass(JNIEnv *env)
{
    VM_ENTRY(env);

    return class_ref(self, caller_class(self));
}

/* SecurityManager.getClassContext: the classes of all frames but its own. */
JNIEXPORT jobjectArray JNICALL
JVM_GetClassContext(JNIEnv *env)
{
    VM_ENTRY(env);
    const struct vm *vm = self->vm;
    const struct frame *f = thread_top_frame(self);
    size_t mark = self->handle_count;

    if (f && f->version->method->class == KC(vm, SecurityManager)
        && symbol_equals(f->version->method->name, "getClassContext"))
        f = frame_older(f);
    for (; f; f = frame_older(f))
        if (!is_reflection_frame(vm, f->version->method))
            handle_new(self, f->version->method->class->layout.mirror);
    return object_ref(self, array_from_handles(self, KC(vm, Class), mark));
}

/*
 * VM.latestUserDefinedLoader: the loader of the newest frame whose class neither the
 * boot nor the platform loader has defined; null when there is none.
 */
JNIEXPORT jobject JNICALL
JVM_LatestUserDefinedLoader(JNIEnv *env)
{
    VM_ENTRY(env);

    for (const struct frame *f = thread_top_frame(self); f; f = frame_older(f)) {
        const struct method *m = f->version->method;
        const struct loader *l = m->class->loader;
        if (!is_reflection_frame(self->vm, m) && l && !l->is_boot && !l->is_platform)
            return object_ref(self, l->object);
    }
    return NULL;
}

/* ---- access control contexts (java.security.AccessController) ---- */

/*
 * AccessController.getStackAccessControlContext: a context of the protection domains of
 * the frames from the newest to the last privileged one, that of
 * executePrivileged(action, context, caller), whose context argument is inherited.  A
 * domain that follows itself stands once.  Returns null when only code with all
 * permissions is on the stack.  Handles keep the domains; the inherited context has a
 * local reference, since array_from_handles would take a handle for a domain.
 */
JNIEXPORT jobject JNICALL
JVM_GetStackAccessControlContext(JNIEnv *env, jclass cls UNUSED)
{
    VM_ENTRY(env);
    const struct vm *vm = self->vm;
    struct object *last = NULL, *context = NULL;
    bool is_privileged = false;
    size_t mark = self->handle_count;

    for (const struct frame *f = thread_top_frame(self); f && !is_privileged;
         f = frame_older(f)) {
        const struct method *m = f->version->method;
        const struct object *mirror = m->class->layout.mirror;
        if (m->class == KC(vm, AccessController)
            && symbol_equals(m->name, "executePrivileged")) {
            is_privileged = true;
            context = frame_locals(f)[1].ref;
            mirror = frame_locals(f)[2].ref;
        }
        struct object *domain = mirror ? REF_FIELD(vm, mirror, Class_protectionDomain)
                                       : NULL;
        if (domain && domain != last)
            last = handle_new(self, domain);
    }
    /* All code up to the privileged frame has every permission. */
    if (!last && is_privileged && !context)
        return NULL;
    jobject kept_context = object_ref(self, context);
    union slot args[3] = { [2] = { .i = is_privileged } };
    if (last
        && !(args[1].ref = array_from_handles(
                 self, known_class(self, KNOWN_CLASS_ProtectionDomain), mark)))
        return NULL;
    struct object *o = java_construct(
        self, known_class(self, KNOWN_CLASS_AccessControlContext),
        "([Ljava/security/ProtectionDomain;Z)V", args);
    if (o)
        REF_FIELD(vm, o,
                  AccessControlContext_privilegedContext) = ref_get(kept_context);
    return object_ref(self, o);
}

/*
 * AccessController.getInheritedAccessControlContext: what the thread that made this one
 * had.
 */
JNIEXPORT jobject JNICALL
JVM_GetInheritedAccessControlContext(JNIEnv *env, jclass cls UNUSED)
{
    VM_ENTRY(env);

    return object_ref(
        self, REF_FIELD(self->vm, self->object, Thread_inheritedAccessControlContext));
}
