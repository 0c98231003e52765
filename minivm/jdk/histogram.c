/* SPDX-License-Identifier: MIT */
/* minivm/jdk/histogram.c -- how many objects of each class are in the heap. */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "jdk/attach.h"
#include "vm/exception.h"
#include "vm/module.h"
#include "vm/safepoint.h"
#include "vm/vm.h"

struct row {
    const struct class *class;
    uint64_t count, bytes;
};

struct table {
    struct row *rows;
    size_t count, capacity;
    struct ptrmap numbers;         /* class → its row's number and 1 */
};

static bool
count_object(void *context, struct object *o)
{
    struct table *t = context;
    const struct class *c = object_class(o);
    size_t number = (size_t)(uintptr_t)ptrmap_get(&t->numbers, c);

    if (number == 0) {
        if (t->count == t->capacity) {
            t->capacity = t->capacity ? 2 * t->capacity : 256;
            t->rows = mem_realloc(t->rows, t->capacity * sizeof *t->rows);
        }
        t->rows[t->count++] = (struct row){ c, 0, 0 };
        number = t->count;
        ptrmap_put(&t->numbers, c, (void *)(uintptr_t)number);
    }
    t->rows[number - 1].count++;
    t->rows[number - 1].bytes += object_size(o);
    return true;
}

/* Most bytes first; then arrays before others, by name. */
static int
compare(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    const char *name = x->class->name->bytes, *other = y->class->name->bytes;

    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    if ((*name == '[') != (*other == '['))
        return *name == '[' ? -1 : 1;
    return strcmp(name, other);
}

static void
print_row(const struct vm *vm, size_t number, const struct row *row, struct buf *out)
{
    const struct class *c = row->class->bottom ? row->class->bottom : row->class;
    const struct module *m = c->module ? c->module : vm->java_base; /* of int[] */
    TEXTS(t);

    buf_printf(out, "%4zu: %13" PRIu64 " %14" PRIu64 "  %s", number, row->count,
               row->bytes, own(&t, class_external_name(row->class)));
    if (m && m->name) {
        buf_printf(out, " (%s", m->name->bytes);
        if (m->version)
            buf_printf(out, "@%s", m->version->bytes);
        buf_append_string(out, ")");
    }
    buf_append_string(out, "\n");
}

void
class_histogram(struct thread *self, bool with_garbage, struct buf *out)
{
    struct vm *vm = self->vm;
    struct table t = { NULL, 0, 0, { 0 } };
    uint64_t count = 0, bytes = 0;

    /* Stopped until the names are written: no class is unloaded meanwhile. */
    world_stop(self, "class histogram");
    if (!with_garbage)
        vm_collect(self, "Heap Inspection Initiated GC", false);
    heap_iterate(vm->heap, count_object, &t);
    qsort(t.rows, t.count, sizeof *t.rows, compare);
    buf_append_string(out, " num     #instances         #bytes  class name (module)\n"
                           "-------------------------------------------------------\n");
    for (size_t i = 0; i < t.count; i++) {
        print_row(vm, i + 1, &t.rows[i], out);
        count += t.rows[i].count;
        bytes += t.rows[i].bytes;
    }
    world_resume(self);
    buf_printf(out, "Total %13" PRIu64 " %14" PRIu64 "\n", count, bytes);
    ptrmap_release(&t.numbers);
    mem_free(t.rows);
}
