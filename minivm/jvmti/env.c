/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/env.c -- environments: made by GetEnv, ended by DisposeEnvironment. */

#include "jvmti/env.h"

#include <string.h>

#include "base/os.h"
#include "jvmti/floor.h"
#include "vm/refs.h"
#include "vm/safepoint.h"

/* Environments lie side by side, so that a handle can be told from any other pointer
   without reading what it points to. */
enum { ENVIRONMENTS = 1 << 17, ENV_SIZE = sizeof(struct jvmti_env) };

static struct jvmti_env *
env_of_handle(const struct jvmti_vm *jvmti, const jvmtiEnv *handle)
{
    uint32_t count = atomic_load_explicit(&jvmti->count, memory_order_acquire);
    uintptr_t offset = (uintptr_t)handle - (uintptr_t)jvmti->memory.base;

    return offset % ENV_SIZE == 0 && offset / ENV_SIZE < count
               ? (struct jvmti_env *)(uintptr_t)handle : NULL;
}

enum vm_phase
jvmti_phase(const struct jvmti_env *env)
{
    enum vm_phase phase = vm_get_phase(the_vm);

    if (phase != VM_PHASE_EARLY_START)
        return phase;
    return env->starts_early ? VM_PHASE_START : VM_PHASE_PRIMORDIAL;
}

jvmtiError
jvmti_check(jvmtiEnv *handle, unsigned phases, struct jvmti_env **env)
{
    struct vm *vm = the_vm;

    *env = vm != NULL && handle != NULL ? env_of_handle(vm->jvmti, handle) : NULL;
    if (*env == NULL || !atomic_load_explicit(&(*env)->is_alive, memory_order_acquire))
        return JVMTI_ERROR_INVALID_ENVIRONMENT;
    return phases & (1u << jvmti_phase(*env)) ? JVMTI_ERROR_NONE
                                              : JVMTI_ERROR_WRONG_PHASE;
}

const jvmtiCapabilities *
jvmti_env_capabilities(const struct jvmti_env *env)
{
    return &env->capabilities;
}

/* ---- life ---- */

/* The levels that exist, up to 21; since 13 there is one with each release. */
static bool
is_jvmti_version(jint version)
{
    jint major = (version & JVMTI_VERSION_MASK_MAJOR) >> JVMTI_VERSION_SHIFT_MAJOR;
    jint minor = (version & JVMTI_VERSION_MASK_MINOR) >> JVMTI_VERSION_SHIFT_MINOR;

    if (major == 1)
        return minor <= 2;
    if (major == 9 || major == 11)
        return minor == 0;
    return major >= 13 && major <= 21;
}

static struct jvmti_env *
new_env(struct jvmti_vm *jvmti)
{
    uint32_t n = jvmti->count;

    if ((jvmti->memory.base == NULL
         && !span_reserve(&jvmti->memory,
                          os_reservable((size_t)ENVIRONMENTS * ENV_SIZE, 32)))
        || (n + (size_t)1) * ENV_SIZE > jvmti->memory.reserved
        || !span_commit(&jvmti->memory, (n + (size_t)1) * ENV_SIZE))
        return NULL;
    atomic_store_explicit(&jvmti->count, n + 1, memory_order_release);
    return (struct jvmti_env *)jvmti->memory.base + n;
}

/* The link to env; NULL: the one at the end. */
static struct jvmti_env *_Atomic *
link_to(struct jvmti_vm *jvmti, const struct jvmti_env *env)
{
    struct jvmti_env *_Atomic *at = &jvmti->first;

    while (*at != env)
        at = &(*at)->next;
    return at;
}

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
    if (env != NULL) {
        env->handle = &jvmti_function_table;
        env->version = version;
        atomic_store_explicit(&env->is_alive, true, memory_order_release);
        atomic_store_explicit(link_to(jvmti, NULL), env, memory_order_release);
    }
    mutex_unlock(&jvmti->mutex);
    if (env == NULL)
        return JNI_ENOMEM;
    struct thread *self = current_thread;
    thread_enter_vm(self);
    jvmti_update_events(self);
    thread_leave_vm(self);
    *result = &env->handle;
    return JNI_OK;
}

jvmtiError
jvmti_DisposeEnvironment(struct jvmti_env *env)
{
    struct thread *self = current_thread;
    struct jvmti_vm *jvmti = self->vm->jvmti;
    bool was_alive;

    mutex_lock(&jvmti->mutex);
    was_alive = atomic_exchange(&env->is_alive, false);
    if (was_alive) {
        /* env keeps its link for those who stand on it. */
        atomic_store_explicit(link_to(jvmti, env), env->next, memory_order_release);
        memset(&env->capabilities, 0, sizeof env->capabilities);
        memset(&env->callbacks, 0, sizeof env->callbacks);
        env->enabled = 0;
        atomic_store(&env->active, 0);
    }
    mutex_unlock(&jvmti->mutex);
    if (!was_alive)
        return JVMTI_ERROR_INVALID_ENVIRONMENT;
    jvmti_update_events(self);
    if (env->tags != NULL)
        jvmti_release_tags(env);
    return JVMTI_ERROR_NONE;
}

/* ---- data of threads ---- */

struct env_thread *
env_thread_find(const struct thread *t, const struct jvmti_env *env)
{
    struct env_thread *e =
        atomic_load_explicit(&t->jvmti->first, memory_order_acquire);

    while (e != NULL && e->env != env)
        e = atomic_load_explicit(&e->next, memory_order_acquire);
    return e;
}

struct env_thread *
env_thread_make(struct thread *t, struct jvmti_env *env)
{
    LOCK(&t->vm->jvmti->mutex);
    struct env_thread *e = env_thread_find(t, env);

    if (e == NULL && (e = mem_try_calloc(1, sizeof *e)) != NULL) {
        e->env = env;
        e->next = t->jvmti->first;
        atomic_store_explicit(&t->jvmti->first, e, memory_order_release);
    }
    return e;
}

static void
thread_born(struct thread *t)
{
    t->jvmti = mem_calloc(1, sizeof *t->jvmti);
}

static void
thread_gone(struct thread *t)
{
    struct env_thread *e = t->jvmti->first, *next;

    for (; e != NULL; e = next) {
        next = e->next;
        mem_free(e);
    }
    jvmti_drop_pops(t, NULL);
    buf_release(&t->jvmti->results);
    mem_free(t->jvmti);
    t->jvmti = NULL;
}

/* ---- results ---- */

jvmtiError
jvmti_result(void *memory, void *result)
{
    struct buf *results = &current_thread->jvmti->results;

    if (memory == NULL || !buf_try_reserve(results, sizeof memory)) {
        mem_free(memory);
        return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    buf_append(results, &memory, sizeof memory);
    *(void **)result = memory;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_alloc(size_t size, void *result)
{
    if (size != 0)
        return jvmti_result(mem_try_alloc(size), result);
    *(void **)result = NULL;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_copy_bytes(const void *bytes, size_t size, void *result)
{
    TRY(jvmti_alloc(size, result));
    if (size != 0)
        memcpy(*(void **)result, bytes, size);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_copy(const char *text, char **result)
{
    return result == NULL ? JVMTI_ERROR_NONE
           : jvmti_copy_bytes(text, text != NULL ? strlen(text) + 1 : 0, result);
}

jvmtiError
jvmti_local(struct object *o, void *result)
{
    struct thread *self = current_thread;
    struct object *pending = self->exception;
    ref r = ref_new_local(self, o);

    if (o != NULL && r == NULL) {
        self->exception = pending;
        return JVMTI_ERROR_OUT_OF_MEMORY;
    }
    *(ref *)result = r;
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_locals(const struct scope *since, jint *count, void *result)
{
    size_t n = scope_count(since);
    jobject *locals;

    TRY(jvmti_alloc(n * sizeof *locals, &locals));
    for (size_t i = 0; i < n; i++)
        TRY(jvmti_local(scope_objects(since)[i], &locals[i]));
    *count = (jint)n;
    *(jobject **)result = locals;
    return JVMTI_ERROR_NONE;
}

/* ---- questions to a thread ---- */

struct question {
    question_fn *fn;
    struct thread *asker;
    void *arg;
    jvmtiError answer;
};

static void
answer(struct thread *t, void *question)
{
    struct question *q = question;

    q->answer = q->fn(t, q->asker, q->arg);
}

jvmtiError
jvmti_ask(const struct target *thread, question_fn *fn, void *arg)
{
    struct question q = { fn, current_thread, arg, JVMTI_ERROR_THREAD_NOT_ALIVE };

    handshake(q.asker, thread->live, answer, &q);
    return q.answer;
}

void
jvmti_init(struct vm *vm)
{
    vm->jvmti = mem_calloc(1, sizeof *vm->jvmti);
    mutex_init(&vm->jvmti->mutex);
    mutex_init(&vm->jvmti->leaf_mutex);
    pthread_cond_init(&vm->jvmti->free_sent, NULL);
    jvmti_init_events(vm);
    jvmti_init_heap(vm);
    jvmti_init_agents();
    vm->thread_born = thread_born;
    vm->thread_gone = thread_gone;
}
