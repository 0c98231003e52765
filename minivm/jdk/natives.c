/* SPDX-License-Identifier: MIT */
/* minivm/jdk/natives.c -- small sets of natives that no library of the JDK has, or
 * that are too hot for a call through JNI. */

#include "jdk/jdk.h"
#include "jdk/jvm.h"
#include "jdk/properties.h"
#include "vm/monitor.h"
#include "vm/safepoint.h"

/* ---- java.lang.Object ---- */

NATIVE_CALL(object_wait, monitor_wait(self, args[0].ref, args[1].j))
NATIVE_CALL(object_notify, monitor_notify(self, args[0].ref))
NATIVE_CALL(object_notify_all, monitor_notify_all(self, args[0].ref))

/* ---- java.lang.Throwable, jdk.internal.reflect.Reflection ---- */

NATIVE(throwable_fill_in)
{
    exception_fill_in(self, args[0].ref);
    return true;
}

NATIVE(reflection_caller_class)
{
    struct class *c = caller_class(self);

    args[0].ref = c ? c->layout.mirror : NULL;
    return !exception_pending(self);
}

INTRINSIC(reflection_access_flags, i,
          class_access_flags(class_of_mirror(args[0].ref)))

/* ---- java.lang.Class ---- */

INTRINSIC(is_hidden, i,
          (class_of_mirror(args[0].ref)->flags & CLASS_IS_HIDDEN) != 0)

/* ---- java.lang.System ---- */

INTRINSIC(nano_time, j, os_nanos())
INTRINSIC(current_time_millis, j, os_wall_nanos() / 1000000)

/* ---- jdk.internal.misc.ScopedMemoryAccess ---- */

/* closeScope0(Scope, Error): false while a thread is inside of an access to it. */
struct scope_search {
    const struct object *scope;
    bool found;
};

static void
search_scoped_frames(struct thread *t, void *arg)
{
    struct scope_search *search = arg;
    int depth = 0;

    for (struct frame *f = thread_top_frame(t); f && depth < 10 && !search->found;
         f = frame_older(f), depth++) {
        const struct method *m = f->code->method;
        if (!(m->flags & METHOD_SCOPED) || method_is_native(m))
            continue;
        for (uint32_t i = 0; i < m->arg_slots; i++)
            if (frame_locals(f)[i].ref == search->scope)
                search->found = true;
    }
}

NATIVE(close_scope)
{
    struct scope_search search = { .scope = args[1].ref };

    handshake_all(self, search_scoped_frames, &search);
    args[0].i = !search.found;
    return true;
}

/* ---- java.lang.ref ---- */

JVM_VALUE(jobject, JVM_GetAndClearReferencePendingList, (JNIEnv *env),
          object_ref(self, heap_take_pending(self->vm->heap)))
JVM_VALUE(jboolean, JVM_HasReferencePendingList, (JNIEnv *env),
          heap_has_pending(self->vm->heap))
JVM_ACTION(JVM_WaitForReferencePendingList, (JNIEnv *env), vm_await_pending(self))

/* The collector has its own way to look at referents, so access is relaxed and without
   any barrier. */

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

INTRINSIC(refers_to, i, referent_of(self->vm, args[0].ref) == args[1].ref)

NATIVE(clear)
{
    clear_referent(self->vm, args[0].ref);
    return true;
}

/* ---- jdk.internal.vm.vector.VectorSupport ---- */

/* No vector instructions are used. */
INTRINSIC(max_lane_count, i, -1)
INTRINSIC(register_vector, i, 0)

/* ---- all of them, and the floor's start ---- */

static const struct intrinsic rows[] = {
    INTRINSICS_OF("java/lang/Object"),
    { "wait", "(J)V", object_wait },
    { "notify", "()V", object_notify },
    { "notifyAll", "()V", object_notify_all },
    INTRINSICS_OF("java/lang/Throwable"),
    { "fillInStackTrace", "(I)Ljava/lang/Throwable;", throwable_fill_in },
    INTRINSICS_OF("java/lang/Class"),
    { "isHidden", "()Z", is_hidden },
    INTRINSICS_OF("java/lang/System"),
    { "nanoTime", "()J", nano_time },
    { "currentTimeMillis", "()J", current_time_millis },
    INTRINSICS_OF("jdk/internal/misc/ScopedMemoryAccess"),
    { "registerNatives", "()V", native_nothing },
    { "closeScope0",
      "(Ljdk/internal/misc/ScopedMemoryAccess$Scope;"
      "Ljdk/internal/misc/ScopedMemoryAccess$Scope$ScopedAccessError;)Z", close_scope },
    INTRINSICS_OF("jdk/internal/reflect/Reflection"),
    { "getCallerClass", "()Ljava/lang/Class;", reflection_caller_class },
    { "getClassAccessFlags", "(Ljava/lang/Class;)I", reflection_access_flags },
    INTRINSICS_OF("java/lang/ref/Reference"),
    { "refersTo0", "(Ljava/lang/Object;)Z", refers_to },
    { "clear0", "()V", clear },
    INTRINSICS_OF("java/lang/ref/PhantomReference"),
    { "refersTo0", "(Ljava/lang/Object;)Z", refers_to },
    INTRINSICS_OF("jdk/internal/vm/vector/VectorSupport"),
    { "registerNatives", "()I", register_vector },
    { "getMaxLaneCount", "(Ljava/lang/Class;)I", max_lane_count },
    { NULL, NULL, NULL }
};

void
jdk_init(struct vm *vm)
{
    fault_init();
    intrinsics_register_all(rows);
    intrinsics_register_all(handle_natives);
    intrinsics_register_all(perf_natives);
    intrinsics_register_all(unsafe_natives);
    properties_init(vm);
    perf_init(vm);
}
