/* SPDX-License-Identifier: MIT */
/* minivm/runtime/start.c -- how threads begin and end: Thread.start, attach, detach.
 *
 * The first thread and those that attach are pthreads already: they make a struct
 * thread for themselves (adopt_pthread), enter the VM, and then make their
 * java.lang.Thread.  A thread that another one starts has its java.lang.Thread first;
 * the starter makes the struct thread and puts it into the list, so that the new thread
 * can be suspended and counted before it runs, and then makes the pthread.
 *
 * At the end a thread runs Java for the last time (the handler of an uncaught
 * exception, Thread.exit), notifies those that join it, releases its monitors, and
 * leaves the list. */

#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/events.h"
#include "base/mem.h"
#include "diagnostics/exhausted.h"
#include "diagnostics/fault.h"
#include "linking/message.h"
#include "runtime/above.h"
#include "runtime/exception.h"
#include "runtime/start.h"
#include "runtime/string.h"
#include "runtime/vm.h"
#include "threads/monitor.h"
#include "threads/park.h"
#include "threads/safepoint.h"
#include "threads/thread_list.h"

enum {
    PRIORITY_NORMAL = 5, /* Thread.NORM_PRIORITY */
    /* Bytes of a Java stack without -Xss, and the least that it may have. */
    STACK_DEFAULT = 1 << 20,
    STACK_MIN = 64 << 10,
    /* The least bytes of the C stack of a new pthread. */
    C_STACK_MIN = C_FRAMES * (1 << 20),
    /* What a foreign function, or to throw StackOverflowError, may need. */
    C_STACK_RESERVE = C_FRAMES * (128 << 10)
};

/* ---- java.lang.Thread's fields ---- */

/* Sets Thread.threadStatus, bits of enum thread_status, of a java.lang.Thread that has
   been constructed; one whose constructor has failed may have no such field. */
static void
set_status(const struct vm *vm, struct object *o, int32_t status)
{
    struct object *fields = thread_fields(vm, o);

    if (fields)
        __atomic_store_n(&INT_FIELD(vm, fields, Thread_threadStatus), status,
                         __ATOMIC_RELEASE);
}

/* Sets Thread.eetop, by which the struct thread of a java.lang.Thread is found; t NULL:
   it has not begun or has ended. */
static void
set_eetop(const struct vm *vm, struct object *o, struct thread *t)
{
    __atomic_store_n(&LONG_FIELD(vm, o, Thread_eetop), (int64_t)(uintptr_t)t,
                     __ATOMIC_RELEASE);
}

/* t and its java.lang.Thread know each other. */
static void
link_object(struct thread *t, struct object *o)
{
    t->object = t->current = o;
    set_eetop(t->vm, o, t);
}

/* Calls a Java method with at most three references as its arguments; those behind the
   last are NULL.  Its result is dropped.  False with an exception pending. */
static bool
call(struct thread *self, struct method *m, struct object *a, struct object *b,
     struct object *c)
{
    union slot args[3] = { { .ref = a }, { .ref = b }, { .ref = c } }, result;

    return java_call(self, m, args, &result);
}

/* Calls the method that the class of a has for m, with a as the receiver and b as an
   argument, which m need not have.  False with an exception pending. */
static bool
call_virtual(struct thread *self, struct method *m, struct object *a, struct object *b)
{
    return call(self, class_select(object_class(a), m), a, b, NULL);
}

/* Returns a new java.lang.Thread in group; name NULL: the next Thread-N.  own: it is
   self's own, and is linked before its constructor runs, which asks for the current
   thread and takes over its priority: so that has one.  (As of JDK 21 the priority is
   in an object that the constructor makes, and it knows of this case.)  NULL with the
   exception pending.  The caller has a HANDLE_SCOPE. */
static struct object *
make_object(struct thread *self, bool own, bool daemon, struct object *group,
            const char *name)
{
    struct vm *vm = self->vm;
    struct object *o = handle_new(self, object_new_known(self, KNOWN_CLASS_Thread));
    struct object *text = NULL;

    if (!o)
        return NULL;
    if (own)
        link_object(self, o);
    if (thread_fields(vm, o))
        INT_FIELD(vm, thread_fields(vm, o), Thread_priority) = PRIORITY_NORMAL;
    if (name && !(text = handle_new(self, string_from_utf8(self, name))))
        return NULL;
    /* Thread(ThreadGroup, String), or Thread(ThreadGroup, Runnable) with null. */
    if (!call(self, name ? KM(vm, Thread_init) : KM(vm, Thread_initRunnable), o, group,
              text))
        return NULL;
    OBJECT_FIELD(uint8_t, thread_fields(vm, o), KF(vm, Thread_daemon)) = daemon;
    if (own)
        thread_update_status(self);
    return o;
}

/* ---- the calling pthread becomes a thread ---- */

void
thread_set_native_name(const char *name)
{
    prctl(PR_SET_NAME, name); /* the kernel keeps 15 bytes */
}

/* Makes the last page of a C stack without a guard its guard, or gives it back.  The JDK's
   launcher makes the thread of `main` so, and below its stack may be anything, a Java stack
   for one: what ran over its end would go unseen.  Returns the guard's size, 0 if there is
   none.  The process's first thread is left alone: the kernel guards its stack. */
static size_t
guard_c_stack(const struct thread *t, void *low, bool on)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    if (t->native_id == getpid()
        || mprotect(low, page, on ? PROT_NONE : PROT_READ | PROT_WRITE) != 0)
        return 0;
    return page;
}

/* Finds where the C stack of the calling thread, which is t's, begins and ends, and how
   far calls of Java may go in it.  Where the system does not tell, nothing is set: then
   only the Java stack is limited. */
static void
find_c_stack(struct thread *t)
{
    pthread_attr_t attr;
    void *low;
    size_t size, guard;

    if (pthread_getattr_np(t->pthread, &attr) != 0)
        return;
    if (pthread_attr_getstack(&attr, &low, &size) == 0
        && pthread_attr_getguardsize(&attr, &guard) == 0) {
        if (guard == 0)
            guard = guard_c_stack(t, low, true);
        t->c_stack_low = (char *)low + guard;
        t->c_stack_high = (char *)low + size;
        t->c_stack_limit = t->c_stack_low
                           + (size / 2 < C_STACK_RESERVE ? size / 2 : C_STACK_RESERVE);
    }
    pthread_attr_destroy(&attr);
}

/* The pthread of t, the calling one, gets its C stack back as it was. */
static void
return_c_stack(struct thread *t)
{
    pthread_attr_t attr;
    void *low;
    size_t size, guard;

    if (pthread_getattr_np(t->pthread, &attr) != 0)
        return;
    if (pthread_attr_getstack(&attr, &low, &size) == 0
        && pthread_attr_getguardsize(&attr, &guard) == 0 && guard == 0)
        guard_c_stack(t, low, false);
    pthread_attr_destroy(&attr);
}

/* t becomes the thread of the calling pthread, with its C stack and an alternate signal
   stack.  It is in no list yet, or a starter has put it there. */
static void
adopt_pthread(struct thread *t)
{
    t->pthread = pthread_self();
    t->native_id = (int)syscall(SYS_gettid);
    find_c_stack(t);
    fault_set_stack(t);
    current_thread = t;
}

/* t, the calling thread, which is IN_VM, leaves the list and is freed. */
static void
part_from_pthread(struct thread *t)
{
    return_c_stack(t);
    fault_drop_stack(t);
    thread_list_remove(t);
    current_thread = NULL;
}

/* Returns the size of a Java stack: what was asked for (0: -Xss), within bounds. */
static size_t
stack_size(const struct vm *vm, int64_t asked)
{
    size_t size = asked > 0 ? (size_t)asked : vm->options.stack_size;

    if (size == 0)
        size = STACK_DEFAULT;
    return size < STACK_MIN ? STACK_MIN : size > 1u << 30 ? 1u << 30 : size;
}

/* The first thread finds a lock_id in any case. */
struct thread *
thread_attach_first(struct vm *vm)
{
    struct thread *t = thread_new(vm, stack_size(vm, 0));

    if (!t)
        return NULL;
    adopt_pthread(t);
    thread_list_add(t);
    thread_enter_vm(t);
    return t;
}

/* Both groups are roots of the collector (vm->system_group, vm->main_group). */
bool
thread_create_main_object(struct thread *self)
{
    struct vm *vm = self->vm;
    struct object *name;

    HANDLE_SCOPE(self);
    vm->system_group = object_new_known(self, KNOWN_CLASS_ThreadGroup);
    if (!vm->system_group
        || !call(self, KM(vm, ThreadGroup_init), vm->system_group, NULL, NULL))
        return false;
    vm->main_group = object_new_known(self, KNOWN_CLASS_ThreadGroup);
    name = vm->main_group ? handle_new(self, string_from_utf8(self, "main")) : NULL;
    if (!name
        || !call(self, KM(vm, ThreadGroup_initChild), vm->main_group, vm->system_group,
                 name))
        return false;
    /* Its own object, and no daemon. */
    return make_object(self, true, false, vm->main_group, "main") != NULL;
}

/* Enters the thread o in its group, in releases where groups know their threads.  False
   with an exception pending. */
static bool
add_to_group(struct thread *self, struct object *group, struct object *o)
{
    struct method *add = KM(self->vm, ThreadGroup_add);

    return !add || call_virtual(self, add, group, o);
}

/* The Java side of thread_attach: makes the java.lang.Thread and enters it in its
   group.  False with the exception pending. */
static bool
attach_object(struct thread *self, const char *name, struct object *group)
{
    struct vm *vm = self->vm;

    HANDLE_SCOPE(self);
    if (!group)
        group = vm->main_group;
    handle_new(self, group);
    return make_object(self, true, self->is_daemon, group, name)
           && add_to_group(self, group, self->object);
}

/* If the Java side fails, the thread is dropped without running any more Java; what
   Java has thrown is lost, since JNI has no thread that it could be pending in. */
struct thread *
thread_attach(struct vm *vm, const char *name, struct object *group, bool daemon)
{
    struct thread *self = thread_new(vm, stack_size(vm, 0));

    if (!self)
        return NULL;
    self->is_daemon = daemon;
    self->is_attached_by_jni = true;
    adopt_pthread(self);
    if (!thread_list_add(self)) {
        fault_drop_stack(self);
        current_thread = NULL;
        thread_free(self);
        return NULL;
    }
    thread_enter_vm(self);
    if (!attach_object(self, name, group)) {
        self->exception = NULL;
        thread_leave_vm(self);
        thread_drop(self);
        return NULL;
    }
    EVENT_SEND(EVENT_THREAD_START, thread_start, self);
    thread_leave_vm(self);
    return self;
}

/* ---- the end ---- */

/* The handler of an uncaught exception has thrown one itself.  HotSpot says so, too. */
static void
report_handler_failure(struct thread *self)
{
    struct object *e = handle_new(self, exception_take(self));
    struct object *name = REF_FIELD(self->vm, self->object, Thread_name);
    TEXTS(t);

    fputs(own(&t, message_printf("\nException: %pC thrown from the "
                                 "UncaughtExceptionHandler in thread \"%s\"\n",
                                 object_class(e),
                                 name ? own(&t, string_to_utf8(name)) : "<NULL>")),
          stderr);
}

/* Hands the pending exception, if there is one, to Thread.dispatchUncaughtException,
   which calls the handler of uncaught exceptions. */
static void
dispatch_uncaught(struct thread *self)
{
    struct object *e = exception_take(self);

    if (!e)
        return;
    HANDLE_SCOPE(self);
    handle_new(self, e);
    call_virtual(self, KM(self->vm, Thread_dispatchUncaughtException), self->object, e);
    if (exception_pending(self))
        report_handler_failure(self);
}

/* Calls Thread.exit, which takes the thread out of its group.  An exception of
   thread_stop may end it early, so it is tried again, three times at most, while the
   field group is still set.  Nothing is pending afterwards. */
static void
call_exit(struct thread *self)
{
    const struct vm *vm = self->vm;
    struct object *fields = thread_fields(vm, self->object);

    for (int tries = 3; tries > 0 && fields && REF_FIELD(vm, fields, Thread_group);
         tries--) {
        if (call(self, KM(self->vm, Thread_exit), self->object, NULL, NULL))
            return;
        self->exception = NULL;
    }
}

/* Thread.isAlive is false from here on, and those that join the thread are notified:
   they wait on the object.  If monitor_enter has failed for want of memory nobody can
   be notified.  Nothing is pending afterwards. */
static void
end_object(struct thread *self)
{
    struct vm *vm = self->vm;
    struct object *o = self->object;

    monitor_enter(self, o, NULL);
    set_status(vm, o, STATUS_TERMINATED);
    set_eetop(vm, o, NULL);
    if (self->lock_count) {
        monitor_notify_all(self, o);
        monitor_exit(self, o);
    }
    self->exception = NULL;
}

/* The end of a thread that is IN_VM, up to where it leaves the list.  is_exiting keeps
   it out of heap dumps.  The poll waits while another thread has suspended self, and
   its exception, which thread_stop may have sent, is dropped. */
static void
end_thread(struct thread *self)
{
    HANDLE_SCOPE(self);
    self->is_exiting = true;
    if (self->object) {
        dispatch_uncaught(self);
        call_exit(self);
        if (!self->is_hidden)
            EVENT_SEND(EVENT_THREAD_END, thread_end, self);
        /* If it is suspended here, it is still alive for others. */
        thread_poll(self);
        self->exception = NULL;
        end_object(self);
    }
    monitor_exit_all(self);
}

void
thread_detach(struct thread *self)
{
    thread_enter_vm(self);
    end_thread(self);
    part_from_pthread(self);
}

/* If the Thread object was made before the failure, it must not lead to the struct any
   more. */
void
thread_drop(struct thread *self)
{
    thread_enter_vm(self);
    self->exception = NULL;
    if (self->object)
        set_eetop(self->vm, self->object, NULL);
    monitor_exit_all(self);
    part_from_pthread(self);
}

/* ---- new pthreads ---- */

/* Gives the calling thread the name of its java.lang.Thread for the operating
   system. */
static void
name_pthread(struct thread *self)
{
    struct object *name = REF_FIELD(self->vm, self->object, Thread_name);
    TEXTS(t);

    if (name)
        thread_set_native_name(own(&t, string_to_utf8(name)));
}

/* The first function of a new pthread; p is its struct thread, which start_thread has
   put into the list.  Nobody waits for the pthread's end: it is detached. */
static void *
run_pthread(void *p)
{
    struct thread *self = p;

    adopt_pthread(self);
    thread_enter_vm(self);
    name_pthread(self);
    if (!self->is_hidden)
        EVENT_SEND(EVENT_THREAD_START, thread_start, self);
    if (self->run)
        self->run(self, self->run_arg);
    else
        call_virtual(self, KM(self->vm, Thread_run), self->object, NULL);
    end_thread(self);
    part_from_pthread(self);
    return NULL;
}

/* Makes the pthread of t, with a C stack of at least size bytes, the size of its Java
   stack.  Returns 0, or the error number of pthread_create. */
static int
create_pthread(struct thread *t, size_t size)
{
    pthread_attr_t attr;
    pthread_t pthread;
    int rc;

    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    if (size < C_STACK_MIN)
        size = C_STACK_MIN;
    pthread_attr_setstacksize(&attr, size + C_STACK_RESERVE);
    rc = pthread_create(&pthread, &attr, run_pthread, t);
    pthread_attr_destroy(&attr);
    return rc;
}

/* Reports JVM TI "Resource Exhausted" and throws OutOfMemoryError.  Returns false. */
static bool
throw_no_thread(struct thread *self)
{
    static const char text[] = "unable to create native thread: possibly out of memory "
                               "or process/resource limits reached";

    EVENT_SEND(EVENT_RESOURCE_EXHAUSTED, resource_exhausted, self,
               EXHAUSTED_OOM_ERROR | EXHAUSTED_THREADS, text);
    return throw_out_of_memory(self, text);
}

/* Runs fn (NULL: Thread.run) in a new pthread with o as its java.lang.Thread.  False
   with OutOfMemoryError pending: then o is as it was before, not started.  After
   pthread_create t may have ended, so it is not touched. */
static bool
start_thread(struct thread *self, struct object *o, bool daemon, bool is_agent,
             void (*fn)(struct thread *self, void *arg), void *arg)
{
    struct vm *vm = self->vm;
    size_t size = stack_size(vm,
                             LONG_FIELD(vm, thread_fields(vm, o), Thread_stackSize));
    struct thread *t = thread_new(vm, size);

    if (t) {
        t->is_daemon = daemon;
        t->is_agent_thread = is_agent;
        t->run = fn;
        t->run_arg = arg;
        link_object(t, o);
        thread_update_status(t);
        /* Known before it runs, so that it can be suspended and counted at once. */
        bool is_known = thread_list_add(t);
        if (is_known && vm->thread_starts)
            vm->thread_starts(t);
        if (is_known && create_pthread(t, size) == 0)
            return true;
        set_eetop(vm, o, NULL);
        set_status(vm, o, STATUS_NEW);
        if (is_known)
            thread_list_remove(t);
        else
            thread_free(t);
    }
    return throw_no_thread(self);
}

void
thread_start(struct thread *self, struct object *thread_object)
{
    struct vm *vm = self->vm;

    if (thread_of_object(thread_object)) {
        THROW0(self, IllegalThreadStateException);
        return;
    }
    bool daemon = OBJECT_FIELD(uint8_t, thread_fields(vm, thread_object),
                               KF(vm, Thread_daemon));
    start_thread(self, thread_object, daemon, false, NULL, NULL);
}

/* A thread object that the caller has is an agent's (is_agent).  One that is made here
   is entered in its group, which Thread.start does for other threads. */
bool
thread_start_internal(struct thread *self, struct object *thread_object,
                      const char *name, void (*fn)(struct thread *self, void *arg),
                      void *arg, int priority)
{
    struct vm *vm = self->vm;
    struct object *o = thread_object;

    HANDLE_SCOPE(self);
    if (!o) {
        /* Not the object of self, and a daemon. */
        o = make_object(self, false, true, vm->system_group, name);
        if (!o || !add_to_group(self, vm->system_group, o))
            return false;
    }
    handle_new(self, o);
    struct object *fields = thread_fields(vm, o);
    OBJECT_FIELD(uint8_t, fields, KF(vm, Thread_daemon)) = true;
    INT_FIELD(vm, fields, Thread_priority) = priority;
    return start_thread(self, o, true, thread_object != NULL, fn, arg);
}
