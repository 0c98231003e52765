/* SPDX-License-Identifier: MIT */
/* minivm/threads/continuation.c -- continuations: their stacks, mounting, roots.
 *
 * Stacks.  There may be a million continuations, each with a stack that can grow as
 * far as a thread's, but which mostly uses a page or two.  So stacks are address space
 * at first, and pages get memory when frames are pushed there.  They are cut out of
 * larger reservations, since the system allows some 65,000 mappings only.  A stack that
 * is free again is kept for the next continuation; all but the newest give their memory
 * back.
 *
 * Packing.  The frames of a thread that is parked take a kilobyte or two, and its stack a
 * page at least, and half a page of the system's page table.  So when many stacks are in
 * use, the frames of a continuation that yields are moved to a block of just their size,
 * and the stack goes to the next one; when it is mounted they are moved to any free
 * stack.  The collector packs those that were not mounted since the collection before.
 * While there are few of them, nothing is copied.  The block has the layout of a stack, so
 * who walks frames sees no difference.
 *
 * Where address space is limited, stacks take half of what is free and leave the other half
 * to blocks and to the rest of the VM.  When there is no room for another stack, a
 * collection packs all that are unmounted, and from then on every yield packs: so there
 * have to be as many stacks as there are carriers.
 *
 * Who knows the address of a frame has to be told then.  The links between frames, the
 * lock stack, the waiter of a monitor and what JVM TI keeps of the thread are adjusted.  JVM
 * TI looks at the frames of a thread that is not mounted only while nobody can mount or
 * unmount it and the looking thread does not stop, so they do not move under its eyes.
 * The collector leaves those alone that Java says are mounted: somebody walks their
 * frames. */

#include "threads/continuation.h"

#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/os.h"
#include "runtime/alloc.h"
#include "runtime/vm.h"
#include "threads/handles.h"
#include "threads/monitor_virtual.h"
#include "threads/safepoint.h"
#include "threads/thread_list.h"
#include "threads/virtual_thread.h"

enum {
    /* Stacks in one reservation. */
    CHUNK = 16,
    /* Bytes of address space that stacks do not take at least, nor blocks once there is no
       room for more stacks. */
    LEFT_BY_STACKS = 32 << 20,
    LEFT_BY_BLOCKS = 16 << 20,
    /* Free stacks that keep their memory. */
    WARM = 256,
    /* Free stacks that are for packed continuations only, so that these can go on. */
    SPARE = 4,
    /* After a collection that has found no stack, that many fail without another. */
    FUTILE = 64,
    /* Stacks in use beyond which a yield packs. */
    UNPACKED = 1024,
    /* Slots that are packed at most: a yield does not get slow by a deep stack. */
    PACKED_MAX = 1024,
    /* Slots behind stack_red, as of a thread's stack. */
    RESERVE = 4096
};

/* A stack that nobody uses: the list goes through its first word. */
struct free_stack {
    struct free_stack *next;
};

struct free_stacks {
    struct free_stack *first;
    size_t count;
};

struct continuations {
    TAILQ_HEAD(, continuation) all;
    struct free_stacks warm, cold; /* with and without memory of their own */
    _Atomic size_t used_count;     /* of stacks; read without the mutex, too */
    size_t stack_bytes;            /* of one; 0: not known yet */
    _Atomic bool is_scarce;        /* there was no stack once */
    unsigned futile;               /* so many may still fail without a collection */
    struct mutex mutex;            /* guards the others, and the links */
};

/* ---- stacks ---- */

static size_t
free_count(const struct continuations *all)
{
    return all->warm.count + all->cold.count;
}

static void
push_stack(struct free_stacks *list, void *stack)
{
    struct free_stack *freed = stack;

    freed->next = list->first;
    list->first = freed;
    list->count++;
}

/* Reserves that many stacks more and puts them on the free list.  Returns false when
   there is no address space, or no memory that could be promised.  As much address space
   as all stacks have has to be left: a stack without memory for a block cannot be given
   on, and who finds no stack can go on, but other parts of the VM cannot. */
static bool
add_stacks(struct continuations *all, size_t count)
{
    size_t bytes = all->stack_bytes;
    size_t left = (count + free_count(all) + all->used_count) * bytes;
    char *chunk;

    if (left < LEFT_BY_STACKS)
        left = LEFT_BY_STACKS;
    chunk = os_reserve(bytes * count + left);
    if (!chunk)
        return false;
    os_release(chunk + bytes * count, left);
    if (!os_commit(chunk, bytes * count)) {
        os_release(chunk, bytes * count);
        return false;
    }
    for (size_t i = count; i-- > 0;)
        push_stack(&all->cold, chunk + i * bytes);
    return true;
}

/* Takes a stack off the free list, which has to have more than that many; its slots have
   any values.  Returns false when there is none. */
static bool
take_stack(struct vm *vm, struct java_stack *stack, size_t spare)
{
    struct continuations *all = vm->continuations;
    LOCK(&all->mutex);

    if (all->stack_bytes == 0)
        all->stack_bytes = (vm->options.stack_size + RESERVE * sizeof(union slot)
                            + os_page_size() - 1)
                           / os_page_size() * os_page_size();
    if (free_count(all) <= spare && !add_stacks(all, CHUNK) && !add_stacks(all, 1)) {
        all->is_scarce = true;
        return false;
    }
    struct free_stacks *list = all->warm.count ? &all->warm : &all->cold;

    stack->stack = (union slot *)list->first;
    stack->stack_end = stack->stack + all->stack_bytes / sizeof(union slot);
    stack->stack_red = stack->stack_end - RESERVE;
    stack->top = NULL;
    list->first = list->first->next;
    list->count--;
    all->used_count++;
    return true;
}

/* Returns true if a collection may find a stack: the last one has, or was long ago. */
static bool
is_worth_collecting(struct continuations *all)
{
    LOCK(&all->mutex);

    if (all->futile == 0)
        return true;
    all->futile--;
    return false;
}

/* Takes a stack as take_stack does, and collects before it gives up. */
static bool
find_stack(struct thread *self, struct java_stack *stack, size_t spare)
{
    struct continuations *all = self->vm->continuations;

    if (take_stack(self->vm, stack, spare))
        return true;
    if (!is_worth_collecting(all))
        return false;
    vm_collect(self, "Stacks of continuations", KEEP_SOFT_REFERENCES);
    if (take_stack(self->vm, stack, spare))
        return true;
    LOCK(&all->mutex);
    all->futile = FUTILE;
    return false;
}

/* The caller holds the mutex. */
static void
give_stack(struct continuations *all, union slot *stack)
{
    if (all->warm.count < WARM) {
        push_stack(&all->warm, stack);
    } else {
        os_discard(stack, all->stack_bytes);
        push_stack(&all->cold, stack);
    }
    all->used_count--;
}

/* ---- life ---- */

struct continuation *
continuation_of(const struct vm *vm, const struct object *object)
{
    return OBJECT_FIELD(struct continuation *, object,
                        KF(vm, Continuation_vmContinuation));
}

struct continuation *
continuation_new(struct thread *self, struct object *object, bool is_virtual,
                 struct object *thread_object)
{
    struct continuation *c = mem_try_calloc(1, sizeof *c);

    if (!c)
        return NULL;
    if (is_virtual && !(c->saved_locks.id = lock_id_take(self->vm, NULL, c))) {
        mem_free(c);
        return NULL;
    }
    if (!find_stack(self, &c->saved, SPARE)) {
        if (is_virtual)
            lock_id_give(self->vm, c->saved_locks.id);
        mem_free(c);
        return NULL;
    }
    c->is_virtual = is_virtual;
    c->thread_object = thread_object;
    if (thread_object && virtual_thread_is_suspended(self->vm, NULL))
        virtual_thread_suspend(self, c);
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
    virtual_thread_forget(the_vm, c);
    if (!c->is_packed)
        give_stack(all, c->saved.stack);
    mem_free(c->block);
    mem_free(c->saved_locks.locks);
    mem_free(c);
}

void
continuation_free(struct thread *self, struct continuation *c)
{
    struct continuations *all = self->vm->continuations;

    OBJECT_FIELD(struct continuation *, c->object,
                 KF(self->vm, Continuation_vmContinuation)) = NULL;
    if (c->is_virtual)
        lock_id_give(self->vm, c->saved_locks.id);
    LOCK(&all->mutex);
    drop(all, c);
}

void
continuations_add_handles(struct thread *self)
{
    struct continuations *all = self->vm->continuations;
    struct continuation *c;
    LOCK(&all->mutex);

    TAILQ_FOREACH(c, &all->all, link)
        if (c->thread_object)
            handle_new(self, c->thread_object);
}

/* ---- packing ---- */

/* Returns the slots up to the end of the newest frame of c, which is unmounted. */
static size_t
used_slots(const struct continuation *c)
{
    const struct frame *top = c->saved.top;

    return (size_t)((union slot *)(uintptr_t)top - c->saved.stack)
           + (frame_is_entry(top) ? FRAME_HEADER + (size_t)top->aux.i
                                  : top->version->frame_slots);
}

/* Returns where f is after its stack has moved. */
struct frame *
frame_moved(const struct frame *f, const union slot *from, union slot *to)
{
    return f ? (struct frame *)(to + ((const union slot *)f - from)) : NULL;
}

/* Returns how many entries of a lock stack c keeps. */
static uint32_t
saved_lock_count(const struct continuation *c)
{
    return c->saved_locks.locks ? c->saved_locks.count : 0;
}

/* Moves the frames of c, which is unmounted, to another place. */
static void
move_frames(struct continuation *c, union slot *to, size_t slots)
{
    union slot *from = c->saved.stack;

    memcpy(to, from, slots * sizeof *to);
    c->saved.top = frame_moved(c->saved.top, from, to);
    for (struct frame *f = c->saved.top; f->caller; f = f->caller)
        f->caller = frame_moved(f->caller, from, to);
    for (uint32_t i = 0; i < saved_lock_count(c); i++)
        c->saved_locks.locks[i].frame = frame_moved(c->saved_locks.locks[i].frame, from,
                                                    to);
    if (c->waiter)
        c->waiter->frame = frame_moved(c->waiter->frame, from, to);
    if (c->jvmti)
        the_vm->virtual_thread_moved(c, from, to);
    c->saved.stack = to;
}

/* Returns a block for that many slots, or NULL.  The last of a limited address space is
   not for blocks. */
static union slot *
new_block(const struct continuations *all, size_t slots)
{
    if (atomic_load_explicit(&all->is_scarce, memory_order_relaxed)) {
        void *rest = os_reserve(LEFT_BY_BLOCKS);

        if (!rest)
            return NULL;
        os_release(rest, LEFT_BY_BLOCKS);
    }
    return mem_try_alloc(slots * sizeof(union slot));
}

/* Packs c, which is unmounted, if that is allowed and there is memory. */
static void
pack(struct continuations *all, struct continuation *c)
{
    size_t slots = used_slots(c);
    union slot *home = c->saved.stack;

    if (c->is_packed || (slots > PACKED_MAX && !all->is_scarce))
        return;
    if (c->block_slots < slots) {
        union slot *block = new_block(all, slots);

        if (!block)
            return;
        mem_free(c->block);
        c->block = block;
        c->block_slots = slots;
    }
    move_frames(c, c->block, slots);
    c->saved.stack_end = c->saved.stack_red = c->block + slots;
    c->is_packed = true;
    LOCK(&all->mutex);
    give_stack(all, home);
}

void
continuation_yielded(struct vm *vm, struct continuation *c)
{
    struct continuations *all = vm->continuations;

    if (atomic_load_explicit(&all->used_count, memory_order_relaxed) > UNPACKED
        || atomic_load_explicit(&all->is_scarce, memory_order_relaxed))
        pack(all, c);
}

/* Waits until another continuation has given up its stack; ten seconds at most. */
static bool
await_stack(struct thread *self, struct java_stack *stack)
{
    const struct timespec moment = { .tv_nsec = 10000000 };

    for (int i = 0; i < 1000; i++) {
        thread_block_begin(self);
        nanosleep(&moment, NULL);
        thread_block_end(self);
        if (take_stack(self->vm, stack, 0))
            return true;
    }
    return false;
}

bool
continuation_unpack(struct thread *self, struct continuation *c)
{
    struct java_stack home;

    if (!c->is_packed)
        return true;
    if (!find_stack(self, &home, 0) && !await_stack(self, &home))
        return false;
    move_frames(c, home.stack, (size_t)(c->saved.stack_end - c->block));
    c->saved.stack_end = home.stack_end;
    c->saved.stack_red = home.stack_red;
    c->is_packed = false;
    /* Where stacks are scarce the block is kept, so that c can give up this one for sure. */
    if (atomic_load_explicit(&self->vm->continuations->is_scarce, memory_order_relaxed))
        return true;
    mem_free(c->block);
    c->block = NULL;
    c->block_slots = 0;
    return true;
}

/* For the collector. */
static void
pack_if_idle(struct vm *vm, struct continuation *c)
{
    if (c->thread || !c->saved.top
        || OBJECT_FIELD(uint8_t, c->object, KF(vm, Continuation_mounted)))
        return;
    if (c->is_idle || vm->continuations->is_scarce)
        pack(vm->continuations, c);
    c->is_idle = true;
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
    thread_set_limit(self);
}

static struct lock_stack
lock_stack_of(const struct thread *self)
{
    return (struct lock_stack){ self->locks, self->lock_count, self->lock_capacity,
                                self->lock_id };
}

static void
set_lock_stack(struct thread *self, struct lock_stack locks)
{
    self->locks = locks.locks;
    self->lock_count = locks.count;
    self->lock_capacity = locks.capacity;
    self->lock_id = locks.id;
}

/*
 * The lock stack of a virtual thread is exchanged with that of the thread below it.
 * Nearly always both are empty, or the one below is.  So the array stays with the
 * platform thread and is lent: a parked virtual thread takes memory for the entries that
 * it has, and none when it has none.
 */
static void
mount_locks(struct thread *self, struct continuation *c)
{
    struct lock_stack own = c->saved_locks;

    c->saved_locks = lock_stack_of(self);
    if (self->lock_count == 0 && own.count <= self->lock_capacity) {
        if (own.count)
            memcpy(self->locks, own.locks, own.count * sizeof own.locks[0]);
        mem_free(own.locks);
        own.locks = self->locks;
        own.capacity = self->lock_capacity;
        c->saved_locks.locks = NULL;
        c->saved_locks.capacity = 0;
    }
    set_lock_stack(self, own);
}

/* If there is no memory for a copy of the entries, c keeps the whole array. */
static void
unmount_locks(struct thread *self, struct continuation *c)
{
    struct lock_stack own = lock_stack_of(self), below = c->saved_locks;
    size_t bytes = own.count * sizeof own.locks[0];
    struct held_lock *copy = own.count && !below.locks ? mem_try_alloc(bytes) : NULL;

    if (copy)
        memcpy(copy, own.locks, bytes);
    if ((copy || own.count == 0) && !below.locks) {
        below.locks = own.locks;
        below.capacity = own.capacity;
        own.locks = copy;
        own.capacity = own.count;
    }
    c->saved_locks = own;
    set_lock_stack(self, below);
}

/* A continuation that is no virtual thread's has kept what its frames have entered. */
static void
mount_kept_locks(struct thread *self, struct continuation *c)
{
    struct lock_stack kept = c->saved_locks;

    c->saved_locks = (struct lock_stack){ .count = self->lock_count };
    if (!kept.locks)
        return;
    if (self->lock_capacity - self->lock_count < kept.count) {
        self->lock_capacity = self->lock_count + kept.count;
        self->locks = mem_realloc(self->locks,
                                  self->lock_capacity * sizeof self->locks[0]);
    }
    memcpy(self->locks + self->lock_count, kept.locks,
           kept.count * sizeof kept.locks[0]);
    self->lock_count += kept.count;
    mem_free(kept.locks);
}

bool
continuation_keep_locks(struct thread *self, struct continuation *c)
{
    uint32_t below = c->saved_locks.count, count = self->lock_count - below;
    struct held_lock *kept = mem_try_alloc(count * sizeof *kept);

    if (!kept)
        return false;
    memcpy(kept, self->locks + below, count * sizeof *kept);
    self->lock_count = below;
    c->saved_locks = (struct lock_stack){ .locks = kept, .count = count };
    lock_id_keep(self->vm, self->lock_id);
    return true;
}

/* Exchanges what belongs to the virtual thread c and to the thread below it.  Who else
   writes async_exception holds the thread's lock. */
static void
exchange_identity(struct thread *self, struct continuation *c)
{
    struct jvmti_thread *jvmti = c->jvmti;
    struct object *exception = c->async_exception;

    if (jvmti) {
        c->jvmti = self->jvmti;
        self->jvmti = jvmti;
    }
    if (!exception && !self->async_exception)
        return;
    LOCK(&self->lock);
    c->async_exception = self->async_exception;
    self->async_exception = exception;
    if (exception)
        attention_set(self, ATTENTION_ASYNC);
    else
        attention_clear(self, ATTENTION_ASYNC);
}

void
thread_mount(struct thread *self, struct continuation *c)
{
    c->thread = self;
    c->is_idle = false;
    c->below = self->continuation;
    if (c->is_virtual)
        mount_locks(self, c);
    else
        mount_kept_locks(self, c);
    exchange_stacks(self, c);
    self->continuation = c;
    if (c->thread_object) {
        if (!c->jvmti && self->vm->virtual_thread_mounts)
            self->vm->virtual_thread_mounts(c);
        exchange_identity(self, c);
    }
}

struct continuation *
thread_unmount(struct thread *self)
{
    struct continuation *c = self->continuation;

    self->continuation = c->below;
    if (c->is_virtual)
        unmount_locks(self, c);
    if (c->thread_object)
        exchange_identity(self, c);
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
    while (f
           && (frame_is_entry(f)
               || f->version->method == KM(t->vm, Continuation_enterSpecial)))
        f = f->caller;
    return f;
}

struct lock_stack
thread_own_locks(const struct thread *t)
{
    struct lock_stack own = lock_stack_of(t);

    for (const struct continuation *c = t->continuation; c; c = c->below)
        if (c->is_virtual)
            own = c->saved_locks;
    return own;
}

struct object *
thread_chain_owner(const struct thread *t, const struct frame *top)
{
    const struct continuation *c = top == t->top ? thread_carried(t) : NULL;

    return c ? c->thread_object : t->object;
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

void
continuations_visit_unmounted(struct vm *vm,
                              void (*visit)(void *context, struct continuation *c),
                              void *context)
{
    struct continuation *c;

    TAILQ_FOREACH(c, &vm->continuations->all, link)
        if (c->thread_object && !c->thread)
            visit(context, c);
}

void
continuation_visit_saved(struct continuation *c, heap_root_fn *visit, void *context)
{
    for (uint32_t i = 0; i < saved_lock_count(c); i++)
        root_visit(visit, context, c->saved_locks.locks[i].object, ROOT_MONITOR,
                   c->thread);
    root_visit(visit, context, c->async_exception, ROOT_OTHER, c->thread);
}

/* A heap_object_edges_fn: the references in the frames and in the lock stack of an
   unmounted continuation.  Those of a mounted one are roots (runtime/frame.c,
   thread.c). */
static void
continuation_edges(struct object *object, heap_root_fn *visit, void *context)
{
    struct continuation *c = continuation_of(the_vm, object);

    if (!c || c->thread)
        return;
    frames_visit_roots(NULL, c->thread_object, c->saved.top, visit, context);
    continuation_visit_saved(c, visit, context);
    root_visit(visit, context, c->thread_object, ROOT_OTHER, NULL);
}

/* Returns true if an object lives whose monitor the continuation owns. */
static bool
owns_living(struct heap *heap, const struct continuation *c)
{
    for (uint32_t i = 0; c->is_virtual && i < c->saved_locks.count; i++)
        if (heap_is_live(heap, c->saved_locks.locks[i].object))
            return true;
    return false;
}

/* A heap_weak_fn: packs the continuations that are idle, and frees those whose objects
   have died.  They are not mounted: the frames of a mounted one refer to its object.  A
   monitor that one of them has entered stays locked for ever, so the number of its owner
   is not given again. */
static void
drop_dead(void *part, struct heap *heap)
{
    struct continuations *all = ((struct vm *)part)->continuations;
    struct continuation *c, *next;

    for (c = TAILQ_FIRST(&all->all); c; c = next) {
        next = TAILQ_NEXT(c, link);
        if (heap_is_live(heap, c->object)) {
            pack_if_idle(part, c);
            continue;
        }
        if (c->is_virtual && !owns_living(heap, c))
            lock_id_give(part, c->saved_locks.id);
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
