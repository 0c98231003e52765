// SPDX-License-Identifier: MIT
import java.util.Arrays;

/** Initializers without loops, whose mutants run; what they compute is left in fields. */
public class Straight {
    static class Ints {
        static int a = 7, b = -3, c, d;
        static String out;

        static {
            int x = a * b + (a << 3) - (b >>> 28) ^ (a & 0x55);
            c = x / b + x % a - -x;
            d = (byte) (x * 1000) + (short) (x * 77777) + (char) x;
            x += 300;
            x++;
            out = x + "," + c + "," + (a > b ? x | 1 : ~x) + (x == c ? "e" : "n");
        }
    }

    static class Longs {
        static long a = 1L << 40, b = -12345678901L, c;
        static int order;
        static String out;

        static {
            long x = a * b + (a << 3) - (b >>> 28) ^ a & 0x5555555555L;
            c = x / b + x % a - -x;
            order = a < b ? 1 : Long.compare(x, c);
            out = x + "," + c + (int) x + (short) (b >> 7) + (float) a + (double) b;
        }
    }

    static class Reals {
        static float f = 1.5f, nan = 0f / 0;
        static double d = -2.25, inf = 1 / 0.0;
        static String out;

        static {
            double x = f * d + d / f - d % f;
            float y = (float) x * f - -f;
            out = x + "," + y + (int) x + (long) y + (int) nan + (long) inf + (nan < y)
                + (x > inf) + (nan == nan) + (d >= f) + (int) (char) x;
        }
    }

    static class Arrays1 {
        static int[] ints = { 3, 1, 2 };
        static long[] longs = new long[2];
        static byte[] bytes = { 1, -1 };
        static boolean[] flags = { true, false };
        static char[] chars = "abc".toCharArray();
        static short[] shorts = new short[3];
        static float[] floats = { 1, 2 };
        static double[] doubles = new double[] { 0.5 };
        static Object[] objects = { "s", null, ints };
        static int[][] nested = new int[2][3];
        static String out;

        static {
            ints[1] += ints[0] << 2;
            longs[1] = ints[2]--;
            bytes[0] |= 0x180;
            shorts[2] = (short) 70000;
            chars[1]++;
            nested[1][2] = nested.length + nested[0].length;
            objects[1] = nested;
            doubles[0] /= floats[1];
            out = Arrays.toString(ints) + longs[1] + bytes[0] + flags[1] + shorts[2] + chars[1]
                + nested[1][2] + doubles[0] + objects.length;
        }
    }

    static class Objects1 {
        static Object o = "text";
        static StringBuilder b = new StringBuilder();
        static String out;

        static {
            String s = (String) o;
            b.append(s.length()).append(o instanceof Integer).append(o instanceof CharSequence);
            b.append(o == null ? "null" : s.charAt(2)).append(String.class.getName());
            Comparable<String> c = s;
            b.append(c.compareTo("texu")).append((Object) b == o).append(o.hashCode());
            out = b.toString();
        }
    }

    static class Throws {
        static int zero;
        static int[] none;
        static String out = "";

        static {
            try {
                out += 1 / zero;
            } catch (ArithmeticException e) {
                out += e.getMessage();
            }
            try {
                out += none[1];
            } catch (NullPointerException e) {
                out += "npe";
            } finally {
                out += "finally";
            }
            try {
                out += (String) (Object) Integer.valueOf(3);
            } catch (ClassCastException e) {
                out += "cast";
            }
            try {
                out += new int[zero - 1].length;
            } catch (NegativeArraySizeException e) {
                out += e.getMessage();
            }
            synchronized (out) {
                out += "locked";
            }
        }
    }

    static class Choice {
        static int n = 3;
        static String s = "two", out;

        static {
            switch (n) {
            case 1: out = "one"; break;
            case 2: out = "two"; break;
            case 3: out = "three"; break;
            default: out = "many";
            }
            switch (n * 1000) {
            case 10: out += "a"; break;
            case 3000: out += "b"; break;
            case 500000: out += "c";
            }
            out += n > 2 && n < 5 ? n >= 3 ? "x" : "y" : n != 0 ? "z" : "w";
            out += s != null ? s.isEmpty() ? 1 : 2 : 3;
        }
    }
}
