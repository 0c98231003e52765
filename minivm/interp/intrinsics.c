/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/intrinsics.c -- methods of the library whose bodies are C functions.
 *
 * Tables of them are registered before the first class is loaded: those of the
 * interpreter (intrinsics.h), which make programs fast, and those of the jdk folder,
 * natives that need the VM.  When such a method is
 * first called, intrinsic_bind finds its row, and its calls run OP_INTRINSIC from then
 * on.
 *
 * A C body that stands for bytecode does exactly what the Java body does, exceptions
 * included, but calls no methods and reports no events.  So it runs only while nobody
 * could see the difference: not while this thread has hooks (call_start), nor while
 * any class of the boot loader has a breakpoint or a watched field
 * (intrinsics_count_watches), nor once an agent has changed a class that C bodies belong
 * to (intrinsics_class_changed).  The arrays of StringLatin1 and StringUTF16 were checked
 * by their callers.  Calls that are rare, or would have to throw from a method that the
 * body does not call, are left to the bytecode (intrinsic_decline).
 */

#include "interp/intrinsics.h"

#include "base/log.h"
#include "interp/translation.h"
#include "linking/loader.h"
#include "runtime/above.h"
#include "runtime/vm.h"

/* Class name → its rows; a class may be registered more than once. */
struct intrinsic_table {
    const struct symbol *class_name;
    const struct intrinsic *rows;
};

enum { MAX_TABLES = 64 };

/* The tables of all floors.  They are the same for every VM that the process creates, and
   stay when the creation of one fails and is tried again. */
static struct intrinsic_table tables[MAX_TABLES];
static unsigned table_count;

void
intrinsics_register(const char *class_name, const struct intrinsic *rows)
{
    for (unsigned i = 0; i < table_count; i++)
        if (tables[i].rows == rows)
            return;
    if (table_count == MAX_TABLES)
        fatal("more than %d tables of intrinsics", MAX_TABLES);
    tables[table_count++] = (struct intrinsic_table){ symbol_of(class_name), rows };
}

void
intrinsics_register_all(const struct intrinsic *rows)
{
    for (; rows->name || rows->descriptor; rows++)
        if (!rows->name)
            intrinsics_register(rows->descriptor, rows + 1);
}

void
intrinsics_visit(void (*fn)(void *context, const char *class_name,
                            const struct intrinsic *row),
                 void *context)
{
    for (unsigned i = 0; i < table_count; i++)
        for (const struct intrinsic *row = tables[i].rows; row->name; row++)
            fn(context, tables[i].class_name->bytes, row);
}

/* Returns the C body that is registered for m, or NULL.  Later tables of the same class
   do not hide earlier ones. */
static intrinsic_fn *
find(const struct method *m)
{
    for (unsigned i = 0; i < table_count; i++) {
        if (tables[i].class_name != m->class->name)
            continue;
        for (const struct intrinsic *row = tables[i].rows; row->name; row++)
            if (symbol_equals(m->name, row->name)
                && symbol_equals(m->descriptor, row->descriptor)
                && release_is_in(the_vm->profile->feature, row->releases))
                return row->fn;
    }
    return NULL;
}

bool
intrinsic_bind(struct method *m)
{
    if (!(__atomic_load_n(&m->flags, __ATOMIC_ACQUIRE) & METHOD_INTRINSIC_TRIED)) {
        intrinsic_fn *fn = NULL;

        if (m->class->loader == the_vm->boot_loader
            && !(m->access_flags & ACC_SYNCHRONIZED))
            fn = find(m);
        if (fn)
            __atomic_store_n(&m->intrinsic, fn, __ATOMIC_SEQ_CST);
        __atomic_or_fetch(&m->flags, METHOD_INTRINSIC_TRIED, __ATOMIC_RELEASE);
        if (fn)
            atomic_store_explicit(&method_version(m)->start, insn_intrinsic,
                                  memory_order_release);
    }
    return __atomic_load_n(&m->intrinsic, __ATOMIC_RELAXED) != NULL;
}

/* For classes_visit: lets the methods of c that have a C body besides bytecode begin
   with the one or the other, if c is the loader's.  Other threads bind C bodies
   meanwhile: enter_translate. */
static void
choose_starts(void *loader, struct class *c)
{
    for (uint32_t i = 0; c->loader == loader && i < c->method_count; i++) {
        struct method *m = class_method(c, i);
        if (!method_is_native(m) && __atomic_load_n(&m->intrinsic, __ATOMIC_SEQ_CST))
            version_choose_start(method_version(m));
    }
}

void
intrinsics_count_watches(struct vm *vm, const struct class *c, int by)
{
    uint32_t before;

    if (c->loader != vm->boot_loader || by == 0)
        return;
    before = atomic_fetch_add(&vm->library_watches, by);
    if (before == 0 || before + (uint32_t)by == 0)
        classes_visit(vm, false, choose_starts, vm->boot_loader);
}

/* Besides the classes that have C bodies for bytecode: those that this bytecode calls. */
static const struct intrinsic called_classes[] = {
    INTRINSICS_OF("jdk/internal/misc/Unsafe"),
    INTRINSICS_OF("jdk/internal/util/Preconditions"), C_BODIES_END
};

/* Returns whether c's name begins rows of the table. */
static bool
has_rows(const struct intrinsic *rows, const struct class *c)
{
    for (; rows->name || rows->descriptor; rows++)
        if (!rows->name && symbol_equals(c->name, rows->descriptor))
            return true;
    return false;
}

/* What an agent puts into such a method must run whoever calls it.  To take the change
   back does not bring the C bodies back: that is rare, and would only be faster. */
void
intrinsics_class_changed(struct vm *vm, const struct class *c)
{
    if (has_rows(lang_intrinsics, c) || has_rows(string_intrinsics, c)
        || has_rows(number_intrinsics, c) || has_rows(virtual_intrinsics, c)
        || has_rows(called_classes, c))
        intrinsics_count_watches(vm, c, 1);
}

void
intrinsics_init(void)
{
    intrinsics_register_all(lang_intrinsics);
    intrinsics_register_all(string_intrinsics);
    intrinsics_register_all(number_intrinsics);
    intrinsics_register_all(virtual_intrinsics);
}
