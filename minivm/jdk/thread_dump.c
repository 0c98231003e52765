/* SPDX-License-Identifier: MIT */
/* minivm/jdk/thread_dump.c -- what SIGQUIT and Thread.print show of every thread. */

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/os.h"
#include "jdk/signals.h"
#include "vm/module.h"
#include "vm/monitor.h"
#include "vm/safepoint.h"
#include "vm/string.h"

static void
print_object(struct buf *out, const char *what, const struct object *o)
{
    const struct class *c = object_class(o);
    char *name = class_external_name(c), *of = NULL;

    if (c->layout.kind == LAYOUT_MIRROR)
        of = class_external_name(class_of_mirror(o));
    buf_printf(out, "\t- %s <0x%016" PRIxPTR "> (a %s%s%s)\n", what, (uintptr_t)o, name,
               of ? " for " : "", of ? of : "");
    mem_free(name);
    mem_free(of);
}

static const char *
os_state(const struct thread *t)
{
    switch (atomic_load(&t->wait)) {
    case WAIT_MONITOR_ENTER:
        return "waiting for monitor entry";
    case WAIT_OBJECT:
    case WAIT_OBJECT_TIMED:
        return "in Object.wait()";
    case WAIT_PARK:
    case WAIT_PARK_TIMED:
    case WAIT_SLEEP:
    case WAIT_RAW_MONITOR:
    case WAIT_CLASS_INIT:
        return "waiting on condition";
    default:
        return "runnable";
    }
}

static const char *
java_state(const struct thread *t)
{
    switch (atomic_load(&t->wait)) {
    case WAIT_MONITOR_ENTER:
        return "BLOCKED (on object monitor)";
    case WAIT_OBJECT:
        return "WAITING (on object monitor)";
    case WAIT_OBJECT_TIMED:
        return "TIMED_WAITING (on object monitor)";
    case WAIT_PARK:
        return "WAITING (parking)";
    case WAIT_PARK_TIMED:
        return "TIMED_WAITING (parking)";
    case WAIT_SLEEP:
        return "TIMED_WAITING (sleeping)";
    default:
        return "RUNNABLE";
    }
}

/* "java.base@17.0.1/" of a named module. */
static void
print_module(struct buf *out, const struct module *m)
{
    if (!m || !m->name)
        return;
    buf_append_string(out, m->name->bytes);
    if (m->version)
        buf_printf(out, "@%s", m->version->bytes);
    buf_append_string(out, "/");
}

static void
print_frame(struct buf *out, const struct frame *f)
{
    const struct method *m = f->code->method;
    char *class_name = class_external_name(m->class);
    int32_t line = frame_line(f);

    buf_printf(out, "\tat %s.%s(", class_name, m->name->bytes);
    print_module(out, m->class->module);
    if (method_is_native(m))
        buf_append_string(out, "Native Method");
    else if (!m->class->source_file)
        buf_append_string(out, "Unknown Source");
    else if (line < 0)
        buf_append_string(out, m->class->source_file->bytes);
    else
        buf_printf(out, "%s:%d", m->class->source_file->bytes, line);
    buf_append_string(out, ")\n");
    mem_free(class_name);
}

/* What the newest frame waits for. */
static void
print_waiting(struct buf *out, const struct thread *t)
{
    const struct object *o = monitor_contended(t);
    uint32_t wait = atomic_load(&t->wait);

    if (o) {
        print_object(out,
                     wait == WAIT_MONITOR_ENTER ? "waiting to lock" : "waiting on", o);
    } else if (wait == WAIT_PARK || wait == WAIT_PARK_TIMED) {
        o = OBJECT_FIELD(struct object *, t->object, KF(t->vm, Thread_parkBlocker));
        if (o)
            print_object(out, "parking to wait for ", o);
    }
}

static void
print_stack(struct buf *out, const struct thread *t)
{
    const struct frame *top = thread_top_frame(t);
    uint32_t left = t->lock_count;

    for (const struct frame *f = top; f; f = frame_older(f)) {
        print_frame(out, f);
        if (f == top)
            print_waiting(out, t);
        for (; left > 0; left--) {
            const struct held_lock *held = &t->locks[left - 1];
            if (held->frame && held->frame != f)
                break;
            if (held->frame)
                print_object(out, "locked", held->object);
        }
    }
}

/* mem_free. */
static char *
name_of(const struct thread *t)
{
    const struct object *name =
        OBJECT_FIELD(struct object *, t->object, KF(t->vm, Thread_name));

    return name ? string_to_utf8(name) : mem_strdup("<no name>");
}

static void
print_thread(struct buf *out, const struct thread *t, int64_t now)
{
    const struct vm *vm = t->vm;
    char *name = name_of(t);
    int64_t cpu = t->native_id ? os_thread_cpu_nanos_of(t->pthread) : -1;

    buf_printf(out, "\"%s\" #%" PRId64 " %sprio=%d os_prio=0 ", name,
               OBJECT_FIELD(int64_t, t->object, KF(vm, Thread_tid)),
               t->is_daemon ? "daemon " : "",
               OBJECT_FIELD(int32_t, t->object, KF(vm, Thread_priority)));
    if (cpu >= 0)
        buf_printf(out, "cpu=%.2fms ", (double)cpu / 1e6);
    buf_printf(out, "elapsed=%.2fs tid=0x%016" PRIxPTR " nid=0x%x %s  [0x%016" PRIxPTR
                    "]\n   java.lang.Thread.State: %s\n",
               (double)(now - (int64_t)t->start_nanos) / 1e9, (uintptr_t)t,
               (unsigned)t->native_id, os_state(t), (uintptr_t)t->top, java_state(t));
    print_stack(out, t);
    buf_append_string(out, "\n");
    mem_free(name);
}

static const char *
property(const struct vm *vm, const char *key)
{
    for (const struct system_property *p = vm->options.properties; p; p = p->next)
        if (!strcmp(p->key, key))
            return p->value;
    return "";
}

static void
print_title(struct buf *out, const struct vm *vm)
{
    time_t now = time(NULL);
    char date[32] = "";
    struct tm tm;

    if (localtime_r(&now, &tm))
        strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &tm);
    buf_printf(out, "%s\nFull thread dump %s (%s %s):\n\n", date,
               property(vm, "java.vm.name"), property(vm, "java.vm.version"),
               property(vm, "java.vm.info"));
}

static void
print_addresses(struct buf *out, struct vm *vm)
{
    unsigned count = 0, column = 0;

    FOR_EACH_THREAD(vm, t)
        count += t->object != NULL;
    buf_printf(out, "Threads class SMR info:\n_java_thread_list=0x%016" PRIxPTR
                    ", length=%u, elements={\n",
               (uintptr_t)vm->threads, count);
    FOR_EACH_THREAD(vm, t)
        if (t->object)
            buf_printf(out, "0x%016" PRIxPTR "%s", (uintptr_t)t,
                       --count == 0         ? "\n"
                       : ++column % 4 == 0 ? ",\n"
                                           : ", ");
    buf_append_string(out, "}\n\n");
}

static void
print_heap(struct buf *out, struct vm *vm)
{
    struct heap_usage usage;

    heap_get_usage(vm->heap, &usage);
    buf_printf(out, "Heap\n mark-sweep heap   total %zuK, used %zuK, maximum %zuK\n\n",
               usage.committed >> 10, usage.used >> 10, usage.maximum >> 10);
}

/* ---- java.util.concurrent's locks ---- */

struct synchronizers {
    const struct vm *vm;
    struct object **list;          /* those that have an owner */
    size_t count;
};

static bool
note_synchronizer(void *context, struct object *o)
{
    struct synchronizers *s = context;

    if (exclusive_owner(s->vm, o)) {
        s->list = mem_realloc(s->list, (s->count + 1) * sizeof *s->list);
        s->list[s->count++] = o;
    }
    return true;
}

static void
print_synchronizers(struct buf *out, const struct synchronizers *s,
                    const struct thread *t)
{
    bool any = false;

    buf_append_string(out, "   Locked ownable synchronizers:\n");
    for (size_t i = 0; i < s->count; i++) {
        char *name;
        if (exclusive_owner(s->vm, s->list[i]) != t->object)
            continue;
        name = class_external_name(object_class(s->list[i]));
        buf_printf(out, "\t- <0x%016" PRIxPTR "> (a %s)\n", (uintptr_t)s->list[i],
                   name);
        mem_free(name);
        any = true;
    }
    buf_append_string(out, any ? "\n" : "\t- None\n\n");
}

/* ---- deadlocks ---- */

/* What the thread of a cycle waits for, and who has it. */
static void
print_waiter(struct buf *out, struct vm *vm, const struct thread *t)
{
    const struct object *o = monitor_contended(t);
    bool is_monitor = o != NULL;
    char *name, *thread_name = name_of(t);

    if (!o)
        o = OBJECT_FIELD(struct object *, t->object, KF(vm, Thread_parkBlocker));
    name = class_external_name(object_class(o));
    buf_printf(out, "\"%s\":\n", thread_name);
    if (is_monitor)
        buf_printf(out, "  waiting to lock monitor 0x%016" PRIxPTR
                        " (object 0x%016" PRIxPTR ", a %s),\n",
                   (uintptr_t)o, (uintptr_t)o, name);
    else
        buf_printf(out, "  waiting for ownable synchronizer 0x%016" PRIxPTR
                        ", (a %s),\n", (uintptr_t)o, name);
    mem_free(name);
    mem_free(thread_name);
    thread_name = name_of(thread_waits_for(vm, t, false));
    buf_printf(out, "  which is held by \"%s\"\n\n", thread_name);
    mem_free(thread_name);
}

/* The cycle that begins with first; each of it once, in its oldest thread's turn. */
static bool
print_deadlock(struct buf *out, struct vm *vm, struct thread *first)
{
    struct thread *t = first;

    if (!thread_is_deadlocked(vm, first, false))
        return false;
    while ((t = thread_waits_for(vm, t, false)) != first)
        if (t->serial < first->serial)
            return false;
    buf_append_string(out, "\nFound one Java-level deadlock:\n"
                           "=============================\n");
    do
        print_waiter(out, vm, t);
    while ((t = thread_waits_for(vm, t, false)) != first);
    buf_append_string(out, "Java stack information for the threads listed above:\n"
                           "===================================================\n");
    do {
        char *name = name_of(t);
        buf_printf(out, "\"%s\":\n", name);
        mem_free(name);
        print_stack(out, t);
    } while ((t = thread_waits_for(vm, t, false)) != first);
    return true;
}

static void
print_deadlocks(struct buf *out, struct vm *vm)
{
    unsigned count = 0;

    FOR_EACH_THREAD(vm, t)
        count += t->object && !t->is_hidden && print_deadlock(out, vm, t);
    if (count)
        buf_printf(out, "\nFound %u deadlock%s.\n\n", count, count == 1 ? "" : "s");
}

void
thread_dump(struct thread *self, struct buf *out, unsigned with)
{
    struct vm *vm = self->vm;
    struct synchronizers s = { vm, NULL, 0 };

    print_title(out, vm);
    world_stop(self, "thread dump");
    if (with & DUMP_SYNCHRONIZERS)
        heap_iterate(vm->heap, note_synchronizer, &s);
    print_addresses(out, vm);
    FOR_EACH_THREAD(vm, t) {
        if (!t->object || t->is_hidden)
            continue;
        print_thread(out, t, os_nanos());
        if (with & DUMP_SYNCHRONIZERS)
            print_synchronizers(out, &s, t);
    }
    print_deadlocks(out, vm);
    if (with & DUMP_HEAP)
        print_heap(out, vm);
    world_resume(self);
    mem_free(s.list);
}
