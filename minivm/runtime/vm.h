/* SPDX-License-Identifier: MIT */
/* minivm/runtime/vm.h -- the state that all threads share.
 *
 * struct vm has what each module of the VM keeps for all threads; the module that owns
 * a member says under which lock or by whom it is used.  struct vm_options is what the
 * command line asks for: minivm/options.c writes it before the VM starts.  It is constant
 * afterwards, but for the flags that tools may set (jdk/flags.c).
 *
 * There is one VM in a process (JNI "JNI_CreateJavaVM").  Functions take it from a
 * thread or a parameter; the_vm is for those that have neither. */

#ifndef MINIVM_RUNTIME_VM_H
#define MINIVM_RUNTIME_VM_H

#include <pthread.h>

#include "base/hash.h"
#include "base/jimage.h"
#include "base/xlog.h"
#include "heap/heap.h"
#include "linking/class.h"
#include "runtime/alloc.h"
#include "runtime/wellknown.h"
#include "threads/handles.h"
#include "threads/lock_id.h"
#include "threads/thread.h"

/* The phases of JVM TI "Get Phase", and one more.  In EARLY_START only java.base can be
   used: for agents that asked for it this is the start phase (JVM TI "VM Start Event"),
   for the others still the primordial one. */
enum vm_phase {
    VM_PHASE_ONLOAD,
    VM_PHASE_PRIMORDIAL,
    VM_PHASE_EARLY_START,
    VM_PHASE_START,
    VM_PHASE_LIVE,
    VM_PHASE_DEAD
};

struct system_property {
    char *key, *value; /* standard UTF-8; owned */
    bool writable;     /* by JVM TI in OnLoad */
    struct system_property *next;
};

/* -agentlib:name=options or -agentpath:path=options, in the order of the command line.
   -javaagent is -agentlib:instrument. */
struct agent_option {
    char *name, *options; /* options may be NULL */
    bool is_path;
    struct agent_option *next;
};

/* -ea:name or -da:name.  The last one that fits a class decides. */
struct assertion_option {
    char *name; /* class or package with '/', or NULL: all */
    bool is_package, enable;
    struct assertion_option *next;
};

/* What the command line and the environment ask for; filled by minivm/options.c.  Texts
   are NULL if they were not given. */
struct vm_options {
    /* The folder of the JDK whose class library the VM boots. */
    char *java_home;

    /* ---- memory ---- */
    /* -Xms, -Xmx and -Xss, or their defaults, in bytes; and whether the first two were
       given. */
    size_t heap_initial, heap_maximum, stack_size;
    bool heap_initial_given, heap_maximum_given;
    /* -XX:GCStress=N: collect at each Nth allocation; 0: do not. */
    uint32_t gc_stress;
    /* -XX:ScheduleSeed=N: threads take turns that follow from N; 0: they do not. */
    uint32_t schedule_seed;
    /* -XX:+PoisonFreed: overwrite what the collector has freed. */
    bool poison;
    /* -XX:+VerifyBeforeGC and -XX:+VerifyAfterGC: check the heap, the stacks and
       translated code. */
    bool check_before_gc, check_after_gc;
    /* -XX:+DisableExplicitGC: System.gc does nothing. */
    bool no_explicit_gc;
    /* -XX:SoftRefLRUPolicyMSPerMB: for how many milliseconds an unused soft reference
       lives, for each free megabyte. */
    int soft_ref_ms_per_mb;
    /* -XX:MaxDirectMemorySize in bytes; 0: the class library's default. */
    size_t max_direct_memory;
    /* -XX:+ClassUnloading, the default; -Xnoclassgc is the opposite. */
    bool class_unloading;

    /* -XX:+VMContinuations, the default where the class library has virtual threads: they
       are mounted on carriers.  Without it each has a platform thread of its own. */
    bool continuations;

    /* ---- classes ---- */
    /* -Xverify: verify the classes of the boot loader, and those of all others. */
    bool verify_local, verify_remote;
    /* --enable-preview: load class files of the newest version that depend on preview
       features. */
    bool enable_preview;
    /* --finalization=disabled: no finalizer is ever registered. */
    bool no_finalization;
    /* -XX:+AllowRedefinitionToAddDeleteMethods. */
    bool add_delete_methods;
    /* -Xbootclasspath/a: the path behind the JDK's own modules. */
    char *boot_append;
    /* -ea and -da with names, in the order of the command line; -esa. */
    struct assertion_option *assertions;
    bool system_assertions;

    /* ---- agents, tools and JNI ---- */
    /* -agentlib, -agentpath and -javaagent, in the order of the command line. */
    struct agent_option *agents;
    /* -XX:+EnableDynamicAgentLoading: 1 and -1 if it was switched on and off, 0 if it was
       not given, which allows it, in newer JDKs with a warning. */
    int8_t dynamic_agents;
    /* -XX:+DisableAttachMechanism, -XX:+StartAttachListener. */
    bool disable_attach, start_attach;
    /* A property of com.sun.management was set, so the module jdk.management.agent is
       needed. */
    bool management_agent;
    /* -XX:+UsePerfData: write what jps and jstat read. */
    bool perf_data;
    /* -Xcheck:jni: check the arguments of JNI calls. */
    bool check_jni;
    /* -Xcheck:jvmti: put the checking layer between the VM and each agent. */
    bool check_jvmti;

    /* ---- what programs see ---- */
    /* -D and the options that stand for properties. */
    struct system_property *properties;
    /* -XX:ActiveProcessorCount, or -1: what the system says. */
    int active_processors;
    /* -XX:+StackTraceInThrowable, and -XX:MaxJavaStackTraceDepth in frames. */
    bool stack_trace_in_throwable;
    int max_stack_trace_depth;
    /* -XX:+ShowHiddenFrames: stack traces show frames of hidden classes. */
    bool show_hidden_frames;
    /* -XX:+ShowCodeDetailsInExceptionMessages: a NullPointerException says what was null
       (runtime/npe.h). */
    bool helpful_npe;
    /* -Xrs: leave SIGINT, SIGTERM, SIGHUP and SIGQUIT to the program. */
    bool no_java_signals;
    /* All options as they were given, for RuntimeMXBean.getInputArguments and
       reports. */
    char **vm_args;
    size_t vm_arg_count;

    /* ---- when something goes wrong ---- */
    /* -XX:+ExitOnOutOfMemoryError, CrashOnOutOfMemoryError, HeapDumpOnOutOfMemoryError. */
    bool exit_on_oom, crash_on_oom, dump_on_oom;
    /* -XX:OnOutOfMemoryError and -XX:OnError: shell commands. */
    char *on_oom, *on_error;
    /* -XX:HeapDumpPath, and -XX:HeapDumpGzipLevel, 0: do not compress. */
    char *heap_dump_path;
    int heap_dump_gzip_level;
    /* -XX:+HeapDumpBeforeFullGC and -XX:+HeapDumpAfterFullGC. */
    bool dump_before_gc, dump_after_gc;
    /* What SIGQUIT prints besides the stacks: -XX:+PrintClassHistogram and
       -XX:+PrintConcurrentLocks. */
    bool histogram_at_quit, locks_at_quit;
    /* -XX:+PauseAtStartup: write the file of -XX:PauseAtStartupFile, or ./vm.paused.PID,
       and wait until somebody removes it. */
    bool pause_at_startup;
    char *pause_file;
    /* -XX:+CreateCoredumpOnCrash, the default. */
    bool create_core;
    /* Where the report of a crash goes: -XX:ErrorFile, or -XX:+ErrorFileToStdout and
       -XX:+ErrorFileToStderr. */
    char *error_file;
    bool error_file_to_stdout, error_file_to_stderr;
    /* -XX:ErrorLogTimeout: seconds that the report may take; 0: any. */
    size_t error_log_timeout;
    /* -XX:+ShowMessageBoxOnError, which only causes a warning. */
    bool message_box;

    /* ---- options themselves ---- */
    /* -XX:+UnlockDiagnosticVMOptions and -XX:+UnlockExperimentalVMOptions: flags of
       these kinds are allowed. */
    bool unlock_diagnostic, unlock_experimental;
    /* Functions that JNI_CreateJavaVM was given for messages and the end of the process,
       or NULL (JNI "The Invocation API"). */
    void (*vfprintf_hook)(void);
    void (*exit_hook)(int);
    void (*abort_hook)(void);
};

struct vm {
    struct vm_options options;
    const struct jdk_profile *profile;
    struct heap *heap;
    char *release;          /* JAVA_VERSION of the class library: 17.0.1 */
    struct jimage *modules; /* lib/modules; NULL: exploded (not supported) */
    struct known known;
    uint32_t phase; /* enum vm_phase; vm_get_phase */

    /* threads */
    struct mutex threads_mutex;
    TAILQ_HEAD(, thread) threads; /* all attached ones, oldest first */
    uint32_t thread_count, daemon_count, peak_threads;
    struct lock_ids lock_ids;
    uint64_t started_threads;
    /* Hooks of JVM TI, or NULL.  thread_created is called before others can see the
       thread, thread_ended when nobody can any more; thread_starts for one with a
       java.lang.Thread that is in the list of threads and is about to get its pthread. */
    void (*thread_created)(struct thread *t), (*thread_ended)(struct thread *t);
    void (*thread_starts)(struct thread *t);
    /* Hooks of JVM TI for the virtual threads that carriers run, or NULL.
       virtual_thread_mounts is called before the first mount, and before each later one
       until the continuation has a struct jvmti_thread; virtual_thread_ended before the
       continuation is freed; virtual_thread_moved when the frames of one that is not
       mounted and has a struct jvmti_thread were moved; identity_changed by a thread that has begun or ended a
       transition: virtual_thread.h. */
    void (*virtual_thread_mounts)(struct continuation *c);
    void (*virtual_thread_ended)(struct continuation *c);
    void (*virtual_thread_moved)(struct continuation *c, const union slot *from,
                                 union slot *to);
    void (*identity_changed)(struct thread *self);
    /* With threads_mutex: a thread has left the list. */
    pthread_cond_t threads_changed;
    struct object *main_group, *system_group;
    struct safepoint_state *safepoint;
    struct schedule *schedule; /* threads/schedule.h */
    struct monitor_table *monitors;

    /* The ReferenceHandler waits here for references that the collector has found. */
    struct mutex pending_mutex;
    pthread_cond_t pending_changed;

    /* A hook of the jdk floor for its performance counters, or NULL.  The world is
       stopped. */
    void (*after_collection)(struct vm *vm);
    /* The last collection.  after.collections is 0 while there was none. */
    struct {
        struct heap_usage before, after;
        int64_t start, end; /* os_nanos */
        const char *cause;
    } last_collection;

    /* classes */
    struct loader *boot_loader;
    struct loader *loaders;       /* all of them, boot first */
    struct mutex class_mutex;     /* dictionaries and the loader list */
    pthread_cond_t class_changed; /* with class_mutex; see class_state_wait */
    struct class_space *class_space;
    struct boot_path *boot_path;
    struct load *loads; /* those in progress; class_mutex guards them */
    /* What the last collection has unloaded and the next one frees. */
    struct class *unloaded_classes; /* linked by next_in_loader */
    struct loader *unloaded_loaders;
    /* java.lang.Class is loaded: new classes get mirrors. */
    bool has_mirrors;
    uint32_t redefinitions; /* how often versions of classes were exchanged */
    struct module *java_base, *boot_unnamed;
    struct id_table *ids;
    uint32_t class_serial, method_serial;
    uint64_t classes_loaded, classes_unloaded;

    /* strings */
    struct string_table *strings;

    /* Prepared errors, thrown when there is no memory to make one. */
    struct object *out_of_memory_heap, *out_of_memory_array, *out_of_memory_metaspace;
    struct object *stack_overflow;

    /* JNI and upper floors */
    const void *jni_invoke;    /* JavaVM *: &vm->jni_invoke */
    void *java_library;        /* dlopen handle of the JDK's libjava */
    const void *jni_functions; /* table given to new threads */
    struct jni_globals *jni_globals;
    struct jvmti_vm *jvmti;
    struct continuations *continuations; /* threads/continuation.h */
    struct transitions *transitions;     /* threads/virtual_thread.h */
    void *jdk;                           /* jdk floor */
    /* Breakpoints and watches in classes of the boot loader, and changes of classes that
       C bodies belong to.  While there are any, methods of the boot loader's classes run
       their bytecode and not the C functions that stand in for it. */
    _Atomic uint32_t library_watches;
    bool is_exiting;           /* Runtime.halt, or the last thread has ended */
    _Atomic bool is_destroyed; /* DestroyJavaVM has returned, or the start failed */
    uint64_t start_nanos, start_wall_millis;
};

/* The VM, or NULL while there is none.  Global, since JNI_GetCreatedJavaVMs, signal
   handlers and functions of the JDK's libraries have nothing that leads to it. */
extern struct vm *the_vm;

/* Any thread may read the phase, and the thread that starts or ends the VM sets it. */
static inline enum vm_phase
vm_get_phase(const struct vm *vm)
{
    return (enum vm_phase)__atomic_load_n(&vm->phase, __ATOMIC_ACQUIRE);
}

void vm_set_phase(struct vm *vm, enum vm_phase phase);

/* Returns how many processors Java is told of. */
int vm_processor_count(const struct vm *vm);

/* Writes a line of message_printf to the log (-Xlog).  The caller has asked
   log_wanted. */
void vm_log(enum log_set set, enum log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Logs for -Xlog:jni+resolve that a native method gets its function: before, the
   method, after. */
void vm_log_native(const struct method *m, const char *before, const char *after);

/* Makes the tables of all modules of the middle floor.  vm->heap, options and profile
   are set. */
void vm_init_floor(struct vm *vm);

#endif
