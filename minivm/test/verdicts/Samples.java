// SPDX-License-Identifier: MIT
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Code of many shapes, for mutants. It is never run. */
class Samples {
    int count;
    long total;
    static double[] table;
    protected Object held;

    Samples(int n, String text) {
        super();
        this.count = n > 0 ? n : text.length();
    }

    Samples() {
        this(new ArrayList<String>().size(), "text".concat("s"));
    }

    int loops(int n, int[] a, long[] b) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            for (int j = i; j < a.length; j += 2) {
                sum += a[j] * (int) b[i];
                total += b[i]++;
                a[j] <<= 1;
            }
        }
        return sum;
    }

    double numbers(byte b, short s, char c, boolean z, float f, double d) {
        long l = b + s;
        double r = z ? c / d : -f % l;
        float[] fs = { f, 1, 2.5f };
        char[] cs = new char[(int) r];
        cs[0] = (char) (cs[1] + 1);
        boolean[][] flags = new boolean[3][4];
        flags[1][2] |= z ^ (l < 7) & d > r;
        table[2] = fs[1] + Math.sqrt(r) + (d == r ? 1L << b : l >>> 3);
        return table[0] + (short) count++ + (byte) ++count;
    }

    String choose(int i, String s) {
        switch (i) {
        case 1:
            return "one";
        case 2:
            s = s + "two" + i;
            break;
        case 4:
        case 5:
            s = String.valueOf(total);
        }
        switch (s) {
        case "a":
            return null;
        case "bc":
            return s.substring(1);
        default:
            switch (i) {
            case -100:
                return "low";
            case 100000:
                return "high";
            }
        }
        return s == null ? "null" : s;
    }

    Object handlers(Object o, List<? extends Number> list) throws Exception {
        Object result = null;
        try {
            synchronized (o) {
                result = list.get(0);
                if (result instanceof Integer && o != this) {
                    throw new IllegalStateException("x", new RuntimeException());
                }
            }
        } catch (IllegalStateException | ClassCastException e) {
            result = e.getMessage();
        } catch (RuntimeException e) {
            throw new Exception(e);
        } finally {
            held = o;
        }
        for (Number n : list) {
            result = n;
        }
        return result;
    }

    Supplier<String> lambdas(int x, String y) {
        IntSupplier s = () -> x + count;
        Supplier<String> t = y::trim;
        Runnable r = Samples::new;
        r.run();
        return s.getAsInt() > 0 ? t : () -> y + x + total;
    }

    static Object arrays(Object o, String[] strings, Object[][] deep) {
        Object[] up = strings;
        Serializable ser = deep;
        Cloneable c = strings.clone();
        int[][][] cube = new int[2][3][];
        cube[0][1] = new int[] { 1, 2, 3 };
        deep[0] = up;
        up[1] = o;
        String[] down = (String[]) o;
        return down.length > 2 ? ser : (Object) cube[1] == deep ? c : deep[1][2];
    }

    long wide(long a, double b, int c) {
        long l1 = a, l2 = l1 * 3, l3 = ~l2;
        double d1 = b, d2 = d1 + l3;
        int i = c;
        do {
            i -= 1000;
            l3 += i;
            total -= l1 = l2;
            this.total = count = i;
        } while (i > 0 && d2-- > l3);
        return l1 > l2 ? l3 : (long) d1;
    }

    static class Derived extends Samples implements Comparable<Derived> {
        final Samples outer;

        Derived(Samples outer) {
            super(outer.count, outer == null ? "" : "x");
            this.outer = outer;
        }

        @Override
        public int compareTo(Derived other) {
            return Integer.compare(other.count, super.loops(1, null, null));
        }

        @Override
        protected Object clone() throws CloneNotSupportedException {
            Derived copy = (Derived) super.clone();
            copy.held = outer.held;
            return copy;
        }
    }

    interface Shape {
        double area();

        default Shape twice() {
            double a = area();
            return () -> 2 * a;
        }

        static Shape unit() {
            return () -> 1;
        }
    }

    record Square(double side, String name) implements Shape {
        Square {
            if (side < 0 || name.isEmpty()) {
                throw new IllegalArgumentException();
            }
        }

        @Override
        public double area() {
            return side * side;
        }

        @Override
        public Shape twice() {
            return side > 1 ? Shape.super.twice() : new Square(side * 2, name + "2");
        }
    }
}
