/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_virtual.c -- JVM_ functions that came with virtual threads and scoped
 * values (JDK 21 and later).
 *
 * A virtual thread (JEP 444) is a java.lang.Thread that is mounted on a carrier, a
 * platform thread, while it runs, and unmounted while it waits; a continuation, one
 * stack of frames that can be left and entered again, makes that possible
 * (threads/continuation.h).  Unless -XX:+VMContinuations is given,
 * JVM_IsContinuationsSupported denies them, and the class library then gives each virtual
 * thread a platform thread of its own, to which it stays bound
 * (ThreadBuilders.BoundVirtualThread).  JVM TI knows bound ones only, so the functions
 * by which the class library tells of mounting have nothing to do yet.
 *
 * A scoped value (ScopedValue) is looked up in bindings that the thread carries.  The
 * class library caches what it has found in an array per carrier, and if the stack
 * overflowed while it changed the bindings, it finds them on the stack. */

#include "interp/interp.h"
#include "jdk/jvm.h"
#include "runtime/exception.h"
#include "runtime/vm.h"
#include "threads/continuation.h"
#include "threads/park.h"

/* ---- identity ---- */

/*
 * The number that the next thread gets, Thread.threadId.  Java adds to it by
 * Unsafe.getAndAddLong at this address.  The main thread's number is a constant in
 * Java, 1 or 3, and HotSpot's count begins behind that.
 */
static int64_t next_thread_id = 4;

JNIEXPORT jlong JNICALL
JVM_GetNextThreadIdOffset(JNIEnv *env UNUSED, jclass cls UNUSED)
{
    return (jlong)(uintptr_t)&next_thread_id;
}

/* Thread.currentCarrierThread: the platform thread, whatever is mounted on it. */
JNIEXPORT jobject JNICALL
JVM_CurrentCarrierThread(JNIEnv *env, jclass cls UNUSED)
{
    VM_ENTRY(env);

    return object_ref(self, self->object);
}

/* ---- scoped values ---- */

/* Thread.scopedValueCache: what setScopedValueCache has stored, or null. */
JNIEXPORT jobject JNICALL
JVM_ScopedValueCache(JNIEnv *env, jclass cls UNUSED)
{
    VM_ENTRY(env);

    return object_ref(self, self->scoped_values);
}

JNIEXPORT void JNICALL
JVM_SetScopedValueCache(JNIEnv *env, jclass cls UNUSED, jobject cache)
{
    VM_ENTRY(env);

    self->scoped_values = ref_get(cache);
}

/*
 * Thread.findScopedValueBindings: the bindings of the newest frame of a method runWith,
 * of Thread or of ScopedValue.Carrier, which has them as its first argument; null when
 * no frame has any.
 */
JNIEXPORT jobject JNICALL
JVM_FindScopedValueBindings(JNIEnv *env, jclass cls UNUSED)
{
    VM_ENTRY(env);
    const struct vm *vm = self->vm;

    for (struct frame *f = thread_top_frame(self); f; f = frame_older(f)) {
        const struct method *m = f->version->method;
        if ((m->class == KC(vm, Thread) || m->class == KC(vm, ScopedValue_Carrier))
            && symbol_equals(m->name, "runWith") && frame_locals(f)[1].ref)
            return object_ref(self, frame_locals(f)[1].ref);
    }
    return NULL;
}

/*
 * Thread.ensureMaterializedForStackWalk: the object has to be on the stack for
 * JVM_FindScopedValueBindings.  An interpreter keeps it there anyhow.
 */
JNIEXPORT void JNICALL
JVM_EnsureMaterializedForStackWalk_func(JNIEnv *env UNUSED, jobject thread UNUSED,
                                        jobject o UNUSED)
{
}

/* ---- continuations ---- */

JNIEXPORT jboolean JNICALL
JVM_IsContinuationsSupported(void)
{
    return the_vm->options.continuations;
}

/* Continuation.registerNatives. */
JNIEXPORT void JNICALL
JVM_RegisterContinuationMethods(JNIEnv *env, jclass cls UNUSED)
{
    VM_ENTRY(env);

    continuation_bind(self->vm);
}

/* Thread.setCurrentThread: `thread` is mounted on this carrier, or is the carrier. */
JNIEXPORT void JNICALL
JVM_SetCurrentThread(JNIEnv *env, jobject carrier UNUSED, jobject thread)
{
    VM_ENTRY(env);

    self->current = ref_get(thread);
}

/* Continuation.pin: the innermost continuation must not yield until unpin was called as
   often.  There need not be one. */
static bool
continuation_pin(struct thread *self, union slot *args UNUSED)
{
    struct continuation *c = self->continuation;

    if (c && c->pins == UINT32_MAX)
        return THROW(self, IllegalStateException, "pin overflow");
    if (c)
        c->pins++;
    return true;
}

static bool
continuation_unpin(struct thread *self, union slot *args UNUSED)
{
    struct continuation *c = self->continuation;

    if (c && c->pins == 0)
        return THROW(self, IllegalStateException, "unpin underflow");
    if (c)
        c->pins--;
    return true;
}

/* Continuation.isPinned0(ContinuationScope scope): why the innermost continuations, up to
   the first of that scope, could not yield; 0 if they could. */
static bool
continuation_is_pinned(struct thread *self, union slot *args)
{
    const struct object *scope = args[0].ref;

    args[0].i = 0;
    for (const struct continuation *c = self->continuation; c && !args[0].i;
         c = c->below) {
        args[0].i = continuation_pinned_reason(self, c);
        if (REF_FIELD(self->vm, c->object, Continuation_scope) == scope)
            break;
    }
    return true;
}

const struct intrinsic continuation_natives[] = {
    INTRINSICS_OF("jdk/internal/vm/Continuation"),
    C_BODY_IN(21, 0, "pin", "()V", continuation_pin),
    C_BODY_IN(21, 0, "unpin", "()V", continuation_unpin),
    C_BODY_IN(21, 0, "isPinned0", "(Ljdk/internal/vm/ContinuationScope;)I",
              continuation_is_pinned),
    C_BODIES_END
};

/* JVM TI is told of each change of a virtual thread's stack. */

/* VirtualThread.notifyJvmtiStart. */
JNIEXPORT void JNICALL
JVM_VirtualThreadStart(JNIEnv *env, jobject thread UNUSED)
{
    (void)env;
}

/* VirtualThread.notifyJvmtiEnd. */
JNIEXPORT void JNICALL
JVM_VirtualThreadEnd(JNIEnv *env, jobject thread UNUSED)
{
    (void)env;
}

/* VirtualThread.notifyJvmtiMount. */
JNIEXPORT void JNICALL
JVM_VirtualThreadMount(JNIEnv *env, jobject thread UNUSED, jboolean begins UNUSED)
{
    (void)env;
}

/* VirtualThread.notifyJvmtiUnmount. */
JNIEXPORT void JNICALL
JVM_VirtualThreadUnmount(JNIEnv *env, jobject thread UNUSED, jboolean begins UNUSED)
{
    (void)env;
}

/* VirtualThread.notifyJvmtiHideFrames, of JDK 21 only. */
JNIEXPORT void JNICALL
JVM_VirtualThreadHideFrames(JNIEnv *env, jobject thread UNUSED, jboolean hide UNUSED)
{
    (void)env;
}

/* VirtualThread.notifyJvmtiDisableSuspend, as of JDK 25. */
JNIEXPORT void JNICALL
JVM_VirtualThreadDisableSuspend(JNIEnv *env, jclass cls UNUSED, jboolean enter UNUSED)
{
    (void)env;
}

/* VirtualThread.postPinnedEvent: an event of the flight recorder, which this VM has
   not. */
JNIEXPORT void JNICALL
JVM_VirtualThreadPinnedEvent(JNIEnv *env UNUSED, jclass cls UNUSED, jstring op UNUSED)
{
}

/*
 * VirtualThread.takeVirtualThreadListToUnblock: the virtual threads whose monitor has
 * become free.  No monitor blocks one without its carrier, so there never is any.
 */
JNIEXPORT jobject JNICALL
JVM_TakeVirtualThreadListToUnblock(JNIEnv *env, jclass cls UNUSED)
{
    VM_ENTRY(env);

    for (;;) {
        thread_park(self, false, 0);
        if (self->exception)
            return NULL;
    }
}
