/* SPDX-License-Identifier: MIT */
/* minivm/jdk/natives.c -- small sets of natives that no library of the JDK has, or
 * that are too hot for a call through JNI. */

#include "base/os.h"
#include "jdk/jdk.h"
#include "jdk/jvm.h"
#include "jdk/properties.h"
#include "vm/fault.h"
#include "vm/monitor.h"
#include "vm/safepoint.h"

/* ---- java.lang.Object ---- */

NATIVE(object_wait)
{
    return monitor_wait(self, args[0].ref, args[1].j);
}

NATIVE(object_notify)
{
    return monitor_notify(self, args[0].ref);
}

NATIVE(object_notify_all)
{
    return monitor_notify_all(self, args[0].ref);
}

static const struct intrinsic object_rows[] = {
    { "wait", "(J)V", object_wait },
    { "notify", "()V", object_notify },
    { "notifyAll", "()V", object_notify_all },
    { NULL, NULL, NULL }
};

/* ---- java.lang.Throwable, jdk.internal.reflect.Reflection ---- */

NATIVE(throwable_fill_in)
{
    exception_fill_in(self, args[0].ref);
    return true;
}

static const struct intrinsic throwable_rows[] = {
    { "fillInStackTrace", "(I)Ljava/lang/Throwable;", throwable_fill_in },
    { NULL, NULL, NULL }
};

NATIVE(reflection_caller_class)
{
    struct class *c = caller_class(self);

    args[0].ref = c ? c->layout.mirror : NULL;
    return !exception_pending(self);
}

NATIVE_VALUE(reflection_access_flags, i,
             class_access_flags(class_of_mirror(args[0].ref)))

static const struct intrinsic reflection_rows[] = {
    { "getCallerClass", "()Ljava/lang/Class;", reflection_caller_class },
    { "getClassAccessFlags", "(Ljava/lang/Class;)I", reflection_access_flags },
    { NULL, NULL, NULL }
};

/* ---- java.lang.Class ---- */

NATIVE_VALUE(is_hidden, i,
             (class_of_mirror(args[0].ref)->flags & CLASS_IS_HIDDEN) != 0)

static const struct intrinsic class_rows[] = {
    { "isHidden", "()Z", is_hidden },
    { NULL, NULL, NULL }
};

/* ---- java.lang.System ---- */

NATIVE_VALUE(nano_time, j, os_nanos())
NATIVE_VALUE(current_time_millis, j, os_wall_nanos() / 1000000)

static const struct intrinsic system_rows[] = {
    { "nanoTime", "()J", nano_time },
    { "currentTimeMillis", "()J", current_time_millis },
    { NULL, NULL, NULL }
};

/* ---- jdk.internal.misc.ScopedMemoryAccess ---- */

/* closeScope0(Scope, Error): false while a thread is inside of an access to the scope. */
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
        if (!(f->code->method->flags & METHOD_SCOPED) || method_is_native(f->code->method))
            continue;
        for (uint32_t i = 0; i < f->code->method->arg_slots; i++)
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

static const struct intrinsic scoped_rows[] = {
    { "registerNatives", "()V", native_nothing },
    { "closeScope0",
      "(Ljdk/internal/misc/ScopedMemoryAccess$Scope;"
      "Ljdk/internal/misc/ScopedMemoryAccess$Scope$ScopedAccessError;)Z", close_scope },
    { NULL, NULL, NULL }
};

/* ---- jdk.internal.vm.vector.VectorSupport ---- */

/* No vector instructions are used. */
NATIVE_VALUE(max_lane_count, i, -1)
NATIVE_VALUE(register_vector, i, 0)

static const struct intrinsic vector_rows[] = {
    { "registerNatives", "()I", register_vector },
    { "getMaxLaneCount", "(Ljava/lang/Class;)I", max_lane_count },
    { NULL, NULL, NULL }
};

/* ---- all of them, and the floor's start ---- */

void
jdk_init(struct vm *vm)
{
    static const struct {
        const char *class_name;
        const struct intrinsic *rows;
    } tables[] = {
        { "java/lang/Object", object_rows },
        { "java/lang/Throwable", throwable_rows },
        { "java/lang/Class", class_rows },
        { "java/lang/System", system_rows },
        { "java/lang/invoke/MethodHandleNatives", handle_natives },
        { "java/lang/ref/Reference", reference_natives },
        { "java/lang/ref/PhantomReference", phantom_natives },
        { "jdk/internal/misc/ScopedMemoryAccess", scoped_rows },
        { "jdk/internal/misc/Unsafe", unsafe_natives },
        { "jdk/internal/perf/Perf", perf_natives },
        { "jdk/internal/reflect/Reflection", reflection_rows },
        { "jdk/internal/vm/vector/VectorSupport", vector_rows }
    };

    fault_init();
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        intrinsics_register(tables[i].class_name, tables[i].rows);
    properties_init(vm);
    perf_init(vm);
}
