/* SPDX-License-Identifier: MIT */
/* minivm/vm/cpool.c -- the storage of run-time constant pools (JVMS 5.1). */

#include "base/mem.h"
#include "vm/registry.h"

struct cpool *
cpool_new(struct class *c, struct classfile *file)
{
    struct cpool *pool =
        mem_calloc(1, sizeof *pool + file->cp_count * sizeof pool->entries[0]);

    pool->class = c;
    pool->file = file;
    return pool;
}

/* An entry that failed owns its error. */
void
cpool_free(struct cpool *pool)
{
    struct reference_chunk *next;

    for (unsigned i = 0; i < pool->file->cp_count; i++) {
        uintptr_t entry =
            (uintptr_t)atomic_load_explicit(&pool->entries[i], memory_order_relaxed);

        if (entry & 1)
            mem_free((void *)(entry - 1));
    }
    for (struct reference_chunk *chunk = pool->references; chunk; chunk = next) {
        next = chunk->next;
        mem_free(chunk);
    }
    classfile_free(pool->file);
    mem_free(pool->initial);
    mem_free(pool);
}

struct object **
cpool_add_reference(struct thread *self, struct cpool *pool, struct object *o)
{
    struct reference_chunk *chunk;
    struct object **slot;

    mutex_lock(&self->vm->class_mutex);
    chunk = pool->references;
    if (chunk == NULL || chunk->used == chunk->capacity) {
        uint32_t capacity = chunk ? chunk->capacity * 2 : 4;

        chunk = mem_calloc(1, sizeof *chunk + capacity * sizeof chunk->slots[0]);
        chunk->capacity = capacity;
        chunk->next = pool->references;
        pool->references = chunk;
    }
    slot = &chunk->slots[chunk->used++];
    *slot = o;
    mutex_unlock(&self->vm->class_mutex);
    return slot;
}
