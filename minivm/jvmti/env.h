/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/env.h -- environments and what they keep for each thread.
 *
 * An environment's struct is never freed: when it is disposed of, it stays as a
 * tombstone that answers INVALID_ENVIRONMENT, so neither a late call nor an event
 * under way can meet freed memory.  Lists are read without a lock: members are linked
 * with release order, and one that leaves keeps its own link. */

#ifndef MINIVM_JVMTI_ENV_H
#define MINIVM_JVMTI_ENV_H

#include "base/buf.h"
#include "base/mem.h"
#include "jvmti/entries.h"
#include "jvmti/wrapper.h"
#include "vm/exception.h"

struct tag_table;
struct pop_request;

struct jvmti_env {
    jvmtiEnv handle;               /* first: a jvmtiEnv * is the address of this */
    _Atomic bool is_alive;         /* false before and after its life */
    jint version;                  /* that GetEnv asked for */
    struct jvmti_env *_Atomic next; /* living ones, oldest first */

    jvmtiCapabilities capabilities;
    bool starts_early;             /* is told of the early start */
    bool had_class_hook;           /* ClassFileLoadHook was enabled once, */
    bool is_retransform_capable;   /* with can_retransform_classes held then */
    jvmtiEventCallbacks callbacks;
    uint64_t enabled;              /* for all threads; bit: event number - 50 */
    _Atomic uint64_t active;       /* enabled, has a callback, right phase */
    void *storage;
    struct tag_table *tags;        /* NULL until the first tag; heap_tags.c */
    char **prefixes;               /* of native methods; owned */
    jint prefix_count;
    jvmtiExtensionEvent extension_callback;
};

/* What one environment keeps for one thread. */
struct env_thread {
    struct jvmti_env *env;
    struct env_thread *_Atomic next;
    uint64_t enabled;              /* for this thread */
    _Atomic uint64_t active;
    void *storage;
};

/* struct thread.jvmti */
struct jvmti_thread {
    struct env_thread *_Atomic first;
    struct pop_request *pops;      /* NotifyFramePop; own thread or handshake */
    struct object *carried;        /* reported by Exception, not yet caught */
    struct buf results;            /* void *: memory for the calls' results so far */
    bool in_object_alloc, in_sampled_alloc; /* a callback for these events runs */
    uint32_t free_depth;           /* sends Object Free, nested so often */
};

/* struct vm.jvmti */
struct jvmti_vm {
    struct mutex mutex;            /* lists, masks, capabilities */
    struct mutex leaf_mutex;       /* tag tables, names of unloaded classes: nothing is
                                      locked inside, so a stopped world may take it */
    pthread_cond_t free_sent;      /* with mutex: free_senders became 0 */
    uint32_t free_senders;         /* threads that send Object Free events */
    struct jvmti_env *_Atomic first;
    struct span memory;            /* of environments, the disposed ones too */
    _Atomic uint32_t count;
    uint64_t thread_events;        /* enabled for some thread; perhaps no more */
    jint sampling_interval;        /* bytes, as SetHeapSamplingInterval has it */
    size_t sampling_now;           /* what the heap was told */
};

#define FOR_EACH_ENV(vm, e) \
    for (struct jvmti_env *e = atomic_load_explicit(&(vm)->jvmti->first, \
                                                    memory_order_acquire); \
         e; e = atomic_load_explicit(&e->next, memory_order_acquire))

/* The phase as env sees it. */
enum vm_phase jvmti_phase(const struct jvmti_env *env);

/* What env keeps for t, which is self, pinned or stopped, or NULL; the other one makes
   it (NULL when memory is short).  Entries stay until the thread ends. */
struct env_thread *env_thread_find(const struct thread *t, const struct jvmti_env *env);
struct env_thread *env_thread_make(struct thread *t, struct jvmti_env *env);

/* Memory for a result, which Deallocate frees; when the call fails, it is freed at its
   end.  size 0 gives NULL; OUT_OF_MEMORY. */
jvmtiError jvmti_alloc(size_t size, void *result);
/* The same for memory that is there, or NULL: there was none. */
jvmtiError jvmti_result(void *memory, void *result);
/* A copy of bytes, of text and of a name as a result; NULL gives NULL, and a result of
   NULL was not asked for. */
jvmtiError jvmti_copy_bytes(const void *bytes, size_t size, void *result);
jvmtiError jvmti_copy(const char *text, char **result);

static inline jvmtiError
jvmti_copy_symbol(const struct symbol *s, char **result)
{
    return jvmti_copy(s != NULL ? s->bytes : NULL, result);
}

/* A local reference of the calling thread, for a result. */
jvmtiError jvmti_local(struct object *o, void *result);
/* An array of them, for all that was kept since the scope was opened, in this order;
   NULL for none. */
jvmtiError jvmti_locals(const struct scope *since, jint *count, void *result);

static inline struct object *const *
scope_objects(const struct scope *since)
{
    return since->self->handles + since->mark;
}

static inline size_t
scope_count(const struct scope *since)
{
    return since->self->handle_count - since->mark;
}

/* An exception that is pending waits until the block ends, and takes the place of any
   that Java code throws meanwhile. */
#define EXCEPTION_WAITS(self) \
    struct waiting_exception waiting_here \
        __attribute__((cleanup(exception_wait_end), unused)) = \
        { (self), keep((self), exception_take(self)) }

struct waiting_exception {
    struct thread *self;
    struct object *exception;
};

static inline void
exception_wait_end(struct waiting_exception *w)
{
    w->self->exception = w->exception;
}

/* The system property, or NULL. */
struct system_property *jvmti_property(const char *key);

/* Run fn in a handshake with a thread, for asker, and answer what it answers;
   THREAD_NOT_ALIVE. */
typedef jvmtiError question_fn(struct thread *t, struct thread *asker, void *arg);
jvmtiError jvmti_ask(const struct target *thread, question_fn *fn, void *arg);

/* t is self, stopped or in a handshake in all of these. */
/* The frame at a depth, or NULL when there are not as many. */
struct frame *stack_frame_at(const struct thread *t, jint depth);
/* The same for asker; THREAD_NOT_SUSPENDED for another thread that runs, then
   NO_MORE_FRAMES. */
jvmtiError stack_frame_for(const struct thread *t, const struct thread *asker,
                           jint depth, struct frame **frame);
/* The depth of frame, -1 when it is none of t's (or NULL). */
jint stack_depth_of(const struct thread *t, const struct frame *frame);

/* Forget who wants to hear of frame's end, or of any frame's (NULL). */
void jvmti_drop_pops(struct thread *t, const struct frame *frame);

/* Keep the objects of the live threads, or of those in group. */
jvmtiError jvmti_keep_threads(struct thread *self, const struct object *group);

/* What setting or clearing a breakpoint or watch answers; change: enum watch_change. */
jvmtiError watch_error(int change, bool set);

/* The masks that callbacks, modes, phase and disposal decide were changed: find out
   what is wanted and tell the threads.  Handshakes, so the caller holds no lock. */
void jvmti_update_events(struct thread *self);
/* The same for what one thread has to report. */
void jvmti_update_hooks(struct thread *self, struct thread *t);
/* Fill event_hooks with everything that deliver.c has. */
void jvmti_init_events(struct vm *vm);

/* Take samples of allocations, or stop it; stops the world for a change. */
void jvmti_update_sampling(struct thread *self, bool is_wanted);

/* IterateThroughHeap, with the instances of klass's subclasses or without. */
jvmtiError jvmti_iterate_heap(struct jvmti_env *env, jint heap_filter,
                              struct class *klass, bool with_subclasses,
                              const jvmtiHeapCallbacks *callbacks,
                              const void *user_data);
void jvmti_init_heap(struct vm *vm);
/* Agents are a section of the report of a crash. */
void jvmti_init_agents(void);

/* A part of an environment's end. */
void jvmti_release_tags(struct jvmti_env *env);

#endif
