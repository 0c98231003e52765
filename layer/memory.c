/* SPDX-License-Identifier: MIT */
/*
 * layer/memory.c -- rules about memory (JVM TI "Memory Management").
 *
 * Every block that the agent gets, from Allocate or as a result, is in a table until it
 * is given back.  If its size is known, what the agent gets is a copy (guard.c), and the
 * VM has its own block back at once.  Around the copy there are zones of known bytes; when
 * it is given back it is filled, and kept for a while, so that a write to it is noticed;
 * some are on pages where each use is (page.c).
 * At the exit, blocks that nothing in the process points to are leaks (reach.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layer/check.h"
#include "layer/guard.h"
#include "layer/page.h"
#include "layer/reach.h"

#define BUCKETS 16384
#define POISON 0xE7E7E7E7E7E7E7E7u
/* Blocks, and bytes in one, that are kept after they were given back. */
#define KEPT 512
#define KEPT_SIZE 16384

/* Addresses are kept inverted: the search for pointers at the exit must not find ours. */
struct block {
    uintptr_t hidden;
    size_t size;                /* 0: unknown, and the memory is the VM's */
    size_t extent;              /* as far as it is known: size, or what members point to */
    struct interpose_env *env;
    const char *function, *param;
    struct stack stack;
    struct block *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *blocks[BUCKETS];
static size_t block_count;

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

static struct block **
bucket(const void *address)
{
    return &blocks[((uintptr_t)address >> 4) * 2654435761u % BUCKETS];
}

/* The frames that the rows of a result point to are in the same block (JVM TI "Get All
   Stack Traces"). */
static size_t
extent_of(const struct interpose_call *call, const char *address)
{
    const jvmtiStackInfo *rows = (const void *)address;
    jint count = call->function == INTERPOSE_GetAllStackTraces ? *(jint *)call->args[2].p
        : call->function == INTERPOSE_GetThreadListStackTraces ? call->args[0].i : 0;
    size_t extent = 0;

    for (jint i = 0; i < count; i++) {
        const char *end = (const char *)(rows[i].frame_buffer + rows[i].frame_count);

        if (end > address && (size_t)(end - address) > extent)
            extent = (size_t)(end - address);
    }
    return extent;
}

static void
add(const struct interpose_call *call, const char *param, void *address, size_t size)
{
    struct block *block = malloc(sizeof *block);

    if (block == NULL)
        return;
    block->hidden = ~(uintptr_t)address;
    block->size = size;
    block->extent = size > 0 ? size : extent_of(call, address);
    block->env = call->env;
    block->function = interpose_functions[call->function].name;
    block->param = param;
    stack_take_at(&block->stack, call->caller, call);
    pthread_mutex_lock(&lock);
    block->next = *bucket(address);
    *bucket(address) = block;
    block_count++;
    pthread_mutex_unlock(&lock);
}

/* Take it out of the table; NULL if it is not there. */
static struct block *
take(const void *address)
{
    struct block **at, *block;

    pthread_mutex_lock(&lock);
    at = bucket(address);
    while (*at != NULL && (*at)->hidden != ~(uintptr_t)address)
        at = &(*at)->next;
    block = *at;
    if (block != NULL) {
        *at = block->next;
        block_count--;
    }
    pthread_mutex_unlock(&lock);
    return block;
}

/* The block that an address is in the middle of; a copy. */
static bool
find_around(uintptr_t address, struct block *copy)
{
    bool found = false;

    pthread_mutex_lock(&lock);
    for (int i = 0; i < BUCKETS && !found; i++)
        for (struct block *b = blocks[i]; b != NULL && !found; b = b->next)
            if (address > ~b->hidden && address < ~b->hidden + b->extent) {
                *copy = *b;
                found = true;
            }
    pthread_mutex_unlock(&lock);
    return found;
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

    return memory_size(address) == 0 && is_gone(address, &old);
}

bool
memory_has(const void *address)
{
    struct block block;

    return find_around((uintptr_t)address, &block);
}

size_t
memory_size(const void *pointer)
{
    const struct block *block;
    size_t size;

    pthread_mutex_lock(&lock);
    block = *bucket(pointer);
    while (block != NULL && block->hidden != ~(uintptr_t)pointer)
        block = block->next;
    size = block != NULL ? block->size : 0;
    pthread_mutex_unlock(&lock);
    return size;
}

/* ---- what agents get ---- */

static size_t
element_size(const char *type)
{
    static const struct { const char *type; size_t size; } sizes[] = {
        { "unsigned char**", 1 },
        { "jlong**", sizeof(jlong) },
        { "jvmtiLineNumberEntry**", sizeof(jvmtiLineNumberEntry) },
        { "jvmtiLocalVariableEntry**", sizeof(jvmtiLocalVariableEntry) },
        { "jvmtiMonitorStackDepthInfo**", sizeof(jvmtiMonitorStackDepthInfo) },
        { "jvmtiExtensionFunctionInfo**", sizeof(jvmtiExtensionFunctionInfo) },
        { "jvmtiExtensionEventInfo**", sizeof(jvmtiExtensionEventInfo) },
    };

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (strcmp(sizes[i].type, type) == 0)
            return sizes[i].size;
    return sizeof(void *);
}

/* As far as the facts tell it; 0 if they do not. */
static size_t
result_size(const struct interpose_call *call, int i)
{
    const struct interpose_param *param =
        &interpose_functions[call->function].params[i];
    const jint *count;

    if (call->function == INTERPOSE_Allocate)
        return (size_t)call->args[0].j;
    if (strcmp(param->type, "char**") == 0)
        return strlen(*(char **)call->args[i].p) + 1;
    if (param->count_arg < 0)
        return 0;
    count = call->args[param->count_arg].p;
    return count != NULL && *count > 0 ? (size_t)*count * element_size(param->type) : 0;
}

/* The first blocks, and then one of so many, are on pages of their own: that costs more,
   and tells of each use of them once they are given back. */
#define PAGED_FIRST 256
#define PAGED_EACH 32

static char *
copy_for(size_t size)
{
    static long count;
    long number = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    char *copy = number < PAGED_FIRST || number % PAGED_EACH == 0 ? guard_new_page(size)
                                                                  : NULL;

    return copy != NULL ? copy : guard_new(size);
}

/* Give the agent a copy of the block at *place, unless memory is short. */
static void
adopt(const struct interpose_call *call, const char *param, void *place, size_t size)
{
    void *real = *(void **)place;
    char *copy = size > 0 ? copy_for(size) : NULL;

    if (copy != NULL) {
        memcpy(copy, real, size);
        *(void **)place = copy;
        (*check_jvmti)->Deallocate(check_jvmti, real);
    }
    add(call, param, *(void **)place, copy != NULL ? size : 0);
}

static void
adopt_text(const struct interpose_call *call, const char *field, char **text)
{
    if (*text != NULL)
        adopt(call, field, text, strlen(*text) + 1);
}

static void
adopt_array(const struct interpose_call *call, const char *field, void *place,
            jint count, size_t size)
{
    if (*(void **)place != NULL)
        adopt(call, field, place, count > 0 ? (size_t)count * size : 0);
}

static void
adopt_params(const struct interpose_call *call, jvmtiParamInfo **params, jint count)
{
    adopt_array(call, "params", params, count, sizeof **params);
    for (jint i = 0; i < count; i++)
        adopt_text(call, "name", &(*params)[i].name);
}

/* What the members of a result point to (JVM TI: the description of each). */
static void
adopt_fields(const struct interpose_call *call, void *result)
{
    switch (call->function) {
    case INTERPOSE_GetThreadInfo:
        adopt_text(call, "name", &((jvmtiThreadInfo *)result)->name);
        break;
    case INTERPOSE_GetThreadGroupInfo:
        adopt_text(call, "name", &((jvmtiThreadGroupInfo *)result)->name);
        break;
    case INTERPOSE_GetObjectMonitorUsage: {
        jvmtiMonitorUsage *usage = result;

        adopt_array(call, "waiters", &usage->waiters, usage->waiter_count,
                    sizeof(jthread));
        adopt_array(call, "notify_waiters", &usage->notify_waiters,
                    usage->notify_waiter_count, sizeof(jthread));
        break;
    }
    case INTERPOSE_GetLocalVariableTable: {
        jvmtiLocalVariableEntry *entries = *(jvmtiLocalVariableEntry **)result;

        for (jint i = 0; i < *(jint *)call->args[1].p; i++) {
            adopt_text(call, "name", &entries[i].name);
            adopt_text(call, "signature", &entries[i].signature);
            adopt_text(call, "generic_signature", &entries[i].generic_signature);
        }
        break;
    }
    case INTERPOSE_GetSystemProperties:
        for (jint i = 0; i < *(jint *)call->args[0].p; i++)
            adopt_text(call, "property", &(*(char ***)result)[i]);
        break;
    case INTERPOSE_GetExtensionFunctions: {
        jvmtiExtensionFunctionInfo *infos = *(jvmtiExtensionFunctionInfo **)result;

        for (jint i = 0; i < *(jint *)call->args[0].p; i++) {
            adopt_text(call, "id", &infos[i].id);
            adopt_text(call, "short_description", &infos[i].short_description);
            adopt_params(call, &infos[i].params, infos[i].param_count);
            adopt_array(call, "errors", &infos[i].errors, infos[i].error_count,
                        sizeof(jvmtiError));
        }
        break;
    }
    case INTERPOSE_GetExtensionEvents: {
        jvmtiExtensionEventInfo *infos = *(jvmtiExtensionEventInfo **)result;

        for (jint i = 0; i < *(jint *)call->args[0].p; i++) {
            adopt_text(call, "id", &infos[i].id);
            adopt_text(call, "short_description", &infos[i].short_description);
            adopt_params(call, &infos[i].params, infos[i].param_count);
        }
        break;
    }
    default:
        break;
    }
}

static void
adopt_results(const struct interpose_call *call)
{
    const struct interpose_function *f = &interpose_functions[call->function];

    for (int i = 0; i < f->count; i++) {
        void *result = call->args[i].p;

        if (!f->params[i].is_out || result == NULL)
            continue;
        if (f->params[i].is_allocated && *(void **)result != NULL)
            adopt(call, f->params[i].name, result, result_size(call, i));
        if (f->params[i].has_fields
            && (!f->params[i].is_allocated || *(void **)result != NULL))
            adopt_fields(call, result);
    }
}

/* ---- what they give back ---- */

static void
check_zones(const struct block *block)
{
    enum guard_damage damage = block->size > 0
        ? guard_check((void *)~block->hidden, block->size) : GUARD_WHOLE;

    if (damage != GUARD_WHOLE)
        check_found_at(RULE_MEMORY_OVERRUN, block->function, &block->stack, 1,
                       "the agent wrote %s of %zu bytes that it got from %s",
                       damage == GUARD_BEFORE ? "before the beginning" : "behind the end",
                       block->size, block->function);
}

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
    for (int i = 0; i < event->facts->count; i++)
        if (strcmp(event->facts->params[i].type, "const char*") == 0)
            return i;
    return -1;
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
    else if (find_around((uintptr_t)address, &around)) {
        check_found(RULE_MEMORY_DEALLOCATE_INTERIOR, "Deallocate",
                    "Deallocate was given an address %zu bytes behind the beginning of "
                    "memory of %s%s", (size_t)((uintptr_t)address - ~around.hidden),
                    around.function,
                    around.size == 0 ? ", of which it is a part: one Deallocate frees all"
                                     : "");
        if (around.size == 0)
            return;
        /* The agent has done with the block. */
        block = take((void *)~around.hidden);
        stack_take(&stack);
        if (block != NULL)
            keep(block, &stack, false);
        free(block);
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
    struct block *block = address != NULL ? take(address) : NULL;
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
    check_zones(block);
    keep(block, &stack, false);
    free(block);
    return false;
}

bool
memory_freed_by_agent(const char *function, void *pointer, void *copy, size_t size)
{
    struct block *block = take(pointer);
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
    free(block);
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
    adopt_results(call);
}

/* The VM frees what a ClassFileLoadHook gives it, so that has to come from Allocate: the
   VM's own. */
void
memory_class_bytes(struct interpose_event *event)
{
    jint *length = event->args[6].p;
    unsigned char **bytes = event->args[7].p, *copy;
    struct block *block = *bytes != NULL ? take(*bytes) : NULL;
    size_t size = *length > 0 ? (size_t)*length : 0, there;
    struct freed old;

    if (*bytes == NULL || (block != NULL && block->size == 0)) {
        free(block);
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
        check_zones(block);
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
    free(block);
}

/* ---- the end ---- */

/* Leaks of one function's parameter at one place. */
struct leak {
    const struct block *block;
    bool is_lost;
    long count;
    size_t size;
};

/* By the frames of the places, so that those of one are beside each other, and by the
   parameter. */
static int
compare_places(const void *a, const void *b)
{
    const struct block *x = ((const struct leak *)a)->block;
    const struct block *y = ((const struct leak *)b)->block;

    for (int i = 0; i < PLACE_FRAMES; i++) {
        uintptr_t p = stack_place_frame(&x->stack, i), q = stack_place_frame(&y->stack, i);

        if (p != q)
            return p > q ? 1 : -1;
    }
    return strcmp(x->param, y->param);
}

/* ": 40 bytes", as far as it is known. */
static const char *
bytes_text(size_t size, char *text, size_t room)
{
    if (size == 0)
        text[0] = '\0';
    else
        snprintf(text, room, ": %zu byte%s", size, size == 1 ? "" : "s");
    return text;
}

/* Tell of leaks, once for each place.  All blocks that are left of a place are among the
   `count`, those that are `lost` are told of. */
static void
tell_leaks(enum check_rule rule, struct leak *leaks, size_t count, const char *why)
{
    if (count == 0)
        return;
    qsort(leaks, count, sizeof *leaks, compare_places);
    for (size_t i = 0, next; i < count; i = next) {
        struct leak sum = { leaks[i].block, false, 0, 0 };
        long all = 0;
        char bytes[40], left[60] = "";

        for (next = i; next < count && compare_places(&leaks[i], &leaks[next]) == 0;
             next++) {
            all++;
            if (!leaks[next].is_lost)
                continue;
            sum.block = leaks[next].block;
            sum.count++;
            sum.size += leaks[next].block->size;
        }
        if (sum.count == 0)
            continue;
        /* What is in memory by chance looks like a pointer, too. */
        if (all > sum.count)
            snprintf(left, sizeof left, ", of %ld that are there still", all);
        check_found_at(rule, sum.block->function, &sum.block->stack, sum.count,
                       "%s%ld block%s that %s allocated in '%s' %s %s%s%s",
                       all > sum.count ? "at least " : "", sum.count,
                       sum.count == 1 ? "" : "s", sum.block->function, sum.block->param,
                       sum.count == 1 ? "was" : "were", why,
                       bytes_text(sum.size, bytes, sizeof bytes), left);
    }
}

/* Blocks of an environment, or of all for NULL.  The array is the caller's to free. */
static struct leak *
collect(const struct interpose_env *env, size_t *count)
{
    struct leak *leaks;

    *count = 0;
    pthread_mutex_lock(&lock);
    leaks = malloc((block_count + 1) * sizeof *leaks);
    for (int i = 0; i < BUCKETS && leaks != NULL; i++)
        for (struct block *b = blocks[i]; b != NULL; b = b->next)
            if (env == NULL || b->env == env)
                leaks[(*count)++] = (struct leak){ b, true, 1, b->size };
    pthread_mutex_unlock(&lock);
    return leaks;
}

struct search {
    const struct interpose_env *env;
    bool has_other;
};

static void
look_for_other(struct interpose_env *env, void *data)
{
    struct search *search = data;

    if (env->vm == search->env->vm && env != search->env)
        search->has_other = true;
}

/* Another environment of the agent may still free the memory. */
void
memory_disposed(struct interpose_env *env)
{
    struct search search = { env, false };
    struct leak *leaks;
    size_t count;

    interpose_each_env(look_for_other, &search);
    if (search.has_other)
        return;
    leaks = collect(env, &count);
    tell_leaks(RULE_MEMORY_LEAK_AT_DISPOSE, leaks, count,
               "not deallocated before the agent's last environment was disposed "
               "of");
    for (size_t i = 0; i < count; i++)
        free(take((void *)~leaks[i].block->hidden));
    free(leaks);
}

/* What memory_collect has found, until memory_at_exit. */
static struct leak *left;
static size_t left_count;

size_t
memory_collect(void)
{
    left = collect(NULL, &left_count);
    return left != NULL ? left_count : 0;
}

void
memory_add_to(struct reach *reach)
{
    for (size_t i = 0; left != NULL && i < left_count; i++)
        reach_add(reach, ~left[i].block->hidden, left[i].block->size);
}

void
memory_at_exit(const struct reach *reach)
{
    for (int i = 0; i < KEPT; i++)
        check_freed(&freed[i]);
    for (int i = 0; i < SHOWN; i++)
        check_freed(&shown[i]);
    for (size_t i = 0; left != NULL && i < left_count; i++)
        check_zones(left[i].block);
    for (size_t i = 0; left != NULL && i < left_count; i++)
        left[i].is_lost = !reach_is_found(reach, ~left[i].block->hidden);
    if (left != NULL)
        tell_leaks(RULE_MEMORY_LEAK, left, left_count, "never deallocated");
    free(left);
}
