/* SPDX-License-Identifier: MIT */
/* minivm/threads/thread.h -- a thread of the VM.
 *
 * The states of a thread.  A thread is
 *     IN_VM       while it runs Java or touches the heap,
 *     IN_NATIVE   while it runs foreign code: a native method, an agent, its caller,
 *     BLOCKED     while it waits in C code of the VM, which touches no heap meanwhile
 *                 but for the interrupt status in its own Thread object.
 * The thread itself changes its state, by the transitions of safepoint.h.
 *
 * Safepoints.  Who needs all threads to stand still (to collect, to walk the heap, to
 * redefine a class) stops the world: it waits until no other thread is IN_VM.  A thread
 * that is IN_NATIVE or BLOCKED need not be waited for, since it cannot become IN_VM
 * until the world goes on.
 *
 * Polls.  A thread that is IN_VM stops by itself: the interpreter looks at
 * thread.poll.attention at backward branches and returns, C code in every transition
 * and in thread_poll.  Where it looks, its frames are in order and all references that
 * it holds can be found.  Such a place is a safepoint.
 *
 * Handshakes.  What concerns one thread (its frames, its suspension) needs no stop of
 * the world.  A function is run once while that thread runs no Java: by the thread
 * itself at its next safepoint, or by who asks, if the thread is IN_NATIVE or BLOCKED
 * and is held there.
 *
 * Suspension.  A suspended thread (suspend.h) becomes BLOCKED at its next safepoint and
 * stays so until it is resumed.
 *
 * The rule of `self`.  A function that may stop at a safepoint takes the calling thread
 * as its parameter `struct thread *self`, or a structure that contains it.  While it is
 * stopped anything may happen: the world may be collected, classes may be redefined,
 * monitors may be deflated.  A function without `self` cannot stop, so it may be called
 * while a plain mutex is held, and what it was given stays what it was.  The caller of
 * a function with `self` keeps the references that it still needs: handles.h.
 * build-aux/check-self.t checks the rule.
 *
 * Around this file:
 *     mutex.h          short mutexes
 *     wakeup.h         how a thread sleeps and is woken
 *     thread_list.h    all threads; keeping a struct thread
 *     safepoint.h      transitions, stops of the world, handshakes
 *     suspend.h        suspend, resume, stop
 *     handles.h        references in C code
 *     downcall.h       calls of agents
 *     park.h           park, sleep, interrupt
 *     monitor.h        monitors of objects, and raw ones
 *     runtime/start.h  how threads begin and end */

#ifndef MINIVM_THREADS_THREAD_H
#define MINIVM_THREADS_THREAD_H

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <sys/queue.h>

#include "heap/heap.h"
#include "linking/class.h"
#include "runtime/frame.h"
#include "runtime/ref_table.h"
#include "threads/mutex.h"
#include "threads/wakeup.h"

struct vm;

/* How many times larger the frames of C are than without a sanitizer. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { C_FRAMES = 8 };
#else
enum { C_FRAMES = 1 };
#endif

/* Bytes of the alternate signal stack, on which a crash is reported. */
enum { SIGNAL_STACK = C_FRAMES * (64 << 10) };

enum thread_run_state { THREAD_IN_NATIVE, THREAD_IN_VM, THREAD_BLOCKED };

/* Bits of thread.poll.attention: what the thread has to do at its next safepoint. */
enum thread_attention {
    ATTENTION_STOP = 1,      /* the world stops */
    ATTENTION_SUSPEND = 2,   /* it is suspended; written with its lock held */
    ATTENTION_ASYNC = 4,     /* throw async_exception: suspend.h */
    ATTENTION_HANDSHAKE = 8, /* a handshake waits */
    ATTENTION_SCHEDULE = 16  /* there is a schedule (schedule.h); never cleared */
};

/* Bits of thread.poll.hooks: what calls and returns must report or do. */
enum thread_hook {
    HOOK_METHOD_ENTRY = 1,
    HOOK_METHOD_EXIT = 2,
    HOOK_FRAME_POP = 4,
    HOOK_SINGLE_STEP = 8,
    HOOK_POP_FRAME = 16 /* PopFrame or ForceEarlyReturn is pending */
};

/* The hooks that calls have to look at; thread.limit is NULL while one of them is
   set. */
#define HOOKS_AT_CALLS (HOOK_METHOD_ENTRY | HOOK_SINGLE_STEP | HOOK_POP_FRAME)

/* What a thread waits for.  Thread.getState and JVM TI "Get Thread State" are made from
   this. */
enum thread_wait {
    WAIT_NONE,
    WAIT_MONITOR_ENTER,
    WAIT_OBJECT,
    WAIT_OBJECT_TIMED,
    WAIT_PARK,
    WAIT_PARK_TIMED,
    WAIT_SLEEP,
    WAIT_RAW_MONITOR,
    WAIT_CLASS_INIT
};

/*
 * The bits of Thread.threadStatus.  The class library gives them the numbers of JVM TI
 * "Get Thread State" (jdk.internal.misc.VM.toThreadState reads them), so this floor has
 * to know the numbers, too.  jvmti/thread.c asserts that they are the same.
 */
enum thread_status {
    STATUS_NEW = 0,
    STATUS_ALIVE = 0x1,
    STATUS_TERMINATED = 0x2,
    STATUS_RUNNABLE = 0x4,
    STATUS_WAITING_INDEFINITELY = 0x10,
    STATUS_WAITING_WITH_TIMEOUT = 0x20,
    STATUS_SLEEPING = 0x40,
    STATUS_WAITING = 0x80,
    STATUS_IN_OBJECT_WAIT = 0x100,
    STATUS_PARKED = 0x200,
    STATUS_BLOCKED_ON_MONITOR_ENTER = 0x400,
    /* The rest is in thread_full_status only. */
    STATUS_SUSPENDED = 0x100000,
    STATUS_INTERRUPTED = 0x200000,
    STATUS_IN_NATIVE = 0x400000
};

/* A monitor that the thread holds. */
struct held_lock {
    struct object *object;
    struct frame *frame; /* that entered it; NULL: entered by JNI */
};

/* Attention and hooks, so that a return can read both as one word. */
union thread_poll {
    struct {
        /* enum thread_attention; any thread sets bits */
        _Atomic uint32_t attention;
        /* enum thread_hook; written by the thread, by who stopped it, or in a
           handshake */
        _Atomic uint32_t hooks;
    };
    _Atomic uint64_t both;
};

/* A class under verification by libverify, and the class file that is to be seen of
   it. */
struct verified_file {
    const struct class *class;
    const struct classfile *file;
    const struct verified_file *outer;
};

struct thread {
    /* ---- what the interpreter's loop reads ---- */

    /* The end of the Java stack for calls; NULL while calls must take the slow path. */
    union slot *_Atomic limit;
    union thread_poll poll;
    /* The newest frame.  Its pc is exact wherever the thread may be looked at. */
    struct frame *top;
    struct object *exception; /* pending, or NULL */
    struct heap_cache cache;
    struct held_lock *locks; /* the lock stack, newest last */
    uint32_t lock_count, lock_capacity;
    uint32_t lock_id;        /* in thin lock words: 1 to 2^22 - 1 */
    bool intrinsic_declined; /* see intrinsic_decline, interp/interp.h */

    /* ---- identity ---- */

    const void *jni; /* &t->jni is the JNIEnv of t */
    struct vm *vm;
    struct object *object; /* java.lang.Thread; NULL early and at the end */
    /* What Thread.currentThread returns: object, or the virtual thread that is mounted
       on it. */
    struct object *current;
    TAILQ_ENTRY(thread) link; /* of vm->threads */
    pthread_t pthread;
    _Atomic int native_id; /* the kernel's number; 0 until the thread itself sets it */
    uint32_t serial;       /* counts all threads, from 1 */
    uint32_t pins;         /* guarded by the list of threads */
    bool is_ended;         /* no longer in vm->threads; guarded by lock */
    /* What a thread that the VM has started runs; NULL: Thread.run. */
    void (*run)(struct thread *self, void *arg);
    void *run_arg;
    uint32_t downcalls; /* that are under way: downcall.h */
    /* is_hidden: shown to nobody; is_agent_thread: of JVM TI "Run Agent Thread";
       is_exiting: it runs end_thread (runtime/start.c). */
    bool is_daemon, is_attached_by_jni, is_hidden, is_agent_thread, is_exiting;

    /* ---- state ---- */

    _Atomic uint32_t run_state; /* enum thread_run_state */
    _Atomic uint32_t wait;      /* enum thread_wait */
    /* Transitions need a full fence, since there is no membarrier.  Constant. */
    bool is_fenced;
    /* Of schedule.c: polls until its time is over; the round in which it is to come; the
       number of draws until which it is held back. */
    uint32_t schedule_polls, schedule_round;
    uint64_t schedule_delay;
    bool schedule_waits; /* for the turn */
    /* What it waits for, by `wait`; the thread itself writes it. */
    struct object *_Atomic wait_object;
    /* The interrupt status of a thread without a java.lang.Thread. */
    _Atomic bool interrupted;
    struct wakeup wake;
    /* The thread sleeps until it is resumed and for nothing else; guarded by lock. */
    bool awaits_resume;
    /* Guards the fields that others write; held while another thread runs a
       handshake. */
    struct mutex lock;
    _Atomic bool unparked;          /* the permit of LockSupport */
    struct handshake *handshakes;   /* waiting ones, oldest first; guarded by lock */
    struct object *async_exception; /* of thread_stop, or NULL; guarded by lock */
    /* An OutOfMemoryError is being made, which may run out of memory, too. */
    bool throwing_out_of_memory;

    /* ---- PopFrame and ForceEarlyReturn: interp/force.h ---- */

    const struct frame *forced_frame; /* to be left; NULL: none */
    bool forced_again;                /* the caller's invoke is to run again */
    union slot forced_value;          /* or else the result */
    struct object *forced_object; /* the result again when it is a reference: a root */
    struct object *scoped_values; /* Thread.scopedValueCache, or NULL: a root */

    /* ---- stacks ---- */

    union slot *stack, *stack_end; /* the Java stack */
    /* The limit of calls: below stack_end by the reserve for StackOverflowError. */
    union slot *stack_red;
    struct continuation *continuation; /* the innermost mounted one, or NULL */
    /* It mounts or unmounts a virtual thread: virtual_thread.h. */
    _Atomic bool in_transition;
    /* As a platform thread it is suspended, while it runs a virtual one, which goes on.
       Guarded by transitions.mutex. */
    bool carrier_is_suspended;
    /* How often it holds the virtual threads; it is not suspended meanwhile. */
    uint32_t held_threads;
    /* VirtualThread's locked sections (virtual_thread_delay_suspension): how many nest,
       and lock_count and agent_calls at the beginning of the outermost one. */
    uint32_t sections, section_locks;
    const struct agent_call *section_calls;
    /* It is between thread_block_begin and thread_block_end. */
    bool blocks;
    /* It is suspended, but runs to the end of a section, and somebody waits for that.
       Set with its lock held. */
    _Atomic bool is_late;
    /* No thread but what one that does not run looks like: virtual_thread_picture. */
    bool is_picture;
    char *c_stack_limit;              /* lowest address that upcalls may reach */
    char *c_stack_low, *c_stack_high; /* the C stack without its guard, or NULL */
    char *signal_stack;               /* the alternate signal stack, behind stack_end */
    struct object **handles;          /* handles.h */
    size_t handle_count, handle_capacity;
    struct ref_table local_refs; /* runtime/refs.h */
    /* Native methods under way, newest first. */
    struct native_invocation *native_invocations;
    struct agent_call *agent_calls; /* agents' functions under way, newest first */
    sigjmp_buf fault_jump;          /* where to go on after a fault: fault.h */
    volatile bool fault_armed;      /* fault_jump is set */

    /* ---- upper floors ---- */

    struct jvmti_thread *jvmti;           /* state per environment */
    void *jdk;                            /* stack walks that are under way */
    const struct verified_file *verified; /* by libverify, innermost first */

    /* ---- counters, for java.lang.management ---- */

    uint64_t start_nanos;
    uint64_t blocked_count, waited_count, blocked_nanos, waited_nanos;
};

/*
 * The calling thread, or NULL when it is not attached.  It is global because foreign
 * code hands no thread down: JNI functions of the invocation interface and signal
 * handlers have to find theirs.  Code of the VM is given `self` instead.
 */
extern _Thread_local struct thread *current_thread
    __attribute__((tls_model("initial-exec")));

/* Returns whether one of these bits of t's attention is set. */
static inline bool
thread_wants(const struct thread *t, uint32_t bits)
{
    uint32_t attention = atomic_load_explicit(&t->poll.attention, memory_order_acquire);

    return __builtin_expect((attention & bits) != 0, 0);
}

/* ---- hooks ---- */

/* Sets and clears bits of t's hooks and adjusts its limit.  t is self, or stopped, or
   in a handshake. */
void thread_set_hooks(struct thread *t, uint32_t set, uint32_t clear);

/* Adjusts the limit of the calling thread to its stack, which is another one now. */
void thread_set_limit(struct thread *self);

/* Returns whether self has to leave its newest frame before it runs another instruction
   of it (JVM TI "Pop Frame", "Force Early Return"). */
static inline bool
thread_must_leave(const struct thread *self)
{
    uint32_t hooks = atomic_load_explicit(&self->poll.hooks, memory_order_relaxed);

    return __builtin_expect((hooks & HOOK_POP_FRAME) != 0, 0)
           && self->forced_frame == self->top;
}

/* ---- what others see ---- */

/* Returns the object that has the fields group, priority, daemon, threadStatus and
   stackSize of a java.lang.Thread: the thread itself or, as of JDK 21, the holder that
   it refers to.  NULL while its constructor has not made that. */
struct object *thread_fields(const struct vm *vm, struct object *thread_object);

/* Returns true if a java.lang.Thread is a virtual thread (JEP 444): one that is bound to
   a platform thread of its own, or one that carriers run.  The class library of JDK 17
   has none. */
bool thread_object_is_virtual(const struct vm *vm, const struct object *thread_object);

/* Returns t's bits of enum thread_status that Thread.threadStatus shows.  t has been
   started. */
uint32_t thread_status(const struct thread *t);

/* Returns the bits of thread_status and those for suspension, interruption and
   IN_NATIVE (JVM TI "Get Thread State"). */
uint32_t thread_full_status(const struct thread *t);

/* ---- for runtime/start.c and thread_list.c ---- */

/* Registers the module's roots; vm->heap exists. */
void threads_init(struct vm *vm);

/* Returns a new thread with a Java stack of that many bytes.  It is IN_NATIVE, in no
   list, and runs nothing.  NULL when there is no memory.  Calls vm->thread_created. */
struct thread *thread_new(struct vm *vm, size_t stack_size);

/* Frees t, which is in no list and not pinned.  Calls vm->thread_ended. */
void thread_free(struct thread *t);

/* Visits o, if it is not NULL, as a root without a frame; t: whose it is, or NULL. */
void root_visit(heap_root_fn *visit, void *context, struct object *o,
                enum root_kind kind, struct thread *t);

#endif
