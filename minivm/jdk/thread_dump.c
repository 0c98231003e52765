/* SPDX-License-Identifier: MIT */
/* minivm/jdk/thread_dump.c -- the thread dump: what SIGQUIT, jstack and jcmd
 * Thread.print show of every thread.
 *
 * The text is HotSpot's, as far as this VM has the thing, since tools parse it: a line
 * per thread with its state, a line per frame, under a frame the object that the thread
 * waits for or whose monitor the frame has entered, and the deadlocks at the end.  A
 * virtual thread is shown with its carrier while it is mounted; the others are in the
 * dumps that the class library writes (thread_snapshot.c).  The
 * world is stopped while the text is made, so that states and owners fit together; it
 * is written out later. */

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "jdk/jvm.h"
#include "jdk/properties.h"
#include "jdk/thread_dump.h"
#include "linking/module.h"
#include "runtime/backtrace.h"
#include "threads/continuation.h"
#include "threads/safepoint.h"
#include "threads/virtual_thread.h"

/* Prints a line about an object under a frame. */
static void
print_object(struct buf *out, const char *what, const struct object *o)
{
    const struct class *c = object_class(o);
    bool is_class = c->layout.kind == LAYOUT_MIRROR;
    TEXTS(t);

    buf_printf(out, "\t- %s <0x%016" PRIxPTR "> (a %s%s%s)\n", what, (uintptr_t)o,
               own(&t, class_external_name(c)), is_class ? " for " : "",
               is_class ? own(&t, class_external_name(class_of_mirror(o))) : "");
}

/*
 * The words for what a thread does, by enum thread_wait: what the system would say,
 * what Java says, and what its newest frame does with an object.
 */
static const struct {
    const char *os, *java, *frame;
} states[] = {
    [WAIT_NONE] = { "runnable", "RUNNABLE", NULL },
    [WAIT_MONITOR_ENTER] = { "waiting for monitor entry", "BLOCKED (on object monitor)",
                             "waiting to lock" },
    [WAIT_OBJECT] = { "in Object.wait()", "WAITING (on object monitor)", "waiting on" },
    [WAIT_OBJECT_TIMED] = { "in Object.wait()", "TIMED_WAITING (on object monitor)",
                            "waiting on" },
    [WAIT_PARK] = { "waiting on condition", "WAITING (parking)",
                    "parking to wait for " },
    [WAIT_PARK_TIMED] = { "waiting on condition", "TIMED_WAITING (parking)",
                          "parking to wait for " },
    [WAIT_SLEEP] = { "waiting on condition", "TIMED_WAITING (sleeping)", NULL },
    [WAIT_RAW_MONITOR] = { "waiting on condition", "RUNNABLE", NULL },
    [WAIT_CLASS_INIT] = { "waiting on condition", "RUNNABLE", NULL }
};

/*
 * Prints frames, newest first.  The lock stack is in the order of the frames, so it is
 * followed from its newest end while the frames are; monitors that JNI has entered (no
 * frame) are passed by.  If t is not NULL they are what t runs, and what it waits for is
 * printed, too.  The world is stopped.
 */
static void
print_frames(struct buf *out, const struct frame *top, struct lock_stack own,
             const struct thread *t)
{
    uint32_t left = own.count;
    struct object *owner, *awaited = t ? thread_blocker(t->vm, t, &owner) : NULL;

    for (const struct frame *f = top; f; f = frame_older(f)) {
        version_print(out, f->version, frame_bci(f));
        if (f == top && awaited)
            print_object(out, states[atomic_load(&t->wait)].frame, awaited);
        for (; left > 0; left--) {
            const struct held_lock *held = &own.locks[left - 1];
            if (held->frame && held->frame != f)
                break;
            if (held->frame)
                print_object(out, "locked", held->object);
        }
    }
}

/* Prints the stack of t, whether it is a platform thread's or that of the virtual thread
   which t runs. */
static void
print_stack(struct buf *out, const struct thread *t)
{
    struct lock_stack locks = { .locks = t->locks, .count = t->lock_count };

    print_frames(out, thread_top_frame(t), locks, t);
}

/* Prints the stack of t, a carrier, and that of the virtual thread c that it runs. */
static void
print_stacks_of_carrier(struct buf *out, const struct thread *t,
                        const struct continuation *c)
{
    int64_t id = LONG_FIELD(t->vm, c->thread_object, Thread_tid);

    buf_printf(out, "   Carrying virtual thread #%" PRId64 "\n", id);
    print_frames(out, thread_own_top(t), thread_own_locks(t), NULL);
    buf_printf(out, "   Mounted virtual thread #%" PRId64 "\n", id);
    print_stack(out, t);
}

/* Returns the thread's name; mem_free. */
static char *
name_of(const struct thread *t)
{
    const struct object *name = REF_FIELD(t->vm, t->object, Thread_name);

    return name ? string_to_utf8(name) : mem_strdup("<no name>");
}

/* Tools of these releases expect the native id in brackets, and in decimal. */
static const struct releases with_native_ids = { 19, 0 };

/*
 * Prints the lines of one thread.  now is os_nanos, for the time since the thread has
 * started.  A thread without a native id has not begun to run, so there is no processor
 * time to ask for.
 */
static void
print_thread(struct buf *out, const struct thread *t, int64_t now)
{
    int64_t cpu = t->native_id ? os_thread_cpu_nanos_of(t->pthread) : -1;
    uint32_t wait = atomic_load(&t->wait);
    const struct continuation *carried = thread_carried(t);
    const struct object *fields = thread_fields(t->vm, t->object);
    bool shows_ids = release_is_in(t->vm->profile->feature, with_native_ids);
    TEXTS(texts);

    buf_printf(out, "\"%s\" #%" PRId64 " ", own(&texts, name_of(t)),
               LONG_FIELD(t->vm, t->object, Thread_tid));
    if (shows_ids)
        buf_printf(out, "[%d] ", (int)t->native_id);
    buf_printf(out, "%sprio=%d os_prio=0 ", t->is_daemon ? "daemon " : "",
               fields ? INT_FIELD(t->vm, fields, Thread_priority) : 0);
    if (cpu >= 0)
        buf_printf(out, "cpu=%.2fms ", (double)cpu / 1e6);
    buf_printf(out, "elapsed=%.2fs tid=0x%016" PRIxPTR,
               (double)(now - (int64_t)t->start_nanos) / 1e9, (uintptr_t)t);
    if (carried) {
        buf_printf(out, "  [0x%016" PRIxPTR "]\n", (uintptr_t)t->top);
        print_stacks_of_carrier(out, t, carried);
    } else {
        buf_printf(out, shows_ids ? " nid=%u" : " nid=0x%x", (unsigned)t->native_id);
        buf_printf(out, " %s  [0x%016" PRIxPTR "]\n   java.lang.Thread.State: %s\n",
                   states[wait].os, (uintptr_t)t->top, states[wait].java);
        print_stack(out, t);
    }
    buf_append_string(out, "\n");
}

/* Prints the date and the VM's name. */
static void
print_title(struct buf *out, const struct vm *vm)
{
    const struct vm_options *o = &vm->options;
    time_t now = time(NULL);
    char date[32] = "";
    struct tm tm;

    if (localtime_r(&now, &tm))
        strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &tm);
    buf_printf(out, "%s\nFull thread dump %s (%s %s):\n\n", date,
               property_value(o, "java.vm.name"), property_value(o, "java.vm.version"),
               property_value(o, "java.vm.info"));
}

/* Prints the list of the addresses of all threads, which tools skip. */
static void
print_addresses(struct buf *out, struct vm *vm)
{
    unsigned count = 0, column = 0;

    FOR_EACH_THREAD(vm, t)
        count += t->object != NULL;
    buf_printf(out,
               "Threads class SMR info:\n_java_thread_list=0x%016" PRIxPTR
               ", length=%u, elements={\n",
               (uintptr_t)TAILQ_FIRST(&vm->threads), count);
    FOR_EACH_THREAD(vm, t)
        if (t->object)
            buf_printf(out, "0x%016" PRIxPTR "%s", (uintptr_t)t,
                       --count == 0        ? "\n"
                       : ++column % 4 == 0 ? ",\n"
                                           : ", ");
    buf_append_string(out, "}\n\n");
}

/*
 * Prints the heap's figures, in KB, and its range of addresses, then those of metadata.
 */
void
heap_print(const struct vm *vm, struct buf *out)
{
    struct heap_usage usage = heap_get_usage(vm->heap);
    const char *base;
    size_t size;

    heap_range(vm->heap, &base, &size);
    buf_printf(out,
               " mark-sweep heap   total %zuK, used %zuK, maximum %zuK "
               "[0x%016" PRIxPTR ", 0x%016" PRIxPTR ")\n",
               usage.committed >> 10, usage.used >> 10, usage.maximum >> 10,
               (uintptr_t)base, (uintptr_t)base + size);
    management_print_metaspace(out);
}

/*
 * Prints the ownable synchronizers of t: of the pairs that synchronizers_find has made
 * handles for, from first on.  first is self's handle_count before synchronizers_find.
 */
static void
print_synchronizers(struct buf *out, const struct thread *self, size_t first,
                    const struct thread *t)
{
    bool any = false;
    TEXTS(texts);

    buf_append_string(out, "   Locked ownable synchronizers:\n");
    for (size_t i = first; i < self->handle_count; i += 2) {
        const struct object *o = self->handles[i];
        if (self->handles[i + 1] != t->object)
            continue;
        buf_printf(out, "\t- <0x%016" PRIxPTR "> (a %s)\n", (uintptr_t)o,
                   own(&texts, class_external_name(object_class(o))));
        any = true;
    }
    buf_append_string(out, any ? "\n" : "\t- None\n\n");
}

/* ---- deadlocks ---- */

/*
 * Prints what a thread of a cycle waits for, and who has it.  t is in a deadlock, so it
 * waits for something that has an owner.
 */
static void
print_waiter(struct buf *out, struct vm *vm, const struct thread *t)
{
    struct object *owner, *o = thread_blocker(vm, t, &owner);
    TEXTS(texts);
    const char *class_name = own(&texts, class_external_name(object_class(o)));

    buf_printf(out, "\"%s\":\n", own(&texts, name_of(t)));
    if (atomic_load(&t->wait) == WAIT_MONITOR_ENTER)
        buf_printf(out,
                   "  waiting to lock monitor 0x%016" PRIxPTR " (object 0x%016" PRIxPTR
                   ", a %s),\n",
                   (uintptr_t)o, (uintptr_t)o, class_name);
    else
        buf_printf(out,
                   "  waiting for ownable synchronizer 0x%016" PRIxPTR ", (a %s),\n",
                   (uintptr_t)o, class_name);
    buf_printf(out, "  which is held by \"%s\"\n\n",
               own(&texts, name_of(thread_waits_for(vm, t, ALL_LOCKS))));
}

/*
 * Prints the deadlock that first is in, and returns true; false if there is none, or if
 * an older thread is in it, in whose turn it is printed.
 */
static bool
print_deadlock(struct buf *out, struct vm *vm, struct thread *first)
{
    struct thread *t = first;

    if (!thread_is_deadlocked(vm, first, ALL_LOCKS))
        return false;
    while ((t = thread_waits_for(vm, t, ALL_LOCKS)) != first)
        if (t->serial < first->serial)
            return false;
    buf_append_string(out, "\nFound one Java-level deadlock:\n"
                           "=============================\n");
    do
        print_waiter(out, vm, t);
    while ((t = thread_waits_for(vm, t, ALL_LOCKS)) != first);
    buf_append_string(out, "Java stack information for the threads listed above:\n"
                           "===================================================\n");
    do {
        TEXTS(texts);
        buf_printf(out, "\"%s\":\n", own(&texts, name_of(t)));
        print_stack(out, t);
    } while ((t = thread_waits_for(vm, t, ALL_LOCKS)) != first);
    return true;
}

/*
 * Prints each deadlock once, and their number; nothing if there is none.  The world is
 * stopped.
 */
static void
print_deadlocks(struct buf *out, struct vm *vm)
{
    unsigned count = 0;

    FOR_EACH_THREAD(vm, t)
        count += thread_is_visible(t) && print_deadlock(out, vm, t);
    if (count)
        buf_printf(out, "\nFound %u deadlock%s.\n\n", count, count == 1 ? "" : "s");
}

/*
 * Prints all Java threads, their stacks and the deadlocks among them; parts is a set of
 * DUMP_ bits for what else to print.  The world is stopped while the text is made.
 */
void
thread_dump(struct thread *self, struct buf *out, unsigned parts)
{
    struct vm *vm = self->vm;
    size_t mark = self->handle_count;
    HANDLE_SCOPE(self);

    print_title(out, vm);
    world_stop(self, "thread dump");
    if (parts & DUMP_SYNCHRONIZERS)
        synchronizers_find(self);
    print_addresses(out, vm);
    FOR_EACH_THREAD(vm, t) {
        if (!thread_is_visible(t))
            continue;
        print_thread(out, t, os_nanos());
        if (parts & DUMP_SYNCHRONIZERS)
            print_synchronizers(out, self, mark, t);
    }
    print_deadlocks(out, vm);
    if (parts & DUMP_HEAP) {
        buf_append_string(out, "Heap\n");
        heap_print(vm, out);
        buf_append_string(out, "\n");
    }
    world_resume(self);
}

/*
 * Prints the dump of SIGQUIT to standard output, which is written after the world goes
 * on.
 */
void
thread_dump_print(struct thread *self)
{
    struct buf out = { 0 };

    thread_dump(self, &out,
                DUMP_HEAP | (self->vm->options.locks_at_quit ? DUMP_SYNCHRONIZERS : 0));
    fputs(buf_string(&out), stdout);
    fflush(stdout);
    buf_release(&out);
}
