/* SPDX-License-Identifier: MIT */
/* minivm/vm/start.c -- how threads begin and end: Thread.start, attach, detach. */

#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/events.h"
#include "base/mem.h"
#include "vm/above.h"
#include "vm/exception.h"
#include "vm/exhausted.h"
#include "vm/monitor.h"
#include "vm/string.h"
#include "vm/vm.h"

enum {
    STATUS_NEW = 0, STATUS_TERMINATED = 2,
    PRIORITY_NORMAL = 5,
    STACK_DEFAULT = 1 << 20,
    STACK_MIN = 64 << 10,
    C_STACK_MIN = C_FRAMES * (1 << 20),
    /* What a foreign function may need, and who throws StackOverflowError. */
    C_STACK_RESERVE = C_FRAMES * (128 << 10)
};

/* ---- java.lang.Thread's fields ---- */

static void
set_status(const struct vm *vm, struct object *o, int32_t status)
{
    __atomic_store_n(&INT_FIELD(vm, o, Thread_threadStatus), status, __ATOMIC_RELEASE);
}

static void
set_eetop(const struct vm *vm, struct object *o, struct thread *t)
{
    __atomic_store_n(&LONG_FIELD(vm, o, Thread_eetop), (int64_t)(uintptr_t)t,
                     __ATOMIC_RELEASE);
}

static void
link_object(struct thread *t, struct object *o)
{
    t->object = o;
    set_eetop(t->vm, o, t);
}

/* Upcalls of at most three references; a result is dropped. */
static bool
call(struct thread *self, struct method *m, struct object *a, struct object *b,
     struct object *c)
{
    union slot args[3] = { { .ref = a }, { .ref = b }, { .ref = c } }, result;

    return java_call(self, m, args, &result);
}

static bool
call_virtual(struct thread *self, struct method *m, struct object *a, struct object *b)
{
    return call(self, class_select(object_class(a), m), a, b, NULL);
}

/*
 * A java.lang.Thread in group; name NULL: the next Thread-N.  own: it is self's, whose
 * constructor has to find it as the current thread.  NULL with the exception pending.
 */
static struct object *
make_object(struct thread *self, bool own, bool daemon, struct object *group,
            const char *name)
{
    struct vm *vm = self->vm;
    struct object *o = keep(self, object_new_known(self, KNOWN_CLASS_Thread));
    struct object *text = NULL;

    if (!o)
        return NULL;
    if (own)
        link_object(self, o);
    INT_FIELD(vm, o, Thread_priority) = PRIORITY_NORMAL;
    if (name && !(text = keep(self, string_from_utf8(self, name))))
        return NULL;
    if (!call(self, name ? KM(vm, Thread_init) : KM(vm, Thread_initRunnable), o, group,
              text))
        return NULL;
    OBJECT_FIELD(uint8_t, o, KF(vm, Thread_daemon)) = daemon;
    if (own)
        thread_update_status(self);
    return o;
}

/* ---- the calling pthread becomes a thread ---- */

void
thread_set_native_name(const char *name)
{
    prctl(PR_SET_NAME, name);      /* the kernel keeps 15 bytes */
}

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
        t->c_stack_low = (char *)low + guard;
        t->c_stack_high = (char *)low + size;
        t->c_stack_limit = t->c_stack_low
                           + (size / 2 < C_STACK_RESERVE ? size / 2 : C_STACK_RESERVE);
    }
    pthread_attr_destroy(&attr);
}

static void
adopt_pthread(struct thread *t)
{
    t->pthread = pthread_self();
    t->native_id = (int)syscall(SYS_gettid);
    find_c_stack(t);
    fault_set_stack(t);
    current_thread = t;
}

/* t, which is the calling thread's, leaves the VM and is gone. */
static void
part_from_pthread(struct thread *t)
{
    fault_drop_stack(t);
    thread_list_remove(t);
    current_thread = NULL;
}

static size_t
stack_size(const struct vm *vm, int64_t asked)
{
    size_t size = asked > 0 ? (size_t)asked : vm->options.stack_size;

    if (size == 0)
        size = STACK_DEFAULT;
    return size < STACK_MIN ? STACK_MIN : size > 1u << 30 ? 1u << 30 : size;
}

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

bool
thread_create_main_object(struct thread *self)
{
    struct vm *vm = self->vm;
    struct object *name;

    SCOPE(self);
    vm->system_group = object_new_known(self, KNOWN_CLASS_ThreadGroup);
    if (!vm->system_group
        || !call(self, KM(vm, ThreadGroup_init), vm->system_group, NULL, NULL))
        return false;
    vm->main_group = object_new_known(self, KNOWN_CLASS_ThreadGroup);
    name = vm->main_group ? keep(self, string_from_utf8(self, "main")) : NULL;
    if (!name
        || !call(self, KM(vm, ThreadGroup_initChild), vm->main_group, vm->system_group,
                 name))
        return false;
    return make_object(self, true, false, vm->main_group, "main") != NULL;
}

/* The Java side of thread_attach; false with the exception pending. */
static bool
attach_object(struct thread *self, const char *name, struct object *group)
{
    struct vm *vm = self->vm;

    SCOPE(self);
    if (!group)
        group = vm->main_group;
    keep(self, group);
    return make_object(self, true, self->is_daemon, group, name)
           && call_virtual(self, KM(vm, ThreadGroup_add), group, self->object);
}

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

/* When the handler itself fails, the VM says so. */
static void
report_handler_failure(struct thread *self)
{
    struct object *e = keep(self, exception_take(self));
    struct object *name = REF_FIELD(self->vm, self->object, Thread_name);
    TEXTS(t);

    fputs(own(&t, text_printf("\nException: %pC thrown from the "
                              "UncaughtExceptionHandler in thread \"%s\"\n",
                              object_class(e),
                              name ? own(&t, string_to_utf8(name)) : "<NULL>")),
          stderr);
}

static void
dispatch_uncaught(struct thread *self)
{
    struct object *e = exception_take(self);

    if (!e)
        return;
    SCOPE(self);
    keep(self, e);
    call_virtual(self, KM(self->vm, Thread_dispatchUncaughtException), self->object, e);
    if (exception_pending(self))
        report_handler_failure(self);
}

/* Thread.exit leaves the group; an asynchronous exception may hit it. */
static void
call_exit(struct thread *self)
{
    uint32_t group = KF(self->vm, Thread_group);

    for (int tries = 3;
         tries > 0 && (!group || OBJECT_FIELD(struct object *, self->object, group));
         tries--) {
        if (call(self, KM(self->vm, Thread_exit), self->object, NULL, NULL))
            return;
        self->exception = NULL;
    }
}

/* From here on Thread.isAlive says no; joiners wait on the object. */
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

/* self is IN_VM; is gone afterwards. */
static void
end_thread(struct thread *self)
{
    SCOPE(self);
    self->is_exiting = true;
    if (self->object) {
        dispatch_uncaught(self);
        call_exit(self);
        if (!self->is_hidden)
            EVENT_SEND(EVENT_THREAD_END, thread_end, self);
        /* Suspended here, it is still alive. */
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

static void
name_pthread(struct thread *self)
{
    struct object *name = REF_FIELD(self->vm, self->object, Thread_name);
    TEXTS(t);

    if (name)
        thread_set_native_name(own(&t, string_to_utf8(name)));
}

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

static bool
throw_no_thread(struct thread *self)
{
    static const char text[] = "unable to create native thread: possibly out of memory "
                               "or process/resource limits reached";

    EVENT_SEND(EVENT_RESOURCE_EXHAUSTED, resource_exhausted, self,
               EXHAUSTED_OOM_ERROR | EXHAUSTED_THREADS, text);
    return throw_out_of_memory(self, text);
}

/* Run fn in a new pthread with o as its java.lang.Thread. */
static bool
start_thread(struct thread *self, struct object *o, bool daemon, bool is_agent,
             void (*fn)(struct thread *self, void *arg), void *arg)
{
    struct vm *vm = self->vm;
    size_t size = stack_size(
        vm, KF(vm, Thread_stackSize) ? LONG_FIELD(vm, o, Thread_stackSize) : 0);
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
    start_thread(self, thread_object,
                 OBJECT_FIELD(uint8_t, thread_object, KF(vm, Thread_daemon)), false,
                 NULL, NULL);
}

bool
thread_start_internal(struct thread *self, struct object *thread_object,
                      const char *name, void (*fn)(struct thread *self, void *arg),
                      void *arg, int priority)
{
    struct vm *vm = self->vm;
    struct object *o = thread_object;

    SCOPE(self);
    if (!o) {
        o = make_object(self, false, true, vm->system_group, name);
        if (!o || !call_virtual(self, KM(vm, ThreadGroup_add), vm->system_group, o))
            return false;
    }
    keep(self, o);
    OBJECT_FIELD(uint8_t, o, KF(vm, Thread_daemon)) = true;
    INT_FIELD(vm, o, Thread_priority) = priority;
    return start_thread(self, o, true, thread_object != NULL, fn, arg);
}
