/* SPDX-License-Identifier: MIT */
/* minivm/jdk/class_histogram.c -- how many objects of each class are in the heap, and
 * how many bytes they take: jcmd GC.class_histogram, jmap -histo,
 * -XX:+PrintClassHistogram.
 *
 * The heap is visited while the world is stopped, and the names are printed before it
 * goes on, since classes may be unloaded then. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "jdk/diagnostic.h"
#include "jdk/jvm.h"
#include "linking/module.h"
#include "threads/safepoint.h"

/* A class with its objects. */
struct histogram_row {
    const struct class *class;
    uint64_t count, bytes;
};

/* The rows, by number. */
struct histogram {
    struct buf rows;
    struct ptrmap numbers; /* class to its row's number + 1 */
};

/* Counts one object; the visitor of heap_iterate.  Row numbers in the map begin with 1,
   since NULL means that the class has no row yet. */
static bool
count_object(void *context, struct object *o)
{
    struct histogram *t = context;
    const struct class *c = object_class(o);
    size_t number = (size_t)(uintptr_t)ptrmap_get(&t->numbers, c);

    if (number == 0) {
        buf_append(&t->rows, &(struct histogram_row){ .class = c },
                   sizeof(struct histogram_row));
        number = t->rows.length / sizeof(struct histogram_row);
        ptrmap_put(&t->numbers, c, (void *)(uintptr_t)number);
    }
    struct histogram_row *row = (struct histogram_row *)(void *)t->rows.data + number
                                - 1;
    row->count++;
    row->bytes += object_size(o);
    return true;
}

/* Orders rows for qsort: most bytes first, then arrays before others, then by name. */
static int
compare_rows(const void *a, const void *b)
{
    const struct histogram_row *x = a, *y = b;
    const char *name = x->class->name->bytes, *other = y->class->name->bytes;

    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    if ((*name == '[') != (*other == '['))
        return *name == '[' ? -1 : 1;
    return strcmp(name, other);
}

/* Prints one line: the row's number, its figures, and the class with its module if that
   has a name.  The module of an array is that of its innermost elements. */
static void
print_row(const struct vm *vm, size_t number, const struct histogram_row *row,
          struct buf *out)
{
    const struct class *c = row->class->bottom ? row->class->bottom : row->class;
    const struct module *m = c->module ? c->module
                                       : vm->java_base; /* int[] has none of its own */
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

/* Prints the table of classes with the number and bytes of their objects.  The
   collection stops the world once more within this stop, so that nothing is allocated
   between the two.  The events of the collection are sent when the world goes on. */
void
class_histogram(struct thread *self, bool with_garbage, struct buf *out)
{
    struct vm *vm = self->vm;
    struct histogram t = { { 0 }, { 0 } };
    uint64_t count = 0, bytes = 0;

    world_stop(self, "class histogram");
    if (!with_garbage)
        vm_collect(self, "Heap Inspection Initiated GC", KEEP_SOFT_REFERENCES);
    heap_iterate(vm->heap, count_object, &t);
    struct histogram_row *rows = (struct histogram_row *)(void *)t.rows.data;
    size_t row_count = t.rows.length / sizeof *rows;
    qsort(rows, row_count, sizeof *rows, compare_rows);
    buf_append_string(out, " num     #instances         #bytes  class name (module)\n"
                           "-------------------------------------------------------\n");
    for (size_t i = 0; i < row_count; i++) {
        print_row(vm, i + 1, &rows[i], out);
        count += rows[i].count;
        bytes += rows[i].bytes;
    }
    world_resume(self);
    vm_send_collection_events(self);
    buf_printf(out, "Total %13" PRIu64 " %14" PRIu64 "\n", count, bytes);
    ptrmap_release(&t.numbers);
    buf_release(&t.rows);
}

void
class_histogram_print(struct thread *self)
{
    struct buf out = { 0 };

    class_histogram(self, false, &out);
    fputs(buf_string(&out), stdout);
    fflush(stdout);
    buf_release(&out);
}
