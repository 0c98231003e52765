/* SPDX-License-Identifier: MIT */
/* minivm/jdk/unsafe.c -- jdk.internal.misc.Unsafe.
 *
 * An offset is a byte offset in the object; statics are in the class's mirror; with
 * a null object it is an address.  Arguments: this, object, offset (two slots),
 * values. */

#include "jdk/jdk.h"

#include <stdlib.h>
#include <string.h>

#include "jdk/jvm.h"
#include "vm/reflect.h"
#include "vm/registry.h"

static void *
place(const union slot *args)
{
    return (char *)(uintptr_t)args[1].ref + args[2].j;
}

/* With a null object the address is anybody's guess: a mapped file may have shrunk. */
static bool
guarded(struct thread *self, union slot *args,
        bool (*body)(struct thread *self, union slot *args))
{
    return fault_guard(self, body, args)
           || THROW(self, InternalError,
                    "a fault occurred in an unsafe memory access operation");
}

#define GUARDED_UNLESS(is_safe, name) \
NATIVE(name) \
{ \
    return is_safe ? name##_body(self, args) : guarded(self, args, name##_body); \
}
#define GUARDED(name) GUARDED_UNLESS(args[1].ref, name)

/* ---- get and put; a boolean is the low bit, and true when any is set ---- */

#define ACCESS(name, type, member, as_got, as_put, order, suffix) \
NATIVE(get_##name##suffix##_body) \
{ \
    type value; \
    __atomic_load((type *)place(args), &value, order); \
    args[0].member = value as_got; \
    return true; \
} \
NATIVE(put_##name##suffix##_body) \
{ \
    type value = (type)(args[4].member as_put); \
    __atomic_store((type *)place(args), &value, order); \
    return true; \
} \
GUARDED(get_##name##suffix) \
GUARDED(put_##name##suffix)

#define BOTH_ACCESSES(name, type, member, as_got, as_put) \
    ACCESS(name, type, member, as_got, as_put, __ATOMIC_RELAXED, ) \
    ACCESS(name, type, member, as_got, as_put, __ATOMIC_SEQ_CST, _volatile)

BOTH_ACCESSES(boolean, uint8_t, i, != 0, & 1)
BOTH_ACCESSES(byte, int8_t, i, , )
BOTH_ACCESSES(short, int16_t, i, , )
BOTH_ACCESSES(char, uint16_t, i, , )
BOTH_ACCESSES(int, int32_t, i, , )
BOTH_ACCESSES(long, int64_t, j, , )
BOTH_ACCESSES(float, float, f, , )
BOTH_ACCESSES(double, double, d, , )
BOTH_ACCESSES(reference, struct object *, ref, , )

/* ---- compare and set; expected at 4, the new value at `at` ---- */

#define COMPARE_AND(name, type, member, at) \
NATIVE(compare_and_set_##name##_body) \
{ \
    type expected = args[4].member; \
    args[0].i = __atomic_compare_exchange_n((type *)place(args), &expected, \
                                            args[at].member, false, \
                                            __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    return true; \
} \
NATIVE(compare_and_exchange_##name##_body) \
{ \
    type expected = args[4].member; \
    __atomic_compare_exchange_n((type *)place(args), &expected, args[at].member, \
                                false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    args[0].member = expected; \
    return true; \
} \
GUARDED(compare_and_set_##name) \
GUARDED(compare_and_exchange_##name)
COMPARE_AND(int, int32_t, i, 5)
COMPARE_AND(long, int64_t, j, 6)
COMPARE_AND(reference, struct object *, ref, 5)

/* get-and-update loops are Java code over these in the class library, but hot */
#define GET_AND(name, type, member, operation) \
INTRINSIC(get_and_##name##_body, member, \
             operation((type *)place(args), args[4].member, __ATOMIC_SEQ_CST)) \
GUARDED(get_and_##name)
GET_AND(add_int, int32_t, i, __atomic_fetch_add)
GET_AND(add_long, int64_t, j, __atomic_fetch_add)
GET_AND(set_int, int32_t, i, __atomic_exchange_n)
GET_AND(set_long, int64_t, j, __atomic_exchange_n)
GET_AND(set_reference, struct object *, ref, __atomic_exchange_n)

#define FENCE(name, order) \
NATIVE(name) \
{ \
    __atomic_thread_fence(order); \
    return true; \
}
FENCE(load_fence, __ATOMIC_ACQUIRE)
FENCE(store_fence, __ATOMIC_RELEASE)
FENCE(full_fence, __ATOMIC_SEQ_CST)

/* ---- memory ---- */

static bool
answer_memory(struct thread *self, union slot *args, void *p)
{
    args[0].j = (int64_t)(uintptr_t)p;
    return p || throw_out_of_memory(self, "Unsafe memory");
}

NATIVE_CALL(allocate_memory,
            answer_memory(self, args, mem_try_alloc((size_t)args[1].j)))
NATIVE_CALL(reallocate_memory,
            answer_memory(self, args, mem_try_realloc((void *)(uintptr_t)args[1].j,
                                                      (size_t)args[3].j)))

NATIVE(free_memory)
{
    mem_free((void *)(uintptr_t)args[1].j);
    return true;
}

NATIVE(set_memory_body)
{
    memset(place(args), args[6].i, (size_t)args[4].j);
    return true;
}
GUARDED(set_memory)

NATIVE(copy_memory_body)
{
    char *to = (char *)(uintptr_t)args[4].ref + args[5].j;
    shared_move(to, place(args), (size_t)args[7].j);
    return true;
}
GUARDED_UNLESS(args[1].ref && args[4].ref, copy_memory)

NATIVE(copy_swap_memory_body)
{
    char *to = (char *)(uintptr_t)args[4].ref + args[5].j, *end = to + args[7].j;
    size_t size = (size_t)args[9].j;

    copy_memory_body(self, args);
    for (; to < end; to += size)
        for (size_t i = 0; i < size / 2; i++) {
            char byte = to[i];
            to[i] = to[size - 1 - i];
            to[size - 1 - i] = byte;
        }
    return true;
}
GUARDED_UNLESS(args[1].ref && args[4].ref, copy_swap_memory)

/* ---- layout ---- */

/* The methods of Unsafe that call natives whose names end in a digit have checked for
   null. */
INTRINSIC(field_offset, j, reflected_field(self->vm, args[1].ref)->offset)
INTRINSIC(static_field_base, ref,
          reflected_field(self->vm, args[1].ref)->class->layout.mirror)

NATIVE(field_offset_by_name)
{
    const struct class *c = class_of_mirror(args[1].ref);
    const struct symbol *name = string_to_symbol(args[2].ref, false);
    uint32_t i = 0;

    while (i < c->field_count && c->fields[i].name != name)
        i++;
    if (i == c->field_count)
        return THROW0(self, InternalError);
    args[0].j = c->fields[i].offset;
    return true;
}

INTRINSIC(array_base_offset, i, ARRAY_BASE)
INTRINSIC(array_index_scale, i,
          1 << class_of_mirror(args[1].ref)->layout.element_shift)

/* ---- classes and objects ---- */

INTRINSIC(should_be_initialized, i,
          !class_is_initialized(class_of_mirror(args[1].ref)))

NATIVE_CALL(ensure_class_initialized,
            class_initialize(self, class_of_mirror(args[1].ref)))

NATIVE(allocate_instance)
{
    struct class *c = class_of_mirror(args[1].ref);

    if (!class_may_have_instances(self, c, false))
        return false;
    SCOPE(self);
    if (!class_initialize(self, c))
        return false;
    args[0].ref = object_made_by_vm(self, object_new(self, c));
    return args[0].ref != NULL;
}

NATIVE(throw_exception)
{
    if (!args[1].ref)
        return THROW0(self, NullPointerException);
    throw_object(self, args[1].ref);
    return false;
}

NATIVE(define_class)
{
    /* this, name, bytes, offset, length, loader, protection domain */
    struct object *bytes = args[2].ref;
    struct class_definition d = { .protection_domain = args[6].ref };
    TEXTS(t);

    if (!jni_region_fits(self, bytes, args[3].i, args[4].i))
        return false;
    if (args[1].ref && !(d.name = string_to_symbol(args[1].ref, true)))
        return class_symbol(self, own(&t, string_to_modified(args[1].ref)),
                            KNOWN_CLASS_NoClassDefFoundError);
    /* A copy: the array may change meanwhile. */
    uint8_t *copy = mem_alloc((size_t)args[4].i + 1);
    memcpy(copy, ARRAY_BYTES(bytes) + args[3].i, (size_t)args[4].i);
    d.bytes = copy;
    d.length = (size_t)args[4].i;
    struct class *c = class_define(self, loader_of(self->vm, args[5].ref), &d);
    mem_free(copy);
    args[0].ref = c ? c->layout.mirror : NULL;
    return c != NULL;
}

/* ---- threads ---- */

NATIVE(park)
{
    thread_park(self, args[1].i != 0, args[2].j);
    return !exception_pending(self);
}

NATIVE(unpark)
{
    PINNED(t, self, args[1].ref);

    if (t)
        thread_unpark(t);
    return true;
}

NATIVE(load_average)
{
    args[0].i = getloadavg(ARRAY_DOUBLES(args[1].ref), args[2].i);
    return true;
}

#define O "Ljava/lang/Object;"
#define ACCESS_ROWS(Name, name, d) \
    { "get" Name, "(" O "J)" d, get_##name }, \
    { "put" Name, "(" O "J" d ")V", put_##name }, \
    { "get" Name "Volatile", "(" O "J)" d, get_##name##_volatile }, \
    { "put" Name "Volatile", "(" O "J" d ")V", put_##name##_volatile }
#define COMPARE_ROWS(Name, name, d) \
    { "compareAndSet" Name, "(" O "J" d d ")Z", compare_and_set_##name }, \
    { "compareAndExchange" Name, "(" O "J" d d ")" d, compare_and_exchange_##name }

const struct intrinsic unsafe_natives[] = {
    INTRINSICS_OF("jdk/internal/misc/Unsafe"),
    { "registerNatives", "()V", native_nothing },
    ACCESS_ROWS("Boolean", boolean, "Z"), ACCESS_ROWS("Byte", byte, "B"),
    ACCESS_ROWS("Short", short, "S"), ACCESS_ROWS("Char", char, "C"),
    ACCESS_ROWS("Int", int, "I"), ACCESS_ROWS("Long", long, "J"),
    ACCESS_ROWS("Float", float, "F"), ACCESS_ROWS("Double", double, "D"),
    ACCESS_ROWS("Reference", reference, O),
    COMPARE_ROWS("Int", int, "I"), COMPARE_ROWS("Long", long, "J"),
    COMPARE_ROWS("Reference", reference, O),
    { "getAndAddInt", "(" O "JI)I", get_and_add_int },
    { "getAndAddLong", "(" O "JJ)J", get_and_add_long },
    { "getAndSetInt", "(" O "JI)I", get_and_set_int },
    { "getAndSetLong", "(" O "JJ)J", get_and_set_long },
    { "getAndSetReference", "(" O "J" O ")" O, get_and_set_reference },
    { "loadFence", "()V", load_fence },
    { "storeFence", "()V", store_fence },
    { "fullFence", "()V", full_fence },
    { "allocateMemory0", "(J)J", allocate_memory },
    { "reallocateMemory0", "(JJ)J", reallocate_memory },
    { "freeMemory0", "(J)V", free_memory },
    { "setMemory0", "(" O "JJB)V", set_memory },
    { "copyMemory0", "(" O "J" O "JJ)V", copy_memory },
    { "copySwapMemory0", "(" O "J" O "JJJ)V", copy_swap_memory },
    { "objectFieldOffset0", "(Ljava/lang/reflect/Field;)J", field_offset },
    { "objectFieldOffset1", "(Ljava/lang/Class;Ljava/lang/String;)J",
      field_offset_by_name },
    { "staticFieldOffset0", "(Ljava/lang/reflect/Field;)J", field_offset },
    { "staticFieldBase0", "(Ljava/lang/reflect/Field;)" O, static_field_base },
    { "shouldBeInitialized0", "(Ljava/lang/Class;)Z", should_be_initialized },
    { "ensureClassInitialized0", "(Ljava/lang/Class;)V", ensure_class_initialized },
    { "arrayBaseOffset0", "(Ljava/lang/Class;)I", array_base_offset },
    { "arrayIndexScale0", "(Ljava/lang/Class;)I", array_index_scale },
    { "allocateInstance", "(Ljava/lang/Class;)" O, allocate_instance },
    { "throwException", "(Ljava/lang/Throwable;)V", throw_exception },
    { "defineClass0",
      "(Ljava/lang/String;[BIILjava/lang/ClassLoader;"
      "Ljava/security/ProtectionDomain;)Ljava/lang/Class;",
      define_class },
    { "park", "(ZJ)V", park },
    { "unpark", "(" O ")V", unpark },
    { "getLoadAverage0", "([DI)I", load_average },
    { NULL, NULL, NULL }
};

/* ---- jdk.internal.misc.UnsafeConstants: the VM writes what it knows ---- */

static void
set_constant(struct class *c, const char *name, int32_t value)
{
    for (uint32_t i = 0; i < c->field_count; i++)
        if (symbol_equals(c->fields[i].name, name))
            value_store(object_at(c->layout.mirror, c->fields[i].offset),
                        c->fields[i].type, (union slot){ .i = value });
}

bool
unsafe_set_constants(struct thread *self)
{
    struct class *c = class_load_boot(self, "jdk/internal/misc/UnsafeConstants");

    if (!c || !class_initialize(self, c))
        return false;
    set_constant(c, "ADDRESS_SIZE0", (int32_t)sizeof(void *));
    set_constant(c, "PAGE_SIZE", (int32_t)os_page_size());
    set_constant(c, "BIG_ENDIAN", __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__)
    set_constant(c, "UNALIGNED_ACCESS", 1);
#endif
    set_constant(c, "DATA_CACHE_LINE_FLUSH_SIZE", 0);
    return true;
}
