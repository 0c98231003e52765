/* SPDX-License-Identifier: MIT */
/* Records: generated members, compact constructors, nesting, reflection. */
import java.util.*;

public class Records {
    record Point(int x, int y) {
        static int made;

        Point {
            if (x < 0) {
                throw new IllegalArgumentException("x " + x);
            }
            made++;
        }

        Point(int both) {
            this(both, both);
        }

        double length() {
            return Math.sqrt(x * x + y * y);
        }
    }

    record Everything(boolean z, byte b, char c, short s, int i, long l, float f, double d,
                      String text, int[] array, Point p) {
    }

    record Empty() {
    }

    record Pair<A, B extends Comparable<B>>(A first, B second)
        implements Comparable<Pair<A, B>> {
        @Override
        public int compareTo(Pair<A, B> o) {
            return second.compareTo(o.second);
        }

        @Override
        public String toString() {
            return first + "/" + second;
        }
    }

    public static void main(String[] args) {
        Point p = new Point(3, 4);
        System.out.println(p + " " + p.x() + " " + p.length() + " " + p.hashCode());
        System.out.println(p.equals(new Point(3, 4)) + " " + p.equals(new Point(3))
                           + " " + p.equals(null) + " " + Point.made);
        try {
            new Point(-1, 0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        int[] array = { 1 };
        Everything e = new Everything(true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, -0.0, "t",
                                      array, p);
        Everything same = new Everything(true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, -0.0,
                                         "t", array, new Point(3, 4));
        Everything zero = new Everything(true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 0.0,
                                         "t", array, p);
        System.out.println(e.equals(same) + " " + (e.hashCode() == same.hashCode()) + " "
                           + e.equals(zero));
        System.out.println(e.toString().replaceAll("@[0-9a-f]+", "@"));
        System.out.println(new Empty() + " " + new Empty().hashCode() + " "
                           + new Empty().equals(new Empty()));
        List<Pair<String, Integer>> pairs = new ArrayList<>(List.of(
            new Pair<>("a", 3), new Pair<>("b", 1), new Pair<>("c", 2)));
        Collections.sort(pairs);
        System.out.println(pairs);
        record Local(String s, double... rest) {
        }
        System.out.println(new Local("v", 1, 2).rest().length);
        System.out.println(Everything.class.isRecord() + " " + Records.class.isRecord());
        for (var c : Everything.class.getRecordComponents()) {
            System.out.print(c.getName() + ":" + c.getType().getSimpleName() + " ");
        }
        System.out.println();
        System.out.println(Pair.class.getRecordComponents()[1].getGenericType());
        Map<Point, String> map = new HashMap<>();
        map.put(p, "here");
        System.out.println(map.get(new Point(3, 4)));
        System.out.println(new Everything(false, (byte) 0, 'x', (short) 0, 0, 0, Float.NaN,
            Double.NaN, null, null, null).hashCode());
    }
}
