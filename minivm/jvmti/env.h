/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/env.h -- environments (struct jvmti_env), what they keep for each
 * thread, and what the bodies of JVM TI functions share.
 *
 * The environments of a VM lie side by side in memory that is never given back.  One
 * that was disposed of stays there and is marked as not alive, so neither a late call
 * nor an event under way can meet freed memory.  The lists of environments
 * (jvmti_vm.first) and of a thread's parts (jvmti_thread.first) are read without a
 * lock: a member is linked with release order, and one that is taken out keeps its own
 * link for readers who have just reached it.  Writers hold jvmti_vm.mutex.
 *
 * Results.  A body allocates the memory that it hands to the agent with JVMTI_ALLOC or
 * its relatives below, keeps it in local variables, and stores it through the agent's
 * pointers, as a rule when nothing can fail any more.  The memory is noted in
 * jvmti_thread.results meanwhile: if the body returns an error, the wrapper frees it,
 * and an agent may not use what a failed call has stored. */

#ifndef MINIVM_JVMTI_ENV_H
#define MINIVM_JVMTI_ENV_H

#include "base/buf.h"
#include "base/mem.h"
#include "base/span.h"
#include "interp/debugging.h"
#include "jvmti/entries.h"
#include "jvmti/wrapper.h"
#include "runtime/exception.h"
#include "threads/virtual_thread.h"

struct tag_table;
struct pop_request;

/* The extension events (extension.c).  Agents know each by its index, a number just below
   those of the events, so that a mask of events has room for them at its end. */
enum extension_event {
    EXTENSION_CLASS_UNLOAD,
    EXTENSION_VIRTUAL_THREAD_MOUNT,
    EXTENSION_VIRTUAL_THREAD_UNMOUNT,
    EXTENSION_EVENT_COUNT
};
enum { EXTENSION_INDEX_FIRST = JVMTI_MIN_EVENT_TYPE_VAL - EXTENSION_EVENT_COUNT };

struct jvmti_env {
    /* The first member: a jvmtiEnv * is the address of this. */
    jvmtiEnv handle;
    /* False before GetEnv has made the environment and after DisposeEnvironment. */
    _Atomic bool is_alive;
    /* The version that GetEnv was asked for. */
    jint version;
    /* The next living environment; they are ordered from the oldest to the newest. */
    struct jvmti_env *_Atomic next;

    jvmtiCapabilities capabilities;
    /* The environment had can_generate_early_vmstart when the early start phase
       came. */
    _Atomic bool starts_early;
    /* ClassFileLoadHook was enabled at least once. */
    bool had_class_hook;
    /* The environment had can_retransform_classes when that happened first. */
    bool is_retransform_capable;
    jvmtiEventCallbacks callbacks;
    /* The events that are enabled for all threads; bit 0 stands for event number 50. */
    uint64_t enabled;
    /* Those of them that have a callback and may be sent in this phase; see event.c. */
    _Atomic uint64_t active;
    /* SetEnvironmentLocalStorage. */
    void *storage;
    /* NULL until the first tag; see heap_tags.h. */
    struct tag_table *tags;
    /* SetNativeMethodPrefixes; the environment owns the strings. */
    char **prefixes;
    jint prefix_count;
    /* The callbacks for extension events, or NULL, and the events, as bits by enum
       extension_event, that have one and are not turned off. */
    jvmtiExtensionEvent extension_callbacks[EXTENSION_EVENT_COUNT];
    unsigned extensions_on;
};

/* What one environment keeps for one thread. */
struct env_thread {
    struct jvmti_env *env;
    struct env_thread *_Atomic next;
    /* As in struct jvmti_env, but for events that are enabled for this thread. */
    uint64_t enabled;
    _Atomic uint64_t active;
    /* SetThreadLocalStorage. */
    void *storage;
};

/* What this floor keeps for a thread: struct thread.jvmti, from the making of the
   struct thread to its end.  A virtual thread that carriers run has its own, as
   continuation.jvmti, and while it is mounted the two are exchanged.  Unless a member
   says otherwise, only the thread itself uses it. */
struct jvmti_thread {
    TAILQ_ENTRY(jvmti_thread) link; /* of jvmti_vm.threads */
    struct env_thread *_Atomic first;
    /* Requests of NotifyFramePop.  The thread itself uses them, or a handshake with
       it. */
    struct pop_request *pop_requests;
    /* The frames whose end is being told by FramePop, newest first, or NULL. */
    const struct ending_frame *ending;
    /* The exception that the event Exception reported last and that was not caught
       yet. */
    struct object *reported_exception;
    /* An array of void *: the result memory of the calls that are running. */
    struct buf results;
    /* A callback of VMObjectAlloc or SampledObjectAlloc is running in this thread. */
    bool in_object_alloc, in_sampled_alloc;
    /* How many calls that send ObjectFree events are running in this thread; more than
       one if a callback causes the next collection. */
    uint32_t free_depth;
};

/* What this floor keeps for the VM: struct vm.jvmti. */
struct jvmti_vm {
    /* Guards the lists, the event masks, the capabilities and the prefixes. */
    struct mutex mutex;
    /* Guards the growth of tag tables and the names of unloaded classes.  No other lock
       is taken and no thread stops while it is held, so it may be taken while the world
       is stopped. */
    struct mutex leaf_mutex;
    /* Signalled, with mutex, when free_senders becomes 0. */
    pthread_cond_t free_sent;
    /* The number of threads that are sending ObjectFree events. */
    uint32_t free_senders;
    struct jvmti_env *_Atomic first;
    /* The threads' data.  The collector walks the list, and a thread that ends takes its
       own out while the world may stand still, so the list has a mutex of its own:
       visitors of roots may take leaf_mutex. */
    struct mutex threads_mutex;
    TAILQ_HEAD(, jvmti_thread) threads;
    /* The memory of all environments, also of the disposed ones, and their number. */
    struct span memory;
    _Atomic uint32_t count;
    /* The events that were active for some single thread when update_thread_masks ran
       last; such a thread may have ended since. */
    uint64_t thread_events;
    /* The sampling interval that agents asked for, and the one that the heap has been
       told, in bytes. */
    jint sampling_interval;
    size_t sampling_now;
    /* SuspendAllVirtualThreads: virtual threads that start are suspended; and those
       that have not started yet of which the opposite is true.  See virtual.c. */
    bool starts_suspended;
    struct object **unlike_mode;
    size_t unlike_mode_count;
};

#define FOR_EACH_ENV(vm, e) \
    for (struct jvmti_env *e = \
             atomic_load_explicit(&(vm)->jvmti->first, memory_order_acquire); \
         e; e = atomic_load_explicit(&e->next, memory_order_acquire))

/* ---- environments and their parts of threads ---- */

/* Returns the environment whose handle it is, alive or disposed of, or NULL.  handle
   may be any pointer: it is only compared, not followed. */
static inline struct jvmti_env *
jvmti_env_of_handle(const struct jvmti_vm *jvmti, const jvmtiEnv *handle)
{
    uint32_t count = atomic_load_explicit(&jvmti->count, memory_order_acquire);
    uintptr_t offset = (uintptr_t)handle - (uintptr_t)jvmti->memory.base;
    uintptr_t size = sizeof(struct jvmti_env);

    return offset % size == 0 && offset / size < count
               ? (struct jvmti_env *)(uintptr_t)handle
               : NULL;
}

/* Returns the level of JVM TI that the class library's release has.  It is what
   GetVersionNumber tells to an environment for that level or an older one. */
static inline jint
jvmti_level(void)
{
    return (the_vm->profile->jvmti_version & JVMTI_VERSION_MASK_MAJOR)
           >> JVMTI_VERSION_SHIFT_MAJOR;
}

/* Returns the phase as env sees it: the early start phase is the start phase for an
   environment that asked for it, and still the primordial phase for others. */
static inline enum vm_phase
jvmti_phase(const struct jvmti_env *env)
{
    enum vm_phase phase = vm_get_phase(the_vm);

    if (phase != VM_PHASE_EARLY_START)
        return phase;
    return env->starts_early ? VM_PHASE_START : VM_PHASE_PRIMORDIAL;
}

/* Returns what env keeps for the thread whose data it is, or NULL.  The entry is valid
   until the thread ends. */
struct env_thread *env_thread_find(const struct jvmti_thread *data,
                                   const struct jvmti_env *env);
/* Returns the entry as env_thread_find does, and makes it first if there is none.
   Returns NULL if memory is short.  Takes jvmti_vm.mutex. */
struct env_thread *env_thread_make(struct jvmti_thread *data, struct jvmti_env *env);

/* ---- results ---- */

/* Notes that memory (from mem_alloc, or NULL if that failed) is a result of the running
   call: the agent frees it with Deallocate if the call succeeds, and the wrapper frees
   it if not.  Returns OUT_OF_MEMORY for NULL, or if there is no memory for the note;
   memory is freed then. */
jvmtiError jvmti_add_result(void *memory);

/* Returns size bytes of result memory, not cleared; NULL if size is 0 or memory is
   short.  Bodies use JVMTI_ALLOC, which tells the two apart. */
void *jvmti_alloc(size_t size);

static inline jvmtiError
jvmti_alloc_check(const void *memory, size_t count)
{
    return !memory && count != 0 ? JVMTI_ERROR_OUT_OF_MEMORY : JVMTI_ERROR_NONE;
}

/* Sets *result, a pointer variable, to result memory for count elements of its type;
   NULL for a count of 0.  The value is a jvmtiError: NONE or OUT_OF_MEMORY.  Evaluates
   its arguments twice. */
#define JVMTI_ALLOC(count, result) \
    jvmti_alloc_check(*(result) = jvmti_alloc((count) * sizeof **(result)), (count))

/* Sets *result to a copy of the bytes in result memory, NULL for a length of 0. */
jvmtiError jvmti_copy_bytes(const uint8_t *bytes, size_t length,
                            unsigned char **result);

/* Sets *result to a copy of the text in result memory; NULL gives NULL.  Does nothing
   if result is NULL: the agent did not ask for this part of the result. */
jvmtiError jvmti_copy(const char *text, char **result);

static inline jvmtiError
jvmti_copy_symbol(const struct symbol *s, char **result)
{
    return jvmti_copy(s ? s->bytes : NULL, result);
}

/* Sets *result to a local reference of self, NULL for NULL.  In C all the reference
   types (jclass, jthread and so on) are the same type as jobject.  Returns
   OUT_OF_MEMORY if there is no room for the reference.  Making it throws
   OutOfMemoryError then, which is dropped; an exception that was pending before stays
   so. */
jvmtiError jvmti_local(struct thread *self, struct object *o, jobject *result);
/* Sets *result to an array, in result memory, of local references to all objects for
   which since->self has got handles since that scope was opened, in the same order;
   NULL if there are none.  Sets *count to their number. */
jvmtiError jvmti_locals(const struct handle_scope *since, jint *count,
                        jobject **result);

/* The objects with handles newer than the opening of the scope, and their number. */
static inline struct object *const *
handle_scope_objects(const struct handle_scope *since)
{
    return since->self->handles + since->mark;
}

static inline size_t
handle_scope_count(const struct handle_scope *since)
{
    return since->self->handle_count - since->mark;
}

/* Sets a pending exception of self aside until the block ends, so that Java code can be
   called.  At the end it is pending again, and what that code has thrown is dropped. */
#define EXCEPTION_WAITS(self) \
    struct waiting_exception waiting_here \
        __attribute__((cleanup(exception_wait_end), \
                       unused)) = { (self), handle_new((self), exception_take(self)) }

struct waiting_exception {
    struct thread *self;
    struct object *exception;
};

/* The end of EXCEPTION_WAITS: drops what is pending now, and makes the exception that
   was set aside pending. */
static inline void
exception_wait_end(struct waiting_exception *w)
{
    w->self->exception = w->exception;
}

/* ---- handshakes and frames ---- */

/* The operation of a handshake with target, which requester waits for: the thread that
   called the JVM TI function.  target is not NULL and may be requester.  The operation
   runs in either of the two threads, mostly with target->lock held, so it must not stop
   or allocate objects (threads/safepoint.h).  What it finds it stores through arg.
   Objects get handles of requester (handle_new), which neither stop nor collect.
   JVMTI_ALLOC with its relatives and jvmti_local must not be used here: result memory
   is noted in the calling thread, which may be target, where no wrapper would free it;
   and jvmti_local throws OutOfMemoryError when memory is short, which allocates.  The
   body uses them before or after the handshake. */
typedef jvmtiError jvmti_handshake_fn(struct thread *target, struct thread *requester,
                                      void *arg);

/* Runs fn in a handshake with a live thread, which may be self, and returns fn's
   result; THREAD_NOT_ALIVE if the thread has ended.  self may stop while it waits.  For
   a thread that does not run as itself (a virtual thread that is not mounted, or its
   carrier) fn gets a picture of it: thread.is_picture, threads/virtual_thread.h. */
jvmtiError jvmti_handshake(struct thread *self, const struct target *thread,
                           jvmti_handshake_fn *fn, void *arg);

/* ---- targets (target.c) ---- */

/* Stores the target for a java.lang.Thread.  A struct thread that is not self's is not
   pinned by this. */
void target_find(struct thread *self, struct object *thread_object,
                 struct target *result);

/* Returns true if the thread has been started and has not ended.  A virtual thread that
   is not held may end meanwhile. */
bool target_is_alive(const struct target *target);

/* Holds the virtual threads until the block ends, unless there is no target, or it is the
   current thread: which struct thread another one has may change, since it may be a
   virtual thread or run one. */
#define TARGET_HELD(self, target) \
    struct thread *held_target \
        __attribute__((cleanup(target_end_hold), \
                       unused)) = target_needs_hold(self, target) ? (self) : NULL; \
    if (held_target) \
    virtual_threads_hold(held_target)

static inline bool
target_needs_hold(const struct thread *self, const struct target *target)
{
    return self->vm->options.continuations && target->object
           && target->object != self->current;
}

static inline void
target_end_hold(struct thread **self)
{
    if (*self)
        virtual_threads_release(*self);
}

/* For the next four the target is held, or the world is stopped. */

/* Returns the bits of enum thread_status: those of JVM TI "Get Thread State". */
uint32_t target_status(const struct target *target);
/* Returns the struct thread by which the target's frames are found: that of who runs
   it, or *picture; NULL if it is not alive.  The world is stopped. */
struct thread *target_look(const struct target *target, struct thread *picture);
/* Sets *result to the continuation of a virtual thread that carriers run; it is made if
   there is none yet.  Returns THREAD_NOT_ALIVE or OUT_OF_MEMORY.  The world runs. */
jvmtiError target_continuation(struct thread *self, const struct target *target,
                               struct continuation **result);
/* Sets *result to what is kept for a thread.  Returns errors as target_continuation. */
jvmtiError target_data(struct thread *self, const struct target *target,
                       struct jvmti_thread **result);

/* Returns target_status, of a target that is not held. */
uint32_t target_status_now(struct thread *self, const struct target *target);

/* The hooks vm->virtual_thread_mounts and virtual_thread_moved. */
void jvmti_on_virtual_thread_mounts(struct continuation *c);
void jvmti_on_virtual_thread_moved(struct continuation *c, const union slot *from,
                                   union slot *to);

/* For the next three, t is the calling thread, stopped or in a handshake. */

/* Returns the frame at a depth, which is not negative, 0 for the newest one; or NULL if
   t has fewer frames. */
struct frame *stack_frame_at(const struct thread *t, jint depth);
/* Sets *frame to the frame at a depth, for a function that changes or watches a frame:
   returns THREAD_NOT_SUSPENDED if t is neither requester nor suspended, since the frame
   might be gone when the function returns, and NO_MORE_FRAMES if t has fewer frames. */
jvmtiError stack_frame_for(const struct thread *t, const struct thread *requester,
                           jint depth, struct frame **frame);
/* Returns the depth of frame; -1 if it is none of t's frames, or NULL. */
jint stack_depth_of(const struct thread *t, const struct frame *frame);

/* Drops the requests of NotifyFramePop for frame, or all of t's if frame is NULL.  t is
   the calling thread, in a handshake, or ended. */
void jvmti_drop_pop_requests(struct thread *t, const struct frame *frame);
/* Frees all requests that are kept for a thread that has ended. */
void jvmti_free_pop_requests(struct jvmti_thread *data);

/* ---- parts of functions that several files use ---- */

/* Makes handles of self for the objects of the live threads; if group, a
   java.lang.ThreadGroup, is not NULL, only of those that belong to it.  The caller
   finds them by the handle_scope that it opened before.  Returns OUT_OF_MEMORY if the
   threads cannot be listed.  Does not stop. */
jvmtiError jvmti_add_thread_handles(struct thread *self, const struct object *group);

/* The hook vm->thread_starts, and the collector's visit of the threads that virtual.c
   keeps. */
void jvmti_on_thread_starts(struct thread *t);
void jvmti_visit_unlike_mode(const struct jvmti_vm *jvmti, heap_root_fn *visit,
                             void *context);

/* Returns the error for the result of setting (set) or clearing a breakpoint or a
   watch: one that is set twice is a duplicate, and one that is cleared but not there is
   not found. */
jvmtiError watch_error(enum watch_change change, bool set);

/* Returns the system property of the name, or NULL. */
struct system_property *jvmti_property(const char *key);

/* FollowReferences and IterateThroughHeap, in heap.c, have a part in common with the
   older functions of heap10.c: the iteration over the instances of klass (NULL: over
   all objects) and, if with_subclasses, over those of its subclasses.  Stops the
   world. */
enum { WITHOUT_SUBCLASSES = false, WITH_SUBCLASSES = true };
jvmtiError jvmti_iterate_heap(struct thread *self, struct jvmti_env *env,
                              jint heap_filter, struct class *klass,
                              bool with_subclasses, const jvmtiHeapCallbacks *callbacks,
                              const void *user_data);

/* ---- events ---- */

/* Finds out which events are wanted, after a change of callbacks, modes, the phase or
   the list of environments, and tells all threads (event.c).  Makes handshakes, so the
   caller holds no lock. */
void jvmti_update_events(struct thread *self);
/* Tells t, which is self, pinned or known to live, what it has to report.  Makes a
   handshake if that has changed. */
void jvmti_update_hooks(struct thread *self, struct thread *t);
/* The hook vm->identity_changed: self has begun or ended a transition. */
void jvmti_on_identity_changed(struct thread *self);
/* Lets the heap take samples of allocations, or ends that.  Stops the world if it makes
   a difference. */
void jvmti_update_sampling(struct thread *self, bool is_wanted);

/* ---- initialization and release, each called once from env.c ---- */

/* Fills event_hooks (base/events.h) with the functions of this floor. */
void jvmti_init_events(struct vm *vm);
void jvmti_init_heap(struct vm *vm);
/* Adds the list of agents to the report of a crash. */
void jvmti_init_agents(void);
/* Frees the tags of a disposed environment; stops the world. */
void jvmti_release_tags(struct thread *self, struct jvmti_env *env);

#endif
