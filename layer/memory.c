/* SPDX-License-Identifier: MIT */
/*
 * layer/memory.c -- rules about memory (JVM TI "Memory Management"): what agents give back.
 *
 * The blocks that agents have are in a table (block.c), from the results that they get
 * (result.c) to the leaks (leak.c).  When a block is given back it is filled, and kept for
 * a while, so that a write to it is noticed; some are on pages where each use is (page.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layer/block.h"
#include "layer/guard.h"
#include "layer/page.h"

#define POISON 0xE7E7E7E7E7E7E7E7u
/* Blocks, and bytes in one, that are kept after they were given back. */
#define KEPT 512
#define KEPT_SIZE 16384

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The last blocks that were given back.  Those with a size are still ours. */
static struct freed {
    uintptr_t hidden;
    size_t size;
    const char *function;
    bool is_shown;              /* it was the VM's, and a callback saw a copy */
    bool is_given;              /* to the VM, as the bytes of a class */
    struct stack freed;
} freed[KEPT];
static int next_freed;

/* The same of what callbacks were shown. */
#define SHOWN 32
static struct freed shown[SHOWN];
static int next_shown;

/* Of each event the parameter that is a text, and 1 added; 0 if none is. */
static unsigned char texts[INTERPOSE_EVENT_COUNT];

void
memory_start(void)
{
    for (int i = 0; i < INTERPOSE_EVENT_COUNT; i++)
        for (int k = 0; k < interpose_events[i].count; k++)
            if (strcmp(interpose_events[i].params[k].type, "const char*") == 0)
                texts[i] = (unsigned char)(k + 1);
}

static bool
was_freed(const void *address, struct freed *copy)
{
    bool found = false;

    pthread_mutex_lock(&lock);
    for (int i = 0; i < KEPT && !found; i++)
        if (freed[i].hidden == ~(uintptr_t)address) {
            *copy = freed[i];
            found = true;
        }
    pthread_mutex_unlock(&lock);
    return found;
}

/* The same of memory that is never malloc()'s: of that the agent may have got it anew. */
static bool
is_gone(const void *address, struct freed *old)
{
    return was_freed(address, old) && (old->size > 0 || page_is_ours(address));
}

bool
memory_is_gone(const void *address)
{
    struct freed old;

    return block_size(address) == 0 && is_gone(address, &old);
}

/* ---- what they give back ---- */

static void
check_freed(const struct freed *old)
{
    if (old->size == 0 || !guard_was_written((void *)~old->hidden, old->size))
        return;
    if (old->is_shown)
        check_found_at(RULE_CLASSES_BYTES_WRITTEN, old->function, NULL, 1,
                       "the agent wrote to bytes that a callback of %s was given, after it "
                       "had returned", old->function);
    else
        check_found_at(RULE_MEMORY_USE_AFTER_DEALLOCATE, old->function, &old->freed, 1,
                       "the agent wrote to memory of %s after this Deallocate of it",
                       old->function);
}

/* Put it into the ring; the oldest one goes. */
static void
put(struct freed *ring, int count, int *next, const struct freed *added)
{
    struct freed oldest;

    pthread_mutex_lock(&lock);
    oldest = ring[*next];
    ring[*next] = *added;
    *next = (*next + 1) % count;
    pthread_mutex_unlock(&lock);
    check_freed(&oldest);
    if (oldest.size > 0)
        guard_free((void *)~oldest.hidden, oldest.size);
}

/* Give up a block, which stays for a while unless it is large. */
static void
keep(const struct block *block, const struct stack *stack, bool is_given)
{
    void *memory = (void *)~block->hidden;
    size_t size = block->size;
    bool is_paged = size > 0 && page_is_ours(memory);
    bool is_kept = size > 0 && size <= KEPT_SIZE && !is_paged;
    struct freed now = { block->hidden, is_kept ? size : 0, block->function, false,
                         is_given, *stack };

    if (is_kept || is_paged)
        guard_spoil(memory, size);
    if (is_paged)
        page_free(memory, block->function, stack);
    else if (size == 0)
        (*check_jvmti)->Deallocate(check_jvmti, memory);
    else if (!is_kept)
        guard_free(memory, size);
    put(freed, KEPT, &next_freed, &now);
}

/* The argument that is a text; -1 for none. */
static int
text_of(const struct interpose_event *event)
{
    return texts[event->facts->number - JVMTI_MIN_EVENT_TYPE_VAL] - 1;
}

void
memory_text_shown(struct interpose_event *event)
{
    int i = text_of(event);
    size_t size;
    char *copy;

    event->text = NULL;
    if (i < 0 || event->args[i].p == NULL)
        return;
    size = strlen(event->args[i].p) + 1;
    copy = page_new(size);
    if (copy == NULL)
        return;
    memcpy(copy, event->args[i].p, size);
    event->text = event->args[i].p;
    event->args[i].p = copy;
}

void
memory_text_ended(struct interpose_event *event)
{
    int i = text_of(event);

    if (event->text == NULL)
        return;
    page_hide(event->args[i].p, event->facts->name);
    event->args[i].p = event->text;
}

void
memory_retire(void *memory, size_t size, const char *event)
{
    struct freed now = { ~(uintptr_t)memory, size, event, true, false, { .count = 0 } };

    guard_spoil(memory, size);
    put(shown, SHOWN, &next_shown, &now);
}

/* An address that is none of a block that the agent has. */
static void
tell_wrong_address(const void *address)
{
    struct freed old;
    struct block around, *block;
    struct stack stack;

    if (was_freed(address, &old))
        check_found(RULE_MEMORY_DEALLOCATE_TWICE, "Deallocate",
                    old.is_given ? "memory of %s is deallocated that was given to the VM "
                                   "as the bytes of a class, which deallocates it"
                                 : "memory of %s is deallocated a second time",
                    old.function);
    else if (block_find_around((uintptr_t)address, &around)) {
        check_found(RULE_MEMORY_DEALLOCATE_INTERIOR, "Deallocate",
                    "Deallocate was given an address %zu bytes behind the beginning of "
                    "memory of %s%s", (size_t)((uintptr_t)address - ~around.hidden),
                    around.function,
                    around.size == 0 ? ", of which it is a part: one Deallocate frees all"
                                     : "");
        if (around.size == 0)
            return;
        /* The agent has done with the block. */
        block = block_take((void *)~around.hidden);
        stack_take(&stack);
        if (block != NULL)
            keep(block, &stack, false);
        block_free(block);
    } else
        check_found(RULE_MEMORY_DEALLOCATE_FOREIGN, "Deallocate",
                    "Deallocate was given memory that is not from JVM TI%s",
                    stack_room(address, 1) > 0 ? ", but a variable in the C stack" : "");
}

/* Always left out: the VM has its memory back, or gets it from keep(). */
static bool
deallocate(struct interpose_call *call)
{
    void *address = call->args[0].p;
    struct block *block = address != NULL ? block_take(address) : NULL;
    struct stack stack;

    if (address == NULL)
        return true;
    call->error = JVMTI_ERROR_NONE;
    ((struct check_thread *)call->thread->state)->is_deallocate_wrong = block == NULL;
    if (block == NULL) {
        tell_wrong_address(address);
        return false;
    }
    stack_take_at(&stack, call->caller, call);
    block_check(block);
    keep(block, &stack, false);
    block_free(block);
    return false;
}

bool
memory_freed_by_agent(const char *function, void *pointer, void *copy, size_t size)
{
    struct block *block = block_take(pointer);
    struct stack stack;

    if (block == NULL)
        return false;
    check_found(RULE_MEMORY_FREE, function,
                "%s%s was given memory of %s, which Deallocate frees", function,
                function[0] == 'd' ? "" : "()", block->function);
    if (copy != NULL)
        memcpy(copy, pointer, block->size < size ? block->size : size);
    stack_take(&stack);
    keep(block, &stack, false);
    block_free(block);
    return true;
}

/* ---- calls and events ---- */

/* A pointer that a failed function has left behind. */
static void
check_poison(const struct interpose_call *call)
{
    const struct interpose_function *f = &interpose_functions[call->function];

    for (int i = 0; i < f->count; i++)
        if (f->params[i].member == 'p' && call->args[i].p == (void *)POISON)
            check_found(RULE_MEMORY_OUTPUT_AFTER_ERROR, f->name,
                        "%s gets in '%s' what a function left behind that failed",
                        f->name, f->params[i].name);
}

static bool
has_poison(const struct interpose_call *call)
{
    for (int i = 0; i < interpose_functions[call->function].count; i++)
        if (interpose_functions[call->function].params[i].member == 'p'
            && call->args[i].p == (void *)POISON)
            return true;
    return false;
}

bool
memory_begin(struct interpose_call *call)
{
    if (check_options.is_poisoning && has_poison(call)) {
        check_poison(call);
        call->error = JVMTI_ERROR_ILLEGAL_ARGUMENT;
        return false;
    }
    return call->function != INTERPOSE_Deallocate || deallocate(call);
}

/* What a failed function would have stored is undefined: make that visible. */
static void
poison_results(const struct interpose_call *call)
{
    const struct interpose_function *f = &interpose_functions[call->function];

    for (int i = 0; i < f->count; i++) {
        const char *type = f->params[i].type;
        size_t length = strlen(type);

        if (f->params[i].is_out && call->args[i].p != NULL
            && (strcmp(type + length - 2, "**") == 0 || strcmp(type, "jobject*") == 0
                || strcmp(type, "jclass*") == 0 || strcmp(type, "jthread*") == 0
                || strcmp(type, "jmethodID*") == 0))
            *(uintptr_t *)call->args[i].p = POISON;
    }
}

void
memory_end(struct interpose_call *call)
{
    if (call->error != JVMTI_ERROR_NONE) {
        if (check_options.is_poisoning)
            poison_results(call);
        return;
    }
    result_adopt(call);
}

/* The VM frees what a ClassFileLoadHook gives it, so that has to come from Allocate: the
   VM's own. */
void
memory_class_bytes(struct interpose_event *event)
{
    jint *length = event->args[6].p;
    unsigned char **bytes = event->args[7].p, *copy;
    struct block *block = *bytes != NULL ? block_take(*bytes) : NULL;
    size_t size = *length > 0 ? (size_t)*length : 0, there;
    struct freed old;

    if (*bytes == NULL || (block != NULL && block->size == 0)) {
        block_free(block);
        return;
    }
    if (block == NULL && is_gone(*bytes, &old)) {
        check_found_at(RULE_MEMORY_CLASS_BYTES_FOREIGN, "ClassFileLoadHook", NULL, 1,
                       "the bytes of class %s that ClassFileLoadHook gives are in memory "
                       "of %s that was %s before",
                       event->args[2].p != NULL ? (char *)event->args[2].p : "",
                       old.function, old.is_given ? "given to the VM" : "deallocated");
        /* Nothing is in it any more: the class stays as it is. */
        *bytes = NULL;
        return;
    }
    if (block == NULL)
        check_found_at(RULE_MEMORY_CLASS_BYTES_FOREIGN, "ClassFileLoadHook", NULL, 1,
                       "the bytes of class %s that ClassFileLoadHook gives are not from "
                       "Allocate",
                       event->args[2].p != NULL ? (char *)event->args[2].p : "");
    else {
        block_check(block);
        if (size > block->size)
            check_found_at(RULE_MEMORY_CLASS_BYTES_SHORT, "ClassFileLoadHook",
                           &block->stack, 1,
                           "ClassFileLoadHook says that a class has %d bytes and gives "
                           "memory of %zu", (int)*length, block->size);
    }
    /* What is behind the memory is not read, as far as its end is known. */
    there = block != NULL ? block->size : got_size(*bytes);
    if ((*check_jvmti)->Allocate(check_jvmti, (jlong)size, &copy) == JVMTI_ERROR_NONE
        && copy != NULL) {
        memset(copy, 0, size);
        memcpy(copy, *bytes, there > 0 && there < size ? there : size);
        *bytes = copy;
    } else
        *bytes = NULL;
    if (block != NULL)
        keep(block, &block->stack, true);
    block_free(block);
}

void
memory_at_exit(void)
{
    for (int i = 0; i < KEPT; i++)
        check_freed(&freed[i]);
    for (int i = 0; i < SHOWN; i++)
        check_freed(&shown[i]);
}
