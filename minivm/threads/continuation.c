/* SPDX-License-Identifier: MIT */
/* minivm/threads/continuation.c -- continuations: their stacks, mounting, roots.
 *
 * Stacks.  There may be a million continuations, each with a stack that can grow as
 * far as a thread's, but which mostly uses a page or two.  So stacks are address space
 * at first, and pages get memory when frames are pushed there.  They are cut out of
 * larger reservations, since the system allows some 65,000 mappings only.  A stack that
 * is free again is kept for the next continuation; all but the newest give their memory
 * back. */

#include "threads/continuation.h"

#include "base/mem.h"
#include "base/os.h"
#include "runtime/vm.h"
#include "threads/thread_list.h"

enum {
    /* Stacks in one reservation. */
    CHUNK = 16,
    /* Free stacks that keep their memory. */
    WARM = 64,
    /* Slots behind stack_red, as of a thread's stack. */
    RESERVE = 4096
};

/* A stack that nobody uses: the list goes through its first word. */
struct free_stack {
    struct free_stack *next;
};

struct continuations {
    TAILQ_HEAD(, continuation) all;
    struct free_stack *free;
    size_t free_count;
    size_t stack_bytes; /* of one; 0: not known yet */
    struct mutex mutex; /* guards the others, and the links */
};

/* ---- stacks ---- */

/* Reserves another chunk of stacks and puts them on the free list.  Returns false when
   there is no address space, or no memory that could be promised. */
static bool
add_chunk(struct continuations *all, size_t bytes)
{
    char *chunk = os_reserve(bytes * CHUNK);

    if (!chunk)
        return false;
    if (!os_commit(chunk, bytes * CHUNK)) {
        os_release(chunk, bytes * CHUNK);
        return false;
    }
    for (size_t i = CHUNK; i-- > 0;) {
        struct free_stack *stack = (struct free_stack *)(chunk + i * bytes);
        stack->next = all->free;
        all->free = stack;
        all->free_count++;
    }
    return true;
}

/* Takes a stack off the free list; its slots have any values.  Returns false when there
   is none. */
static bool
take_stack(struct vm *vm, struct java_stack *stack)
{
    struct continuations *all = vm->continuations;
    LOCK(&all->mutex);

    if (all->stack_bytes == 0)
        all->stack_bytes = (vm->options.stack_size + RESERVE * sizeof(union slot)
                            + os_page_size() - 1)
                           / os_page_size() * os_page_size();
    if (!all->free && !add_chunk(all, all->stack_bytes))
        return false;
    stack->stack = (union slot *)all->free;
    stack->stack_end = stack->stack + all->stack_bytes / sizeof(union slot);
    stack->stack_red = stack->stack_end - RESERVE;
    stack->top = NULL;
    all->free = all->free->next;
    all->free_count--;
    return true;
}

/* The caller holds the mutex. */
static void
give_stack(struct continuations *all, union slot *stack)
{
    struct free_stack *freed = (struct free_stack *)stack;

    if (all->free_count >= WARM)
        os_discard(stack, all->stack_bytes);
    freed->next = all->free;
    all->free = freed;
    all->free_count++;
}

/* ---- life ---- */

struct continuation *
continuation_of(const struct vm *vm, const struct object *object)
{
    return OBJECT_FIELD(struct continuation *, object,
                        KF(vm, Continuation_vmContinuation));
}

struct continuation *
continuation_new(struct thread *self, struct object *object)
{
    struct continuation *c = mem_try_calloc(1, sizeof *c);

    if (!c)
        return NULL;
    if (!take_stack(self->vm, &c->saved)) {
        mem_free(c);
        return NULL;
    }
    c->object = object;
    OBJECT_FIELD(struct continuation *, object,
                 KF(self->vm, Continuation_vmContinuation)) = c;
    LOCK(&self->vm->continuations->mutex);
    TAILQ_INSERT_TAIL(&self->vm->continuations->all, c, link);
    return c;
}

/* The caller holds the mutex. */
static void
drop(struct continuations *all, struct continuation *c)
{
    TAILQ_REMOVE(&all->all, c, link);
    give_stack(all, c->saved.stack);
    mem_free(c);
}

void
continuation_free(struct thread *self, struct continuation *c)
{
    struct continuations *all = self->vm->continuations;

    OBJECT_FIELD(struct continuation *, c->object,
                 KF(self->vm, Continuation_vmContinuation)) = NULL;
    LOCK(&all->mutex);
    drop(all, c);
}

/* ---- mounting ---- */

/* Exchanges the stack of self with the one that c keeps. */
static void
exchange_stacks(struct thread *self, struct continuation *c)
{
    struct java_stack other = c->saved;

    c->saved = (struct java_stack){ self->stack, self->stack_end, self->stack_red,
                                    self->top };
    self->stack = other.stack;
    self->stack_end = other.stack_end;
    self->stack_red = other.stack_red;
    self->top = other.top;
    /* The limit follows the stack, unless hooks have set it to NULL. */
    thread_set_hooks(self, 0, 0);
}

void
thread_mount(struct thread *self, struct continuation *c)
{
    c->thread = self;
    c->below = self->continuation;
    c->lock_count = self->lock_count;
    exchange_stacks(self, c);
    self->continuation = c;
}

struct continuation *
thread_unmount(struct thread *self)
{
    struct continuation *c = self->continuation;

    self->continuation = c->below;
    exchange_stacks(self, c);
    /* What mounted it goes on, so its frame will be gone. */
    ((struct frame *)c->saved.stack)->caller = NULL;
    c->below = NULL;
    c->thread = NULL;
    return c;
}

/* ---- walks ---- */

struct frame *
thread_own_top(const struct thread *t)
{
    struct frame *f = t->top;

    for (const struct continuation *c = t->continuation; c; c = c->below)
        if (c->is_virtual)
            f = c->saved.top;
    while (f && frame_is_entry(f))
        f = f->caller;
    return f;
}

void
thread_visit_chains(struct thread *t, frame_chain_fn *visit, void *context)
{
    visit(context, t, t->top);
    for (struct continuation *c = t->continuation; c; c = c->below)
        if (c->is_virtual)
            visit(context, t, c->saved.top);
}

/* No mutex is needed for the list: who changes it is IN_VM. */
void
frames_visit_chains(struct vm *vm, frame_chain_fn *visit, void *context)
{
    struct continuation *c;

    FOR_EACH_THREAD(vm, t)
        thread_visit_chains(t, visit, context);
    TAILQ_FOREACH(c, &vm->continuations->all, link)
        if (!c->thread)
            visit(context, NULL, c->saved.top);
}

/* A heap_object_edges_fn: the references in the frames of an unmounted continuation.  Those
   of a mounted one are roots (runtime/frame.c). */
static void
continuation_edges(struct object *object, heap_root_fn *visit, void *context)
{
    struct continuation *c = continuation_of(the_vm, object);

    if (c && !c->thread)
        frames_visit_roots(NULL, c->saved.top, visit, context);
}

/* A heap_weak_fn: frees the continuations whose objects have died.  They are not mounted:
   the frames of a mounted one refer to its object. */
static void
drop_dead(void *part, struct heap *heap)
{
    struct continuations *all = ((struct vm *)part)->continuations;
    struct continuation *c, *next;

    for (c = TAILQ_FIRST(&all->all); c; c = next) {
        next = TAILQ_NEXT(c, link);
        if (!heap_is_live(heap, c->object))
            drop(all, c);
    }
}

void
continuations_init(struct vm *vm)
{
    vm->continuations = mem_calloc(1, sizeof *vm->continuations);
    mutex_init(&vm->continuations->mutex);
    TAILQ_INIT(&vm->continuations->all);
    heap_set_continuation_edges(vm->heap, continuation_edges);
    heap_add_part(vm->heap, NULL, drop_dead, vm);
}
