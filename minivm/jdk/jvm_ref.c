/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_ref.c -- JVM_ functions of java.lang.ref, and the same as C bodies. */

#include "jdk/jvm.h"

JVM_VALUE(jobject, JVM_GetAndClearReferencePendingList, (JNIEnv *env),
          object_ref(self, heap_take_pending(self->vm->heap)))
JVM_VALUE(jboolean, JVM_HasReferencePendingList, (JNIEnv *env),
          heap_has_pending(self->vm->heap))
JVM_ACTION(JVM_WaitForReferencePendingList, (JNIEnv *env), vm_await_pending(self))

/* ---- referents: the collector has its own way to look at them, so access is
   relaxed and without any barrier ---- */

static struct object *
referent_of(const struct vm *vm, const struct object *reference)
{
    return __atomic_load_n(&REF_FIELD(vm, reference, Reference_referent),
                           __ATOMIC_RELAXED);
}

static void
clear_referent(const struct vm *vm, struct object *reference)
{
    __atomic_store_n(&REF_FIELD(vm, reference, Reference_referent), NULL,
                     __ATOMIC_RELAXED);
}

JVM_VALUE(jboolean, JVM_ReferenceRefersTo, (JNIEnv *env, jobject reference, jobject o),
          referent_of(self->vm, ref_get(reference)) == ref_get(o))
JVM_PLAIN(jboolean, JVM_PhantomReferenceRefersTo,
          (JNIEnv *env, jobject reference, jobject o),
          JVM_ReferenceRefersTo(env, reference, o))
JVM_ACTION(JVM_ReferenceClear, (JNIEnv *env, jobject reference),
           clear_referent(self->vm, ref_get(reference)))

/* ---- C bodies, which need no transition ---- */

INTRINSIC(take_pending, ref, heap_take_pending(self->vm->heap))
INTRINSIC(has_pending, i, heap_has_pending(self->vm->heap))
INTRINSIC(refers_to, i, referent_of(self->vm, args[0].ref) == args[1].ref)

NATIVE(await_pending)
{
    vm_await_pending(self);
    return !exception_pending(self);
}

NATIVE(clear)
{
    clear_referent(self->vm, args[0].ref);
    return true;
}

const struct intrinsic reference_natives[] = {
    INTRINSICS_OF("java/lang/ref/Reference"),
    { "getAndClearReferencePendingList", "()Ljava/lang/ref/Reference;", take_pending },
    { "hasReferencePendingList", "()Z", has_pending },
    { "waitForReferencePendingList", "()V", await_pending },
    { "refersTo0", "(Ljava/lang/Object;)Z", refers_to },
    { "clear0", "()V", clear },
    INTRINSICS_OF("java/lang/ref/PhantomReference"),
    { "refersTo0", "(Ljava/lang/Object;)Z", refers_to },
    { NULL, NULL, NULL }
};
