/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/intrinsics_lang.c -- C bodies of Object, System, Thread and Class.
 *
 * Most are natives that the class library declares.  They do what its comments say,
 * with HotSpot's messages.  System.arraycopy is the largest: it checks the arrays, the
 * ranges, and for arrays of references each element, in the order that its
 * specification demands.
 */

#include "interp/intrinsics.h"
#include "linking/loader.h"
#include "runtime/exception.h"
#include "runtime/vm.h"

/* ---- java.lang.Object, Class and System ---- */

static bool
object_hash_code(struct thread *self, union slot *args)
{
    (void)self;
    args[0].i = object_identity_hash(args[0].ref);
    return true;
}

static bool
object_get_class(struct thread *self, union slot *args)
{
    (void)self;
    args[0].ref = object_class(args[0].ref)->layout.mirror;
    return true;
}

static bool
system_identity_hash_code(struct thread *self, union slot *args)
{
    (void)self;
    args[0].i = args[0].ref ? object_identity_hash(args[0].ref) : 0;
    return true;
}

static bool
object_clone_(struct thread *self, union slot *args)
{
    struct object *o = args[0].ref;
    struct class *c = object_class(o);

    if (!class_is_array(c)
        && (!(c->flags & CLASS_IS_CLONEABLE) || c->layout.kind == LAYOUT_REFERENCE))
        return THROW(self, CloneNotSupportedException, "%pC", c);
    args[0].ref = object_clone(self, o);
    return args[0].ref != NULL;
}

/* The word for an array's element type in messages of arraycopy. */
static const char *
element_word(const struct class *array)
{
    const struct class *e = array->element;

    return e->primitive ? e->name->bytes : "object array";
}

static bool
copy_type_error(struct thread *self, const struct object *src, const struct object *dst)
{
    const struct class *s = object_class(src), *d = object_class(dst);

    if (!class_is_array(s))
        return THROW(self, ArrayStoreException,
                     "arraycopy: source type %pC is not an array", s);
    if (!class_is_array(d))
        return THROW(self, ArrayStoreException,
                     "arraycopy: destination type %pC is not an array", d);
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

/* Copies element by element, from the right end when the ranges overlap: each reference
   is one relaxed store, which other threads see whole. */
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

/* Copies between arrays of different types.  Throws ArrayStoreException at the
   first element that does not fit; those before it stay copied
   (java.lang.System.arraycopy). */
static bool
copy_checked(struct thread *self, struct object *src, int32_t from, struct object *dst,
             int32_t to, int32_t count)
{
    struct class *element = object_class(src)->element;
    struct class *wanted = object_class(dst)->element;

    for (int32_t i = 0; i < count; i++) {
        struct object *o = ARRAY_REFS(src)[from + i];
        if (o && !object_is_instance(o, wanted))
            return class_is_subtype(wanted, element)
                       ? THROW(
                           self, ArrayStoreException,
                           "arraycopy: element type "
                           "mismatch: can not cast one of the elements of %pC[] to the "
                           "type of the destination array, %pC",
                           element, wanted)
                       : THROW(self, ArrayStoreException,
                               "arraycopy: type mismatch: can "
                               "not copy %pC[] into %pC[]",
                               element, wanted);
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

/* ---- java.lang.Thread, Class ---- */

static bool
thread_current(struct thread *self, union slot *args)
{
    (void)self;
    args[0].ref = self->current;
    return true;
}

/* Of JDK 17 and 21; later it is Java code, which looks at the flags of getModifiers(). */
static bool
class_is_interface_(struct thread *self, union slot *args)
{
    (void)self;
    args[0].i = class_is_interface(class_of_mirror(args[0].ref));
    return true;
}

static bool
class_is_array_(struct thread *self, union slot *args)
{
    (void)self;
    args[0].i = class_is_array(class_of_mirror(args[0].ref));
    return true;
}

static bool
class_is_primitive(struct thread *self, union slot *args)
{
    (void)self;
    args[0].i = class_of_mirror(args[0].ref)->primitive != 0;
    return true;
}

static bool
class_is_instance(struct thread *self, union slot *args)
{
    (void)self;
    args[0].i = args[1].ref
                && object_is_instance(args[1].ref, class_of_mirror(args[0].ref));
    return true;
}

static bool
class_is_assignable(struct thread *self, union slot *args)
{
    if (!args[1].ref)
        return throw_null_pointer(self);
    args[0].i = class_is_subtype(class_of_mirror(args[1].ref),
                                 class_of_mirror(args[0].ref));
    return true;
}

static bool
class_superclass(struct thread *self, union slot *args)
{
    const struct class *c = class_of_mirror(args[0].ref);

    (void)self;
    args[0].ref = class_is_interface(c) || !c->super ? NULL : c->super->layout.mirror;
    return true;
}

/* ---- java.util.concurrent.ConcurrentHashMap ---- */

/* ConcurrentHashMap.tabAt(Node[] table, int i) */
static bool
table_at(struct thread *self, union slot *args)
{
    struct object *table = args[0].ref;
    int32_t i = args[1].i;

    if (!table || i < 0 || i >= array_length(table))
        return intrinsic_decline(self);
    args[0].ref = __atomic_load_n(&ARRAY_REFS(table)[i], __ATOMIC_ACQUIRE);
    return true;
}

const struct intrinsic lang_intrinsics[] = {
    INTRINSICS_OF("java/lang/Object"),
    C_BODY("hashCode", "()I", object_hash_code),
    C_BODY("getClass", "()Ljava/lang/Class;", object_get_class),
    C_BODY("clone", "()Ljava/lang/Object;", object_clone_),
    INTRINSICS_OF("java/lang/System"),
    C_BODY("identityHashCode", "(Ljava/lang/Object;)I", system_identity_hash_code),
    C_BODY("arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V", system_arraycopy),
    INTRINSICS_OF("java/lang/Thread"),
    C_BODY("currentThread", "()Ljava/lang/Thread;", thread_current),
    INTRINSICS_OF("java/lang/Class"),
    C_BODY("isInstance", "(Ljava/lang/Object;)Z", class_is_instance),
    C_BODY("isAssignableFrom", "(Ljava/lang/Class;)Z", class_is_assignable),
    C_BODY_IN(0, 21, "isInterface", "()Z", class_is_interface_),
    C_BODY("isArray", "()Z", class_is_array_),
    C_BODY("isPrimitive", "()Z", class_is_primitive),
    C_BODY("getSuperclass", "()Ljava/lang/Class;", class_superclass),
    INTRINSICS_OF("java/util/concurrent/ConcurrentHashMap"),
    C_BODY("tabAt",
           "([Ljava/util/concurrent/ConcurrentHashMap$Node;I)"
           "Ljava/util/concurrent/ConcurrentHashMap$Node;",
           table_at),
    C_BODIES_END
};
