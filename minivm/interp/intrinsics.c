/* SPDX-License-Identifier: MIT */
/* minivm/interp/intrinsics.c -- methods whose bodies are C functions.
 *
 * The tables are registered before the first class is loaded; a method looks
 * itself up when it first runs.  Each function does what the Java body of the same
 * method does, exceptions included.  The arrays of StringLatin1 and StringUTF16 were
 * checked by their callers. */

#include "interp/interp.h"

#include <math.h>
#include <string.h>

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
        tables[table_count++] = (struct intrinsic_table){ symbol_of(class_name), rows };
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
        && (!(c->flags & CLASS_IS_CLONEABLE) || c->layout.kind == LAYOUT_REFERENCE))
        return THROW(self, CloneNotSupportedException, "%pC", c);
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
    struct class *element = object_class(src)->element;
    struct class *wanted = object_class(dst)->element;

    for (int32_t i = 0; i < count; i++) {
        struct object *o = ARRAY_REFS(src)[from + i];
        if (o && !object_is_instance(o, wanted))
            return class_is_subtype(wanted, element)
                   ? THROW(self, ArrayStoreException, "arraycopy: element type "
                           "mismatch: can not cast one of the elements of %pC[] to the "
                           "type of the destination array, %pC", element, wanted)
                   : THROW(self, ArrayStoreException, "arraycopy: type mismatch: can "
                           "not copy %pC[] into %pC[]", element, wanted);
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

INTRINSIC(thread_current, ref, self->object)
INTRINSIC(class_is_interface_, i, class_is_interface(class_of_mirror(args[0].ref)))
INTRINSIC(class_is_array_, i, class_is_array(class_of_mirror(args[0].ref)))
INTRINSIC(class_is_primitive, i, class_of_mirror(args[0].ref)->primitive != 0)

INTRINSIC(class_is_instance, i,
          args[1].ref && object_is_instance(args[1].ref, class_of_mirror(args[0].ref)))

static bool
class_is_assignable(struct thread *self, union slot *args)
{
    if (!args[1].ref)
        return throw_null_pointer(self);
    args[0].i =
        class_is_subtype(class_of_mirror(args[1].ref), class_of_mirror(args[0].ref));
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

/* ---- java.lang.String and its helpers ---- */

static const struct object *
string_value(const struct thread *self, const struct object *s)
{
    return OBJECT_FIELD(struct object *, s, KF(self->vm, String_value));
}

static bool
are_equal(const struct object *a, const struct object *b)
{
    return a == b
           || (a && b && array_length(a) == array_length(b)
               && memcmp(array_data(a), array_data(b), (size_t)array_length(a)) == 0);
}

INTRINSIC(bytes_equal, i, are_equal(args[0].ref, args[1].ref))

static bool
string_equals_(struct thread *self, union slot *args)
{
    const struct object *a = args[0].ref, *b = args[1].ref;
    uint32_t coder = KF(self->vm, String_coder);

    bool alike = b && object_class(b) == KC(self->vm, String)
                 && OBJECT_FIELD(int8_t, a, coder) == OBJECT_FIELD(int8_t, b, coder);
    if (alike && a != b && (!string_value(self, a) || !string_value(self, b)))
        return throw_null_pointer(self);
    args[0].i = a == b
                || (alike && are_equal(string_value(self, a), string_value(self, b)));
    return true;
}

/* A function, and the C body that is it. */
#define HASH(name, type) \
UNTRACKED static int32_t \
hash_##name(const struct object *value) \
{ \
    const type *p = array_data(value), *end = p + array_length(value) / sizeof *p; \
    uint32_t h = 0; \
    while (p < end) \
        h = 31 * h + *p++; \
    return (int32_t)h; \
} \
static bool \
name##_hash_code(struct thread *self, union slot *args) \
{ \
    if (!args[0].ref) \
        return throw_null_pointer(self); \
    args[0].i = hash_##name(args[0].ref); \
    return true; \
}

HASH(latin1, uint8_t)
HASH(utf16, uint16_t)

static bool
string_hash_code(struct thread *self, union slot *args)
{
    const struct vm *vm = self->vm;
    struct object *s = args[0].ref;
    int32_t h = OBJECT_FIELD(int32_t, s, KF(vm, String_hash));

    if (h == 0 && !OBJECT_FIELD(int8_t, s, KF(vm, String_hashIsZero))) {
        const struct object *value = string_value(self, s);
        if (!value)
            return throw_null_pointer(self);
        h = OBJECT_FIELD(int8_t, s, KF(vm, String_coder)) ? hash_utf16(value)
                                                           : hash_latin1(value);
        if (h == 0)
            OBJECT_FIELD(int8_t, s, KF(vm, String_hashIsZero)) = 1;
        else
            OBJECT_FIELD(int32_t, s, KF(vm, String_hash)) = h;
    }
    args[0].i = h;
    return true;
}

static bool
latin1_compare(struct thread *self, union slot *args)
{
    const struct object *a = args[0].ref, *b = args[1].ref;

    if (!a || !b)
        return throw_null_pointer(self);
    int32_t x = array_length(a), y = array_length(b), n = x < y ? x : y;
    const uint8_t *p = array_data(a), *q = array_data(b);
    for (int32_t i = 0; i < n; i++) {
        if (p[i] != q[i]) {
            args[0].i = p[i] - q[i];
            return true;
        }
    }
    args[0].i = x - y;
    return true;
}

static bool
in_range(struct thread *self, const struct object *array, int32_t from, int32_t count,
         size_t unit)
{
    size_t size = (size_t)array_length(array)
                  << object_class(array)->layout.element_shift;
    int32_t limit = (int32_t)(size / unit);

    return count <= 0 || (from >= 0 && (int64_t)from + count <= limit)
           || throw_index(self, array, from < 0 ? from : limit);
}

/* args: src, from, dst, to, length, of which nobody has checked anything; elements take
   so many bytes here and there. */
static bool
have_ranges(struct thread *self, const union slot *args, size_t here, size_t there)
{
    if (!args[0].ref || !args[2].ref)
        return throw_null_pointer(self);
    return in_range(self, args[0].ref, args[1].i, args[4].i, here)
           && in_range(self, args[2].ref, args[3].i, args[4].i, there);
}

/* inflate(byte[] src, int from, byte[] or char[] dst, int to, int length) */

static bool
latin1_inflate(struct thread *self, union slot *args)
{
    int32_t count = args[4].i;

    if (!have_ranges(self, args, 1, 2))
        return false;
    const uint8_t *p = (const uint8_t *)ARRAY_BYTES(args[0].ref) + args[1].i;
    uint16_t *q = ARRAY_CHARS(args[2].ref) + args[3].i;
    for (int32_t i = 0; i < count; i++)
        q[i] = p[i];
    return true;
}

/* compress(char[] or byte[] src, int from, byte[] dst, int to, int length) */
static bool
utf16_compress(struct thread *self, union slot *args)
{
    int32_t count = args[4].i;

    if (!have_ranges(self, args, 2, 1))
        return false;
    const uint16_t *p = ARRAY_CHARS(args[0].ref) + args[1].i;
    int8_t *q = ARRAY_BYTES(args[2].ref) + args[3].i;
    for (int32_t i = 0; i < count; i++) {
        if (p[i] > 0xff) {
            args[0].i = 0;
            return true;
        }
        q[i] = (int8_t)p[i];
    }
    args[0].i = count;
    return true;
}

static bool
has_negatives(struct thread *self, union slot *args)
{
    const struct object *a = args[0].ref;
    int32_t from = args[1].i, count = args[2].i;

    if (!a)
        return throw_null_pointer(self);
    if (!in_range(self, a, from, count, 1))
        return false;
    const int8_t *p = ARRAY_BYTES(a) + from;
    int8_t any = 0;
    for (int32_t i = 0; i < count; i++)
        any |= p[i];
    args[0].i = any < 0;
    return true;
}

/* ---- arrays ---- */

/* vectorizedMismatch(Object a, long aOffset, Object b, long bOffset, int length,
   int log2Scale): everything is compared, so nothing remains. */
static bool
vectorized_mismatch(struct thread *self, union slot *args)
{
    const char *a = (char *)(uintptr_t)args[0].ref + args[1].j;
    const char *b = (char *)(uintptr_t)args[3].ref + args[4].j;
    size_t bytes = (size_t)args[6].i << args[7].i, i = 0;
    uint64_t x, y;

    (void)self;
    for (; i + 8 <= bytes; i += 8) {
        memcpy(&x, a + i, 8);
        memcpy(&y, b + i, 8);
        if (x != y)
            break;
    }
    while (i < bytes && a[i] == b[i])
        i++;
    args[0].i = i < bytes ? (int32_t)(i >> args[7].i) : -1;
    return true;
}

/* ---- numbers ---- */

#define X ((uint32_t)args[0].i)
#define Y ((uint64_t)args[0].j)
INTRINSIC(math_sqrt, d, sqrt(args[0].d))
INTRINSIC(int_leading_zeros, i, X ? __builtin_clz(X) : 32)
INTRINSIC(int_trailing_zeros, i, X ? __builtin_ctz(X) : 32)
INTRINSIC(int_bit_count, i, __builtin_popcount(X))
INTRINSIC(int_reverse_bytes, i, (int32_t)__builtin_bswap32(X))
INTRINSIC(long_leading_zeros, i, Y ? __builtin_clzll(Y) : 64)
INTRINSIC(long_trailing_zeros, i, Y ? __builtin_ctzll(Y) : 64)
INTRINSIC(long_bit_count, i, __builtin_popcountll(Y))
INTRINSIC(long_reverse_bytes, j, (int64_t)__builtin_bswap64(Y))

/* The same bits read as another type: nothing to do. */
INTRINSIC(same_bits, bits, args[0].bits)

/* All NaNs become one. */
INTRINSIC(float_to_bits, i, args[0].f != args[0].f ? 0x7fc00000 : args[0].i)
INTRINSIC(double_to_bits, j, args[0].d != args[0].d ? 0x7ff8000000000000 : args[0].j)

static const struct intrinsic rows[] = {
    INTRINSICS_OF("java/lang/Object"),
    { "hashCode", "()I", object_hash_code },
    { "getClass", "()Ljava/lang/Class;", object_get_class },
    { "clone", "()Ljava/lang/Object;", object_clone_ },
    INTRINSICS_OF("java/lang/System"),
    { "identityHashCode", "(Ljava/lang/Object;)I", system_identity_hash_code },
    { "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V", system_arraycopy },
    INTRINSICS_OF("java/lang/Thread"),
    { "currentThread", "()Ljava/lang/Thread;", thread_current },
    INTRINSICS_OF("java/lang/Class"),
    { "isInstance", "(Ljava/lang/Object;)Z", class_is_instance },
    { "isAssignableFrom", "(Ljava/lang/Class;)Z", class_is_assignable },
    { "isInterface", "()Z", class_is_interface_ },
    { "isArray", "()Z", class_is_array_ },
    { "isPrimitive", "()Z", class_is_primitive },
    { "getSuperclass", "()Ljava/lang/Class;", class_superclass },
    INTRINSICS_OF("java/lang/String"),
    { "equals", "(Ljava/lang/Object;)Z", string_equals_ },
    { "hashCode", "()I", string_hash_code },
    INTRINSICS_OF("java/lang/StringLatin1"),
    { "equals", "([B[B)Z", bytes_equal },
    { "hashCode", "([B)I", latin1_hash_code },
    { "compareTo", "([B[B)I", latin1_compare },
    { "inflate", "([BI[CII)V", latin1_inflate },
    { "inflate", "([BI[BII)V", latin1_inflate },
    INTRINSICS_OF("java/lang/StringUTF16"),
    { "equals", "([B[B)Z", bytes_equal },
    { "hashCode", "([B)I", utf16_hash_code },
    { "compress", "([CI[BII)I", utf16_compress },
    { "compress", "([BI[BII)I", utf16_compress },
    INTRINSICS_OF("java/lang/StringCoding"),
    { "hasNegatives", "([BII)Z", has_negatives },
    INTRINSICS_OF("java/util/Arrays"),
    { "equals", "([B[B)Z", bytes_equal },
    INTRINSICS_OF("jdk/internal/util/ArraysSupport"),
    { "vectorizedMismatch", "(Ljava/lang/Object;JLjava/lang/Object;JII)I",
      vectorized_mismatch },
    INTRINSICS_OF("java/lang/Math"),
    { "sqrt", "(D)D", math_sqrt },
    INTRINSICS_OF("java/lang/StrictMath"),
    { "sqrt", "(D)D", math_sqrt },
    INTRINSICS_OF("java/lang/Integer"),
    { "numberOfLeadingZeros", "(I)I", int_leading_zeros },
    { "numberOfTrailingZeros", "(I)I", int_trailing_zeros },
    { "bitCount", "(I)I", int_bit_count },
    { "reverseBytes", "(I)I", int_reverse_bytes },
    INTRINSICS_OF("java/lang/Long"),
    { "numberOfLeadingZeros", "(J)I", long_leading_zeros },
    { "numberOfTrailingZeros", "(J)I", long_trailing_zeros },
    { "bitCount", "(J)I", long_bit_count },
    { "reverseBytes", "(J)J", long_reverse_bytes },
    INTRINSICS_OF("java/lang/Float"),
    { "floatToRawIntBits", "(F)I", same_bits },
    { "intBitsToFloat", "(I)F", same_bits },
    { "floatToIntBits", "(F)I", float_to_bits },
    INTRINSICS_OF("java/lang/Double"),
    { "doubleToRawLongBits", "(D)J", same_bits },
    { "longBitsToDouble", "(J)D", same_bits },
    { "doubleToLongBits", "(D)J", double_to_bits },
    { NULL, NULL, NULL }
};

void
intrinsics_init(void)
{
    intrinsics_register_all(rows);
}
