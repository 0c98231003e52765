/* SPDX-License-Identifier: MIT */
/* minivm/vm/thread.h -- a thread of the VM and its states.
 *
 * A thread is IN_VM while it runs Java or touches the heap, IN_NATIVE in foreign
 * code, BLOCKED while it waits.  Only an IN_VM thread must be waited for when the
 * world stops; the others cannot come back to IN_VM until it goes on.  The rules:
 * - a function that takes `self` may stop (and the world may collect); one that
 *   does not, cannot;
 * - references in C locals across such a call must be kept: SCOPE(self) and keep().
 *   Objects do not move, so the raw pointer stays good as long as it is kept;
 * - a plain mutex (struct mutex) is held for short work that never stops; what
 *   may wait long uses thread_block_begin/end around the wait. */

#ifndef MINIVM_VM_THREAD_H
#define MINIVM_VM_THREAD_H

#include <pthread.h>
#include <stdarg.h>

#include "heap/heap.h"
#include "vm/class.h"
#include "vm/frame.h"

struct vm;
struct monitor;
struct JNINativeInterface_;

enum thread_run_state { THREAD_IN_NATIVE, THREAD_IN_VM, THREAD_BLOCKED };

/* Bits of thread.attention: something to do at the next safepoint. */
enum thread_attention {
    ATTENTION_STOP = 1,            /* the world stops, or a handshake waits */
    ATTENTION_SUSPEND = 2,
    ATTENTION_ASYNC = 4            /* an exception to throw: Thread.stop, JVM TI */
};

/* Bits of thread.hooks: what calls and returns must report or do. */
enum thread_hook {
    HOOK_METHOD_ENTRY = 1,
    HOOK_METHOD_EXIT = 2,
    HOOK_FRAME_POP = 4,
    HOOK_SINGLE_STEP = 8,
    HOOK_POP_FRAME = 16,           /* PopFrame or ForceEarlyReturn is pending */
    HOOK_PLAIN = 32                /* run the plain form */
};

/* Where a thread waits and why: the base of Thread.getState and GetThreadState. */
enum thread_wait {
    WAIT_NONE, WAIT_MONITOR_ENTER, WAIT_OBJECT, WAIT_OBJECT_TIMED, WAIT_PARK,
    WAIT_PARK_TIMED, WAIT_SLEEP, WAIT_RAW_MONITOR, WAIT_CLASS_INIT
};

/* A lock that the thread holds; frame NULL: entered by JNI. */
struct held_lock {
    struct object *object;
    struct frame *frame;
};

/* Attention and hooks, read as one word by returns. */
union thread_poll {
    struct {
        _Atomic uint32_t attention; /* enum thread_attention */
        _Atomic uint32_t hooks;     /* enum thread_hook; own thread or handshake */
    };
    _Atomic uint64_t both;
};

struct thread {
    /* ---- read by the interpreter's loop ---- */
    union slot *_Atomic limit;     /* end of the Java stack for calls; NULL while
                                      calls must take the slow path */
    union thread_poll poll;
    struct frame *top;             /* newest frame; its pc is exact where the
                                      thread may be looked at */
    struct object *exception;      /* pending, or NULL */
    struct heap_cache cache;
    struct held_lock *locks;       /* lock stack: newest last */
    uint32_t lock_count, lock_capacity;
    uint32_t lock_id;              /* in thin lock words: 1 .. 2^22 - 1 */

    /* ---- identity ---- */
    const void *jni;               /* JNIEnv *: &t->jni is the JNIEnv of t */
    struct vm *vm;
    struct object *object;         /* java.lang.Thread; NULL early and at the end */
    struct thread *next, *prev;    /* vm->threads */
    pthread_t pthread;
    int native_id;                 /* kernel's */
    uint32_t serial;
    bool is_daemon, is_attached_by_jni, is_hidden, is_agent_thread, is_exiting;

    /* ---- state ---- */
    _Atomic uint32_t run_state;    /* enum thread_run_state */
    _Atomic uint32_t wait;         /* enum thread_wait */
    struct object *wait_object;    /* monitor or park blocker, by wait */
    bool wait_interruptible;
    _Atomic bool interrupted;      /* mirrors Thread.interrupted for waits */
    pthread_mutex_t lock;          /* of the fields that others write */
    pthread_cond_t cond;           /* wakes this thread, whatever it waits for */
    bool unparked;                 /* the permit */
    struct handshake *handshakes;  /* queue, guarded by lock */
    uint32_t suspend_count;        /* 0 or 1 for JVM TI */
    bool throwing_out_of_memory;   /* guards against doing it again meanwhile */
    struct object *async_exception;

    /* ---- stacks ---- */
    union slot *stack, *stack_end; /* Java stack */
    union slot *stack_red;         /* limit with the reserve for handlers */
    char *c_stack_limit;           /* lowest address that upcalls may reach */
    struct object **handles;       /* kept references: [0, handle_count) */
    size_t handle_count, handle_capacity;
    struct jni_frame *jni_frames;  /* JNI local references; jni floor */
    struct java_entry *entries;    /* C calls into Java, newest first; interp */

    /* ---- upper floors ---- */
    struct jvmti_thread *jvmti;    /* per-environment state; jvmti floor */
    void *interp;                  /* interp floor */
    void *jdk;                     /* jdk floor */
    uint64_t start_nanos, cpu_nanos_at_start;
    uint64_t blocked_count, waited_count, blocked_nanos, waited_nanos;
};

/* The calling thread, or NULL when it is not attached. */
extern _Thread_local struct thread *current_thread
    __attribute__((tls_model("initial-exec")));

/* ---- transitions ---- */

/* Native → VM: waits while the world is stopped or this thread is suspended. */
void thread_enter_vm(struct thread *self);
/* VM → native. */
void thread_leave_vm(struct thread *self);
/* VM → blocked, around a wait that touches no heap. */
void thread_block_begin(struct thread *self);
void thread_block_end(struct thread *self);

/* Do what attention asks for: stop, handshakes, suspension.  An async exception
   becomes pending.  The top frame's pc must be exact. */
void thread_poll_slow(struct thread *self);

static inline void
thread_poll(struct thread *self)
{
    if (__builtin_expect(
            __atomic_load_n((uint32_t *)&self->poll.attention, __ATOMIC_RELAXED), 0))
        thread_poll_slow(self);
}

/* ---- references in C code ---- */

struct scope {
    struct thread *self;
    size_t mark;
};

void thread_grow_handles(struct thread *self);

static inline struct scope
scope_open(struct thread *self)
{
    return (struct scope){ self, self->handle_count };
}

static inline void
scope_close(struct scope *s)
{
    s->self->handle_count = s->mark;
}

/* Everything kept from here on is let go when the block ends. */
#define SCOPE(self) \
    struct scope scope_here __attribute__((cleanup(scope_close), unused)) = \
        scope_open(self)

/* Keep o alive until the enclosing SCOPE ends; returns o.  NULL is fine. */
static inline void *
keep(struct thread *self, void *o)
{
    if (__builtin_expect(self->handle_count == self->handle_capacity, 0))
        thread_grow_handles(self);
    self->handles[self->handle_count++] = o;
    return o;
}

/* ---- life ---- */

/* The main thread of the VM, before any object exists. */
struct thread *thread_attach_first(struct vm *vm);
/* Attach the calling thread: makes its java.lang.Thread (name may be NULL, group
   NULL: main's).  NULL when that fails (nothing pending is left). */
struct thread *thread_attach(struct vm *vm, const char *name, struct object *group,
                             bool daemon);
/* End of the calling thread: uncaught exception dispatch, Thread.exit, notifies
   joiners, ThreadEnd event, frees. */
void thread_detach(struct thread *self);
/* Thread.start0: throws IllegalThreadStateException / OutOfMemoryError. */
void thread_start(struct thread *self, struct object *thread_object);
/* A VM-internal Java thread that runs fn (signal dispatcher, attach listener,
   agent threads).  Daemon.  thread_object may be given (RunAgentThread). */
bool thread_start_internal(struct thread *self, struct object *thread_object,
                           const char *name, void (*fn)(struct thread *self, void *arg),
                           void *arg, int priority);

/* The struct thread of a java.lang.Thread (eetop), or NULL when not started or
   ended.  Safe only while the caller holds the thread list (threads_lock) or in a
   handshake; use thread_pin. */
struct thread *thread_of_object(const struct object *thread_object);
/* Keep a live thread's struct valid until unpin; NULL when it has none. */
struct thread *thread_pin(struct vm *vm, const struct object *thread_object);
void thread_unpin(struct thread *t);
/* Iterate over all attached threads under the list's lock (no stopping inside). */
void threads_lock(struct vm *vm);
void threads_unlock(struct vm *vm);
#define FOR_EACH_THREAD(vm, t) \
    for (struct thread *t = (vm)->threads; t; t = t->next)

/* Thread.getState's number and the JVM TI flags are both made from this. */
uint32_t thread_jvmti_state(const struct thread *t);

/* ---- waiting (see park.c) ---- */
void thread_park(struct thread *self, bool absolute, int64_t time);
void thread_unpark(struct thread *t);
/* Thread.sleep: false with InterruptedException pending. */
bool thread_sleep(struct thread *self, int64_t nanos);
void thread_interrupt(struct thread *t);
void thread_yield(struct thread *self);
void thread_set_priority(struct thread *t, int priority);

/* ---- suspension (JVM TI, Thread.suspend) ---- */
/* On return t runs no more bytecode.  False when it was suspended already. */
bool thread_suspend(struct thread *self, struct thread *t);
bool thread_resume(struct thread *self, struct thread *t);
static inline bool
thread_is_suspended(const struct thread *t)
{
    return t->suspend_count != 0;
}

/* ---- hooks ---- */
/* Set or clear bits of t's hooks and adjust its limit; t is self, stopped or in
   a handshake. */
void thread_set_hooks(struct thread *t, uint32_t set, uint32_t clear);

#endif
