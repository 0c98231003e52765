/* SPDX-License-Identifier: MIT */
/* minivm/jdk/natives.c -- natives of java.base that no library of the JDK has, or
 * that are called too often for a call through JNI.
 *
 * A native here is a C body (interp/interp.h): args has the arguments as on entry, the
 * receiver in args[0], and the result goes to args[0]; false means that an exception is
 * pending.  It is named class_method, with the method's name as Java has it, and the
 * table at the end says which method it belongs to.  Larger sets have files of their
 * own (unsafe.c, unsafe_access.c, handle_natives.c, perf.c).
 *
 * jdk_init at the end registers all of them, before the first class is loaded. */

#include "diagnostics/fault.h"
#include "jdk/jdk.h"
#include "jdk/jvm.h"
#include "jdk/properties.h"
#include "runtime/backtrace.h"
#include "threads/monitor.h"
#include "threads/safepoint.h"
#include "threads/suspend.h"

/* ---- java.lang.Object ---- */

/* Object.wait0 (JLS 17.2.1). */
static bool
object_wait(struct thread *self, union slot *args)
{
    return monitor_wait(self, args[0].ref, args[1].j);
}

static bool
object_notify(struct thread *self, union slot *args)
{
    return monitor_notify(self, args[0].ref);
}

static bool
object_notifyAll(struct thread *self, union slot *args)
{
    return monitor_notify_all(self, args[0].ref);
}

/* ---- java.lang.Throwable, jdk.internal.reflect.Reflection ---- */

/* Its result is the receiver, which args[0] has already. */
static bool
throwable_fillInStackTrace(struct thread *self, union slot *args)
{
    exception_fill_in(self, args[0].ref);
    return true;
}

/* The class that called the method that called this; null for none. */
static bool
reflection_getCallerClass(struct thread *self, union slot *args)
{
    struct class *c = caller_class(self);

    args[0].ref = c ? c->layout.mirror : NULL;
    return !exception_pending(self);
}

static bool
reflection_getClassAccessFlags(struct thread *self UNUSED, union slot *args)
{
    args[0].i = class_access_flags(class_of_mirror(args[0].ref));
    return true;
}

/* ---- java.lang.Class ---- */

static bool
class_isHidden(struct thread *self UNUSED, union slot *args)
{
    args[0].i = (class_of_mirror(args[0].ref)->flags & CLASS_IS_HIDDEN) != 0;
    return true;
}

/* ---- java.lang.System ---- */

static bool
system_nanoTime(struct thread *self UNUSED, union slot *args)
{
    args[0].j = os_nanos();
    return true;
}

static bool
system_currentTimeMillis(struct thread *self UNUSED, union slot *args)
{
    args[0].j = os_wall_nanos() / 1000000;
    return true;
}

/* ---- jdk.internal.misc.ScopedMemoryAccess ---- */

/* The argument of search_accesses, and its result. */
struct session_search {
    const struct object *scope;
    bool found;             /* in any thread */
    struct thread *closing; /* which waits for the handshakes */
    struct object *error;   /* to be thrown in these threads, or NULL */
};

/*
 * The handshake operation: finds out whether t is inside of an access to the scope.
 * The class library marks the methods that do such an access by @Scoped, passes them
 * the scope as an argument, and promises that they are among the ten newest frames.  An
 * argument is compared as a word, whatever its type: a number that equals the address
 * only makes the scope stay open.
 */
static void
search_accesses(struct thread *t, void *arg)
{
    struct session_search *search = arg;
    int depth = 0;
    bool found = false;

    for (struct frame *f = thread_top_frame(t); f && depth < 10 && !found;
         f = frame_older(f), depth++) {
        const struct method *m = f->version->method;
        if (!(m->flags & METHOD_SCOPED) || method_is_native(m))
            continue;
        for (uint32_t i = 0; i < m->arg_slots; i++)
            if (frame_locals(f)[i].ref == search->scope)
                found = true;
    }
    search->found |= found;
    if (found && search->error && !t->async_exception)
        handle_new(search->closing, t->object);
}

/*
 * closeScope0(Scope, ScopedAccessError): returns false while a thread is inside of an
 * access to memory of the scope, which must not be freed then.  The class library has
 * marked the scope as closing before, and a thread that begins an access after its
 * handshake sees that.
 */
static bool
scoped_closeScope0(struct thread *self, union slot *args)
{
    struct session_search search = { .scope = args[1].ref, .closing = self };

    handshake_all(self, search_accesses, &search);
    args[0].i = !search.found;
    return true;
}

/*
 * closeScope0(MemorySessionImpl, ScopedAccessError) of JDK 25 answers nothing: it throws
 * the error in each thread that is inside of an access, which is then over, unless the
 * thread has an asynchronous exception already.
 */
static bool
scoped_closeScope0_throwing(struct thread *self, union slot *args)
{
    HANDLE_SCOPE(self);
    size_t mark = self->handle_count;
    struct session_search search = { .scope = args[1].ref,
                                     .closing = self,
                                     .error = args[2].ref };

    handshake_all(self, search_accesses, &search);
    for (size_t i = mark; i < self->handle_count; i++) {
        PINNED(t, self, self->handles[i]);
        if (t && t != self)
            thread_stop(self, t, search.error);
    }
    return true;
}

/* ---- java.lang.ref ---- */

/*
 * Reference.getAndClearReferencePendingList: the references that the collector has
 * cleared, linked by their discovered fields.
 */
JNIEXPORT jobject JNICALL
JVM_GetAndClearReferencePendingList(JNIEnv *env)
{
    VM_ENTRY(env);

    return object_ref(self, heap_get_and_clear_pending(self->vm->heap));
}

JNIEXPORT jboolean JNICALL
JVM_HasReferencePendingList(JNIEnv *env)
{
    VM_ENTRY(env);

    return heap_has_pending(self->vm->heap);
}

/* Reference.waitForReferencePendingList: blocks until a collection has cleared some. */
JNIEXPORT void JNICALL
JVM_WaitForReferencePendingList(JNIEnv *env)
{
    VM_ENTRY(env);

    vm_await_pending(self);
}

/*
 * Returns the referent, or NULL.  The access is relaxed and without a barrier: the
 * collector clears referents while the world is stopped.
 */
static struct object *
referent_of(const struct vm *vm, const struct object *reference)
{
    return __atomic_load_n(&REF_FIELD(vm, reference, Reference_referent),
                           __ATOMIC_RELAXED);
}

/* The order is relaxed, as in referent_of. */
static void
clear_referent(const struct vm *vm, struct object *reference)
{
    __atomic_store_n(&REF_FIELD(vm, reference, Reference_referent), NULL,
                     __ATOMIC_RELAXED);
}

/* Reference.get0, which updates of JDK 21 and later releases have. */
JNIEXPORT jobject JNICALL
JVM_ReferenceGet(JNIEnv *env, jobject reference)
{
    VM_ENTRY(env);

    return object_ref(self, referent_of(self->vm, ref_get(reference)));
}

/* Reference.refersTo0. */
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

/* Reference.clear0. */
JNIEXPORT void JNICALL
JVM_ReferenceClear(JNIEnv *env, jobject reference)
{
    VM_ENTRY(env);

    clear_referent(self->vm, ref_get(reference));
}

static bool
reference_get0(struct thread *self, union slot *args)
{
    args[0].ref = referent_of(self->vm, args[0].ref);
    return true;
}

static bool
reference_refersTo0(struct thread *self, union slot *args)
{
    args[0].i = referent_of(self->vm, args[0].ref) == args[1].ref;
    return true;
}

static bool
reference_clear0(struct thread *self, union slot *args)
{
    clear_referent(self->vm, args[0].ref);
    return true;
}

/* ---- jdk.internal.vm.vector.VectorSupport ---- */

/* -1: vectors of no size are supported, so that the Vector API runs as plain Java. */
static bool
vector_getMaxLaneCount(struct thread *self UNUSED, union slot *args)
{
    args[0].i = -1;
    return true;
}

/* An empty String: no feature of the processor is used for vectors. */
static bool
vector_getCPUFeatures(struct thread *self, union slot *args)
{
    args[0].ref = string_from_utf8(self, "");
    return args[0].ref != NULL;
}

/* Returns 0: the VM has no natives of its own for vectors. */
static bool
vector_registerNatives(struct thread *self UNUSED, union slot *args)
{
    args[0].i = 0;
    return true;
}

/* ---- the table, and the start ---- */

static const struct intrinsic small_natives[] = {
    INTRINSICS_OF("java/lang/Object"),
    /* As of JDK 21 it is Java, which calls wait0. */
    C_BODY_IN(0, 17, "wait", "(J)V", object_wait),
    C_BODY_IN(21, 0, "wait0", "(J)V", object_wait),
    C_BODY("notify", "()V", object_notify),
    C_BODY("notifyAll", "()V", object_notifyAll), INTRINSICS_OF("java/lang/Throwable"),
    C_BODY("fillInStackTrace", "(I)Ljava/lang/Throwable;", throwable_fillInStackTrace),
    INTRINSICS_OF("java/lang/Class"), C_BODY("isHidden", "()Z", class_isHidden),
    INTRINSICS_OF("java/lang/System"), C_BODY("nanoTime", "()J", system_nanoTime),
    C_BODY("currentTimeMillis", "()J", system_currentTimeMillis),
    INTRINSICS_OF("jdk/internal/misc/ScopedMemoryAccess"),
    C_BODY("registerNatives", "()V", native_nothing),
    C_BODY_IN(0, 17, "closeScope0",
              "(Ljdk/internal/misc/ScopedMemoryAccess$Scope;"
              "Ljdk/internal/misc/ScopedMemoryAccess$Scope$ScopedAccessError;)Z",
              scoped_closeScope0),
    C_BODY_IN(21, 21, "closeScope0", "(Ljdk/internal/foreign/MemorySessionImpl;)Z",
              scoped_closeScope0),
    C_BODY_IN(25, 0, "closeScope0",
              "(Ljdk/internal/foreign/MemorySessionImpl;"
              "Ljdk/internal/misc/ScopedMemoryAccess$ScopedAccessError;)V",
              scoped_closeScope0_throwing),
    INTRINSICS_OF("jdk/internal/reflect/Reflection"),
    C_BODY("getCallerClass", "()Ljava/lang/Class;", reflection_getCallerClass),
    C_BODY("getClassAccessFlags", "(Ljava/lang/Class;)I",
           reflection_getClassAccessFlags),
    INTRINSICS_OF("java/lang/ref/Reference"),
    C_BODY("get0", "()Ljava/lang/Object;", reference_get0),
    C_BODY("refersTo0", "(Ljava/lang/Object;)Z", reference_refersTo0),
    C_BODY("clear0", "()V", reference_clear0),
    INTRINSICS_OF("java/lang/ref/PhantomReference"),
    C_BODY("refersTo0", "(Ljava/lang/Object;)Z", reference_refersTo0),
    INTRINSICS_OF("jdk/internal/vm/vector/VectorSupport"),
    C_BODY("registerNatives", "()I", vector_registerNatives),
    C_BODY("getMaxLaneCount", "(Ljava/lang/Class;)I", vector_getMaxLaneCount),
    C_BODY_IN(25, 0, "getCPUFeatures", "()Ljava/lang/String;", vector_getCPUFeatures),
    C_BODIES_END
};

void
jdk_register_bodies(void)
{
    intrinsics_register_all(small_natives);
    intrinsics_register_all(handle_natives);
    intrinsics_register_all(perf_natives);
    intrinsics_register_all(continuation_natives);
    intrinsics_register_all(virtual_thread_natives);
    intrinsics_register_all(unsafe_natives);
    intrinsics_register_all(unsafe_access_natives);
}

/*
 * The intrinsics are registered before a class is loaded, since methods get their
 * bodies then.  perf_init shows properties, so it comes last.
 */
void
jdk_init(struct vm *vm)
{
    fault_init();
    jdk_register_bodies();
    properties_init(vm);
    perf_init(vm);
}
