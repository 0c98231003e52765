/* SPDX-License-Identifier: MIT */
/* minivm/jdk/jvm_ref.c -- JVM_ functions of java.lang.ref, and the same as C bodies. */

#include "interp/interp.h"
#include "jdk/jdk.h"
#include "jdk/jvm.h"
#include "vm/exception.h"

JNIEXPORT jobject JNICALL
JVM_GetAndClearReferencePendingList(JNIEnv *env)
{
    VM_ENTRY(env);

    return object_ref(self, heap_take_pending(self->vm->heap));
}

JNIEXPORT jboolean JNICALL
JVM_HasReferencePendingList(JNIEnv *env)
{
    VM_ENTRY(env);

    return heap_has_pending(self->vm->heap);
}

JNIEXPORT void JNICALL
JVM_WaitForReferencePendingList(JNIEnv *env)
{
    VM_ENTRY(env);

    vm_await_pending(self);
}

/* ---- referents: the collector has its own way to look at them, so access is
   relaxed and without any barrier ---- */

static struct object *
referent_of(const struct vm *vm, const struct object *reference)
{
    return __atomic_load_n(
        &OBJECT_FIELD(struct object *, reference, KF(vm, Reference_referent)),
        __ATOMIC_RELAXED);
}

static void
clear_referent(const struct vm *vm, struct object *reference)
{
    __atomic_store_n(&OBJECT_FIELD(struct object *, reference, KF(vm, Reference_referent)),
                     NULL, __ATOMIC_RELAXED);
}

JNIEXPORT jboolean JNICALL
JVM_ReferenceRefersTo(JNIEnv *env, jobject reference, jobject o)
{
    VM_ENTRY(env);

    return referent_of(self->vm, ref_get(reference)) == ref_get(o);
}

JNIEXPORT jboolean JNICALL
JVM_PhantomReferenceRefersTo(JNIEnv *env, jobject reference, jobject o)
{
    return JVM_ReferenceRefersTo(env, reference, o);
}

JNIEXPORT void JNICALL
JVM_ReferenceClear(JNIEnv *env, jobject reference)
{
    VM_ENTRY(env);

    clear_referent(self->vm, ref_get(reference));
}

/* ---- C bodies, which need no transition ---- */

static bool
take_pending(struct thread *self, union slot *args)
{
    args[0].ref = heap_take_pending(self->vm->heap);
    return true;
}

static bool
has_pending(struct thread *self, union slot *args)
{
    args[0].i = heap_has_pending(self->vm->heap);
    return true;
}

static bool
await_pending(struct thread *self, union slot *args)
{
    (void)args;
    vm_await_pending(self);
    return !exception_pending(self);
}

static bool
refers_to(struct thread *self, union slot *args)
{
    args[0].i = referent_of(self->vm, args[0].ref) == args[1].ref;
    return true;
}

static bool
clear(struct thread *self, union slot *args)
{
    clear_referent(self->vm, args[0].ref);
    return true;
}

static const struct intrinsic reference_rows[] = {
    { "getAndClearReferencePendingList", "()Ljava/lang/ref/Reference;", take_pending },
    { "hasReferencePendingList", "()Z", has_pending },
    { "waitForReferencePendingList", "()V", await_pending },
    { "refersTo0", "(Ljava/lang/Object;)Z", refers_to },
    { "clear0", "()V", clear },
    { NULL, NULL, NULL }
};

static const struct intrinsic phantom_rows[] = {
    { "refersTo0", "(Ljava/lang/Object;)Z", refers_to },
    { NULL, NULL, NULL }
};

void
reference_natives_register(void)
{
    intrinsics_register("java/lang/ref/Reference", reference_rows);
    intrinsics_register("java/lang/ref/PhantomReference", phantom_rows);
}
