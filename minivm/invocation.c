/* SPDX-License-Identifier: MIT */
/*
 * minivm/invocation.c -- the invocation interface (JNI "The Invocation API"): how a VM
 * begins, how threads attach to it, and how it ends.
 *
 * JNI_CreateJavaVM calls start_vm, whose calls are the order in which things come to
 * be: options, the JDK's class files, the heap, the floors of the VM, the calling
 * thread, agents (Agent_OnLoad), the first classes, and then the three phases in which
 * the class library starts itself (java.lang.System.initPhase1 to 3).  JVM TI's phases
 * (JVM TI "GetPhase") change on the way; there is no Java code before the early start
 * phase.
 *
 * DestroyJavaVM waits for the threads that are not daemons and runs shutdown hooks;
 * then, as when Java code calls System.exit, JVM TI's VMDeath and Agent_OnUnload
 * follow.  The VM's memory is never freed: daemon threads may still use it, and a
 * process can have one VM in its life.
 */

#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jvmti.h>

#include "base/events.h"
#include "base/mem.h"
#include "base/os.h"
#include "diagnostics/crash.h"
#include "interp/interp.h"
#include "jdk/attach.h"
#include "jdk/jdk.h"
#include "jdk/properties.h"
#include "jni/entry.h"
#include "jvmti/floor.h"
#include "linking/boot_classes.h"
#include "linking/initialize.h"
#include "linking/loader.h"
#include "linking/module.h"
#include "option_reader.h"
#include "options.h"
#include "runtime/above.h"
#include "runtime/backtrace.h"
#include "runtime/exception.h"
#include "runtime/refs.h"
#include "runtime/start.h"
#include "threads/schedule.h"
#include "threads/thread_list.h"

static void before_exit(struct thread *self);

/* ---- the class library ---- */

/* Returns the path of the JDK, or NULL: that of the launcher that runs, else what
   -Djava.home or JAVA_HOME say, else the one that the VM was configured with.
   mem_free. */
static char *
find_java_home(const JavaVMInitArgs *args)
{
    const char *given = NULL, *value;
    for (jint i = 0; i < args->nOptions; i++)
        if ((value = option_after(args->options[i].optionString, "-Djava.home=")))
            given = value;

    char exe[PATH_MAX] = "";
    bool has_exe = readlink("/proc/self/exe", exe, sizeof exe - 1) > 0;
    const char *candidates[] = { has_exe ? dirname(dirname(exe)) : NULL, given,
                                 getenv("JAVA_HOME"), CONFIGURED_JDK };
    TEXTS(t);

    for (int i = 0; i < 4; i++)
        if (candidates[i]
            && !access(own(&t, mem_printf("%s/lib/modules", candidates[i])), R_OK))
            return mem_strdup(candidates[i]);
    return NULL;
}

/* Finds the JDK and its release; returns false when there is none or it is of a release
   that this VM does not support, which was printed. */
static bool
find_class_library(struct vm *vm, const JavaVMInitArgs *args)
{
    TEXTS(t);

    vm->options.java_home = find_java_home(args);
    if (!vm->options.java_home) {
        fprintf(stderr, "Error: no JDK found: none has lib/modules (set JAVA_HOME)\n");
        return false;
    }
    vm->release = jdk_release(vm->options.java_home);
    vm->profile = profile_of(vm->release ? atoi(vm->release) : 0);
    if (!vm->profile) {
        fprintf(stderr,
                "Error: '%s' is of release %s, which this VM does not serve: "
                "it serves %s\n",
                vm->options.java_home, vm->release ? vm->release : "(none)",
                own(&t, profile_list()));
        return false;
    }
    return true;
}

/* Opens the JDK's class files; returns false when that fails, which was printed. */
static bool
open_class_library(struct vm *vm)
{
    char *error = NULL;
    TEXTS(t);

    vm->modules = jimage_open(
        own(&t, mem_printf("%s/lib/modules", vm->options.java_home)), &error);
    if (!vm->modules)
        fprintf(stderr, "Error: %s\n", own(&t, error));
    return vm->modules != NULL;
}

/* Loads the class library's native methods; false when that fails, which was printed.
   find_function of jni/lookup.c looks there. */
static bool
open_java_library(struct vm *vm)
{
    TEXTS(t);

    vm->java_library = dlopen(
        own(&t, mem_printf("%s/lib/libjava.so", vm->options.java_home)), RTLD_LAZY);
    if (!vm->java_library)
        fprintf(stderr, "Error: %s\n", dlerror());
    return vm->java_library != NULL;
}

/* -XX:+PauseAtStartup: write a file, and wait until somebody removes it.  For a
   debugger that wants to attach before the VM starts.  A file that cannot be made is
   reported, and the start goes on. */
static void
pause_at_startup(const struct vm_options *o)
{
    TEXTS(t);
    const char *path = o->pause_file && *o->pause_file
                           ? o->pause_file
                           : own(&t, mem_printf("./vm.paused.%d", (int)getpid()));
    FILE *f = fopen(path, "we");

    if (!f) {
        fprintf(stderr, "Could not open pause file '%s', continuing immediately.\n",
                path);
        return;
    }
    fclose(f);
    while (access(path, F_OK) == 0)
        poll(NULL, 0, 100);
}

/* ---- the floors of the VM ---- */

/* Makes vm->heap by the options; false when that fails, which was printed. */
static bool
make_heap(struct vm *vm)
{
    struct heap_options options = { .initial = vm->options.heap_initial,
                                    .maximum = vm->options.heap_maximum,
                                    .soft_ms_per_mb = vm->options.soft_ref_ms_per_mb,
                                    .poison = vm->options.poison };
    const char *error = NULL;

    vm->heap = heap_new(&options, &error);
    if (!vm->heap)
        printf("Error occurred during initialization of VM\n"
               "Could not reserve enough space for object heap: %s\n",
               error);
    return vm->heap != NULL;
}

/* Lets each floor of the VM set up its state, the lower ones first.  A lower floor is
   given the functions of a higher one that it needs later (jdk_set_before_exit,
   attach_set_agent_start). */
static void
init_floors(struct vm *vm)
{
    intrinsics_init();
    vm_init_floor(vm);
    jni_init(vm);
    jdk_init(vm);
    jdk_set_before_exit(before_exit);
    jvmti_init(vm);
    attach_set_agent_start(jvmti_attach_agent);
}

/* ---- the class library's own start (java.lang.System.initPhase1 to 3) ---- */

/* Prints that the start failed, and why: the pending exception or, without one, the
   text.  Returns false. */
static bool
report_start_failure(struct thread *self, const char *otherwise)
{
    struct object *e = self ? exception_take(self) : NULL;

    printf("Error occurred during initialization of VM\n");
    if (!e)
        printf("%s\n", otherwise);
    fflush(stdout);
    if (e)
        exception_print(self, e);
    return false;
}

/* Initializes the classes that are listed, in this order. */
#define INITIALIZE(self, ...) \
    initialize(self, (const enum known_class[]){ __VA_ARGS__, KNOWN_CLASS_COUNT })

/* Loads and initializes the well-known classes of list, which KNOWN_CLASS_COUNT ends,
   in that order.  Returns false with an exception pending. */
static bool
initialize(struct thread *self, const enum known_class *list)
{
    for (; *list != KNOWN_CLASS_COUNT; list++) {
        struct class *c = known_class(self, *list);
        if (!c || !class_initialize(self, c))
            return false;
    }
    return true;
}

/* Initializes the classes that Java code needs before it can run at all, makes the main
   thread's java.lang.Thread, and begins the early start phase, in which Java code runs.
   Returns false with an exception pending. */
static bool
initialize_first_classes(struct thread *self)
{
    /* The class UnsafeConstants must have them before Unsafe's initializer reads
       them. */
    if (!unsafe_set_constants(self)
        || !INITIALIZE(self, KNOWN_CLASS_Object, KNOWN_CLASS_String, KNOWN_CLASS_System,
                       KNOWN_CLASS_Class, KNOWN_CLASS_ThreadGroup, KNOWN_CLASS_Thread)
        || !thread_create_main_object(self))
        return false;
    /* Most classes of java.base are loaded from here on, so agents that want to see
       them need the phase. */
    vm_set_phase(self->vm, VM_PHASE_EARLY_START);
    EVENT_SEND(EVENT_VM_START, vm_start, self);
    return INITIALIZE(self, KNOWN_CLASS_Module, KNOWN_CLASS_Method,
                      KNOWN_CLASS_Finalizer);
}

/* Makes an error that can be thrown when there is no memory to make one; message may be
   NULL.  The error is kept by a global reference; an exception is pending if there is
   no room for that. */
static struct object *
prepare_error(struct thread *self, enum known_class which, const char *message)
{
    throw_new(self, which, message ? "%s" : NULL, message);
    struct object *e = exception_take(self);
    /* The reference is never deleted, as the error is needed as long as the VM
       lives. */
    ref_new_global(self, e);
    return e;
}

/* Initializes the classes of the errors that the VM throws by itself, so that throwing
   one runs no initializer, and makes those that are thrown when there is no memory to
   make them.  Returns false with an exception pending. */
static bool
prepare_errors(struct thread *self)
{
    struct vm *vm = self->vm;

    if (!INITIALIZE(self, KNOWN_CLASS_OutOfMemoryError, KNOWN_CLASS_StackOverflowError,
                    KNOWN_CLASS_NullPointerException, KNOWN_CLASS_ClassCastException,
                    KNOWN_CLASS_ArrayStoreException, KNOWN_CLASS_ArithmeticException,
                    KNOWN_CLASS_IllegalMonitorStateException,
                    KNOWN_CLASS_IllegalArgumentException))
        return false;
    vm->out_of_memory_array = prepare_error(self, KNOWN_CLASS_OutOfMemoryError,
                                            "Requested array size exceeds VM limit");
    vm->out_of_memory_metaspace = prepare_error(self, KNOWN_CLASS_OutOfMemoryError,
                                                "Metaspace");
    vm->stack_overflow = prepare_error(self, KNOWN_CLASS_StackOverflowError, NULL);
    vm->out_of_memory_heap = prepare_error(self, KNOWN_CLASS_OutOfMemoryError,
                                           "Java heap space");
    return !exception_pending(self);
}

/* Where reflection works by method handles (JEP 416), the class library refuses it until
   these are initialized, and relies on the VM for that.  Returns false with an exception
   pending. */
static bool
initialize_handles(struct thread *self)
{
    if (!self->vm->profile->class_names[KNOWN_CLASS_DirectMethodHandleAccessor])
        return true;
    return INITIALIZE(self, KNOWN_CLASS_MethodHandle, KNOWN_CLASS_ResolvedMethodName,
                      KNOWN_CLASS_MemberName, KNOWN_CLASS_MethodHandleNatives);
}

/* Runs the start of the class library; returns false when it fails, which was printed.
   The two arguments of initPhase2 say whether it prints an error to standard error
   instead of standard output, and whether with its stack: both are false. */
static bool
start_class_library(struct thread *self)
{
    struct vm *vm = self->vm;
    union slot args[2] = { { .i = 0 }, { .i = 0 } }, result;

    if (!initialize_first_classes(self) || !prepare_errors(self)
        || !java_call(self, KM(vm, System_initPhase1), NULL, NULL))
        return report_start_failure(self, "java.lang.System.initPhase1 failed");
    jdk_start_services(self);
    if (!initialize_handles(self))
        return report_start_failure(self, "java.lang.invoke failed");
    if (!java_call(self, KM(vm, System_initPhase2), args, &result))
        return report_start_failure(self, "java.lang.System.initPhase2 failed");
    /* initPhase2 has printed why it failed, as in HotSpot. */
    if (result.i != JNI_OK)
        return false;
    vm_set_phase(vm, VM_PHASE_START);
    if (vm->java_base->is_transformed)
        module_transformed(self, vm->java_base);
    EVENT_SEND(EVENT_VM_START, vm_start, self);
    return java_call(self, KM(vm, System_initPhase3), NULL, NULL)
           || report_start_failure(self, "java.lang.System.initPhase3 failed");
}

/* ---- the start ---- */

/* Starts the VM; returns false when a step fails, which was printed.  *self becomes the
   calling thread as soon as that is attached, also when a later step fails.
   -XX:GCStress begins only when the VM is live: the calling thread's allocation cache
   is flushed, since it could allocate from that without being counted. */
static bool
start_vm(struct vm *vm, const JavaVMInitArgs *args, struct thread **self)
{
    char *error = NULL;

    /* Which options there are depends on the release. */
    if (!find_class_library(vm, args)
        || !options_read(&vm->options, args, vm->profile->feature))
        return false;
    log_start((int64_t)vm->start_nanos);
    vm->options.continuations &= vm->profile->class_names[KNOWN_CLASS_BaseVirtualThread]
                                 != NULL;
    if (vm->options.pause_at_startup)
        pause_at_startup(&vm->options);
    if (!open_class_library(vm) || !make_heap(vm))
        return false;
    init_floors(vm);
    *self = thread_attach_first(vm);
    if (!*self)
        return report_start_failure(NULL,
                                    "There is no memory for the main thread's stacks");
    if (!open_java_library(vm))
        return false;
    vm_set_phase(vm, VM_PHASE_ONLOAD);
    if (!jvmti_load_agents(*self))
        return false;
    if (!classes_boot(*self, &error)) {
        report_start_failure(NULL, error);
        mem_free(error);
        return false;
    }
    if (!start_class_library(*self))
        return false;
    vm_set_phase(vm, VM_PHASE_LIVE);
    heap_cache_flush(vm->heap, &(*self)->cache);
    heap_set_stress(vm->heap, vm->options.gc_stress);
    if (vm->options.schedule_seed > 0)
        schedule_start(*self, vm->options.schedule_seed);
    /* This comes before VMInit: in that event a debugger may wait until another process
       attaches. */
    attach_live(*self);
    EVENT_SEND(EVENT_VM_INIT, vm_init, *self, (*self)->object);
    EVENT_SEND(EVENT_THREAD_START, thread_start, *self);
    if (exception_pending(*self))
        return report_start_failure(*self, "");
    return !vm->options.management_agent || management_agent_start(*self);
}

/* ---- the end ---- */

/* Does the part that the end by System.exit needs, too: VMDeath and Agent_OnUnload.
   After the first call the phase is no longer the live one, so a second call does
   nothing: the end may come by DestroyJavaVM and System.exit at once.  If a thread has
   crashed, its report ends the process, so that its status tells of the crash. */
static void
before_exit(struct thread *self)
{
    struct vm *vm = self->vm;

    attach_end();
    crash_await_end();
    if (vm_get_phase(vm) != VM_PHASE_LIVE)
        return;
    EVENT_SEND(EVENT_THREAD_END, thread_end, self);
    EVENT_SEND(EVENT_VM_DEATH, vm_death, self);
    vm_set_phase(vm, VM_PHASE_DEAD);
    jvmti_unload_agents(self);
    crash_await_end();
}

/* Runs shutdown hooks (java.lang.Shutdown), VMDeath and Agent_OnUnload, once.  The
   calling thread is the last one that is no daemon, in state THREAD_IN_VM.
   self->exception is dropped if a hook leaves one: the end goes on. */
static void
shut_down(struct thread *self)
{
    struct vm *vm = self->vm;
    struct method *shutdown = KM(vm, Shutdown_shutdown);

    if (vm->is_exiting)
        return;
    vm->is_exiting = true;
    if (shutdown && !java_call(self, shutdown, NULL, NULL))
        self->exception = NULL;
    before_exit(self);
}

/* ---- the interface ---- */

/* A JavaVM * is the address of the member jni_invoke of struct vm. */
static struct vm *
vm_of(JavaVM *javavm)
{
    return (struct vm *)((char *)javavm - offsetof(struct vm, jni_invoke));
}

/* Returns true if the thread is in an agent's callback that a collection or a heap walk
   made, where the thread's state does not change to native. */
static bool
is_thread_in_vm(const struct thread *self)
{
    return atomic_load(&self->run_state) == THREAD_IN_VM;
}

/* Returns true if the thread is in a C function that the VM has called and that has to
   return to it, so that the thread cannot be detached. */
static bool
is_called_out(const struct thread *self)
{
    return self->downcalls > 0 || is_thread_in_vm(self);
}

/* Returns true if threads can be attached.  In the OnLoad phase they cannot: only
   functions of JVM TI work then, in the thread that creates the VM.  That thread is
   attached already, but its JNIEnv is not given out either. */
static bool
has_threads(struct vm *vm)
{
    return vm_get_phase(vm) != VM_PHASE_ONLOAD;
}

/* JNI "DestroyJavaVM": waits for the program's end and ends the VM.  Returns JNI_ERR in
   a callback, and to a thread that is not attached unless the VM is live; such a thread
   is attached for this.  The calling thread waits until no other thread is left but
   daemons. */
static jint JNICALL
DestroyJavaVM(JavaVM *javavm)
{
    struct vm *vm = vm_of(javavm);
    struct thread *self = current_thread;

    if (self ? is_called_out(self) : vm_get_phase(vm) != VM_PHASE_LIVE)
        return JNI_ERR;
    if (!self && !(self = thread_attach(vm, "DestroyJavaVM", NULL, false)))
        return JNI_ERR;
    thread_enter_vm(self);
    thread_await_others(self);
    shut_down(self);
    thread_leave_vm(self);
    vm->is_destroyed = true;
    return JNI_OK;
}

/* Attaches the calling thread, unless it is attached, and stores its JNIEnv (JNI
   "AttachCurrentThread").  Returns JNI_OK or an error of JNI.  The thread is in native
   state before and after.  a->name and a->group (a reference) may be NULL.  The group
   has to be a global reference, which keeps the object, since the thread has no local
   ones yet. */
static jint
attach(JavaVM *javavm, void **env, void *args, bool daemon)
{
    struct vm *vm = vm_of(javavm);
    JavaVMAttachArgs *a = args;
    struct thread *self = current_thread;

    if (!env)
        return JNI_EINVAL;
    if (!has_threads(vm))
        return JNI_ERR;
    if (!self) {
        if (a && !JVM_IsSupportedJNIVersion(a->version))
            return JNI_EVERSION;
        if (vm_get_phase(vm) == VM_PHASE_DEAD)
            return JNI_ERR;
        self = thread_attach(vm, a ? a->name : NULL, a ? ref_get(a->group) : NULL,
                             daemon);
        if (!self)
            return JNI_ERR;
    }
    *env = thread_env(self);
    return JNI_OK;
}

static jint JNICALL
AttachCurrentThread(JavaVM *javavm, void **env, void *args)
{
    return attach(javavm, env, args, false);
}

static jint JNICALL
AttachCurrentThreadAsDaemon(JavaVM *javavm, void **env, void *args)
{
    return attach(javavm, env, args, true);
}

/* JNI "DetachCurrentThread".  A thread that is not attached is detached already, which
   is no error unless the VM has ended. */
static jint JNICALL
DetachCurrentThread(JavaVM *javavm)
{
    struct thread *self = current_thread;

    if (!self || !has_threads(self->vm))
        return vm_get_phase(vm_of(javavm)) == VM_PHASE_DEAD ? JNI_ERR : JNI_OK;
    /* A thread with Java frames must not detach (JNI "DetachCurrentThread"), nor one
       that will return into the VM. */
    if (thread_top_frame(self) || is_called_out(self))
        return JNI_ERR;
    thread_enter_vm(self);
    thread_detach(self);
    return JNI_OK;
}

/* JNI "GetEnv": stores the calling thread's JNIEnv, or a new environment of JVM TI, by
   what version asks for.  A thread that is not attached gets JNI_EDETACHED, and so does
   any in the OnLoad phase, in which there is no JNI.  A callback of the collector gets
   no new environment: making one enters the VM, where the thread is already. */
static jint JNICALL
GetEnv(JavaVM *javavm, void **env, jint version)
{
    struct vm *vm = vm_of(javavm);

    *env = NULL;
    if (!current_thread || vm->is_destroyed)
        return JNI_EDETACHED;
    if ((version & JVMTI_VERSION_MASK_INTERFACE_TYPE) == JVMTI_VERSION_INTERFACE_JVMTI)
        return is_thread_in_vm(current_thread) ? JNI_ERR
                                               : jvmti_get_env(vm, env, version);
    if (!has_threads(vm))
        return JNI_EDETACHED;
    if (!JVM_IsSupportedJNIVersion(version))
        return JNI_EVERSION;
    *env = thread_env(current_thread);
    return JNI_OK;
}

static const struct JNIInvokeInterface_ invoke_interface = {
    NULL,
    NULL,
    NULL,
    DestroyJavaVM,
    AttachCurrentThread,
    DetachCurrentThread,
    GetEnv,
    AttachCurrentThreadAsDaemon
};

/* JNI "JNI_CreateJavaVM": makes the process's VM.  Sets the_vm first, since the steps
   of the start use it, and back to NULL when one fails; the struct is not freed then,
   since parts of it may be in use.  On success the calling thread is attached and in
   native state. */
JNIEXPORT jint JNICALL
JNI_CreateJavaVM(JavaVM **javavm, void **env, void *args)
{
    struct thread *self = NULL;

    /* A process can have one VM, once; it counts from the first thread on. */
    if (the_vm)
        return the_vm->is_destroyed ? JNI_ERR : JNI_EEXIST;
    if (!args)
        return JNI_EINVAL;
    struct vm *vm = the_vm = mem_calloc(1, sizeof *vm);
    vm->jni_invoke = &invoke_interface;
    os_share_malloc();
    vm->start_nanos = (uint64_t)os_nanos();
    vm->start_wall_millis = (uint64_t)(os_wall_nanos() / 1000000);
    if (!start_vm(vm, args, &self)) {
        /* JVM TI "Agent Shutdown": also when the start fails. */
        vm_set_phase(vm, VM_PHASE_DEAD);
        /* Threads that the class library has started go on, and look at the VM. */
        if (self) {
            jvmti_unload_agents(self);
            vm->is_destroyed = true;
        } else {
            the_vm = NULL;
        }
        /* What was printed must come before what the launcher prints. */
        fflush(stdout);
        return JNI_ERR;
    }
    *javavm = (JavaVM *)&vm->jni_invoke;
    *env = thread_env(self);
    thread_leave_vm(self);
    /* What agents have printed must come before what the program prints: System.out has
       a buffer of its own. */
    fflush(stdout);
    fflush(stderr);
    return JNI_OK;
}

JNIEXPORT jint JNICALL
JNI_GetDefaultJavaVMInitArgs(void *args)
{
    JavaVMInitArgs *a = args;

    /* JDK 1.1's structure is not supported; everything later is. */
    if (!a || a->version == JNI_VERSION_1_1)
        return JNI_ERR;
    return JNI_OK;
}

JNIEXPORT jint JNICALL
JNI_GetCreatedJavaVMs(JavaVM **buffer, jsize length, jsize *count)
{
    bool alive = the_vm && !the_vm->is_destroyed;

    if (count)
        *count = alive;
    if (alive && length > 0)
        buffer[0] = (JavaVM *)&the_vm->jni_invoke;
    return JNI_OK;
}
