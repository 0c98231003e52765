/* SPDX-License-Identifier: MIT */
/* minivm/runtime/string.c -- java.lang.String from C, and the table of interned
 * strings.
 *
 * The fields value and coder are read as the JDK defines them (compact strings).  The
 * table of interned strings is a hash table with open addressing under a mutex.  It
 * holds its strings weakly: what only the table knows is dropped after each
 * collection. */

#include "runtime/string.h"

#include <string.h>

#include "base/mem.h"
#include "base/shared.h"
#include "base/utf8.h"
#include "diagnostics/exhausted.h"
#include "linking/message.h"
#include "runtime/exception.h"
#include "runtime/vm.h"

/* The values of String.coder, and by how many bits a length in bytes is larger than one
   in chars. */
enum { LATIN1 = 0, UTF16 = 1 };

/* ---- reading ---- */

/* Returns the byte[] of s.  A string whose constructor has not run has none, and counts
   as empty: instead of an array the result is zero bytes then, which read as one of
   length 0. */
static const struct object *
value_of(const struct object *s)
{
    static _Alignas(16) const uint8_t none[64];
    const struct object *value = OBJECT_FIELD(struct object *, s,
                                              KF(the_vm, String_value));

    return value ? value : (const struct object *)none;
}

static int
coder_of(const struct object *s)
{
    return OBJECT_FIELD(int8_t, s, KF(the_vm, String_coder));
}

bool
string_has_value(const struct object *s)
{
    return OBJECT_FIELD(struct object *, s, KF(the_vm, String_value)) != NULL;
}

int32_t
string_length(const struct object *s)
{
    return array_length(value_of(s)) >> coder_of(s);
}

uint16_t
string_char_at(const struct object *s, int32_t index)
{
    const struct object *value = value_of(s);

    return coder_of(s) == LATIN1 ? (uint8_t)ARRAY_BYTES(value)[index]
                                 : ARRAY_CHARS(value)[index];
}

size_t
string_modified_length(const struct object *s)
{
    return units_mutf8_length(ARRAY_BYTES(value_of(s)), (size_t)string_length(s),
                              coder_of(s) == LATIN1);
}

/* Writes s in modified UTF-8, string_modified_length bytes without a NUL. */
static void
write_modified(const struct object *s, char *to)
{
    units_to_mutf8(ARRAY_BYTES(value_of(s)), (size_t)string_length(s),
                   coder_of(s) == LATIN1, to);
}

char *
string_to_modified(const struct object *s)
{
    size_t length = string_modified_length(s);
    char *text = mem_alloc(length + 1);

    write_modified(s, text);
    text[length] = '\0';
    return text;
}

char *
string_to_utf8(const struct object *s)
{
    TEXTS(t);
    const char *modified = own(&t, string_to_modified(s));

    return mutf8_to_utf8(modified, strlen(modified), NULL);
}

/* Short texts are made on the C stack, to save the allocation. */
const struct symbol *
string_to_symbol(const struct object *s, bool dots_to_slashes)
{
    char small[256], *text = small;
    size_t length = string_modified_length(s);

    if (length > SYMBOL_MAX_LENGTH)
        return NULL;
    if (length > sizeof small)
        text = mem_alloc(length);
    write_modified(s, text);
    if (dots_to_slashes)
        for (char *at = text; (at = memchr(at, '.', (size_t)(text + length - at)));)
            *at = '/';
    const struct symbol *result = symbol_intern(text, length);
    if (text != small)
        mem_free(text);
    return result;
}

/* Equal strings have the same coder: a string is in UTF-16 only if Latin-1 does not
   do. */
bool
string_equals(const struct object *a, const struct object *b)
{
    const struct object *x = value_of(a), *y = value_of(b);

    return a == b
           || (coder_of(a) == coder_of(b) && array_length(x) == array_length(y)
               && memcmp(array_data(x), array_data(y), (size_t)array_length(x)) == 0);
}

/* ---- making ---- */

/* Returns a string of length chars, whose value is to be written.  NULL with an
   exception pending. */
static struct object *
new_string(struct thread *self, size_t length, int coder)
{
    struct vm *vm = self->vm;

    if (length > (size_t)INT32_MAX >> coder)
        return throw_exhausted(self, "Requested array size exceeds VM limit",
                               EXHAUSTED_OOM_ERROR);
    HANDLE_SCOPE(self);
    struct object *value = handle_new(
        self, array_new_primitive(self, 'B', (int32_t)(length << coder)));
    if (!value)
        return NULL;
    struct object *s = object_new(self, KC(vm, String));
    if (!s)
        return NULL;
    REF_FIELD(vm, s, String_value) = value;
    OBJECT_FIELD(int8_t, s, KF(vm, String_coder)) = (int8_t)coder;
    return s;
}

struct object *
string_from_modified(struct thread *self, const char *bytes, size_t length)
{
    bool latin1;
    size_t units = mutf8_utf16_length(bytes, length, &latin1);
    struct object *s = new_string(self, units, latin1 ? LATIN1 : UTF16);

    if (s != NULL)
        mutf8_to_units(bytes, length, ARRAY_BYTES(value_of(s)), latin1);
    return s;
}

struct object *
string_from_utf8(struct thread *self, const char *text)
{
    size_t length;
    TEXTS(t);
    const char *modified = own(&t, utf8_to_mutf8(text, strlen(text), &length));

    return string_from_modified(self, modified, length);
}

/* chars may be a char[] that Java writes meanwhile, which shared_move allows for.  If a
   character is no longer Latin-1 when it is copied, it is cut off. */
UNTRACKED struct object *
string_from_utf16(struct thread *self, const uint16_t *chars, size_t length)
{
    int coder = utf16_is_latin1(chars, length) ? LATIN1 : UTF16;
    struct object *s = new_string(self, length, coder);

    if (!s)
        return NULL;
    if (coder == UTF16)
        shared_move(ARRAY_CHARS(value_of(s)), chars, length * sizeof *chars);
    else
        for (size_t i = 0; i < length; i++)
            ARRAY_BYTES(value_of(s))[i] = (int8_t)chars[i];
    return s;
}

struct object *
string_from_symbol_dotted(struct thread *self, const struct symbol *s)
{
    char small[256];
    TEXTS(t);

    if (s->length > sizeof small)
        return string_from_modified(self, own(&t, dotted_name(s->bytes)), s->length);
    memcpy(small, s->bytes, s->length);
    for (char *at = small; (at = memchr(at, '/', (size_t)(small + s->length - at)));)
        *at = '.';
    return string_from_modified(self, small, s->length);
}

/* ---- interned strings ---- */

/* There is always a free entry, which ends each search. */
struct string_table {
    struct mutex mutex;
    struct object **entries;
    size_t count, mask;
};

/* Returns the entry of a string that is equal to s, or the free one where s belongs.
   The search goes on behind an entry that is taken by another string (linear probing).
   The caller holds the mutex, or the world is stopped. */
static struct object **
find_entry(const struct string_table *t, const struct object *s)
{
    const struct object *value = value_of(s);
    size_t i = hash_bytes(array_data(value), (size_t)array_length(value));

    for (;; i++)
        if (!t->entries[i & t->mask] || string_equals(t->entries[i & t->mask], s))
            return &t->entries[i & t->mask];
}

/* Moves all strings to a new table of that capacity, a power of two.  The caller holds
   the mutex, or the world is stopped. */
static void
resize(struct string_table *t, size_t capacity)
{
    struct object **old = t->entries;
    size_t old_capacity = old ? t->mask + 1 : 0;

    t->entries = mem_calloc(capacity, sizeof *t->entries);
    t->mask = capacity - 1;
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i])
            *find_entry(t, old[i]) = old[i];
    mem_free(old);
}

/* The table is at most three quarters full, and doubled beyond that. */
struct object *
string_intern(struct thread *self, struct object *string)
{
    struct string_table *t = self->vm->strings;
    struct object **entry;
    LOCK(&t->mutex);

    entry = find_entry(t, string);
    if (*entry)
        return *entry;
    *entry = string;
    if (++t->count * 4 > t->mask * 3)
        resize(t, (t->mask + 1) * 2);
    return string;
}

struct object *
string_intern_symbol(struct thread *self, const struct symbol *s)
{
    HANDLE_SCOPE(self);
    struct object *fresh = handle_new(self, string_from_symbol(self, s));

    return fresh ? string_intern(self, fresh) : NULL;
}

/* For heap_add_part: drops the strings that only the table has known. */
static void
drop_dead(void *part, struct heap *heap)
{
    struct string_table *t = ((struct vm *)part)->strings;
    size_t count = t->count;

    for (size_t i = 0; i <= t->mask; i++)
        if (t->entries[i] && !heap_is_live(heap, t->entries[i])) {
            t->entries[i] = NULL;
            t->count--;
        }
    /* A search ends at a free entry, so gaps would hide what is behind them. */
    if (t->count < count)
        resize(t, t->mask + 1);
}

void
string_table_init(struct vm *vm)
{
    struct string_table *t = mem_calloc(1, sizeof *t);

    mutex_init(&t->mutex);
    resize(t, 4096);
    vm->strings = t;
    heap_add_part(vm->heap, NULL, drop_dead, vm);
}
