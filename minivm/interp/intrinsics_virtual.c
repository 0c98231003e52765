/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/intrinsics_virtual.c -- C bodies of what a continuation calls whenever
 * it runs and yields.
 *
 * Continuation.run and Continuation.yield are Java.  They reach fields of the carrier
 * through jdk.internal.access.JavaLangAccess, whose only implementation is an anonymous
 * class of java.lang.System, and most of their time goes into calls of methods of a line
 * or two.  So these methods have C bodies.  Each has been compared with the bytecode of
 * the release that its row names.  The natives that they call, such as
 * Thread.currentCarrierThread, are in jdk/jvm_virtual.c.
 */

#include "interp/intrinsics.h"
#include "runtime/vm.h"

/* currentCarrierThread(), of Continuation and of JavaLangAccess: no argument is read. */
static bool
current_carrier(struct thread *self, union slot *args)
{
    args[0].ref = self->object;
    return true;
}

/* Continuation.mount(): compares and sets `mounted`.  If it is true already the bytecode
   throws the exception. */
static bool
continuation_set_mounted(struct thread *self, union slot *args)
{
    uint8_t *mounted = object_at(args[0].ref, KF(self->vm, Continuation_mounted));
    uint8_t expected = false;

    return __atomic_compare_exchange_n(mounted, &expected, true, false,
                                       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
           || intrinsic_decline(self);
}

/* Continuation.unmount(): `mounted` is volatile. */
static bool
continuation_clear_mounted(struct thread *self, union slot *args)
{
    uint8_t *mounted = object_at(args[0].ref, KF(self->vm, Continuation_mounted));

    __atomic_store_n(mounted, false, __ATOMIC_SEQ_CST);
    return true;
}

/* Continuation.fence(): Unsafe.storeFence, and true. */
static bool
continuation_fence(struct thread *self, union slot *args)
{
    (void)self;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    args[0].i = true;
    return true;
}

/* JavaLangAccess.scopedValueCache() */
static bool
access_scoped_values(struct thread *self, union slot *args)
{
    args[0].ref = self->scoped_values;
    return true;
}

/* JavaLangAccess.setScopedValueCache(Object[] cache) */
static bool
access_set_scoped_values(struct thread *self, union slot *args)
{
    self->scoped_values = args[1].ref;
    return true;
}

/* JavaLangAccess.getContinuation(Thread thread) */
static bool
access_continuation(struct thread *self, union slot *args)
{
    if (!args[1].ref)
        return intrinsic_decline(self);
    args[0].ref = __atomic_load_n(&REF_FIELD(self->vm, args[1].ref, Thread_cont),
                                  __ATOMIC_RELAXED);
    return true;
}

/* JavaLangAccess.setContinuation(Thread thread, Continuation continuation) */
static bool
access_set_continuation(struct thread *self, union slot *args)
{
    if (!args[1].ref)
        return intrinsic_decline(self);
    __atomic_store_n(&REF_FIELD(self->vm, args[1].ref, Thread_cont), args[2].ref,
                     __ATOMIC_RELAXED);
    return true;
}

const struct intrinsic virtual_intrinsics[] = {
    INTRINSICS_OF("jdk/internal/vm/Continuation"),
    C_BODY_IN(25, 25, "currentCarrierThread", "()Ljava/lang/Thread;", current_carrier),
    C_BODY_IN(25, 25, "mount", "()V", continuation_set_mounted),
    C_BODY_IN(25, 25, "unmount", "()V", continuation_clear_mounted),
    C_BODY_IN(25, 25, "fence", "()Z", continuation_fence),
    INTRINSICS_OF("java/lang/System$1"),
    C_BODY_IN(25, 25, "currentCarrierThread", "()Ljava/lang/Thread;", current_carrier),
    C_BODY_IN(25, 25, "scopedValueCache", "()[Ljava/lang/Object;",
              access_scoped_values),
    C_BODY_IN(25, 25, "setScopedValueCache", "([Ljava/lang/Object;)V",
              access_set_scoped_values),
    C_BODY_IN(25, 25, "getContinuation",
              "(Ljava/lang/Thread;)Ljdk/internal/vm/Continuation;",
              access_continuation),
    C_BODY_IN(25, 25, "setContinuation",
              "(Ljava/lang/Thread;Ljdk/internal/vm/Continuation;)V",
              access_set_continuation),
    C_BODIES_END
};
