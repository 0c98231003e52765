/* SPDX-License-Identifier: MIT */
/*
 * layer/page.c -- a page for each block, without access once the block was given back.
 *
 * A use of it then comes as SIGSEGV.  The handler notes where it happened, gives the page
 * back its access, so that the program goes on with the bytes that are left there, and
 * what it noted is told at the agent's next call, when nothing is interrupted.  All other
 * signals go to the handler that was there before, the VM's.
 *
 * Pages are taken in turn, so that one that was given back stays without access as long as
 * possible.
 */
#include "layer/page.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "layer/check.h"

#define PAGE 4096u
#define PAGES 4096u
/* The beginning of a page may be known as the end of something else. */
#define OFFSET 64u
#define MOST_USES 32

enum state { UNUSED, LIVE, GIVEN_BACK };

static char *pages;         /* NULL: there are none */
static struct page {
    enum state state;
    bool is_shown;              /* it was an argument, else the agent's own block */
    const char *function;
    struct stack freed;
} table[PAGES];
static unsigned next_page;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What the handler has noted. */
static struct use {
    unsigned page;
    struct stack stack;
} uses[MOST_USES];
static int use_count, told_count, ready_count;

static struct sigaction others;

bool
page_is_ours(const void *memory)
{
    return pages != NULL && (const char *)memory >= pages
        && (const char *)memory < pages + (size_t)PAGES * PAGE;
}

static unsigned
page_of(const void *memory)
{
    return (unsigned)(((const char *)memory - pages) / PAGE);
}

/* ---- the handler ---- */

/* The stack from the place of the fault on. */
static void
take_stack(struct stack *stack, uintptr_t place)
{
    struct stack all;
    int first = 0;

    stack_take(&all);
    while (first < all.count && all.frames[first] != place)
        first++;
    stack->count = 0;
    /* Names are looked up for return addresses, which are behind the place. */
    stack->frames[stack->count++] = place + 1;
    for (int i = first + 1; i < all.count; i++)
        stack->frames[stack->count++] = all.frames[i];
}

static uintptr_t
place_of(const ucontext_t *context)
{
#ifdef __x86_64__
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#else
    return (uintptr_t)context->uc_mcontext.pc;
#endif
}

static void
note_use(unsigned page, const void *context)
{
    int i = __atomic_fetch_add(&use_count, 1, __ATOMIC_RELAXED);

    if (i >= MOST_USES)
        return;
    uses[i].page = page;
    take_stack(&uses[i].stack, place_of(context));
    __atomic_fetch_add(&ready_count, 1, __ATOMIC_RELEASE);
}

static void
pass_on(int number, siginfo_t *info, void *context)
{
    if (others.sa_flags & SA_SIGINFO)
        others.sa_sigaction(number, info, context);
    else if (others.sa_handler != SIG_DFL && others.sa_handler != SIG_IGN)
        others.sa_handler(number);
    else
        /* The fault comes again, and ends the process. */
        signal(number, SIG_DFL);
}

static void
on_fault(int number, siginfo_t *info, void *context)
{
    unsigned page;

    if (info->si_code <= 0 || !page_is_ours(info->si_addr)) {
        pass_on(number, info, context);
        return;
    }
    page = page_of(info->si_addr);
    if (__atomic_load_n(&table[page].state, __ATOMIC_ACQUIRE) != LIVE)
        note_use(page, context);
    mprotect(pages + (size_t)page * PAGE, PAGE, PROT_READ | PROT_WRITE);
}

void
page_start(void)
{
    struct sigaction action;
    /* With one more at each end, so that the kernel makes it part of no other mapping. */
    char *all = mmap(NULL, (size_t)(PAGES + 2) * PAGE, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (all == MAP_FAILED || sigaction(SIGSEGV, NULL, &others) != 0)
        return;
    action = others;
    action.sa_sigaction = on_fault;
    action.sa_flags |= SA_SIGINFO | SA_ONSTACK;
    if (sigaction(SIGSEGV, &action, NULL) == 0)
        pages = all + PAGE;
}

/* ---- blocks ---- */

void *
page_new(size_t size)
{
    unsigned page = PAGES;

    if (pages == NULL || size > PAGE - OFFSET)
        return NULL;
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < 64 && page == PAGES; i++) {
        if (table[next_page].state != LIVE)
            page = next_page;
        next_page = (next_page + 1) % PAGES;
    }
    if (page < PAGES)
        __atomic_store_n(&table[page].state, LIVE, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
    if (page == PAGES)
        return NULL;
    mprotect(pages + (size_t)page * PAGE, PAGE, PROT_READ | PROT_WRITE);
    return pages + (size_t)page * PAGE + OFFSET;
}

static void
give_back(unsigned page, const char *function)
{
    table[page].function = function;
    __atomic_store_n(&table[page].state, GIVEN_BACK, __ATOMIC_RELEASE);
    mprotect(pages + (size_t)page * PAGE, PAGE, PROT_NONE);
}

void
page_free(void *memory, const char *function, const struct stack *freed)
{
    table[page_of(memory)].is_shown = false;
    table[page_of(memory)].freed = *freed;
    give_back(page_of(memory), function);
}

void
page_hide(void *memory, const char *function)
{
    table[page_of(memory)].is_shown = true;
    table[page_of(memory)].freed.count = 0;
    give_back(page_of(memory), function);
}

/* ---- telling ---- */

int
page_untold(void)
{
    return __atomic_load_n(&ready_count, __ATOMIC_ACQUIRE)
        - __atomic_load_n(&told_count, __ATOMIC_RELAXED);
}

static void
tell(const struct use *use)
{
    const struct page *page = &table[use->page];
    struct frame_text first;
    bool is_known = page->freed.count > 0 && stack_frame(page->freed.frames[0], &first);

    if (page->is_shown) {
        check_found_at(RULE_MEMORY_ARGUMENT_KEPT, page->function, &use->stack, 1,
                       "what %s was given is used after it has returned", page->function);
        return;
    }
    if (page->function == NULL) {
        check_found_at(RULE_MEMORY_OVERRUN, "Allocate", &use->stack, 1,
                       "memory is used that no function has allocated: it lies behind or "
                       "before a block");
        return;
    }
    check_found_at(RULE_MEMORY_USE_AFTER_DEALLOCATE, page->function, &use->stack, 1,
                   "memory of %s is used that was deallocated before%s%s", page->function,
                   is_known ? ", at " : "", is_known ? first.text : "");
}

void
page_tell(void)
{
    while (page_untold() > 0) {
        int i = __atomic_fetch_add(&told_count, 1, __ATOMIC_RELAXED);

        if (i >= MOST_USES)
            return;
        tell(&uses[i]);
    }
}
