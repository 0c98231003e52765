/* SPDX-License-Identifier: MIT */
/* minivm/interp/intrinsics.c -- methods whose bodies are C functions.
 *
 * The tables are registered before the first class is loaded; a method looks
 * itself up when it first runs. */

#include "interp/interp.h"

#include "vm/exception.h"
#include "vm/vm.h"

/* Class name → its rows; a class may be registered more than once. */
struct intrinsic_table {
    const struct symbol *class_name;
    const struct intrinsic *rows;
};

enum { MAX_TABLES = 64 };

static struct intrinsic_table tables[MAX_TABLES];
static unsigned table_count;

void
intrinsics_register(const char *class_name, const struct intrinsic *rows)
{
    if (table_count < MAX_TABLES)
        tables[table_count++] =
            (struct intrinsic_table){ symbol_of(class_name), rows };
}

void
intrinsics_register_all(const struct intrinsic *rows)
{
    for (; rows->name || rows->descriptor; rows++)
        if (!rows->name)
            intrinsics_register(rows->descriptor, rows + 1);
}

static intrinsic_fn *
find(const struct method *m)
{
    for (unsigned i = 0; i < table_count; i++) {
        if (tables[i].class_name != m->class->name)
            continue;
        for (const struct intrinsic *row = tables[i].rows; row->name; row++)
            if (symbol_equals(m->name, row->name)
                && symbol_equals(m->descriptor, row->descriptor))
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
            __atomic_store_n(&m->intrinsic, fn, __ATOMIC_RELAXED);
        __atomic_or_fetch(&m->flags, METHOD_INTRINSIC_TRIED, __ATOMIC_RELEASE);
        if (fn)
            atomic_store_explicit(&method_code(m)->start, insn_intrinsic,
                                  memory_order_release);
    }
    return __atomic_load_n(&m->intrinsic, __ATOMIC_RELAXED) != NULL;
}

/* ---- java.lang.Object, Class and System ---- */

INTRINSIC(object_hash_code, i, object_identity_hash(args[0].ref))
INTRINSIC(object_get_class, ref, object_class(args[0].ref)->layout.mirror)
INTRINSIC(system_identity_hash_code, i,
          args[0].ref ? object_identity_hash(args[0].ref) : 0)

static bool
object_clone_(struct thread *self, union slot *args)
{
    struct object *o = args[0].ref;
    struct class *c = object_class(o);

    if (!class_is_array(c)
        && (!(c->flags & CLASS_IS_CLONEABLE) || c->layout.kind == LAYOUT_REFERENCE)) {
        TEXTS(t);
        return THROW(self, CloneNotSupportedException, "%s",
                     own(&t, class_external_name(c)));
    }
    args[0].ref = object_clone(self, o);
    return args[0].ref != NULL;
}

static const char *
element_word(const struct class *array)
{
    const struct class *e = array->element;

    return e->primitive ? e->name->bytes : "object array";
}

static bool
copy_type_error(struct thread *self, const struct object *src,
                const struct object *dst)
{
    const struct class *s = object_class(src), *d = object_class(dst);
    TEXTS(t);

    if (!class_is_array(s))
        return THROW(self, ArrayStoreException,
                     "arraycopy: source type %s is not an array",
                     own(&t, class_external_name(s)));
    if (!class_is_array(d))
        return THROW(self, ArrayStoreException,
                     "arraycopy: destination type %s is not an array",
                     own(&t, class_external_name(d)));
    return THROW(self, ArrayStoreException,
                 "arraycopy: type mismatch: can not copy %s[] into %s[]",
                 element_word(s), element_word(d));
}

static bool
copy_bounds_error(struct thread *self, const struct object *src, int32_t from,
                  const struct object *dst, int32_t to, int32_t count)
{
    bool is_last = from >= 0 && to >= 0;
    bool is_source = from < 0 || (to >= 0 && (int64_t)from + count > array_length(src));
    int64_t index = (is_source ? from : to) + (is_last ? (int64_t)count : 0);

    if (count < 0)
        return THROW(self, ArrayIndexOutOfBoundsException,
                     "arraycopy: length %d is negative", count);
    return THROW(self, ArrayIndexOutOfBoundsException,
                 "arraycopy: %s%s index %lld out of bounds for %s[%d]",
                 is_last ? "last " : "", is_source ? "source" : "destination",
                 (long long)index, element_word(object_class(src)),
                 array_length(is_source ? src : dst));
}

/* Element by element: each copied reference is a relaxed store. */
static void
copy_references(struct object **to, struct object **from, int32_t count)
{
    if (to <= from || to >= from + count)
        for (int32_t i = 0; i < count; i++)
            __atomic_store_n(&to[i], from[i], __ATOMIC_RELAXED);
    else
        for (int32_t i = count; i-- > 0;)
            __atomic_store_n(&to[i], from[i], __ATOMIC_RELAXED);
}

static bool
copy_checked(struct thread *self, struct object *src, int32_t from, struct object *dst,
             int32_t to, int32_t count)
{
    struct class *wanted = object_class(dst)->element;

    for (int32_t i = 0; i < count; i++) {
        struct object *o = ARRAY_REFS(src)[from + i];
        if (o && !object_is_instance(o, wanted)) {
            TEXTS(t);
            return THROW(self, ArrayStoreException, "arraycopy: element type mismatch: "
                         "can not cast one of the elements of %s[] to the type of the "
                         "destination array, %s",
                         own(&t, class_external_name(object_class(src)->element)),
                         own(&t, class_external_name(wanted)));
        }
        __atomic_store_n(&ARRAY_REFS(dst)[to + i], o, __ATOMIC_RELAXED);
    }
    return true;
}

static bool
system_arraycopy(struct thread *self, union slot *args)
{
    struct object *src = args[0].ref, *dst = args[2].ref;
    int32_t from = args[1].i, to = args[3].i, count = args[4].i;

    if (!src || !dst)
        return throw_null_pointer(self);
    struct class *s = object_class(src), *d = object_class(dst);
    bool references = class_is_array(s) && !s->element->primitive;
    if (!class_is_array(s) || !class_is_array(d)
        || (s != d && (s->element->primitive || d->element->primitive)))
        return copy_type_error(self, src, dst);
    if ((from | to | count) < 0 || (int64_t)from + count > array_length(src)
        || (int64_t)to + count > array_length(dst))
        return copy_bounds_error(self, src, from, dst, to, count);
    if (!references) {
        unsigned shift = s->layout.element_shift;
        shared_move((char *)array_data(dst) + ((size_t)to << shift),
                    (char *)array_data(src) + ((size_t)from << shift),
                    (size_t)count << shift);
        return true;
    }
    if (s != d && !class_is_subtype(s->element, d->element))
        return copy_checked(self, src, from, dst, to, count);
    copy_references(ARRAY_REFS(dst) + to, ARRAY_REFS(src) + from, count);
    return true;
}

static const struct intrinsic rows[] = {
    INTRINSICS_OF("java/lang/Object"),
    { "hashCode", "()I", object_hash_code },
    { "getClass", "()Ljava/lang/Class;", object_get_class },
    { "clone", "()Ljava/lang/Object;", object_clone_ },
    INTRINSICS_OF("java/lang/System"),
    { "identityHashCode", "(Ljava/lang/Object;)I", system_identity_hash_code },
    { "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V", system_arraycopy },
    { NULL, NULL, NULL }
};

void
intrinsics_init(void)
{
    intrinsics_register_all(rows);
    intrinsics_lang_init();
}
