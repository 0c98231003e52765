/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_virtual.c -- JVM_ functions that came with virtual threads and scoped
 * values (JDK 21 and later).
 *
 * A virtual thread (JEP 444) is a java.lang.Thread that is mounted on a carrier, a
 * platform thread, while it runs, and unmounted while it waits; a continuation, one
 * stack of frames that can be left and entered again, makes that possible
 * (threads/continuation.h).  With -XX:-VMContinuations JVM_IsContinuationsSupported denies
 * them, and the class library then gives each virtual thread a platform thread of its own,
 * to which it stays bound (ThreadBuilders.BoundVirtualThread).
 *
 * A scoped value (ScopedValue) is looked up in bindings that the thread carries.  The
 * class library caches what it has found in an array per carrier, and if the stack
 * overflowed while it changed the bindings, it finds them on the stack. */

#include "base/events.h"
#include "interp/interp.h"
#include "jdk/jvm.h"
#include "runtime/exception.h"
#include "runtime/vm.h"
#include "threads/continuation.h"
#include "threads/monitor_virtual.h"
#include "threads/park.h"
#include "threads/suspend.h"
#include "threads/virtual_thread.h"

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

/* C bodies of what Continuation.run and VirtualThread.mount call each time. */
static bool
thread_current_carrier(struct thread *self, union slot *args)
{
    args[0].ref = self->object;
    return true;
}

static bool
thread_set_current(struct thread *self, union slot *args)
{
    self->current = args[1].ref;
    return true;
}

static bool
thread_scoped_values(struct thread *self, union slot *args)
{
    args[0].ref = self->scoped_values;
    return true;
}

static bool
thread_set_scoped_values(struct thread *self, union slot *args)
{
    self->scoped_values = args[0].ref;
    return true;
}

const struct intrinsic continuation_natives[] = {
    INTRINSICS_OF("java/lang/Thread"),
    C_BODY_IN(21, 0, "currentCarrierThread", "()Ljava/lang/Thread;",
              thread_current_carrier),
    C_BODY_IN(21, 0, "setCurrentThread", "(Ljava/lang/Thread;)V", thread_set_current),
    C_BODY_IN(21, 0, "scopedValueCache", "()[Ljava/lang/Object;", thread_scoped_values),
    C_BODY_IN(21, 0, "setScopedValueCache", "([Ljava/lang/Object;)V",
              thread_set_scoped_values),
    INTRINSICS_OF("jdk/internal/vm/Continuation"),
    C_BODY_IN(21, 0, "pin", "()V", continuation_pin),
    C_BODY_IN(21, 0, "unpin", "()V", continuation_unpin),
    C_BODY_IN(21, 0, "isPinned0", "(Ljdk/internal/vm/ContinuationScope;)I",
              continuation_is_pinned),
    C_BODIES_END
};

/* ---- transitions (threads/virtual_thread.h) ----
 *
 * The class library tells where a transition begins and ends by natives of VirtualThread.
 * They are called at each mount and unmount, so they have C bodies; the functions that
 * libjava imports for them do the same. */

/* VirtualThread.notifyJvmtiStart(): the end of its first mount. */
static bool
notify_start(struct thread *self, union slot *args UNUSED)
{
    virtual_thread_end_mount(self);
    EVENT_SEND(EVENT_VIRTUAL_THREAD_START, virtual_thread_start, self);
    EVENT_SEND(EVENT_VIRTUAL_THREAD_MOUNT, virtual_thread_mount, self);
    return !exception_pending(self);
}

/* VirtualThread.notifyJvmtiEnd(): the beginning of its last unmount.  No Java code is left
   that could catch what an agent has thrown. */
static bool
notify_end(struct thread *self, union slot *args UNUSED)
{
    EVENT_SEND(EVENT_VIRTUAL_THREAD_UNMOUNT, virtual_thread_unmount, self);
    EVENT_SEND(EVENT_VIRTUAL_THREAD_END, virtual_thread_end, self);
    self->exception = NULL;
    virtual_thread_begin_unmount(self);
    return true;
}

/* VirtualThread.notifyJvmtiMount(boolean begins). */
static bool
notify_mount(struct thread *self, union slot *args)
{
    if (args[1].i) {
        virtual_thread_begin_mount(self, args[0].ref);
        return true;
    }
    virtual_thread_end_mount(self);
    EVENT_SEND(EVENT_VIRTUAL_THREAD_MOUNT, virtual_thread_mount, self);
    return true;
}

/* VirtualThread.notifyJvmtiUnmount(boolean begins).  An exception that an agent has asked
   for is thrown before the thread is unmounted, which it then is not. */
static bool
notify_unmount(struct thread *self, union slot *args)
{
    if (!args[1].i) {
        virtual_thread_end_unmount(self);
        return true;
    }
    EVENT_SEND(EVENT_VIRTUAL_THREAD_UNMOUNT, virtual_thread_unmount, self);
    virtual_thread_begin_unmount(self);
    if (!thread_is_stopped(self))
        return true;
    virtual_thread_end_mount(self);
    thread_poll(self);
    return !exception_pending(self);
}

JNIEXPORT void JNICALL
JVM_VirtualThreadStart(JNIEnv *env, jobject thread UNUSED)
{
    VM_ENTRY(env);

    notify_start(self, NULL);
}

JNIEXPORT void JNICALL
JVM_VirtualThreadEnd(JNIEnv *env, jobject thread UNUSED)
{
    VM_ENTRY(env);

    notify_end(self, NULL);
}

JNIEXPORT void JNICALL
JVM_VirtualThreadMount(JNIEnv *env, jobject thread, jboolean begins)
{
    VM_ENTRY(env);

    notify_mount(self, (union slot[]){ { .ref = ref_get(thread) }, { .i = begins } });
}

JNIEXPORT void JNICALL
JVM_VirtualThreadUnmount(JNIEnv *env, jobject thread, jboolean begins)
{
    VM_ENTRY(env);

    notify_unmount(self, (union slot[]){ { .ref = ref_get(thread) }, { .i = begins } });
}

/* VirtualThread.notifyJvmtiHideFrames, of JDK 21 only: the virtual thread is, or is no
   longer, the carrier for a moment, on its own stack. */
JNIEXPORT void JNICALL
JVM_VirtualThreadHideFrames(JNIEnv *env, jobject thread UNUSED, jboolean hide)
{
    VM_ENTRY(env);

    if (hide)
        virtual_thread_begin_unmount(self);
    else
        virtual_thread_end_mount(self);
}

/* VirtualThread.notifyJvmtiDisableSuspend, as of JDK 25: the calling thread must not be
   suspended while it has a lock that transitions need. */
static bool
notify_disable_suspend(struct thread *self, union slot *args)
{
    virtual_thread_delay_suspension(self, args[0].i != 0);
    return true;
}

const struct intrinsic virtual_thread_natives[] = {
    INTRINSICS_OF("java/lang/VirtualThread"),
    C_BODY_IN(21, 0, "notifyJvmtiStart", "()V", notify_start),
    C_BODY_IN(21, 0, "notifyJvmtiEnd", "()V", notify_end),
    C_BODY_IN(21, 0, "notifyJvmtiMount", "(Z)V", notify_mount),
    C_BODY_IN(21, 0, "notifyJvmtiUnmount", "(Z)V", notify_unmount),
    C_BODY_IN(25, 0, "notifyJvmtiDisableSuspend", "(Z)V", notify_disable_suspend),
    C_BODIES_END
};

JNIEXPORT void JNICALL
JVM_VirtualThreadDisableSuspend(JNIEnv *env, jclass cls UNUSED, jboolean enter)
{
    VM_ENTRY(env);

    virtual_thread_delay_suspension(self, enter);
}

/* VirtualThread.postPinnedEvent: an event of the flight recorder, which this VM has
   not. */
JNIEXPORT void JNICALL
JVM_VirtualThreadPinnedEvent(JNIEnv *env UNUSED, jclass cls UNUSED, jstring op UNUSED)
{
}

/*
 * VirtualThread.takeVirtualThreadListToUnblock: the virtual threads that may enter the
 * monitor for which they were unmounted, linked by VirtualThread.next.  Blocks until there
 * is one.
 */
JNIEXPORT jobject JNICALL
JVM_TakeVirtualThreadListToUnblock(JNIEnv *env, jclass cls UNUSED)
{
    VM_ENTRY(env);

    return object_ref(self, virtual_take_unblocked(self));
}
