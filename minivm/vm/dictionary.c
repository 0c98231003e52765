/* SPDX-License-Identifier: MIT */
/* minivm/vm/dictionary.c -- a loader's classes by name. */

#include "base/mem.h"
#include "vm/registry.h"

enum { SMALLEST_TABLE = 16 };

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

/* New slots with the classes of t that are not unloaded. */
static void
rebuild(struct class_table *t, uint32_t size)
{
    const struct class_slots *old = t->slots;
    struct class_slots *s = mem_calloc(1, sizeof *s + size * sizeof s->at[0]);

    s->mask = size - 1;
    t->count = 0;
    for (uint32_t i = 0; old && i <= old->mask; i++)
        if (old->at[i].name && !(old->at[i].class->flags & CLASS_IS_UNLOADED)) {
            put(s, old->at[i].name, old->at[i].class);
            t->count++;
        }
    atomic_store_explicit(&t->slots, s, memory_order_release);
}

void
table_add(struct class_table *t, const struct symbol *name, struct class *c)
{
    struct class_slots *s = t->slots;

    if (s == NULL || (t->count + 1) * 4 > (s->mask + 1) * 3) {
        rebuild(t, s ? (s->mask + 1) * 2 : SMALLEST_TABLE);
        t->slots->outgrown = s;
    }
    put(t->slots, name, c);
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
    struct class_slots *old = t->slots;
    uint32_t dead = 0;

    if (old == NULL)
        return;
    free_outgrown(old->outgrown);
    old->outgrown = NULL;
    for (uint32_t i = 0; i <= old->mask; i++)
        dead += old->at[i].name && (old->at[i].class->flags & CLASS_IS_UNLOADED);
    if (dead == 0)
        return;
    rebuild(t, old->mask + 1);
    mem_free(old);
}

void
table_release(struct class_table *t)
{
    free_outgrown(t->slots);
    *t = (struct class_table){ .slots = NULL };
}
