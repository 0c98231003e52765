/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/frame_pop.c -- JVM TI "Notify Frame Pop" and its event. */

#include "jvmti/deliver.h"

/* One environment asked for one frame; of the thread, newest first. */
struct pop_request {
    struct pop_request *next;
    struct jvmti_env *env;
    const struct frame *frame;
};

struct notify {
    struct pop_request *request;   /* taken unless there is one already */
    jint depth;
};

static jvmtiError
add_request(struct thread *t, struct thread *asker, void *arg)
{
    struct notify *n = arg;
    struct frame *f;

    TRY(stack_frame_for(t, asker, n->depth, &f));
    if (frame_is_native(f))
        return JVMTI_ERROR_OPAQUE_FRAME;
    /* One that asks again asks for the same event: level 21 has no error for that,
       DUPLICATE came with level 25. */
    for (const struct pop_request *p = t->jvmti->pops; p != NULL; p = p->next)
        if (p->env == n->request->env && p->frame == f)
            return JVMTI_ERROR_NONE;
    n->request->frame = f;
    n->request->next = t->jvmti->pops;
    t->jvmti->pops = n->request;
    n->request = NULL;
    thread_set_hooks(t, HOOK_FRAME_POP, 0);
    return JVMTI_ERROR_NONE;
}

jvmtiError
jvmti_NotifyFramePop(struct jvmti_env *env, const struct target *thread, jint depth)
{
    struct notify n = { mem_try_calloc(1, sizeof *n.request), depth };

    if (n.request == NULL)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    n.request->env = env;
    jvmtiError error = jvmti_ask(thread, add_request, &n);
    mem_free(n.request);
    return error;
}

/* Takes one request for frame (NULL: any) off the list; NULL when there is none. */
static struct jvmti_env *
take_request(struct thread *t, const struct frame *frame)
{
    struct pop_request **at = &t->jvmti->pops, *p;
    struct jvmti_env *env;

    while ((p = *at) != NULL && frame != NULL && p->frame != frame)
        at = &p->next;
    if (p == NULL)
        return NULL;
    env = p->env;
    *at = p->next;
    mem_free(p);
    if (t->jvmti->pops == NULL)
        thread_set_hooks(t, 0, HOOK_FRAME_POP);
    return env;
}

void
jvmti_drop_pops(struct thread *t, const struct frame *frame)
{
    while (take_request(t, frame) != NULL)
        ;
}

void
jvmti_on_frame_pop(struct thread *self, struct frame *frame, bool by_exception)
{
    struct jvmti_env *env;

    while ((env = take_request(self, frame)) != NULL) {
        if (!env_wants(env, self, EVENT_INDEX(FRAME_POP)))
            continue;
        DELIVERY(d, self);
        SEND_ONE(d, env, FramePop, d.jni, d.thread, delivery_method(frame),
                 by_exception);
    }
}
