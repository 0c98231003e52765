/* SPDX-License-Identifier: MIT */
/* minivm/jdk/unsafe_access.c -- the natives of jdk.internal.misc.Unsafe that read and
 * write one variable: plain, volatile, compare-and-set, get-and-add.
 *
 * Unsafe names a variable by an object and an offset, which is a number of bytes: from
 * the object's header for a field or an element, from the class's mirror for a static
 * field. With a null object the offset is an address.  The arguments are in slots, of
 * which a long or double takes two: args[0] Unsafe, args[1] the object, args[2] the
 * offset, args[4] the value.
 *
 * Each native is written out below.  It gives access_memory a body, which does the
 * access; the bodies differ by type only and come from a macro for each kind.
 *
 * The order of a plain access is relaxed: each access is atomic by itself, so that no
 * Java thread sees half a value (JLS 17.7), and nothing more.  Volatile accesses and
 * compare-and-set are sequentially consistent (JLS 17.4.4). */

#include "diagnostics/fault.h"
#include "jdk/jvm.h"

/* Returns where the variable is. */
static void *
variable_address(const union slot *args)
{
    return (char *)(uintptr_t)args[1].ref + args[2].j;
}

bool
unsafe_guard(struct thread *self, union slot *args, intrinsic_fn *body)
{
    return fault_guard(self, body, args)
           || THROW(self, InternalError,
                    "a fault occurred in an unsafe memory access operation");
}

/*
 * Runs body, which is inlined here.  An access within an object cannot fault, one at an
 * address can.
 */
static inline __attribute__((always_inline)) bool
access_memory(struct thread *self, union slot *args, intrinsic_fn *body)
{
    return args[1].ref ? body(self, args) : unsafe_guard(self, args, body);
}

/* ---- bodies: load and store ---- */

/*
 * The bodies load_NAME, store_NAME and the same with _volatile.  type is the variable's
 * in memory, member the slot's that holds such a value.
 */
#define LOAD_AND_STORE(name, type, member) \
    LOAD_AND_STORE_ORDERED(name, type, member, __ATOMIC_RELAXED) \
    LOAD_AND_STORE_ORDERED(name##_volatile, type, member, __ATOMIC_SEQ_CST)

#define LOAD_AND_STORE_ORDERED(name, type, member, order) \
    static bool load_##name(struct thread *self UNUSED, union slot *args) \
    { \
        type value; \
        __atomic_load((type *)variable_address(args), &value, order); \
        args[0].member = value; \
        return true; \
    } \
    static bool store_##name(struct thread *self UNUSED, union slot *args) \
    { \
        type value = (type)args[4].member; \
        __atomic_store((type *)variable_address(args), &value, order); \
        return true; \
    }

LOAD_AND_STORE(byte, int8_t, i)
LOAD_AND_STORE(short, int16_t, i)
LOAD_AND_STORE(char, uint16_t, i)
LOAD_AND_STORE(int, int32_t, i)
LOAD_AND_STORE(long, int64_t, j)
LOAD_AND_STORE(float, float, f)
LOAD_AND_STORE(double, double, d)
LOAD_AND_STORE(reference, struct object *, ref)

/*
 * A boolean is a byte, of which 0 is false.  Memory that other code has written may
 * have any other value for true; a store writes the lowest bit only (JVMS 2.3.4).
 */
static bool
load_boolean(struct thread *self UNUSED, union slot *args)
{
    args[0].i = __atomic_load_n((uint8_t *)variable_address(args), __ATOMIC_RELAXED)
                != 0;
    return true;
}

static bool
store_boolean(struct thread *self UNUSED, union slot *args)
{
    __atomic_store_n((uint8_t *)variable_address(args), (uint8_t)(args[4].i & 1),
                     __ATOMIC_RELAXED);
    return true;
}

static bool
load_boolean_volatile(struct thread *self UNUSED, union slot *args)
{
    args[0].i = __atomic_load_n((uint8_t *)variable_address(args), __ATOMIC_SEQ_CST)
                != 0;
    return true;
}

static bool
store_boolean_volatile(struct thread *self UNUSED, union slot *args)
{
    __atomic_store_n((uint8_t *)variable_address(args), (uint8_t)(args[4].i & 1),
                     __ATOMIC_SEQ_CST);
    return true;
}

/* ---- bodies: compare and set ---- */

/*
 * The bodies compare_and_set_NAME, which returns whether it has stored the new value,
 * and compare_and_exchange_NAME, which returns the value before.  The expected value is
 * in args[4], the new one in args[new_at].
 */
#define COMPARE_AND_STORE(name, type, member, new_at) \
    static bool compare_and_set_##name(struct thread *self UNUSED, union slot *args) \
    { \
        type expected = args[4].member; \
        args[0].i = __atomic_compare_exchange_n((type *)variable_address(args), \
                                                &expected, args[new_at].member, false, \
                                                __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        return true; \
    } \
    static bool compare_and_exchange_##name(struct thread *self UNUSED, \
                                            union slot *args) \
    { \
        type expected = args[4].member; \
        __atomic_compare_exchange_n((type *)variable_address(args), &expected, \
                                    args[new_at].member, false, __ATOMIC_SEQ_CST, \
                                    __ATOMIC_SEQ_CST); \
        args[0].member = expected; \
        return true; \
    }

COMPARE_AND_STORE(byte, int8_t, i, 5)
COMPARE_AND_STORE(int, int32_t, i, 5)
COMPARE_AND_STORE(long, int64_t, j, 6)
COMPARE_AND_STORE(reference, struct object *, ref, 5)

/* ---- bodies: get and add, get and set ----
 *
 * In the class library these are loops over compareAndSet, but they are called often.
 * */

/* The body fetch_and_add_NAME. */
#define FETCH_AND_ADD(name, type, member) \
    static bool fetch_and_add_##name(struct thread *self UNUSED, union slot *args) \
    { \
        args[0].member = __atomic_fetch_add((type *)variable_address(args), \
                                            args[4].member, __ATOMIC_SEQ_CST); \
        return true; \
    }

/* The body exchange_NAME. */
#define EXCHANGE(name, type, member) \
    static bool exchange_##name(struct thread *self UNUSED, union slot *args) \
    { \
        args[0].member = __atomic_exchange_n((type *)variable_address(args), \
                                             args[4].member, __ATOMIC_SEQ_CST); \
        return true; \
    }

FETCH_AND_ADD(int, int32_t, i)
FETCH_AND_ADD(long, int64_t, j)
EXCHANGE(int, int32_t, i)
EXCHANGE(long, int64_t, j)
EXCHANGE(reference, struct object *, ref)

/* ---- the natives ---- */

static bool
unsafe_getBoolean(struct thread *self, union slot *args)
{
    return access_memory(self, args, load_boolean);
}

static bool
unsafe_putBoolean(struct thread *self, union slot *args)
{
    return access_memory(self, args, store_boolean);
}

static bool
unsafe_getBooleanVolatile(struct thread *self, union slot *args)
{
    return access_memory(self, args, load_boolean_volatile);
}

static bool
unsafe_putBooleanVolatile(struct thread *self, union slot *args)
{
    return access_memory(self, args, store_boolean_volatile);
}

static bool
unsafe_getByte(struct thread *self, union slot *args)
{
    return access_memory(self, args, load_byte);
}

static bool
unsafe_putByte(struct thread *self, union slot *args)
{
    return access_memory(self, args, store_byte);
}

static bool
unsafe_getByteVolatile(struct thread *self, union slot *args)
{
    return access_memory(self, args, load_byte_volatile);
}

static bool
unsafe_putByteVolatile(struct thread *self, union slot *args)
{
    return access_memory(self, args, store_byte_volatile);
}

static bool
unsafe_getShort(struct thread *self, union slot *args)
{
    return access_memory(self, args, load_short);
}

static bool
unsafe_putShort(struct thread *self, union slot *args)
{
    return access_memory(self, args, store_short);
}

static bool
unsafe_getShortVolatile(struct thread *self, union slot *args)
{
    return access_memory(self, args, load_short_volatile);
}

static bool
unsafe_putShortVolatile(struct thread *self, union slot *args)
{
    return access_memory(self, args, store_short_volatile);
}

static bool
unsafe_getChar(struct thread *self, union slot *args)
{
    return access_memory(self, args, load_char);
}

static bool
unsafe_putChar(struct thread *self, union slot *args)
{
    return access_memory(self, args, store_char);
}

static bool
unsafe_getCharVolatile(struct thread *self, union slot *args)
{
    return access_memory(self, args, load_char_volatile);
}

static bool
unsafe_putCharVolatile(struct thread *self, union slot *args)
{
    return access_memory(self, args, store_char_volatile);
}

static bool
unsafe_getInt(struct thread *self, union slot *args)
{
    return access_memory(self, args, load_int);
}

static bool
unsafe_putInt(struct thread *self, union slot *args)
{
    return access_memory(self, args, store_int);
}

static bool
unsafe_getIntVolatile(struct thread *self, union slot *args)
{
    return access_memory(self, args, load_int_volatile);
}

static bool
unsafe_putIntVolatile(struct thread *self, union slot *args)
{
    return access_memory(self, args, store_int_volatile);
}

static bool
unsafe_getLong(struct thread *self, union slot *args)
{
    return access_memory(self, args, load_long);
}

static bool
unsafe_putLong(struct thread *self, union slot *args)
{
    return access_memory(self, args, store_long);
}

static bool
unsafe_getLongVolatile(struct thread *self, union slot *args)
{
    return access_memory(self, args, load_long_volatile);
}

static bool
unsafe_putLongVolatile(struct thread *self, union slot *args)
{
    return access_memory(self, args, store_long_volatile);
}

static bool
unsafe_getFloat(struct thread *self, union slot *args)
{
    return access_memory(self, args, load_float);
}

static bool
unsafe_putFloat(struct thread *self, union slot *args)
{
    return access_memory(self, args, store_float);
}

static bool
unsafe_getFloatVolatile(struct thread *self, union slot *args)
{
    return access_memory(self, args, load_float_volatile);
}

static bool
unsafe_putFloatVolatile(struct thread *self, union slot *args)
{
    return access_memory(self, args, store_float_volatile);
}

static bool
unsafe_getDouble(struct thread *self, union slot *args)
{
    return access_memory(self, args, load_double);
}

static bool
unsafe_putDouble(struct thread *self, union slot *args)
{
    return access_memory(self, args, store_double);
}

static bool
unsafe_getDoubleVolatile(struct thread *self, union slot *args)
{
    return access_memory(self, args, load_double_volatile);
}

static bool
unsafe_putDoubleVolatile(struct thread *self, union slot *args)
{
    return access_memory(self, args, store_double_volatile);
}

static bool
unsafe_getReference(struct thread *self, union slot *args)
{
    return access_memory(self, args, load_reference);
}

static bool
unsafe_putReference(struct thread *self, union slot *args)
{
    return access_memory(self, args, store_reference);
}

static bool
unsafe_getReferenceVolatile(struct thread *self, union slot *args)
{
    return access_memory(self, args, load_reference_volatile);
}

static bool
unsafe_putReferenceVolatile(struct thread *self, union slot *args)
{
    return access_memory(self, args, store_reference_volatile);
}

/* In Java that of a byte, or a boolean, is a loop around one of the word that contains
   it. */
static bool
unsafe_compareAndSetByte(struct thread *self, union slot *args)
{
    return access_memory(self, args, compare_and_set_byte);
}

static bool
unsafe_compareAndExchangeByte(struct thread *self, union slot *args)
{
    return access_memory(self, args, compare_and_exchange_byte);
}

static bool
unsafe_compareAndSetInt(struct thread *self, union slot *args)
{
    return access_memory(self, args, compare_and_set_int);
}

static bool
unsafe_compareAndExchangeInt(struct thread *self, union slot *args)
{
    return access_memory(self, args, compare_and_exchange_int);
}

static bool
unsafe_compareAndSetLong(struct thread *self, union slot *args)
{
    return access_memory(self, args, compare_and_set_long);
}

static bool
unsafe_compareAndExchangeLong(struct thread *self, union slot *args)
{
    return access_memory(self, args, compare_and_exchange_long);
}

static bool
unsafe_compareAndSetReference(struct thread *self, union slot *args)
{
    return access_memory(self, args, compare_and_set_reference);
}

static bool
unsafe_compareAndExchangeReference(struct thread *self, union slot *args)
{
    return access_memory(self, args, compare_and_exchange_reference);
}

static bool
unsafe_getAndAddInt(struct thread *self, union slot *args)
{
    return access_memory(self, args, fetch_and_add_int);
}

static bool
unsafe_getAndAddLong(struct thread *self, union slot *args)
{
    return access_memory(self, args, fetch_and_add_long);
}

static bool
unsafe_getAndSetInt(struct thread *self, union slot *args)
{
    return access_memory(self, args, exchange_int);
}

static bool
unsafe_getAndSetLong(struct thread *self, union slot *args)
{
    return access_memory(self, args, exchange_long);
}

static bool
unsafe_getAndSetReference(struct thread *self, union slot *args)
{
    return access_memory(self, args, exchange_reference);
}

#define O "Ljava/lang/Object;"

const struct intrinsic unsafe_access_natives[] = {
    INTRINSICS_OF("jdk/internal/misc/Unsafe"),
    C_BODY("getBoolean", "(" O "J)Z", unsafe_getBoolean),
    C_BODY("putBoolean", "(" O "JZ)V", unsafe_putBoolean),
    C_BODY("getBooleanVolatile", "(" O "J)Z", unsafe_getBooleanVolatile),
    C_BODY("putBooleanVolatile", "(" O "JZ)V", unsafe_putBooleanVolatile),
    C_BODY("getByte", "(" O "J)B", unsafe_getByte),
    C_BODY("putByte", "(" O "JB)V", unsafe_putByte),
    C_BODY("getByteVolatile", "(" O "J)B", unsafe_getByteVolatile),
    C_BODY("putByteVolatile", "(" O "JB)V", unsafe_putByteVolatile),
    C_BODY("getShort", "(" O "J)S", unsafe_getShort),
    C_BODY("putShort", "(" O "JS)V", unsafe_putShort),
    C_BODY("getShortVolatile", "(" O "J)S", unsafe_getShortVolatile),
    C_BODY("putShortVolatile", "(" O "JS)V", unsafe_putShortVolatile),
    C_BODY("getChar", "(" O "J)C", unsafe_getChar),
    C_BODY("putChar", "(" O "JC)V", unsafe_putChar),
    C_BODY("getCharVolatile", "(" O "J)C", unsafe_getCharVolatile),
    C_BODY("putCharVolatile", "(" O "JC)V", unsafe_putCharVolatile),
    C_BODY("getInt", "(" O "J)I", unsafe_getInt),
    C_BODY("putInt", "(" O "JI)V", unsafe_putInt),
    C_BODY("getIntVolatile", "(" O "J)I", unsafe_getIntVolatile),
    C_BODY("putIntVolatile", "(" O "JI)V", unsafe_putIntVolatile),
    C_BODY("getLong", "(" O "J)J", unsafe_getLong),
    C_BODY("putLong", "(" O "JJ)V", unsafe_putLong),
    C_BODY("getLongVolatile", "(" O "J)J", unsafe_getLongVolatile),
    C_BODY("putLongVolatile", "(" O "JJ)V", unsafe_putLongVolatile),
    C_BODY("getFloat", "(" O "J)F", unsafe_getFloat),
    C_BODY("putFloat", "(" O "JF)V", unsafe_putFloat),
    C_BODY("getFloatVolatile", "(" O "J)F", unsafe_getFloatVolatile),
    C_BODY("putFloatVolatile", "(" O "JF)V", unsafe_putFloatVolatile),
    C_BODY("getDouble", "(" O "J)D", unsafe_getDouble),
    C_BODY("putDouble", "(" O "JD)V", unsafe_putDouble),
    C_BODY("getDoubleVolatile", "(" O "J)D", unsafe_getDoubleVolatile),
    C_BODY("putDoubleVolatile", "(" O "JD)V", unsafe_putDoubleVolatile),
    C_BODY("getReference", "(" O "J)" O, unsafe_getReference),
    C_BODY("putReference", "(" O "J" O ")V", unsafe_putReference),
    C_BODY("getReferenceVolatile", "(" O "J)" O, unsafe_getReferenceVolatile),
    C_BODY("putReferenceVolatile", "(" O "J" O ")V", unsafe_putReferenceVolatile),
    C_BODY("compareAndSetBoolean", "(" O "JZZ)Z", unsafe_compareAndSetByte),
    C_BODY("compareAndSetByte", "(" O "JBB)Z", unsafe_compareAndSetByte),
    C_BODY("compareAndExchangeByte", "(" O "JBB)B", unsafe_compareAndExchangeByte),
    C_BODY("compareAndSetInt", "(" O "JII)Z", unsafe_compareAndSetInt),
    C_BODY("compareAndExchangeInt", "(" O "JII)I", unsafe_compareAndExchangeInt),
    C_BODY("compareAndSetLong", "(" O "JJJ)Z", unsafe_compareAndSetLong),
    C_BODY("compareAndExchangeLong", "(" O "JJJ)J", unsafe_compareAndExchangeLong),
    C_BODY("compareAndSetReference", "(" O "J" O O ")Z", unsafe_compareAndSetReference),
    C_BODY("compareAndExchangeReference", "(" O "J" O O ")" O,
           unsafe_compareAndExchangeReference),
    C_BODY("getAndAddInt", "(" O "JI)I", unsafe_getAndAddInt),
    C_BODY("getAndAddLong", "(" O "JJ)J", unsafe_getAndAddLong),
    C_BODY("getAndSetInt", "(" O "JI)I", unsafe_getAndSetInt),
    C_BODY("getAndSetLong", "(" O "JJ)J", unsafe_getAndSetLong),
    C_BODY("getAndSetReference", "(" O "J" O ")" O, unsafe_getAndSetReference),
    C_BODIES_END
};
