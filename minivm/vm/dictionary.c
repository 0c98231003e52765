/* SPDX-License-Identifier: MIT */
/* minivm/vm/dictionary.c -- a loader's classes by name. */

#include "base/mem.h"
#include "vm/registry.h"

enum { SMALLEST_TABLE = 16 };

static struct class_slots *
slots_new(uint32_t size)
{
    struct class_slots *s = mem_calloc(1, sizeof *s + size * sizeof s->at[0]);

    s->mask = size - 1;
    return s;
}

static uint32_t
place_of(const struct class_slots *s, const struct symbol *name)
{
    uint32_t at = name->hash & s->mask;

    for (;;) {
        const struct symbol *other = __atomic_load_n(&s->at[at].name, __ATOMIC_ACQUIRE);

        if (other == NULL || other == name)
            return at;
        at = (at + 1) & s->mask;
    }
}

struct class *
table_get(const struct class_table *t, const struct symbol *name)
{
    const struct class_slots *s = atomic_load_explicit(&t->slots, memory_order_acquire);
    uint32_t at;

    if (s == NULL)
        return NULL;
    at = place_of(s, name);
    return __atomic_load_n(&s->at[at].name, __ATOMIC_RELAXED) ? s->at[at].class : NULL;
}

static void
put(struct class_slots *s, const struct symbol *name, struct class *c)
{
    uint32_t at = place_of(s, name);

    s->at[at].class = c;
    __atomic_store_n(&s->at[at].name, name, __ATOMIC_RELEASE);
}

static struct class_slots *
copy(const struct class_slots *from, uint32_t size)
{
    struct class_slots *s = slots_new(size);

    for (uint32_t i = 0; from && i <= from->mask; i++)
        if (from->at[i].name)
            put(s, from->at[i].name, from->at[i].class);
    return s;
}

void
table_add(struct class_table *t, const struct symbol *name, struct class *c)
{
    struct class_slots *s = atomic_load_explicit(&t->slots, memory_order_relaxed);

    if (s == NULL || (t->count + 1) * 4 > (s->mask + 1) * 3) {
        struct class_slots *larger = copy(s, s ? (s->mask + 1) * 2 : SMALLEST_TABLE);

        larger->outgrown = s;
        atomic_store_explicit(&t->slots, larger, memory_order_release);
        s = larger;
    }
    put(s, name, c);
    t->count++;
}

static void
free_outgrown(struct class_slots *s)
{
    struct class_slots *next;

    for (; s; s = next) {
        next = s->outgrown;
        mem_free(s);
    }
}

void
table_purge(struct class_table *t)
{
    struct class_slots *old = atomic_load_explicit(&t->slots, memory_order_relaxed), *s;
    uint32_t dead = 0;

    if (old == NULL)
        return;
    free_outgrown(old->outgrown);
    old->outgrown = NULL;
    for (uint32_t i = 0; i <= old->mask; i++)
        dead += old->at[i].name && (old->at[i].class->flags & CLASS_IS_UNLOADED);
    if (dead == 0)
        return;
    s = slots_new(old->mask + 1);
    for (uint32_t i = 0; i <= old->mask; i++)
        if (old->at[i].name && !(old->at[i].class->flags & CLASS_IS_UNLOADED))
            put(s, old->at[i].name, old->at[i].class);
    t->count -= dead;
    mem_free(old);
    atomic_store_explicit(&t->slots, s, memory_order_release);
}

void
table_release(struct class_table *t)
{
    free_outgrown(atomic_load_explicit(&t->slots, memory_order_relaxed));
    *t = (struct class_table){ .slots = NULL };
}
