/* SPDX-License-Identifier: MIT */
/* minivm/jdk/thread_snapshot.c -- jdk.internal.vm.ThreadSnapshot: one thread as it was,
 * for Thread.dump_to_file (JDK 25 and later).
 *
 * The thread's state, stack and monitors are recorded in one handshake, so that they fit
 * each other; nothing is allocated in the heap meanwhile, and no virtual thread moves to
 * another carrier or leaves its own.  The Java objects are made afterwards; handles keep
 * what they refer to. */

#include "jdk/jvm.h"
#include "linking/initialize.h"
#include "runtime/backtrace.h"
#include "runtime/call.h"
#include "threads/monitor.h"
#include "threads/virtual_thread.h"

/* ThreadSnapshot.BlockerLockType, by its ordinals: what a thread waits for. */
enum blocker_type { BLOCKER_PARK, BLOCKER_ENTER, BLOCKER_WAIT };

/* OwnedLockType.LOCKED; the other one is of compiled code, which leaves locks out. */
enum { OWNED_LOCKED };

/* A monitor that a frame has entered. */
struct owned_lock {
    struct object *object;
    int32_t depth; /* of the frame among those of the trace, 0 for the newest */
};

/* The argument of record; objects have handles of the requester. */
struct snapshot {
    struct thread *requester; /* which waits for the handshake's end */
    struct object *thread;    /* the java.lang.Thread */
    struct object *carrier;   /* on which the virtual thread is mounted, or NULL */
    struct stack_trace trace;
    struct owned_lock *locks; /* mem_free */
    size_t lock_count;
    uint32_t status;
    enum blocker_type blocker_type;
    struct object *blocker;       /* or NULL */
    struct object *blocker_owner; /* the Thread that owns the synchronizer, or NULL */
};

/* Records the state; t is what thread_ask gives for s->thread.  A carrier has the state
   that Java sees, which is that of the virtual thread that it runs. */
static void
record_status(const struct thread *t, struct snapshot *s)
{
    struct vm *vm = t->vm;

    if (thread_object_is_carried(vm, s->thread))
        s->status = virtual_thread_status(vm, s->thread);
    else
        s->status = thread_status(t->is_picture ? thread_of_object(s->thread) : t);
    if (!t->is_picture && s->thread != t->object)
        s->carrier = handle_new(s->requester, t->object);
}

/* Records what the thread waits for.  A virtual thread that is parked and not mounted has
   no struct thread that would say so. */
static void
record_blocker(const struct thread *t, struct snapshot *s)
{
    switch (atomic_load(&t->wait)) {
    case WAIT_MONITOR_ENTER:
        s->blocker_type = BLOCKER_ENTER;
        s->blocker = monitor_contended(t);
        break;
    case WAIT_OBJECT:
    case WAIT_OBJECT_TIMED:
        s->blocker_type = BLOCKER_WAIT;
        s->blocker = monitor_contended(t);
        break;
    default:
        if (!(s->status & STATUS_PARKED))
            break;
        s->blocker_type = BLOCKER_PARK;
        s->blocker = REF_FIELD(t->vm, s->thread, Thread_parkBlocker);
        s->blocker_owner = exclusive_owner(t->vm, s->blocker);
        break;
    }
    handle_new(s->requester, s->blocker);
    handle_new(s->requester, s->blocker_owner);
}

/* Records the monitors that frames of t have entered and still own, newest first. */
static void
record_locks(const struct thread *t, struct snapshot *s)
{
    int32_t depth = 0;

    s->locks = mem_alloc((t->lock_count + 1) * sizeof *s->locks);
    for (struct frame *f = thread_top_frame(t); f; f = frame_older(f)) {
        if (frame_is_hidden(f))
            continue;
        for (uint32_t i = t->lock_count; i-- > 0;) {
            const struct held_lock *held = &t->locks[i];

            if (held->frame != f || !monitor_owns_entry(t, held))
                continue;
            s->locks[s->lock_count++] = (struct owned_lock){ held->object, depth };
            handle_new(s->requester, held->object);
        }
        depth++;
    }
}

/* The operation of thread_ask: records the thread. */
static void
record(struct thread *t, void *arg)
{
    struct snapshot *s = arg;

    record_status(t, s);
    stack_trace_capture(s->requester, thread_top_frame(t), SIZE_MAX,
                        WITHOUT_HIDDEN_FRAMES, &s->trace);
    record_blocker(t, s);
    record_locks(t, s);
}

/* Returns the locks as a ThreadSnapshot.ThreadLock[]; NULL with an exception pending. */
static struct object *
lock_array(struct thread *self, const struct snapshot *s)
{
    const struct vm *vm = self->vm;
    struct class *c = known_class(self, KNOWN_CLASS_ThreadSnapshot_ThreadLock);
    struct object *array = c && class_initialize(self, c)
                               ? java_new_array(self, c, s->lock_count)
                               : NULL;

    for (size_t i = 0; array && i < s->lock_count; i++) {
        struct object *lock = object_new(self, c);

        if (!java_array_store(array, i, lock))
            return NULL;
        INT_FIELD(vm, lock, ThreadSnapshot_ThreadLock_depth) = s->locks[i].depth;
        INT_FIELD(vm, lock, ThreadSnapshot_ThreadLock_typeOrdinal) = OWNED_LOCKED;
        REF_FIELD(vm, lock, ThreadSnapshot_ThreadLock_obj) = s->locks[i].object;
    }
    return array;
}

/* Returns the trace as StackTraceElement.of completes it, which finds out what module and
   loader need not be shown; NULL with an exception pending. */
static struct object *
complete_elements(struct thread *self, const struct snapshot *s)
{
    struct object *elements = stack_trace_elements(self, &s->trace);
    union slot result;

    if (!elements
        || !java_call_named(
            self, KC(self->vm, StackTraceElement), "of",
            "([Ljava/lang/StackTraceElement;)[Ljava/lang/StackTraceElement;",
            (union slot[]){ { .ref = elements } }, &result))
        return NULL;
    return handle_new(self, result.ref);
}

/* Only later updates of JDK 25 have the field. */
static void
set_blocker_owner(struct object *snapshot, struct object *owner)
{
    struct field *f = class_find_field(object_class(snapshot),
                                       symbol_of("parkBlockerOwner"),
                                       symbol_of("Ljava/lang/Thread;"));

    if (f)
        OBJECT_FIELD(struct object *, snapshot, f->offset) = owner;
}

/* Returns the ThreadSnapshot of s; NULL with an exception pending. */
static struct object *
snapshot_object(struct thread *self, const struct snapshot *s)
{
    const struct vm *vm = self->vm;
    struct object *o = java_new(self, known_class(self, KNOWN_CLASS_ThreadSnapshot));
    struct object *elements = o ? complete_elements(self, s) : NULL;

    if (!elements)
        return NULL;
    REF_FIELD(vm, o, ThreadSnapshot_stackTrace) = elements;
    if (s->lock_count) {
        struct object *locks = lock_array(self, s);
        if (!locks)
            return NULL;
        REF_FIELD(vm, o, ThreadSnapshot_locks) = locks;
    }
    REF_FIELD(vm, o, ThreadSnapshot_name) = REF_FIELD(vm, s->thread, Thread_name);
    REF_FIELD(vm, o, ThreadSnapshot_carrierThread) = s->carrier;
    INT_FIELD(vm, o, ThreadSnapshot_threadStatus) = (int32_t)s->status;
    INT_FIELD(vm, o, ThreadSnapshot_blockerTypeOrdinal) = (int32_t)s->blocker_type;
    REF_FIELD(vm, o, ThreadSnapshot_blockerObject) = s->blocker;
    set_blocker_owner(o, s->blocker_owner);
    return o;
}

/* Records the thread, and returns false if it is not alive. */
static bool
take_snapshot(struct thread *self, struct snapshot *s)
{
    VIRTUAL_THREADS_HELD(self);
    PINNED(live, self, s->thread);

    return thread_ask(self, s->thread, live, record, s);
}

/* ThreadSnapshot.create: null for a thread that is not alive. */
JNIEXPORT jobject JNICALL
JVM_CreateThreadSnapshot(JNIEnv *env, jobject thread)
{
    VM_ENTRY(env);
    struct snapshot s = { .requester = self, .thread = ref_get(thread) };
    struct object *o = take_snapshot(self, &s) ? snapshot_object(self, &s) : NULL;

    mem_free(s.trace.frames);
    mem_free(s.locks);
    return object_ref(self, o);
}
