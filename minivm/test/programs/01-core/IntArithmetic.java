/* SPDX-License-Identifier: MIT */
/* iadd .. iinc with every edge that JVMS 6.5 names. */
public class IntArithmetic {
    static final int[] VALUES = {
        0, 1, -1, 2, -2, 7, -7, 31, 32, 33, 63, 64, 127, 128, -128, -129, 255, 256,
        32767, 32768, -32768, -32769, 65535, 65536, 0x7fffffff, 0x80000000,
        0x7ffffffe, 0x80000001, 0x55555555, 0xaaaaaaaa, 46341, -46341,
    };

    static int hash = 17;

    static void mix(int x) {
        hash = hash * 31 + x;
    }

    static int divide(int a, int b) {
        try {
            return a / b;
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
            return 99;
        }
    }

    public static void main(String[] args) {
        for (int a : VALUES) {
            for (int b : VALUES) {
                mix(a + b);
                mix(a - b);
                mix(a * b);
                mix(a & b);
                mix(a | b);
                mix(a ^ b);
                mix(a << b);
                mix(a >> b);
                mix(a >>> b);
                if (b != 0) {
                    mix(a / b);
                    mix(a % b);
                }
                mix(a < b ? 1 : 2);
                mix(a <= b ? 1 : 2);
                mix(a > b ? 1 : 2);
                mix(a >= b ? 1 : 2);
                mix(a == b ? 1 : 2);
                mix(a != b ? 1 : 2);
            }
            mix(-a);
            mix(~a);
            mix((byte) a);
            mix((short) a);
            mix((char) a);
            System.out.println(hash);
        }
        int min = Integer.MIN_VALUE;
        int minusOne = -1;
        System.out.println(min / minusOne);
        System.out.println(min % minusOne);
        System.out.println(-7 / 2);
        System.out.println(-7 % 2);
        System.out.println(7 % -2);
        System.out.println(1 << 33);
        System.out.println(-1 >>> 28);
        System.out.println(-1 >> 40);
        System.out.println(divide(5, 0));
        try {
            System.out.println(5 % (hash & 0));
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        int i = 0;
        i += 200;
        i -= 32768;
        i++;
        System.out.println(i);
        byte b = (byte) 127;
        b++;
        short s = Short.MAX_VALUE;
        s++;
        char c = 0;
        c--;
        System.out.println(b);
        System.out.println(s);
        System.out.println((int) c);
    }
}
