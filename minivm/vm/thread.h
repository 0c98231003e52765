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
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <sys/queue.h>

#include "heap/heap.h"
#include "vm/class.h"
#include "vm/frame.h"

struct vm;

/* How much larger frames of C are. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { C_FRAMES = 8 };
#else
enum { C_FRAMES = 1 };
#endif

/* A short mutex: held only for work that never stops or waits. */
struct mutex {
    pthread_mutex_t m;
};

/* Who finds it locked spins a little before it sleeps: sleeping and being woken takes
   longer than the work that it is held for. */
static inline void
mutex_init(struct mutex *m)
{
#ifdef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
    m->m = (pthread_mutex_t)PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
#else
    pthread_mutex_init(&m->m, NULL);
#endif
}

/* Answers m. */
static inline struct mutex *
mutex_lock(struct mutex *m)
{
    pthread_mutex_lock(&m->m);
    return m;
}

static inline void
mutex_unlock(struct mutex *m)
{
    pthread_mutex_unlock(&m->m);
}

static inline void
mutex_leave(struct mutex **m)
{
    mutex_unlock(*m);
}

/* m is locked until the block ends. */
#define LOCK(m) \
    struct mutex *mutex_here __attribute__((cleanup(mutex_leave), unused)) = \
        mutex_lock(m)

enum thread_run_state { THREAD_IN_NATIVE, THREAD_IN_VM, THREAD_BLOCKED };

/* Bits of thread.attention: something to do at the next safepoint. */
enum thread_attention {
    ATTENTION_STOP = 1,            /* the world stops */
    ATTENTION_SUSPEND = 2,         /* it is suspended; written with its lock held */
    ATTENTION_ASYNC = 4,           /* an exception to throw: Thread.stop, JVM TI */
    ATTENTION_HANDSHAKE = 8        /* a handshake waits */
};

/* Bits of thread.hooks: what calls and returns must report or do. */
enum thread_hook {
    HOOK_METHOD_ENTRY = 1,
    HOOK_METHOD_EXIT = 2,
    HOOK_FRAME_POP = 4,
    HOOK_SINGLE_STEP = 8,
    HOOK_POP_FRAME = 16            /* PopFrame or ForceEarlyReturn is pending */
};

/* Those that a call has to look at; thread.limit is NULL while one is set. */
#define HOOKS_AT_CALLS \
    (HOOK_METHOD_ENTRY | HOOK_SINGLE_STEP | HOOK_POP_FRAME)

/* Where a thread waits and why: the base of Thread.getState and GetThreadState. */
enum thread_wait {
    WAIT_NONE, WAIT_MONITOR_ENTER, WAIT_OBJECT, WAIT_OBJECT_TIMED, WAIT_PARK,
    WAIT_PARK_TIMED, WAIT_SLEEP, WAIT_RAW_MONITOR, WAIT_CLASS_INIT
};

/*
 * Wakes one thread, whatever it waits for: a binary semaphore.  Who waits loops
 * over its own condition, since the token may be left from an earlier wait.
 */
struct wakeup {
    _Atomic int32_t state;         /* 1: token, 0: none, -1: its thread sleeps */
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

/* A position in a thread's JNI local references; every native call has one. */
struct ref_mark {
    struct ref_chunk *chunk;       /* NULL at first */
    uint32_t count;                /* used slots of it */
    struct ref_mark *pushed;       /* the one before PushLocalFrame; allocated */
    uintptr_t free_slots;          /* link of the newest deleted slot, or 0 */
};

/* A class and the class file that libverify is to see of it. */
struct verified_file {
    const struct class *class;
    const struct classfile *file;
    const struct verified_file *outer;
};

/* A call of an agent's function that is under way, for the report of a crash.  It is on
   the C stack of the caller. */
struct outcall {
    const char *what;              /* "VMInit", "Agent_OnLoad": the event or function */
    void (*function)(void);        /* the agent's */
    struct outcall *older;
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
    TAILQ_ENTRY(thread) link;      /* of vm->threads */
    pthread_t pthread;
    int native_id;                 /* kernel's */
    uint32_t serial;
    uint32_t pins;                 /* guarded by threads_lock */
    bool is_ended;                 /* no longer in vm->threads; guarded by lock */
    void (*run)(struct thread *self, void *arg); /* NULL: Thread.run */
    void *run_arg;
    uint32_t callouts;             /* thread_begin_callout without its end */
    bool is_daemon, is_attached_by_jni, is_hidden, is_agent_thread, is_exiting;

    /* ---- state ---- */
    _Atomic uint32_t run_state;    /* enum thread_run_state */
    _Atomic uint32_t wait;         /* enum thread_wait */
    bool is_fenced;                /* constant: transitions need a full fence */
    struct object *_Atomic wait_object; /* by wait: the monitor; own thread writes */
    _Atomic bool interrupted;      /* for threads without java.lang.Thread */
    struct wakeup wake;
    bool awaits_resume;            /* nothing else: who resumes it wakes it */
    struct mutex lock;             /* of the fields that others write, and held
                                      while another thread runs a handshake */
    _Atomic bool unparked;         /* the permit */
    struct handshake *handshakes;  /* queue, guarded by lock */
    struct object *async_exception; /* guarded by lock */
    bool throwing_out_of_memory;   /* guards against doing it again meanwhile */

    /* ---- PopFrame and ForceEarlyReturn, see interp/force.h ---- */
    const struct frame *forced_frame; /* to be left; NULL: none */
    bool forced_again;             /* to run its caller's invoke again */
    union slot forced_value;       /* else the result, */
    struct object *forced_object;  /* here too when it is a reference */

    /* ---- stacks ---- */
    union slot *stack, *stack_end; /* Java stack */
    union slot *stack_red;         /* the real limit of calls: below stack_end by
                                      the reserve for handlers */
    char *c_stack_limit;           /* lowest address that upcalls may reach */
    char *c_stack_low, *c_stack_high; /* of the C stack without its guard, or NULL */
    char *signal_stack;            /* the alternate signal stack; behind stack_end */
    struct object **handles;       /* kept references: [0, handle_count) */
    size_t handle_count, handle_capacity;
    struct ref_mark refs;          /* newest JNI local reference; refs.c */
    struct native_refs *natives;   /* foreign functions under way, newest first */
    struct outcall *outcall;       /* agents' functions under way, newest first */
    sigjmp_buf fault_jump;         /* where to go on after a fault; fault.c */
    volatile bool fault_armed;

    /* ---- upper floors ---- */
    struct jvmti_thread *jvmti;    /* per-environment state; jvmti floor */
    void *jdk;                     /* jdk floor: stack walks that are going on */
    const struct verified_file *verified; /* by libverify, innermost first; jdk */
    uint64_t start_nanos;
    uint64_t blocked_count, waited_count, blocked_nanos, waited_nanos;
};

/* The calling thread, or NULL when it is not attached. */
extern _Thread_local struct thread *current_thread
    __attribute__((tls_model("initial-exec")));

/* ---- transitions ---- */

/* The slow parts (safepoint.c). */
void thread_enter_slow(struct thread *self);
void thread_leave_slow(struct thread *self);

/*
 * A transition is a store of run_state and a load of attention that must not be
 * exchanged; who sets attention and reads run_state makes up for the missing fence
 * by a membarrier (safepoint.c), or is_fenced asks for one here.
 */
static inline void
thread_transit(struct thread *self, enum thread_run_state state)
{
    if (__builtin_expect(self->is_fenced, 0))
        atomic_exchange(&self->run_state, state);
    else
        atomic_store_explicit(&self->run_state, state, memory_order_release);
    atomic_signal_fence(memory_order_seq_cst);
}

/* Is one of these bits of t's attention set? */
static inline bool
thread_wants(const struct thread *t, uint32_t bits)
{
    uint32_t attention = atomic_load_explicit(&t->poll.attention, memory_order_acquire);

    return __builtin_expect((attention & bits) != 0, 0);
}

/* Native → VM: waits while the world is stopped or this thread is suspended. */
static inline void
thread_enter_vm(struct thread *self)
{
    thread_transit(self, THREAD_IN_VM);
    if (thread_wants(self, UINT32_MAX))
        thread_enter_slow(self);
}

/* VM → native. */
static inline void
thread_leave_vm(struct thread *self)
{
    thread_transit(self, THREAD_IN_NATIVE);
    if (thread_wants(self, UINT32_MAX))
        thread_leave_slow(self);
}

/* VM → native and back around a C function that is no method: an agent's entry point or
   callback.  Until it returns its thread cannot be detached, nor can it end the VM. */
static inline void
thread_begin_callout(struct thread *self)
{
    self->callouts++;
    thread_leave_vm(self);
}

static inline void
thread_end_callout(struct thread *self)
{
    thread_enter_vm(self);
    self->callouts--;
}

/* VM → blocked, around a wait that touches no heap.  Between the two the caller may
   take a mutex and wait on a condition; it holds none when it ends the block. */
void thread_block_begin(struct thread *self);
void thread_block_end(struct thread *self);
/* The same unless the thread is suspended: then false, and it stays blocked. */
bool thread_block_try_end(struct thread *self);
/* Blocked: wait until the thread is not suspended. */
void thread_await_resume(struct thread *self);

/* Do what attention asks for: stop, handshakes, suspension.  An async exception
   becomes pending.  The top frame's pc must be exact. */
void thread_poll_slow(struct thread *self);

static inline void
thread_poll(struct thread *self)
{
    if (thread_wants(self, UINT32_MAX))
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

void threads_init(struct vm *vm);

/* The main thread of the VM, before any object exists; it is IN_VM.  NULL when
   there is no memory. */
struct thread *thread_attach_first(struct vm *vm);
/* The thread groups system and main and the main thread's java.lang.Thread, as soon
   as their classes can be initialized.  False with the exception pending. */
bool thread_create_main_object(struct thread *self);
/* Attach the calling thread: makes its java.lang.Thread (name may be NULL, group
   NULL: main's).  It is IN_NATIVE then.  NULL when that fails. */
struct thread *thread_attach(struct vm *vm, const char *name, struct object *group,
                             bool daemon);
/* End of the calling thread, which is IN_NATIVE and runs no Java: uncaught exception
   dispatch, Thread.exit, ThreadEnd, releases what it entered by JNI, notifies
   joiners; t is gone. */
void thread_detach(struct thread *self);
/* The same for a thread that never had its java.lang.Thread, or at the end of the
   process: no Java runs. */
void thread_drop(struct thread *self);
/* Thread.start0: throws IllegalThreadStateException / OutOfMemoryError. */
void thread_start(struct thread *self, struct object *thread_object);
/* A VM-internal Java thread that runs fn (signal dispatcher, attach listener,
   agent threads), IN_VM.  Daemon, in the group system.  thread_object may be given
   (RunAgentThread), name NULL then.  False with the exception pending. */
bool thread_start_internal(struct thread *self, struct object *thread_object,
                           const char *name, void (*fn)(struct thread *self, void *arg),
                           void *arg, int priority);
/* Wait until self is the only thread that is not a daemon (DestroyJavaVM). */
void thread_await_others(struct thread *self);
/* The operating system's name of the calling thread: name's end is cut off. */
void thread_set_native_name(const char *name);

/* The struct thread of a java.lang.Thread (eetop), or NULL when not started or
   ended.  Safe only while the caller holds the thread list (threads_lock) or in a
   handshake; use thread_pin. */
struct thread *thread_of_object(const struct object *thread_object);
/* The attached thread of that lock_id, or NULL; the caller holds the thread list. */
struct thread *thread_of_lock_id(struct vm *vm, uint32_t id);
/* Keep a live thread's struct valid until unpin; NULL when it has none. */
struct thread *thread_pin(struct vm *vm, const struct object *thread_object);
void thread_unpin(struct thread *t);
/* For start.c: a thread with a Java stack of that many bytes, IN_NATIVE, in no list;
   NULL when there is no memory. */
struct thread *thread_new(struct vm *vm, size_t stack_size);
/* t is in no list. */
void thread_free(struct thread *t);
/* Make t known to the others; false when there are too many threads. */
bool thread_list_add(struct thread *t);
/* t is self and IN_VM, or never ran and the caller is IN_VM.  Frees t, now or when it
   is unpinned. */
void thread_list_remove(struct thread *t);
/* All attached threads, oldest first, pinned; *count of them.  Without hidden ones
   unless with_hidden.  thread_list_release unpins and frees; NULL for no memory. */
struct thread **thread_list(struct vm *vm, bool with_hidden, size_t *count);
void thread_list_release(struct thread **list, size_t count);
/* Iterate over all attached threads under the list's lock (no stopping inside).
   The stopper of the world holds it already and may take it again. */
void threads_lock(struct vm *vm);
void threads_unlock(struct vm *vm);
#define FOR_EACH_THREAD(vm, t) \
    for (struct thread *t = TAILQ_FIRST(&(vm)->threads); t; t = TAILQ_NEXT(t, link))

/* Visit o, if it is not NULL, as a root without a frame; t: whose, or NULL. */
void root_visit(heap_root_fn *visit, void *context, struct object *o,
                enum root_kind kind, struct thread *t);

/* Thread.getState's number and the JVM TI flags are both made from this: JVM TI
   "Get Thread State".  For a started thread. */
uint32_t thread_jvmti_state(const struct thread *t);
/* Thread.threadStatus: the part of these bits that Java sees. */
uint32_t thread_java_status(const struct thread *t);

/* ---- waiting (see park.c) ---- */

/* self begins or ends (WAIT_NONE, NULL) to wait; threadStatus follows. */
void thread_set_wait(struct thread *self, enum thread_wait wait, struct object *object);
/* Write Thread.threadStatus by what t waits for. */
void thread_update_status(struct thread *t);

/* Take the token, waiting for it until deadline (os_nanos; INT64_MAX: for ever).
   False when the deadline came.  self is BLOCKED or holds nothing that others need. */
bool wakeup_wait(struct wakeup *w, int64_t deadline);
/* The deadline that is count units of so many nanoseconds from now. */
int64_t deadline_after(int64_t count, int64_t unit);
/* Leave a token. */
void wakeup_set(struct wakeup *w);
/* The same in two steps: leave it, and, if that says that the thread sleeps, wake it.  The
   second one only takes the address: the thread may have ended meanwhile. */
bool wakeup_leave_token(struct wakeup *w);
void wakeup_wake(const struct wakeup *w);

/* Unsafe.park: time is in nanoseconds, or absolute: milliseconds since 1970; 0 and
   not absolute: for ever. */
void thread_park(struct thread *self, bool absolute, int64_t time);
void thread_unpark(struct thread *t);
/* Thread.sleep: false with InterruptedException pending. */
bool thread_sleep(struct thread *self, int64_t nanos);
/* Wakes t out of park, sleep and wait; Thread.interrupted is the caller's to set. */
void thread_interrupt(struct thread *t);
/* Set Thread.interrupted, as Thread.interrupt does before. */
void thread_mark_interrupted(struct thread *t);
/* Is Thread.interrupted set?  clear: and clear it (self only). */
bool thread_is_interrupted(struct thread *t, bool clear);
void thread_yield(struct thread *self);
/* Thread.stop: exception is thrown in t at its next safepoint; wakes it.  t is
   pinned or self. */
void thread_stop(struct thread *self, struct thread *t, struct object *exception);

/* ---- suspension (JVM TI, Thread.suspend) ---- */
/* On return t runs no more bytecode; returns for self when it is resumed.  False
   when it was suspended already, or has ended.  t is pinned or self. */
bool thread_suspend(struct thread *self, struct thread *t);
/* False when it was not suspended. */
bool thread_resume(struct thread *self, struct thread *t);
#define thread_is_suspended(t) thread_wants((t), ATTENTION_SUSPEND)
/* An asynchronous exception is on its way: what waits ends waiting. */
#define thread_is_stopped(t) thread_wants((t), ATTENTION_ASYNC)

/* Agents' functions are called between these two. */
static inline void
outcall_begin(struct thread *self, struct outcall *call, const char *what,
              void (*function)(void))
{
    call->what = what;
    call->function = function;
    call->older = self->outcall;
    self->outcall = call;
}

static inline void
outcall_end(struct thread *self, const struct outcall *call)
{
    self->outcall = call->older;
}

/* ---- faults (fault.c) ---- */

/* Take the signals of fatal errors.  What nobody guards goes to the handler that was
   there before, or else to the report of a crash (crash.h). */
void fault_init(void);
/* Was the signal taken for that?  Then its handler is to be told as the default. */
bool fault_takes(int number);
/* For a process that is about to abort and has said why: no report. */
void fault_end_quietly(void);
/* Signals that hit the calling thread use another stack, unless it has one already, so
   that the end of the C stack can be reported; from its beginning to before its end. */
void fault_set_stack(struct thread *self);
void fault_drop_stack(struct thread *self);
enum { SIGNAL_STACK = C_FRAMES * (64 << 10) };

/* A mapped file may shrink, and Unsafe takes any address. */
/* Run body(self, args).  False when it met SIGSEGV or SIGBUS, which ends it there: it
   calls nothing that holds a lock.  Does not nest. */
bool fault_guard(struct thread *self,
                 bool (*body)(struct thread *self, union slot *args), union slot *args);

/* ---- hooks ---- */
/* Set or clear bits of t's hooks and adjust its limit; t is self, stopped or in
   a handshake. */
void thread_set_hooks(struct thread *t, uint32_t set, uint32_t clear);

/* Must self leave its newest frame before it runs another instruction of it? */
static inline bool
thread_must_leave(const struct thread *self)
{
    uint32_t hooks = atomic_load_explicit(&self->poll.hooks, memory_order_relaxed);

    return __builtin_expect((hooks & HOOK_POP_FRAME) != 0, 0)
           && self->forced_frame == self->top;
}

#endif
