/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/env.c -- environments, what they keep for threads, and results.
 *
 * GetEnv makes an environment (jvmti_get_env) and DisposeEnvironment ends it; env.h
 * tells how long its memory lives.  The parts of an environment that belong to a thread
 * are made when they are needed first and freed when the thread ends.  The second half
 * of the file is what bodies make their results with. */

#include "jvmti/env.h"

#include <string.h>

#include "base/os.h"
#include "jvmti/floor.h"
#include "runtime/refs.h"
#include "threads/continuation.h"
#include "threads/safepoint.h"
#include "threads/virtual_thread.h"

/* So many environments can be made in the life of a VM. */
enum { ENVIRONMENTS = 1 << 17, ENV_SIZE = sizeof(struct jvmti_env) };

const jvmtiCapabilities *
jvmti_env_capabilities(const struct jvmti_env *env)
{
    return &env->capabilities;
}

/* ---- data of threads ---- */

struct env_thread *
env_thread_find(const struct jvmti_thread *data, const struct jvmti_env *env)
{
    struct env_thread *e = atomic_load_explicit(&data->first, memory_order_acquire);

    while (e && e->env != env)
        e = atomic_load_explicit(&e->next, memory_order_acquire);
    return e;
}

/* Returns what env keeps for the thread, and makes it first if there is nothing.  The
   search is repeated under the mutex, since another thread may have made the entry just
   now. */
struct env_thread *
env_thread_make(struct jvmti_thread *data, struct jvmti_env *env)
{
    LOCK(&the_vm->jvmti->mutex);
    struct env_thread *e = env_thread_find(data, env);

    if (!e && (e = mem_try_calloc(1, sizeof *e)) != NULL) {
        e->env = env;
        e->next = data->first;
        atomic_store_explicit(&data->first, e, memory_order_release);
    }
    return e;
}

static struct jvmti_thread *
new_data(struct jvmti_vm *jvmti)
{
    struct jvmti_thread *data = mem_calloc(1, sizeof *data);
    LOCK(&jvmti->threads_mutex);

    TAILQ_INSERT_TAIL(&jvmti->threads, data, link);
    return data;
}

/* Frees what is kept for a thread that has ended, when no other thread can see that any
   more. */
static void
free_data(struct jvmti_vm *jvmti, struct jvmti_thread *data)
{
    struct env_thread *e = data->first, *next;

    mutex_lock(&jvmti->threads_mutex);
    TAILQ_REMOVE(&jvmti->threads, data, link);
    mutex_unlock(&jvmti->threads_mutex);
    for (; e; e = next) {
        next = e->next;
        mem_free(e);
    }
    jvmti_free_pop_requests(data);
    buf_release(&data->results);
    mem_free(data);
}

/* The hook vm->thread_created for a new thread, before other threads can see it. */
static void
thread_created(struct thread *t)
{
    t->jvmti = new_data(t->vm->jvmti);
}

/* The hook vm->thread_ended. */
static void
thread_ended(struct thread *t)
{
    free_data(t->vm->jvmti, t->jvmti);
    t->jvmti = NULL;
}

/* The hook vm->virtual_thread_mounts.  While there is no environment nothing is kept
   for any thread, so those that carriers run need no data of their own. */
void
jvmti_on_virtual_thread_mounts(struct continuation *c)
{
    if (the_vm->jvmti->first)
        c->jvmti = new_data(the_vm->jvmti);
}

/* The hook vm->virtual_thread_ended. */
static void
virtual_thread_ended(struct continuation *c)
{
    if (c->jvmti)
        free_data(the_vm->jvmti, c->jvmti);
    c->jvmti = NULL;
}

/* The operation of a handshake, when the first environment has been made: a virtual
   thread that was mounted before uses t's data, and gets its own. */
static void
separate_data(struct thread *t, void *arg)
{
    struct continuation *c = thread_carried(t);

    (void)arg;
    if (!c || c->jvmti)
        return;
    c->jvmti = t->jvmti;
    t->jvmti = new_data(t->vm->jvmti);
}

/* ---- life ---- */

/* Returns true if version is the number of a level of JVM TI, of any micro version, up
   to 21 or to the level of the class library's release, if that is higher.  Since 13
   there is a level with each release. */
static bool
is_jvmti_version(jint version)
{
    jint major = (version & JVMTI_VERSION_MASK_MAJOR) >> JVMTI_VERSION_SHIFT_MAJOR;
    jint newest = jvmti_level() > 21 ? jvmti_level() : 21;
    jint minor = (version & JVMTI_VERSION_MASK_MINOR) >> JVMTI_VERSION_SHIFT_MINOR;

    if (major == 1)
        return minor <= 2;
    if (major == 9 || major == 11)
        return minor == 0;
    return major >= 13 && major <= newest;
}

/* Returns the memory of a new environment, all zero, or NULL if there is none.  The
   caller holds the mutex.  NULL is returned when the address space or memory is used
   up, or when so many environments were made already: memory of disposed ones is not
   used again (env.h).  The environment counts from here on, but is not alive yet, so
   jvmti_check refuses its handle. */
static struct jvmti_env *
new_env(struct jvmti_vm *jvmti)
{
    uint32_t n = jvmti->count;

    if ((!jvmti->memory.base
         && !span_reserve(&jvmti->memory,
                          os_reservable((size_t)ENVIRONMENTS * ENV_SIZE, 32)))
        || (n + (size_t)1) * ENV_SIZE > jvmti->memory.reserved
        || !span_commit(&jvmti->memory, (n + (size_t)1) * ENV_SIZE))
        return NULL;
    atomic_store_explicit(&jvmti->count, n + 1, memory_order_release);
    return (struct jvmti_env *)jvmti->memory.base + n;
}

/* Returns the link of the list that points to env; for NULL, the link at the end.  The
   caller holds the mutex, and env is in the list. */
static struct jvmti_env *_Atomic *
link_to(struct jvmti_vm *jvmti, const struct jvmti_env *env)
{
    struct jvmti_env *_Atomic *at = &jvmti->first;

    while (*at != env)
        at = &(*at)->next;
    return at;
}

/* GetEnv for a version of JVM TI: makes an environment for the calling thread's agent.
   The environment is complete before it is linked into the list, where events find it.
   *result is set last, so an agent that fails gets NULL. */
jint
jvmti_get_env(struct vm *vm, void **result, jint version)
{
    struct jvmti_vm *jvmti = vm->jvmti;

    *result = NULL;
    if (!is_jvmti_version(version))
        return JNI_EVERSION;
    if (vm_get_phase(vm) == VM_PHASE_DEAD)
        return JNI_EDETACHED;
    mutex_lock(&jvmti->mutex);
    struct jvmti_env *env = new_env(jvmti);
    if (env) {
        env->handle = &jvmti_function_table;
        env->version = version;
        atomic_store_explicit(&env->is_alive, true, memory_order_release);
        atomic_store_explicit(link_to(jvmti, NULL), env, memory_order_release);
    }
    mutex_unlock(&jvmti->mutex);
    if (!env)
        return JNI_ENOMEM;
    /* GetEnv is a function of the JavaVM and gets no thread. */
    struct thread *self = current_thread;
    thread_enter_vm(self);
    if (vm->options.continuations && vm->jvmti->first == env)
        handshake_all(self, separate_data, NULL);
    jvmti_update_events(self);
    thread_leave_vm(self);
    *result = &env->handle;
    return JNI_OK;
}

/* Ends env: from here on its handle is refused and it gets no events.  If two threads
   dispose of env at once, the exchange lets one go on, and the other gets the error of
   a late call.  A callback of env that is running already is not waited for.  The tags
   are freed last, with the world stopped: until then other threads may be reading
   them. */
jvmtiError
jvmti_DisposeEnvironment(struct thread *self, struct jvmti_env *env)
{
    struct jvmti_vm *jvmti = self->vm->jvmti;
    bool was_alive;

    mutex_lock(&jvmti->mutex);
    was_alive = atomic_exchange(&env->is_alive, false);
    if (was_alive) {
        /* env keeps its own link for threads that are reading the list at env. */
        atomic_store_explicit(link_to(jvmti, env), env->next, memory_order_release);
        memset(&env->capabilities, 0, sizeof env->capabilities);
        memset(&env->callbacks, 0, sizeof env->callbacks);
        for (int i = 0; i < EXTENSION_EVENT_COUNT; i++)
            __atomic_store_n(&env->extension_callbacks[i], NULL, __ATOMIC_RELEASE);
        __atomic_store_n(&env->extensions_on, 0, __ATOMIC_RELAXED);
        env->enabled = 0;
        atomic_store(&env->active, 0);
    }
    mutex_unlock(&jvmti->mutex);
    if (!was_alive)
        return JVMTI_ERROR_INVALID_ENVIRONMENT;
    jvmti_update_events(self);
    if (env->tags)
        jvmti_release_tags(self, env);
    return JVMTI_ERROR_NONE;
}

/* ---- results ---- */

/* Notes memory, which may be NULL for lack of it, as a result of the running call.
   After an error the memory is freed, so the caller just passes the error on. */
jvmtiError
jvmti_add_result(void *memory)
{
    struct buf *results = &current_thread->jvmti->results;

    if (!memory || !buf_try_reserve(results, sizeof memory)) {
        mem_free(memory);
        return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    buf_append(results, &memory, sizeof memory);
    return JVMTI_ERROR_NONE;
}

void *
jvmti_alloc(size_t size)
{
    void *memory = size != 0 ? mem_try_alloc(size) : NULL;

    return memory && jvmti_add_result(memory) == JVMTI_ERROR_NONE ? memory : NULL;
}

/* Sets *result to a copy of the bytes, NULL for a length of 0, in result memory. */
jvmtiError
jvmti_copy_bytes(const uint8_t *bytes, size_t length, unsigned char **result)
{
    unsigned char *copy;

    TRY(JVMTI_ALLOC(length, &copy));
    if (length != 0)
        memcpy(copy, bytes, length);
    *result = copy;
    return JVMTI_ERROR_NONE;
}

/* Sets *result to a copy of the text in result memory, NULL for NULL.  A NULL result
   means that the agent does not ask for this. */
jvmtiError
jvmti_copy(const char *text, char **result)
{
    size_t size = text ? strlen(text) + 1 : 0;
    char *copy;

    if (!result)
        return JVMTI_ERROR_NONE;
    TRY(JVMTI_ALLOC(size, &copy));
    if (text)
        memcpy(copy, text, size);
    *result = copy;
    return JVMTI_ERROR_NONE;
}

/* Sets *result to a local reference to o, or returns OUT_OF_MEMORY.  If ref_new_local
   fails, it throws OutOfMemoryError, which takes the place of a pending exception and
   may collect; so that exception is put back, and has a handle meanwhile. */
jvmtiError
jvmti_local(struct thread *self, struct object *o, jobject *result)
{
    HANDLE_SCOPE(self);
    struct object *pending = handle_new(self, self->exception);
    jobject local = ref_new_local(self, o);

    if (o && !local) {
        self->exception = pending;
        return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    *result = local;
    return JVMTI_ERROR_NONE;
}

/* Makes an array of local references to the objects whose handles are newer than the
   scope.  n is computed first, since jvmti_local makes a handle while it runs. */
jvmtiError
jvmti_locals(const struct handle_scope *since, jint *count, jobject **result)
{
    size_t n = handle_scope_count(since);
    jobject *locals;

    TRY(JVMTI_ALLOC(n, &locals));
    for (size_t i = 0; i < n; i++)
        TRY(jvmti_local(since->self, handle_scope_objects(since)[i], &locals[i]));
    *count = (jint)n;
    *result = locals;
    return JVMTI_ERROR_NONE;
}

/* Makes vm->jvmti and registers what this floor is told of: events, the start and end
   of threads, dead objects, the report of a crash.  Called once, before the first
   thread. */
void
jvmti_init(struct vm *vm)
{
    vm->jvmti = mem_calloc(1, sizeof *vm->jvmti);
    mutex_init(&vm->jvmti->mutex);
    mutex_init(&vm->jvmti->leaf_mutex);
    mutex_init(&vm->jvmti->threads_mutex);
    pthread_cond_init(&vm->jvmti->free_sent, NULL);
    TAILQ_INIT(&vm->jvmti->threads);
    jvmti_init_events(vm);
    jvmti_init_heap(vm);
    jvmti_init_agents();
    vm->thread_created = thread_created;
    vm->thread_ended = thread_ended;
    vm->thread_starts = jvmti_on_thread_starts;
    vm->virtual_thread_mounts = jvmti_on_virtual_thread_mounts;
    vm->virtual_thread_ended = virtual_thread_ended;
    vm->virtual_thread_moved = jvmti_on_virtual_thread_moved;
    vm->identity_changed = jvmti_on_identity_changed;
}
