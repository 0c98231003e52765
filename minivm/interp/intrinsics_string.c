/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/intrinsics_string.c -- C bodies of String, StringBuilder and their
 * helpers.
 *
 * A string has an array of bytes and a coder: 0 for Latin-1, one byte for each
 * character; 1 for UTF-16, two.  StringLatin1 and StringUTF16 work on such arrays, which
 * their callers have checked.  Bodies for the common case, mostly Latin-1, leave the
 * rest to the bytecode (intrinsic_decline).
 */

#include "interp/intrinsics.h"

#include <string.h>

#include "runtime/exception.h"
#include "runtime/string.h"
#include "runtime/vm.h"

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

static bool
bytes_equal(struct thread *self, union slot *args)
{
    (void)self;
    args[0].i = are_equal(args[0].ref, args[1].ref);
    return true;
}

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

/* String.hashCode of characters of one byte, and of two. */
UNTRACKED static int32_t
hash_latin1(const struct object *value)
{
    const uint8_t *p = array_data(value), *end = p + array_length(value);
    uint32_t h = 0;

    while (p < end)
        h = 31 * h + *p++;
    return (int32_t)h;
}

UNTRACKED static int32_t
hash_utf16(const struct object *value)
{
    const uint16_t *p = array_data(value), *end = p + array_length(value) / 2;
    uint32_t h = 0;

    while (p < end)
        h = 31 * h + *p++;
    return (int32_t)h;
}

static bool
latin1_hash_code(struct thread *self, union slot *args)
{
    if (!args[0].ref)
        return throw_null_pointer(self);
    args[0].i = hash_latin1(args[0].ref);
    return true;
}

static bool
utf16_hash_code(struct thread *self, union slot *args)
{
    if (!args[0].ref)
        return throw_null_pointer(self);
    args[0].i = hash_utf16(args[0].ref);
    return true;
}

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
string_length_(struct thread *self, union slot *args)
{
    if (!string_value(self, args[0].ref))
        return intrinsic_decline(self);
    args[0].i = string_length(args[0].ref);
    return true;
}

/* charAt(int index) */
static bool
string_char_at_(struct thread *self, union slot *args)
{
    const struct object *s = args[0].ref;
    int32_t index = args[1].i;

    if (index < 0 || index >= string_length(s))
        return intrinsic_decline(self);
    args[0].i = string_char_at(s, index);
    return true;
}

/* Returns the index of the first ch at or behind from, or -1. */
static int32_t
find_forwards(const struct object *latin1, int32_t ch, int32_t from)
{
    const int8_t *bytes = ARRAY_BYTES(latin1), *found;
    int32_t length = array_length(latin1);

    if (from < 0)
        from = 0;
    if (ch < 0 || ch > UINT8_MAX || from >= length)
        return -1;
    found = shared_find(bytes + from, ch, (size_t)(length - from));
    return found ? (int32_t)(found - bytes) : -1;
}

/* Returns the index of the last ch at or before from, or -1. */
UNTRACKED static int32_t
find_backwards(const struct object *latin1, int32_t ch, int32_t from)
{
    const int8_t *bytes = ARRAY_BYTES(latin1);
    int32_t i = array_length(latin1) - 1;

    if (ch < 0 || ch > UINT8_MAX)
        return -1;
    if (i > from)
        i = from;
    while (i >= 0 && bytes[i] != (int8_t)ch)
        i--;
    return i >= 0 ? i : -1;
}

/* StringLatin1.indexOf(byte[] value, int ch, int from), and lastIndexOf. */
static bool
latin1_find_forwards(struct thread *self, union slot *args)
{
    if (!args[0].ref)
        return intrinsic_decline(self);
    args[0].i = find_forwards(args[0].ref, args[1].i, args[2].i);
    return true;
}

static bool
latin1_find_backwards(struct thread *self, union slot *args)
{
    if (!args[0].ref)
        return intrinsic_decline(self);
    args[0].i = find_backwards(args[0].ref, args[1].i, args[2].i);
    return true;
}

/* Returns the bytes of a string whose characters have one byte each, or NULL. */
static const struct object *
latin1_value(const struct thread *self, const struct object *s)
{
    return OBJECT_FIELD(int8_t, s, KF(self->vm, String_coder)) ? NULL
                                                               : string_value(self, s);
}

/* String.indexOf(int ch, int from), and lastIndexOf: if the string is Latin-1. */
static bool
string_find_forwards(struct thread *self, union slot *args)
{
    const struct object *value = latin1_value(self, args[0].ref);

    if (!value)
        return intrinsic_decline(self);
    args[0].i = find_forwards(value, args[1].i, args[2].i);
    return true;
}

static bool
string_find_backwards(struct thread *self, union slot *args)
{
    const struct object *value = latin1_value(self, args[0].ref);

    if (!value)
        return intrinsic_decline(self);
    args[0].i = find_backwards(value, args[1].i, args[2].i);
    return true;
}

/* Returns the bytes of a StringBuilder's array behind its text if at least room are
   free there and the text is Latin-1; otherwise returns NULL. */
static int8_t *
builder_end(const struct vm *vm, const struct object *builder, int32_t room)
{
    struct object *value = REF_FIELD(vm, builder, AbstractStringBuilder_value);
    int32_t count = OBJECT_FIELD(int32_t, builder, KF(vm, AbstractStringBuilder_count));

    if (!value || OBJECT_FIELD(int8_t, builder, KF(vm, AbstractStringBuilder_coder))
        || count < 0 || array_length(value) - count < room)
        return NULL;
    return ARRAY_BYTES(value) + count;
}

/* append(String): if both are Latin-1 and the array need not grow. */
static bool
builder_append_string(struct thread *self, union slot *args)
{
    const struct vm *vm = self->vm;
    struct object *builder = args[0].ref;
    const struct object *s = args[1].ref, *value = s ? string_value(self, s) : NULL;
    int32_t length;
    int8_t *to;

    if (!value || OBJECT_FIELD(int8_t, s, KF(vm, String_coder)))
        return intrinsic_decline(self);
    length = array_length(value);
    to = builder_end(vm, builder, length);
    if (!to)
        return intrinsic_decline(self);
    shared_move(to, ARRAY_BYTES(value), (size_t)length);
    OBJECT_FIELD(int32_t, builder, KF(vm, AbstractStringBuilder_count)) += length;
    return true;
}

/* append(char): likewise. */
UNTRACKED static bool
builder_append_char(struct thread *self, union slot *args)
{
    const struct vm *vm = self->vm;
    int8_t *to = args[1].i <= UINT8_MAX ? builder_end(vm, args[0].ref, 1) : NULL;

    if (!to)
        return intrinsic_decline(self);
    *to = (int8_t)args[1].i;
    OBJECT_FIELD(int32_t, args[0].ref, KF(vm, AbstractStringBuilder_count))++;
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

/* Returns true if count words of that size, from the word number from on, are within the
   array.  Otherwise throws ArrayIndexOutOfBoundsException. */
static bool
in_range(struct thread *self, const struct object *array, int32_t from, int32_t count,
         size_t word)
{
    size_t size = (size_t)array_length(array)
                  << object_class(array)->layout.element_shift;
    int32_t limit = (int32_t)(size / word);

    return count <= 0 || (from >= 0 && (int64_t)from + count <= limit)
           || throw_array_index(self, array, from < 0 ? from : limit);
}

/* Checks both ranges of args: src, from, dst, to, length.  A character takes so many bytes
   in src and in dst.  Throws if one of the arrays is null or too short. */
static bool
have_ranges(struct thread *self, const union slot *args, size_t src_bytes,
            size_t dst_bytes)
{
    if (!args[0].ref || !args[2].ref)
        return throw_null_pointer(self);
    return in_range(self, args[0].ref, args[1].i, args[4].i, src_bytes)
           && in_range(self, args[2].ref, args[3].i, args[4].i, dst_bytes);
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

/* Compresses args: char[] or byte[] src, int from, byte[] dst, int to, int length.
   Stores in *done how many characters there are up to the first that does not fit into a
   byte.  Throws if the ranges are wrong. */
static bool
compress(struct thread *self, const union slot *args, int32_t *done)
{
    int32_t count = args[4].i, i;

    if (!have_ranges(self, args, 2, 1))
        return false;
    const uint16_t *p = ARRAY_CHARS(args[0].ref) + args[1].i;
    int8_t *q = ARRAY_BYTES(args[2].ref) + args[3].i;
    for (i = 0; i < count && p[i] <= 0xff; i++)
        q[i] = (int8_t)p[i];
    *done = count < 0 ? count : i;
    return true;
}

/* StringUTF16.compress answers how many characters could be compressed, up to JDK 21
   0 unless all could. */
static bool
utf16_compress(struct thread *self, union slot *args)
{
    return compress(self, args, &args[0].i);
}

static bool
utf16_compress_all(struct thread *self, union slot *args)
{
    int32_t done;

    if (!compress(self, args, &done))
        return false;
    args[0].i = done == args[4].i ? done : 0;
    return true;
}

/* Stores in *any a byte that is negative if one of those in args is: byte[] array, int
   from, int count.  Throws if the range is wrong. */
static bool
any_negative(struct thread *self, const union slot *args, int8_t *any)
{
    const struct object *a = args[0].ref;
    int32_t from = args[1].i, count = args[2].i;

    if (!a)
        return throw_null_pointer(self);
    if (!in_range(self, a, from, count, 1))
        return false;
    const int8_t *p = ARRAY_BYTES(a) + from;
    *any = 0;
    for (int32_t i = 0; i < count; i++)
        *any |= p[i];
    return true;
}

static bool
has_negatives(struct thread *self, union slot *args)
{
    int8_t any;

    if (!any_negative(self, args, &any))
        return false;
    args[0].i = any < 0;
    return true;
}

/* StringCoding.countPositives, as of JDK 21: how many bytes there are in front of the
   first negative one. */
static bool
count_positives(struct thread *self, union slot *args)
{
    int32_t count = args[2].i, i = 0;
    int8_t any;

    if (!any_negative(self, args, &any))
        return false;
    const int8_t *p = ARRAY_BYTES(args[0].ref) + args[1].i;
    if (any < 0)
        for (; p[i] >= 0;)
            i++;
    args[0].i = any < 0 ? i : count;
    return true;
}

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

const struct intrinsic string_intrinsics[] = {
    INTRINSICS_OF("java/lang/String"),
    C_BODY("equals", "(Ljava/lang/Object;)Z", string_equals_),
    C_BODY("hashCode", "()I", string_hash_code),
    C_BODY("length", "()I", string_length_),
    C_BODY("charAt", "(I)C", string_char_at_),
    C_BODY("indexOf", "(II)I", string_find_forwards),
    C_BODY("lastIndexOf", "(II)I", string_find_backwards),
    INTRINSICS_OF("java/lang/AbstractStringBuilder"),
    C_BODY("append", "(Ljava/lang/String;)Ljava/lang/AbstractStringBuilder;",
           builder_append_string),
    C_BODY("append", "(C)Ljava/lang/AbstractStringBuilder;", builder_append_char),
    INTRINSICS_OF("java/lang/StringLatin1"),
    C_BODY_IN(0, 17, "indexOf", "([BII)I", latin1_find_forwards),
    C_BODY("lastIndexOf", "([BII)I", latin1_find_backwards),
    C_BODY("equals", "([B[B)Z", bytes_equal),
    C_BODY("hashCode", "([B)I", latin1_hash_code),
    C_BODY("compareTo", "([B[B)I", latin1_compare),
    C_BODY("inflate", "([BI[CII)V", latin1_inflate),
    C_BODY("inflate", "([BI[BII)V", latin1_inflate),
    INTRINSICS_OF("java/lang/StringUTF16"),
    C_BODY_IN(0, 21, "equals", "([B[B)Z", bytes_equal),
    C_BODY("hashCode", "([B)I", utf16_hash_code),
    C_BODY_IN(0, 21, "compress", "([CI[BII)I", utf16_compress_all),
    C_BODY_IN(0, 21, "compress", "([BI[BII)I", utf16_compress_all),
    C_BODY_IN(25, 0, "compress", "([CI[BII)I", utf16_compress),
    C_BODY_IN(25, 0, "compress", "([BI[BII)I", utf16_compress),
    INTRINSICS_OF("java/lang/StringCoding"),
    C_BODY("hasNegatives", "([BII)Z", has_negatives),
    C_BODY_IN(21, 0, "countPositives", "([BII)I", count_positives),
    INTRINSICS_OF("java/util/Arrays"),
    C_BODY("equals", "([B[B)Z", bytes_equal),
    INTRINSICS_OF("jdk/internal/util/ArraysSupport"),
    C_BODY("vectorizedMismatch", "(Ljava/lang/Object;JLjava/lang/Object;JII)I",
           vectorized_mismatch),
    C_BODIES_END
};
