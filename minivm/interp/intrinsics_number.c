/* SPDX-License-Identifier: MIT */
/*
 * minivm/interp/intrinsics_number.c -- C bodies of Math, Integer, Long, Float and Double.
 *
 * Processors have instructions for what these methods compute, which the compiler makes
 * of its builtin functions.
 */

#include "interp/intrinsics.h"

#include <math.h>

#include "runtime/vm.h"

static bool
math_sqrt(struct thread *self, union slot *args)
{
    (void)self;
    args[0].d = sqrt(args[0].d);
    return true;
}

static bool
int_leading_zeros(struct thread *self, union slot *args)
{
    (void)self;
    args[0].i = args[0].u ? __builtin_clz(args[0].u) : 32;
    return true;
}

static bool
int_trailing_zeros(struct thread *self, union slot *args)
{
    (void)self;
    args[0].i = args[0].u ? __builtin_ctz(args[0].u) : 32;
    return true;
}

static bool
int_bit_count(struct thread *self, union slot *args)
{
    (void)self;
    args[0].i = __builtin_popcount(args[0].u);
    return true;
}

static bool
int_reverse_bytes(struct thread *self, union slot *args)
{
    (void)self;
    args[0].i = (int32_t)__builtin_bswap32(args[0].u);
    return true;
}

static bool
long_leading_zeros(struct thread *self, union slot *args)
{
    (void)self;
    args[0].i = args[0].bits ? __builtin_clzll(args[0].bits) : 64;
    return true;
}

static bool
long_trailing_zeros(struct thread *self, union slot *args)
{
    (void)self;
    args[0].i = args[0].bits ? __builtin_ctzll(args[0].bits) : 64;
    return true;
}

static bool
long_bit_count(struct thread *self, union slot *args)
{
    (void)self;
    args[0].i = __builtin_popcountll(args[0].bits);
    return true;
}

static bool
long_reverse_bytes(struct thread *self, union slot *args)
{
    (void)self;
    args[0].j = (int64_t)__builtin_bswap64(args[0].bits);
    return true;
}

/* Integer.formatUnsignedInt(int value, int shift, byte[] buffer, int length): the digits
   of value to the base 1 << shift, as many as length. */
UNTRACKED static bool
int_format_unsigned(struct thread *self, union slot *args)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    uint32_t value = args[0].u, shift = (uint32_t)args[1].i;
    struct object *buffer = args[2].ref;
    int32_t at = args[3].i;

    if (shift < 1 || shift > 5 || !buffer || at < 1 || at > array_length(buffer))
        return intrinsic_decline(self);
    for (; at > 0; value >>= shift)
        ARRAY_BYTES(buffer)[--at] = (int8_t)digits[value & ((1u << shift) - 1)];
    return true;
}

/* Float.intBitsToFloat and the like: the slot's bits stay and are read as another
   type. */
static bool
same_bits(struct thread *self, union slot *args)
{
    (void)self;
    (void)args;
    return true;
}

/* All NaNs become one. */
static bool
float_to_bits(struct thread *self, union slot *args)
{
    (void)self;
    args[0].i = args[0].f != args[0].f ? 0x7fc00000 : args[0].i;
    return true;
}

static bool
double_to_bits(struct thread *self, union slot *args)
{
    (void)self;
    args[0].j = args[0].d != args[0].d ? 0x7ff8000000000000 : args[0].j;
    return true;
}

const struct intrinsic number_intrinsics[] = {
    INTRINSICS_OF("java/lang/Math"),
    C_BODY("sqrt", "(D)D", math_sqrt),
    INTRINSICS_OF("java/lang/StrictMath"),
    C_BODY("sqrt", "(D)D", math_sqrt),
    INTRINSICS_OF("java/lang/Integer"),
    C_BODY("numberOfLeadingZeros", "(I)I", int_leading_zeros),
    C_BODY("numberOfTrailingZeros", "(I)I", int_trailing_zeros),
    C_BODY("bitCount", "(I)I", int_bit_count),
    C_BODY("reverseBytes", "(I)I", int_reverse_bytes),
    C_BODY("formatUnsignedInt", "(II[BI)V", int_format_unsigned),
    INTRINSICS_OF("java/lang/Long"),
    C_BODY("numberOfLeadingZeros", "(J)I", long_leading_zeros),
    C_BODY("numberOfTrailingZeros", "(J)I", long_trailing_zeros),
    C_BODY("bitCount", "(J)I", long_bit_count),
    C_BODY("reverseBytes", "(J)J", long_reverse_bytes),
    INTRINSICS_OF("java/lang/Float"),
    C_BODY("floatToRawIntBits", "(F)I", same_bits),
    C_BODY("intBitsToFloat", "(I)F", same_bits),
    C_BODY("floatToIntBits", "(F)I", float_to_bits),
    INTRINSICS_OF("java/lang/Double"),
    C_BODY("doubleToRawLongBits", "(D)J", same_bits),
    C_BODY("longBitsToDouble", "(J)D", same_bits),
    C_BODY("doubleToLongBits", "(D)J", double_to_bits),
    C_BODIES_END
};
