/* SPDX-License-Identifier: MIT */
/* Methods with many parameters, many locals alive, deep expressions. */
public class BigMethods {
    static int p20(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j,
                   int k, int l, int m, int n, int o, int p, int q, int r, int s, int t) {
        return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + i * 9 + j * 10
            + k * 11 + l * 12 + m * 13 + n * 14 + o * 15 + p * 16 + q * 17 + r * 18
            + s * 19 + t * 20;
    }

    static String p12(long a, Object b, double c, float d, short e, byte f, char g,
                      boolean h, int[] i, String j, long k, double l) {
        return a + "," + b + "," + c + "," + d + "," + e + "," + f + "," + g + "," + h
            + "," + i.length + "," + j + "," + k + "," + l;
    }

    static int deep(int x) {
        return (x + (x * 2 + (x * 3 + (x * 4 + (x * 5 + (x * 6 + (x * 7 + (x * 8 + (x * 9
            + (x * 10 + (x * 11 + (x * 12 + (x * 13 + (x * 14 + (x * 15 + (x * 16
            - p20(x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, deepest(x))
            ))))))))))))))));
    }

    static int deepest(int x) {
        return x > 100 ? x : deepest(x * 2) + 1;
    }

    static long mixed(int depth, long acc, double d, String s) {
        if (depth == 0) {
            return acc + (long) d + s.length();
        }
        return mixed(depth - 1, acc * 3 + depth, d / 2 + depth, s + depth % 10)
            + mixed(depth - 1, acc ^ depth, d * 1.5, s.substring(s.length() / 2));
    }

    public static void main(String[] args) {
        System.out.println(p20(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
                               18, 19, 20));
        System.out.println(p12(1L << 60, null, 2.5, 3.5f, (short) -4, (byte) -5, 'g',
                               false, new int[8], "j", -1L, -0.5));
        System.out.println(deep(3));
        System.out.println(mixed(10, 1, 1, "start"));
    }
}
