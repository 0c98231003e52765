/* SPDX-License-Identifier: MIT */
/* minivm/jdk/natives.c -- small sets of natives that no library of the JDK has, or
 * that are too hot for a call through JNI. */

#include "base/os.h"
#include "interp/interp.h"
#include "jdk/jdk.h"
#include "jdk/jvm.h"
#include "jdk/perf.h"
#include "jdk/properties.h"
#include "vm/exception.h"
#include "vm/link.h"
#include "vm/monitor.h"
#include "vm/safepoint.h"

static bool
nothing(struct thread *self, union slot *args)
{
    (void)self;
    (void)args;
    return true;
}

/* ---- java.lang.Object ---- */

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
object_notify_all(struct thread *self, union slot *args)
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

static bool
throwable_fill_in(struct thread *self, union slot *args)
{
    exception_fill_in(self, args[0].ref);
    return true;
}

static const struct intrinsic throwable_rows[] = {
    { "fillInStackTrace", "(I)Ljava/lang/Throwable;", throwable_fill_in },
    { NULL, NULL, NULL }
};

static bool
reflection_caller_class(struct thread *self, union slot *args)
{
    struct class *c = caller_class(self);

    args[0].ref = c ? c->layout.mirror : NULL;
    return !exception_pending(self);
}

static bool
reflection_access_flags(struct thread *self, union slot *args)
{
    const struct class *c = class_of_mirror(args[0].ref);

    (void)self;
    args[0].i = c->primitive ? ACC_ABSTRACT | ACC_FINAL | ACC_PUBLIC
                             : c->access_flags & 0x7fff;
    return true;
}

static const struct intrinsic reflection_rows[] = {
    { "getCallerClass", "()Ljava/lang/Class;", reflection_caller_class },
    { "getClassAccessFlags", "(Ljava/lang/Class;)I", reflection_access_flags },
    { NULL, NULL, NULL }
};

/* ---- java.lang.Class ---- */

static bool
class_is_hidden_(struct thread *self, union slot *args)
{
    (void)self;
    args[0].i = (class_of_mirror(args[0].ref)->flags & CLASS_IS_HIDDEN) != 0;
    return true;
}

static const struct intrinsic class_rows[] = {
    { "isHidden", "()Z", class_is_hidden_ },
    { NULL, NULL, NULL }
};

/* ---- java.lang.System ---- */

static bool
nano_time(struct thread *self, union slot *args)
{
    (void)self;
    args[0].j = os_nanos();
    return true;
}

static bool
current_time_millis(struct thread *self, union slot *args)
{
    (void)self;
    args[0].j = os_wall_nanos() / 1000000;
    return true;
}

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

static bool
close_scope(struct thread *self, union slot *args)
{
    struct scope_search search = { .scope = args[1].ref };

    handshake_all(self, search_scoped_frames, &search);
    args[0].i = !search.found;
    return true;
}

static const struct intrinsic scoped_rows[] = {
    { "registerNatives", "()V", nothing },
    { "closeScope0",
      "(Ljdk/internal/misc/ScopedMemoryAccess$Scope;"
      "Ljdk/internal/misc/ScopedMemoryAccess$Scope$ScopedAccessError;)Z", close_scope },
    { NULL, NULL, NULL }
};

/* ---- jdk.internal.vm.vector.VectorSupport ---- */

/* getMaxLaneCount(Class): no vector instructions are used. */
static bool
max_lane_count(struct thread *self, union slot *args)
{
    (void)self;
    args[0].i = -1;
    return true;
}

static bool
register_vector(struct thread *self, union slot *args)
{
    (void)self;
    args[0].i = 0;
    return true;
}

static const struct intrinsic vector_rows[] = {
    { "registerNatives", "()I", register_vector },
    { "getMaxLaneCount", "(Ljava/lang/Class;)I", max_lane_count },
    { NULL, NULL, NULL }
};

void
jdk_natives_register(void)
{
    intrinsics_register("java/lang/Object", object_rows);
    intrinsics_register("java/lang/Throwable", throwable_rows);
    intrinsics_register("jdk/internal/reflect/Reflection", reflection_rows);
    intrinsics_register("java/lang/Class", class_rows);
    intrinsics_register("java/lang/System", system_rows);
    intrinsics_register("jdk/internal/misc/ScopedMemoryAccess", scoped_rows);
    intrinsics_register("jdk/internal/vm/vector/VectorSupport", vector_rows);
    perf_register();
}

/* ---- the floor's start ---- */

void
jdk_init(struct vm *vm)
{
    properties_init(vm);
    perf_init(vm);
}
