/* SPDX-License-Identifier: MIT */
/* float and double: NaN, infinities, signed zero, conversions, remainder. */
public class FloatingPoint {
    static final double[] VALUES = {
        0.0, -0.0, 1.0, -1.0, 0.5, 1.5, -2.5, 3.0, 1e10, -1e10, 1e19, -1e19, 1e300,
        Double.MIN_VALUE, Double.MAX_VALUE, Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY, Double.NaN, Math.PI, 2147483647.5, -2147483648.5,
        4294967296.0, 9.223372036854775807e18, 0x1p-1040, 1e-45,
    };

    static long hash = 17;

    static void mix(double d) {
        hash = hash * 31 + Double.doubleToLongBits(d);
    }

    static void mix(float f) {
        hash = hash * 31 + Float.floatToIntBits(f);
    }

    static void mix(int i) {
        hash = hash * 31 + i;
    }

    static void mix(long i) {
        hash = hash * 31 + i;
    }

    static void compare(double a, double b) {
        mix((a < b ? 1 : 0) + (a <= b ? 2 : 0) + (a > b ? 4 : 0) + (a >= b ? 8 : 0)
            + (a == b ? 16 : 0) + (a != b ? 32 : 0)
            + (!(a < b) ? 64 : 0) + (!(a > b) ? 128 : 0));
    }

    static void compare(float a, float b) {
        mix((a < b ? 1 : 0) + (a <= b ? 2 : 0) + (a > b ? 4 : 0) + (a >= b ? 8 : 0)
            + (a == b ? 16 : 0) + (a != b ? 32 : 0)
            + (!(a < b) ? 64 : 0) + (!(a > b) ? 128 : 0));
    }

    public static void main(String[] args) {
        for (double a : VALUES) {
            float fa = (float) a;
            for (double b : VALUES) {
                float fb = (float) b;
                mix(a + b);
                mix(a - b);
                mix(a * b);
                mix(a / b);
                mix(a % b);
                mix(fa + fb);
                mix(fa - fb);
                mix(fa * fb);
                mix(fa / fb);
                mix(fa % fb);
                compare(a, b);
                compare(fa, fb);
            }
            mix(-a);
            mix(-fa);
            mix((int) a);
            mix((long) a);
            mix((int) fa);
            mix((long) fa);
            mix((byte) a);
            mix((char) a);
            mix((short) fa);
            mix((double) fa);
            System.out.println(hash);
        }
        System.out.println((int) Double.NaN);
        System.out.println((long) Float.POSITIVE_INFINITY);
        System.out.println((int) -1e30);
        System.out.println((long) 1e30f);
        System.out.println((float) 16777217);
        System.out.println((float) Long.MAX_VALUE);
        System.out.println((double) Long.MAX_VALUE);
        System.out.println((double) Integer.MIN_VALUE);
        System.out.println(5.5 % -2.0);
        System.out.println(-5.5f % 2.0f);
        System.out.println(0.1 + 0.2);
        System.out.println(0.1f + 0.2f);
        System.out.println(1.0 / 0.0);
        System.out.println(-1.0f / 0.0f);
        System.out.println(0.0 / 0.0);
        System.out.println(-0.0);
        System.out.println(100.0);
        System.out.println(1e7);
        System.out.println(9999999.0);
        System.out.println(0.001);
        System.out.println(0.0001);
        System.out.println(1e-5f);
        System.out.println(3.4028235e38f);
        System.out.println(1.7976931348623157e308);
    }
}
