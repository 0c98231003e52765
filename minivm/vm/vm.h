/* SPDX-License-Identifier: MIT */
/* minivm/vm/vm.h -- the state that all threads share. */

#ifndef MINIVM_VM_VM_H
#define MINIVM_VM_VM_H

#include <pthread.h>

#include "base/hash.h"
#include "base/jimage.h"
#include "base/xlog.h"
#include "heap/heap.h"
#include "vm/class.h"
#include "vm/thread.h"
#include "vm/wellknown.h"

/* In EARLY_START only java.base can be used; for agents it is the start phase when
   they asked for that (JVM TI "VM Start Event"), else still the primordial one. */
enum vm_phase {
    VM_PHASE_ONLOAD, VM_PHASE_PRIMORDIAL, VM_PHASE_EARLY_START, VM_PHASE_START,
    VM_PHASE_LIVE, VM_PHASE_DEAD
};

struct system_property {
    char *key, *value;             /* standard UTF-8; owned */
    bool writable;                 /* by JVM TI in OnLoad */
    struct system_property *next;
};

/* -agentlib:name=options, -agentpath:path=options; -javaagent is agentlib instrument.
   In the order of the command line. */
struct agent_option {
    char *name, *options;          /* options may be NULL */
    bool is_path;
    struct agent_option *next;
};

/* -ea:name... and -da:name...: the last one that fits decides. */
struct assertion_option {
    char *name;                    /* class or package with '/', or NULL: all */
    bool is_package, enable;
    struct assertion_option *next;
};

/* What the command line and the environment ask for; filled by minivm/options.c. */
struct vm_options {
    char *java_home;               /* of the class library */
    size_t heap_initial, heap_maximum, stack_size;
    bool heap_initial_given, heap_maximum_given; /* by -Xms and -Xmx */
    uint32_t gc_stress;
    bool poison;
    bool check_before_gc, check_after_gc; /* -XX:+VerifyBeforeGC, VerifyAfterGC */
    bool verify_local, verify_remote;  /* -Xverify: boot classes; the others */
    bool check_jni;
    bool unlock_diagnostic, unlock_experimental; /* -XX options of these kinds */
    bool no_java_signals;          /* -Xrs */
    bool management_agent;         /* -Dcom.sun.management… */
    bool disable_attach, start_attach;
    int8_t dynamic_agents;         /* EnableDynamicAgentLoading: -1 off, 1 on, 0 open */
    bool no_explicit_gc;           /* -XX:+DisableExplicitGC: System.gc does nothing */
    int active_processors;         /* -XX:ActiveProcessorCount=, or -1 */
    bool perf_data;                /* -XX:+UsePerfData */
    bool stack_trace_in_throwable; /* -XX:-StackTraceInThrowable */
    bool show_hidden_frames;       /* -XX:+ShowHiddenFrames: in stack traces */
    bool helpful_npe;              /* -XX:+ShowCodeDetailsInExceptionMessages */
    bool exit_on_oom, crash_on_oom, dump_on_oom; /* …OnOutOfMemoryError */
    char *on_oom;                  /* -XX:OnOutOfMemoryError=: commands, or NULL */
    char *heap_dump_path;          /* -XX:HeapDumpPath=, or NULL */
    int heap_dump_gzip_level;
    bool dump_before_gc, dump_after_gc; /* -XX:+HeapDumpBeforeFullGC, After */
    bool histogram_at_quit, locks_at_quit; /* -XX:+PrintClassHistogram,
                                      PrintConcurrentLocks: what SIGQUIT shows */
    bool pause_at_startup;         /* until pause_file, or what is named by default, is
                                      removed */
    char *pause_file;              /* or NULL */
    bool create_core;              /* -XX:+CreateCoredumpOnCrash: the default */
    bool error_file_to_stdout, error_file_to_stderr; /* where a crash is reported */
    size_t error_log_timeout;      /* seconds for that; 0: as many as it takes */
    bool message_box;              /* -XX:+ShowMessageBoxOnError */
    char *error_file, *on_error;   /* -XX:ErrorFile=, -XX:OnError=, or NULL */
    bool enable_preview;
    bool add_delete_methods;       /* -XX:+AllowRedefinitionToAddDeleteMethods */
    int max_stack_trace_depth;     /* 1024 */
    int soft_ref_ms_per_mb;
    size_t max_direct_memory;
    bool class_unloading;
    char *boot_append;             /* -Xbootclasspath/a: */
    struct system_property *properties;
    struct agent_option *agents;   /* -agentlib, -agentpath, -javaagent: in order */
    struct assertion_option *assertions; /* -ea, -da: in order */
    bool system_assertions;        /* -esa */
    char **vm_args;                /* as given, for RuntimeMXBean */
    size_t vm_arg_count;
    void (*vfprintf_hook)(void);   /* JNI invocation hooks, or NULL */
    void (*exit_hook)(int);
    void (*abort_hook)(void);
};

struct vm {
    struct vm_options options;
    const struct jdk_profile *profile;
    struct heap *heap;
    char *release;                 /* JAVA_VERSION of the class library: 17.0.1 */
    struct jimage *modules;        /* lib/modules; NULL: exploded (not supported) */
    struct known known;
    uint32_t phase;                /* enum vm_phase; vm_get_phase */

    /* threads */
    struct mutex threads_mutex;
    TAILQ_HEAD(, thread) threads;  /* all attached ones, oldest first */
    uint32_t thread_count, daemon_count, peak_threads;
    uint32_t last_lock_id;
    uint64_t started_threads;
    /* JVM TI's part of a thread, or NULL: born is called before others can see the
       thread, gone when nobody can any more */
    void (*thread_born)(struct thread *t), (*thread_gone)(struct thread *t);
    pthread_cond_t threads_changed;
    struct object *main_group, *system_group;
    struct safepoint_state *safepoint;
    struct monitor_table *monitors;

    /* references that the collector found: the ReferenceHandler waits for them */
    struct mutex pending_mutex;
    pthread_cond_t pending_changed;

    /* world stopped; performance counters, jdk floor.  NULL: none */
    void (*after_collection)(struct vm *vm);
    struct {
        struct heap_usage before, after;
        int64_t start, end;            /* os_nanos */
        const char *cause;
    } last_collection;                 /* none yet: after.collections is 0 */

    /* classes */
    struct loader *boot_loader;
    struct loader *loaders;        /* all of them, boot first */
    struct mutex class_mutex;      /* dictionaries and the loader list */
    struct class_registry *registry; /* class memory, boot path, loads under way */
    struct module *java_base, *boot_unnamed;
    struct id_table *ids;
    uint32_t class_serial, method_serial;
    uint64_t classes_loaded, classes_unloaded;

    /* strings */
    struct string_table *strings;

    /* preallocated: thrown when there is no memory to make one */
    struct object *out_of_memory_heap, *out_of_memory_array, *out_of_memory_metaspace;
    struct object *stack_overflow;

    /* JNI and upper floors */
    const void *jni_invoke;        /* JavaVM *: &vm->jni_invoke */
    void *java_library;            /* dlopen handle of the JDK's libjava */
    const void *jni_functions;     /* table given to new threads */
    struct jni_globals *jni_globals;
    struct jvmti_vm *jvmti;
    void *jdk;                     /* jdk floor */
    _Atomic uint32_t library_watches; /* breakpoints and watches in the boot loader's
                                      classes; C bodies only while there are none */
    bool is_exiting, is_destroyed; /* DestroyJavaVM has returned */
    uint64_t start_nanos, start_wall_millis;
};

/* The VM that JNI_GetCreatedJavaVMs reports, or NULL. */
extern struct vm *the_vm;

enum vm_phase vm_get_phase(const struct vm *vm);
void vm_set_phase(struct vm *vm, enum vm_phase phase);
/* How many processors there are for Java. */
int vm_processor_count(const struct vm *vm);
/* Lines of text_printf for the log (-Xlog), where log_wanted says that they are. */
void vm_log(enum log_set set, enum log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* -verbose:jni: that a native method gets its function, between these words. */
void vm_log_native(const struct method *m, const char *before, const char *after);

/* ---- allocation (vm/alloc.c): stop, collect, throw ---- */

/* A zeroed instance.  NULL with OutOfMemoryError pending.  c is initialized (or about to
   be). */
struct object *object_new(struct thread *self, struct class *c);
/* Finalizer.register(o), when Object's constructor returns or o is a clone (JLS 12.6);
   false when that throws. */
bool object_register_finalizer(struct thread *self, struct object *o);
/* The same of a well-known class, which it initializes. */
struct object *object_new_known(struct thread *self, enum known_class which);
/* c is the array class.  length >= 0. */
struct object *array_new(struct thread *self, struct class *c, int32_t length);
/* By element descriptor character: 'B', 'I'… */
struct object *array_new_primitive(struct thread *self, char type, int32_t length);
/* Object.clone of an array or a Cloneable. */
struct object *object_clone(struct thread *self, struct object *o);
/* o was made by a method without bytecodes: JVM TI "VM Object Allocation".  NULL is no
   object; answers o, which it keeps. */
struct object *object_made_by_vm(struct thread *self, struct object *o);
struct object *mirror_new(struct thread *self, struct class *c);
int32_t object_identity_hash(const struct object *o);
/* System.gc and friends: stops the world and collects. */
void vm_collect(struct thread *self, const char *cause, bool clear_soft);
/* Wait until the collector has found references (heap_take_pending). */
void vm_await_pending(struct thread *self);

/* ---- life (minivm/ drives; each floor registers what it must) ---- */
/* Tables of every part of the floor; vm->heap, options and profile are set. */
void vm_init_floor(struct vm *vm);

#endif
