/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_stack.c -- JVM_ functions that look at the stack: traces, callers,
 * access control contexts. */

#include <string.h>

#include "jdk/jvm.h"

/* ---- stack traces ---- */

JVM_ACTION(JVM_FillInStackTrace, (JNIEnv *env, jobject throwable),
           exception_fill_in(self, ref_get(throwable)))

JNIEXPORT void JNICALL
JVM_InitStackTraceElementArray(JNIEnv *env, jobjectArray elements, jobject throwable)
{
    VM_ENTRY(env);
    struct object *array = ref_get(elements), *e = ref_get(throwable);

    if (!array || !e)
        THROW0(self, NullPointerException);
    else if (array_length(array) != exception_depth(self, e))
        THROW0(self, IndexOutOfBoundsException);
    else
        exception_elements(self, e, array);
}

/* Fills element from a StackFrameInfo. */
JNIEXPORT void JNICALL
JVM_InitStackTraceElement(JNIEnv *env, jobject element, jobject frame_info)
{
    VM_ENTRY(env);
    const struct vm *vm = self->vm;
    const struct object *info = ref_get(frame_info);
    struct code *code =
        (struct code *)(uintptr_t)LONG_FIELD(vm, info, StackFrameInfo_version);

    exception_element(self, ref_get(element), code,
                      INT_FIELD(vm, info, StackFrameInfo_bci));
}

JNIEXPORT jstring JNICALL
JVM_GetExtendedNPEMessage(JNIEnv *env, jthrowable throwable)
{
    VM_ENTRY(env);
    struct code *code;
    int32_t bci;

    if (!self->vm->options.helpful_npe
        || !exception_top(self->vm, ref_get(throwable), &code, &bci))
        return NULL;
    TEXTS(t);
    const char *text = own(&t, helpful_null_message(code, bci));
    return text ? object_ref(self, string_from_modified(self, text, strlen(text)))
                : NULL;
}

/* ---- callers ---- */

/* Frames that stand between a caller-sensitive method and who really called it. */
static bool
is_reflection_frame(const struct vm *vm, const struct method *m)
{
    return (m->class == KC(vm, Method) && symbol_equals(m->name, "invoke"))
           || (KC(vm, MethodAccessorImpl)
               && class_is_subclass(m->class, KC(vm, MethodAccessorImpl)))
           || (m->flags & METHOD_LAMBDA_COMPILED) || handle_is_intrinsic(m);
}

struct class *
caller_class(struct thread *self)
{
    const struct frame *f = thread_top_frame(self);

    for (int n = 0; f; f = frame_older(f), n++) {
        const struct method *m = f->code->method;
        if (n < 2 && !(m->flags & METHOD_CALLER_SENSITIVE))
            return THROW(self, InternalError,
                         "CallerSensitive annotation expected at frame %d", n);
        if (n >= 2 && !is_reflection_frame(self->vm, m))
            return m->class;
    }
    return NULL;
}

JVM_VALUE(jclass, JVM_GetCallerClass, (JNIEnv *env),
          class_ref(self, caller_class(self)))

/* SecurityManager.getClassContext, whose own frame does not count. */
JNIEXPORT jobjectArray JNICALL
JVM_GetClassContext(JNIEnv *env)
{
    VM_ENTRY(env);
    const struct vm *vm = self->vm;
    const struct frame *f = thread_top_frame(self);
    size_t mark = self->handle_count;

    if (f && f->code->method->class == KC(vm, SecurityManager)
        && symbol_equals(f->code->method->name, "getClassContext"))
        f = frame_older(f);
    for (; f; f = frame_older(f))
        if (!is_reflection_frame(vm, f->code->method))
            keep(self, f->code->method->class->layout.mirror);
    return object_ref(self, java_kept(self, KC(vm, Class), mark));
}

JNIEXPORT jobject JNICALL
JVM_LatestUserDefinedLoader(JNIEnv *env)
{
    VM_ENTRY(env);

    for (const struct frame *f = thread_top_frame(self); f; f = frame_older(f)) {
        const struct method *m = f->code->method;
        const struct loader *l = m->class->loader;
        if (!is_reflection_frame(self->vm, m) && l && !l->is_boot && !l->is_platform)
            return object_ref(self, l->object);
    }
    return NULL;
}

/* ---- access control contexts (java.security.AccessController) ---- */

/*
 * The domains from the top to the frame of executePrivileged(action, context, caller),
 * which ends the stack that counts; one repeats only with others in between.
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
        const struct method *m = f->code->method;
        const struct object *mirror = m->class->layout.mirror;
        if (m->class == KC(vm, AccessController)
            && symbol_equals(m->name, "executePrivileged")) {
            is_privileged = true;
            context = frame_locals(f)[1].ref;
            mirror = frame_locals(f)[2].ref;
        }
        struct object *domain =
            mirror ? REF_FIELD(vm, mirror, Class_protectionDomain) : NULL;
        if (domain && domain != last)
            last = keep(self, domain);
    }
    /* Only the VM's own code is on the stack: every permission. */
    if (!last && is_privileged && !context)
        return NULL;
    jobject kept_context = object_ref(self, context);
    union slot args[3] = { [2] = { .i = is_privileged } };
    if (last
        && !(args[1].ref = java_kept(
                 self, known_class(self, KNOWN_CLASS_ProtectionDomain), mark)))
        return NULL;
    struct object *o =
        java_construct(self, known_class(self, KNOWN_CLASS_AccessControlContext),
                       "([Ljava/security/ProtectionDomain;Z)V", args);
    if (o)
        REF_FIELD(vm, o, AccessControlContext_privilegedContext) =
            ref_get(kept_context);
    return object_ref(self, o);
}

JVM_VALUE(jobject, JVM_GetInheritedAccessControlContext,
          (JNIEnv *env, jclass cls UNUSED),
          object_ref(self, REF_FIELD(self->vm, self->object,
                                     Thread_inheritedAccessControlContext)))
