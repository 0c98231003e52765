/* SPDX-License-Identifier: MIT */
/* Arguments and results of all types, many of them, in all kinds of calls. */
public class WideArgs {
    static long many(int a, long b, float c, double d, byte e, char f, short g,
                     boolean h, long i, Object j, double k, int[] l) {
        return a + b + (long) c + (long) d + e + f + g + (h ? 1 : 0) + i
            + j.hashCode() + (long) k + l[0];
    }

    long virtual(long a, double b, long c) {
        return a * 3 + (long) b + c;
    }

    static double sum(double... values) {
        double total = 0;
        for (double v : values) {
            total += v;
        }
        return total;
    }

    static float half(float f) {
        return f / 2;
    }

    static byte asByte(int i) {
        return (byte) i;
    }

    static char asChar(int i) {
        return (char) i;
    }

    static short asShort(int i) {
        return (short) i;
    }

    static boolean odd(long l) {
        return (l & 1) != 0;
    }

    static int locals(int n) {
        int a0 = n, a1 = a0 + 1, a2 = a1 + 1, a3 = a2 + 1, a4 = a3 + 1, a5 = a4 + 1;
        long l0 = a5, l1 = l0 * 2, l2 = l1 * 2, l3 = l2 * 2;
        double d0 = l3, d1 = d0 / 3, d2 = d1 / 3;
        float f0 = (float) d2, f1 = f0 + 1;
        l0 += a3;
        a5 += 1000;
        return (int) (a0 + a1 + a2 + a3 + a4 + a5 + l0 + l1 + l2 + l3 + d0 + d1 + d2
                      + f0 + f1);
    }

    static int stackTricks(int[] a, long[] b) {
        int i = 0;
        a[i++] = a[i] = i + 4;
        a[i] += a[i - 1]++;
        b[i] = b[i - 1] = 1L << 33;
        b[i++] += 5;
        b[i - 1] <<= a[0];
        Integer boxed = 5;
        boxed++;
        long x = b[0] = b[1]--;
        return a[0] * 100 + a[1] * 10 + i + boxed + (int) (x >> 30);
    }

    public static void main(String[] args) {
        System.out.println(many(1, 2L << 40, 3.5f, 4.5, (byte) -5, 'f', (short) 7, true,
                                -9L, "j", 11.9, new int[] { 12 }));
        System.out.println(new WideArgs().virtual(1L << 50, 2.5, -1));
        System.out.println(sum());
        System.out.println(sum(1, 2.5, 3));
        System.out.println(half(5));
        System.out.println(asByte(300));
        System.out.println((int) asChar(-1));
        System.out.println(asShort(40000));
        System.out.println(odd(1L << 40));
        System.out.println(locals(3));
        System.out.println(stackTricks(new int[3], new long[3]));
    }
}
