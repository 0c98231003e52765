/* SPDX-License-Identifier: MIT */
/* minivm/jvmti/frame_pop.c -- JVM TI "Notify Frame Pop", "Clear Frame Pop" and the event
 * FramePop.
 *
 * A request belongs to one environment and one frame and is in a list of the frame's
 * thread.  While the list is not empty the thread has HOOK_FRAME_POP, so returns look
 * at it.  A frame is named by its address, which the next frame may have, too: so
 * requests are removed when the frame ends, whether or not the event is sent.
 *
 * A request for a frame that is made while FramePop is sent for that frame comes too
 * late: the frame does not end once more. */

#include "jvmti/deliver.h"
#include "threads/continuation.h"
#include "threads/suspend.h"

struct pop_request {
    struct pop_request *next; /* the thread's next older one, or NULL */
    struct jvmti_env *env;
    const struct frame
        *frame; /* adjusted when it moves: jvmti_on_virtual_thread_moved */
};

/* A frame of whose end the environments are being told. */
struct ending_frame {
    const struct ending_frame *outer; /* of the thread's next older one, or NULL */
    const struct frame *frame;
    const struct jvmti_env *told; /* whose callback runs */
};

/* The argument of add_request.  The request is set to NULL if the list has taken it. */
struct new_request {
    struct pop_request *request;
    jint depth;
};

/* Returns f's entry among the frames that t is just leaving, or NULL. */
static const struct ending_frame *
find_ending(const struct thread *t, const struct frame *f)
{
    const struct ending_frame *e = t->jvmti->ending;

    while (e && e->frame != f)
        e = e->outer;
    return e;
}

/* What a second request for the same frame returns.  It changes nothing.  Level 21 has no
   error for it; the error DUPLICATE came with level 25. */
static jvmtiError
second_request(void)
{
    return jvmti_level() < 25 ? JVMTI_ERROR_NONE : JVMTI_ERROR_DUPLICATE;
}

/* The operation of a handshake: adds the request to t's list.  n->request has its env;
   on success and for a duplicate NONE is returned, and if the list did not take the
   request, jvmti_NotifyFramePop frees it. */
static jvmtiError
add_request(struct thread *t, struct thread *requester, void *arg)
{
    struct new_request *n = arg;
    const struct ending_frame *ending;
    struct frame *f;

    TRY(stack_frame_for(t, requester, n->depth, &f));
    if (frame_is_native(f))
        return JVMTI_ERROR_OPAQUE_FRAME;
    ending = find_ending(t, f);
    if (ending)
        return ending->told == n->request->env ? second_request() : JVMTI_ERROR_NONE;
    for (const struct pop_request *p = t->jvmti->pop_requests; p; p = p->next)
        if (p->env == n->request->env && p->frame == f)
            return second_request();
    n->request->frame = f;
    n->request->next = t->jvmti->pop_requests;
    t->jvmti->pop_requests = n->request;
    n->request = NULL;
    thread_set_hooks(t, HOOK_FRAME_POP, 0);
    return JVMTI_ERROR_NONE;
}

/* n.request is NULL afterwards if the list has taken it, and then there is nothing to
   free. */
jvmtiError
jvmti_NotifyFramePop(struct thread *self, struct jvmti_env *env,
                     const struct target *thread, jint depth)
{
    /* The memory is taken here, since a handshake must not wait for any. */
    struct new_request n = { mem_try_calloc(1, sizeof *n.request), depth };

    if (!n.request)
        return JVMTI_ERROR_OUT_OF_MEMORY;
    n.request->env = env;
    jvmtiError error = jvmti_handshake(self, thread, add_request, &n);
    mem_free(n.request);
    return error;
}

/* Removes one request for frame, or any request if frame is NULL, from t's list.
   Returns the environment that had made it, or NULL if there was no such request. */
static struct jvmti_env *
take_request(struct thread *t, const struct frame *frame)
{
    struct pop_request **link = &t->jvmti->pop_requests, *p;
    struct jvmti_env *env;

    while ((p = *link) != NULL && frame && p->frame != frame)
        link = &p->next;
    if (!p)
        return NULL;
    env = p->env;
    *link = p->next;
    mem_free(p);
    if (!t->jvmti->pop_requests)
        thread_set_hooks(t, 0, HOOK_FRAME_POP);
    return env;
}

void
jvmti_drop_pop_requests(struct thread *t, const struct frame *frame)
{
    while (take_request(t, frame))
        ;
}

void
jvmti_free_pop_requests(struct jvmti_thread *data)
{
    struct pop_request *p;

    while ((p = data->pop_requests) != NULL) {
        data->pop_requests = p->next;
        mem_free(p);
    }
}

/* Who else looks at the requests needs the thread mounted, or held where it is. */
void
jvmti_on_virtual_thread_moved(struct continuation *c, const union slot *from,
                              union slot *to)
{
    for (struct pop_request *p = c->jvmti->pop_requests; p; p = p->next)
        p->frame = frame_moved(p->frame, from, to);
}

/* The operation of a handshake: removes the requests of an environment, which is arg,
   from t's list. */
static jvmtiError
clear_requests(struct thread *t, struct thread *requester, void *arg)
{
    struct pop_request **link = &t->jvmti->pop_requests, *p;

    if (t != requester && !thread_is_suspended(t))
        return JVMTI_ERROR_THREAD_NOT_SUSPENDED;
    while ((p = *link) != NULL) {
        if (p->env != arg) {
            link = &p->next;
            continue;
        }
        *link = p->next;
        mem_free(p);
    }
    if (!t->jvmti->pop_requests)
        thread_set_hooks(t, 0, HOOK_FRAME_POP);
    return JVMTI_ERROR_NONE;
}

/* It is of level 25; agents of older levels know its slot as a reserved one. */
jvmtiError
jvmti_ClearAllFramePops(struct thread *self, struct jvmti_env *env,
                        const struct target *thread)
{
    return jvmti_handshake(self, thread, clear_requests, env);
}

/* The hook for the end of frame, self's newest one: sends FramePop to those who asked
   for it.  An environment that does not want the event any more loses its request, too.
   One request is taken at a time since a callback may change the list. */
void
jvmti_on_frame_pop(struct thread *self, struct frame *frame, bool by_exception)
{
    struct ending_frame ending = { self->jvmti->ending, frame, NULL };
    struct jvmti_env *env;

    self->jvmti->ending = &ending;
    while ((env = take_request(self, frame)) != NULL) {
        ending.told = env;
        if (!env_wants(env, self, EVENT_INDEX(FRAME_POP)))
            continue;
        DELIVERY(d, self);
        SEND_ONE(d, env, FramePop, d.jni, d.thread, delivery_method(frame),
                 by_exception);
    }
    self->jvmti->ending = ending.outer;
}
