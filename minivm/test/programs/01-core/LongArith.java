/* SPDX-License-Identifier: MIT */
/* Two-slot integers: all long instructions. */
public class LongArith {
    static final long[] VALUES = {
        0, 1, -1, 2, -2, 10, -10, 31, 32, 63, 64, 65, 0x7fffffffL, 0x80000000L,
        -0x80000000L, 0xffffffffL, 0x100000000L, Long.MAX_VALUE, Long.MIN_VALUE,
        Long.MIN_VALUE + 1, 0x5555555555555555L, 3037000500L, -3037000500L,
    };

    static long hash = 17;

    static void mix(long x) {
        hash = hash * 31 + x;
    }

    public static void main(String[] args) {
        for (long a : VALUES) {
            for (long b : VALUES) {
                mix(a + b);
                mix(a - b);
                mix(a * b);
                mix(a & b);
                mix(a | b);
                mix(a ^ b);
                mix(a << (int) b);
                mix(a >> b);
                mix(a >>> b);
                if (b != 0) {
                    mix(a / b);
                    mix(a % b);
                }
                mix(a < b ? 1 : a > b ? 2 : 3);
                mix(Long.compare(a, b));
            }
            mix(-a);
            mix(~a);
            mix((int) a);
            System.out.println(hash);
        }
        long min = Long.MIN_VALUE;
        long minusOne = -1;
        System.out.println(min / minusOne);
        System.out.println(min % minusOne);
        System.out.println(-7L / 2);
        System.out.println(-7L % 2);
        System.out.println(1L << 65);
        System.out.println((int) 0x1_8000_0001L);
        try {
            System.out.println(1L / (hash & 0));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(1L % (hash & 0));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
    }
}
