/* SPDX-License-Identifier: MIT */
/*
 * minivm/linking/initialize.c -- initialization of classes (JVMS 5.5).
 *
 * The steps are those of the specification.  Its lock LC is init_lock: the member
 * initializing_thread of the class, guarded by class_mutex, with the condition that
 * loading.h describes.  class_link uses the same lock, so that one thread verifies.
 *
 * A class whose initialization has failed keeps an ExceptionInInitializerError, which
 * is the cause of the NoClassDefFoundError that each later attempt throws.
 */

#include "linking/initialize.h"

#include "base/mem.h"
#include "linking/link.h"
#include "linking/loading.h"
#include "runtime/above.h"
#include "runtime/call.h"
#include "runtime/exception.h"
#include "runtime/string.h"
#include "runtime/vm.h"

/* ---- the initialization lock ----
 *
 * These are the steps 1 to 6 of JVMS 5.5: wait while another thread is initializing the
 * class, return if this thread is or if it is done, else become the thread that does.
 */

/*
 * The loop ends when nobody has the lock: then the other thread has reached goal, or
 * has failed.  A class whose verification has failed is CLASS_LOADED again, so that
 * self takes the lock and tries as well; CLASS_ERRONEOUS is beyond every goal.  Thread
 * dumps name the wait for an initializer (WAIT_CLASS_INIT); JVM TI sees a runnable
 * thread.
 */
bool
init_lock(struct thread *self, struct class *c, enum class_state goal)
{
    LOCK(&self->vm->class_mutex);

    while (c->initializing_thread && c->initializing_thread != self
           && class_state(c) < goal) {
        atomic_store(&self->wait, goal == CLASS_LINKED ? WAIT_NONE : WAIT_CLASS_INIT);
        class_state_wait(self);
        atomic_store(&self->wait, WAIT_NONE);
    }
    if (class_state(c) >= goal || c->initializing_thread)
        return false;
    c->initializing_thread = self;
    if (goal == CLASS_INITIALIZED)
        atomic_store_explicit(&c->state, CLASS_INITIALIZING, memory_order_release);
    return true;
}

void
init_unlock(struct thread *self, struct class *c, enum class_state state)
{
    LOCK(&self->vm->class_mutex);

    c->initializing_thread = NULL;
    atomic_store_explicit(&c->state, state, memory_order_release);
    class_state_changed(self->vm);
}

/* ---- failures ---- */

/* Returns the StackTraceElement[] of an exception, or NULL if getStackTrace throws. */
static struct object *
stack_trace_of(struct thread *self, struct object *thrown)
{
    struct method *m = KM(self->vm, Throwable_getStackTrace);
    union slot args = { .ref = thrown }, result = { .ref = NULL };

    if (!java_call(self, class_select(object_class(thrown), m), &args, &result))
        (void)exception_take(self);
    return result.ref;
}

/*
 * Returns an ExceptionInInitializerError with the message and stack trace of what was
 * thrown.  It does not refer to that exception, which may keep anything alive.  Returns
 * NULL if there is no memory for it.
 */
static struct object *
make_init_error(struct thread *self, struct object *thrown)
{
    struct vm *vm = self->vm;
    struct object *elements = handle_new(self, stack_trace_of(self, thrown)), *error;
    struct object *message = REF_FIELD(vm, thrown, Throwable_detailMessage);
    struct object *thread = self->object;
    struct object *name = thread ? REF_FIELD(vm, thread, Thread_name) : NULL;

    THROW(self, ExceptionInInitializerError, "Exception %pC%s%pU [in thread \"%s%pU\"]",
          object_class(thrown), message ? ": " : "", message, name ? "" : "main", name);
    error = handle_new(self, exception_take(self));
    if (object_class(error) != KC(vm, ExceptionInInitializerError))
        return NULL;
    REF_FIELD(vm, error, Throwable_stackTrace) = elements;
    REF_FIELD(vm, error, Throwable_backtrace) = NULL;
    return error;
}

/* ---- initialization (JVMS 5.5, steps 7 to 12) ---- */

/* Returns true if interface c declares a method that is neither static nor abstract. */
static bool
declares_default(const struct class *c)
{
    for (uint32_t i = 0; i < c->method_count; i++)
        if (!(class_method(c, i)->access_flags & (ACC_STATIC | ACC_ABSTRACT)))
            return true;
    return false;
}

/* Returns true if a superinterface of c, direct or not, has default methods.  If not
   there is nothing to initialize, and no need to go through them one by one. */
static bool
inherits_default(const struct class *c)
{
    for (uint32_t i = 0; i < c->all_interface_count; i++)
        if (declares_default(c->all_interfaces[i]))
            return true;
    return false;
}

/*
 * Initializes the superinterfaces of c that have default methods, each one after those
 * that it extends, as JVMS 5.5 step 7 demands before the initializer of a class runs.
 * An interface without default methods is not initialized with the class, but those
 * that it extends are gone through; so are those of an interface that is initialized
 * already, since initializing an interface does not initialize what it extends.
 * Returns false with what an initializer has thrown pending.
 */
static bool
initialize_interfaces(struct thread *self, struct class *c)
{
    if (!inherits_default(c))
        return true;
    for (uint32_t i = 0; i < c->interface_count; i++) {
        struct class *interface = c->interfaces[i];

        if (!initialize_interfaces(self, interface)
            || (!class_is_initialized(interface) && declares_default(interface)
                && !class_initialize(self, interface)))
            return false;
    }
    return true;
}

/* Calls the class initializer, if there is one (JVMS 5.5 step 9).  The parser has made
   sure that it is static.  Returns false with what it has thrown pending. */
static bool
run_initializer(struct thread *self, struct class *c)
{
    struct method *m;

    if (!c->pool->file->has_clinit)
        return true;
    m = class_own_method(c, symbol_of("<clinit>"), symbol_of("()V"));
    return java_call(self, m, NULL, NULL);
}

/*
 * Ends the initialization of c, whose lock self has, without success: c becomes
 * erroneous, and the threads that wait are woken (JVMS 5.5 steps 7 and 12).  What is
 * pending, to be thrown by this attempt, stays pending; it is put aside while Java code
 * makes the error that later attempts have as their cause.  cause is what the
 * initializer of c or of a supertype has thrown, before it was wrapped.
 */
static void
fail(struct thread *self, struct class *c, struct object *cause)
{
    struct object *thrown = handle_new(self, exception_take(self));

    c->init_error = make_init_error(self, cause);
    self->exception = thrown;
    init_unlock(self, c, CLASS_ERRONEOUS);
}

/* Does the work of initialization for c, which is linked and whose initialization lock
   self has taken: the supertypes, unless c is an interface, then c's own initializer.
   Releases the lock.  Returns false with the error pending, and c erroneous. */
static bool
initialize(struct thread *self, struct class *c)
{
    struct object *cause;

    if (!class_is_interface(c)
        && ((c->super && !class_initialize(self, c->super))
            || !initialize_interfaces(self, c))) {
        fail(self, c, handle_new(self, self->exception));
        return false;
    }
    if (!run_initializer(self, c)) {
        cause = handle_new(self, self->exception);
        /* What is no Error is wrapped in one (JVMS 5.5 step 11). */
        throw_wrapped(self, KNOWN_CLASS_ExceptionInInitializerError,
                      KNOWN_METHOD_ExceptionInInitializerError_init);
        fail(self, c, cause);
        return false;
    }
    init_unlock(self, c, CLASS_INITIALIZED);
    return true;
}

/* class_initialize calls it unless c is initialized.  If init_lock returns false,
   another thread has done the work meanwhile, or self is in c's initializer (both are
   success), or the class is erroneous. */
bool
class_initialize_slow(struct thread *self, struct class *c)
{
    HANDLE_SCOPE(self);

    handle_new(self, c->layout.mirror);
    if (!c_stack_left(self) || !class_link(self, c))
        return false;
    if (init_lock(self, c, CLASS_INITIALIZED))
        return initialize(self, c);
    return class_state(c) != CLASS_ERRONEOUS
           || throw_caused(self, KNOWN_CLASS_NoClassDefFoundError, c->init_error,
                           "Could not initialize class %pC", c);
}

/* java.lang.Class is refused like a class whose constructor is not accessible, as in
   HotSpot: its instances are mirrors, which the VM makes. */
bool
class_may_have_instances(struct thread *self, const struct class *c, bool error)
{
    if (c == KC(self->vm, Class))
        return throw_new(self,
                         error ? KNOWN_CLASS_IllegalAccessError
                               : KNOWN_CLASS_IllegalAccessException,
                         "%pC", c);
    if (c->primitive && !error)
        return THROW0(self, InstantiationException);
    return (!class_is_array(c) && !(c->access_flags & (ACC_ABSTRACT | ACC_INTERFACE)))
           || throw_new(self,
                        error ? KNOWN_CLASS_InstantiationError
                              : KNOWN_CLASS_InstantiationException,
                        "%pC", c);
}
