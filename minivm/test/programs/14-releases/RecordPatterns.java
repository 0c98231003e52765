// SPDX-License-Identifier: MIT
// since: 21
import java.util.List;
import java.util.Map;

/** Deconstruction of records: nested, generic, in conditions, with accessors that throw. */
public class RecordPatterns {
    record Point(int x, int y) { }
    record Line(Point from, Point to) { }
    record Box<T>(T content, int copies) { }
    record Pair<A, B>(A first, B second) { }
    record Faulty(int value) {
        public int value() {
            if (value < 0)
                throw new IllegalStateException("no value " + value);
            return value;
        }
    }

    static int length(Object o) {
        if (o instanceof Line(Point(var x1, var y1), Point(int x2, int y2)))
            return Math.abs(x1 - x2) + Math.abs(y1 - y2);
        if (!(o instanceof Point(int x, int y) && x == y))
            return -1;
        return x + y;
    }

    static <T> String unwrap(Box<? extends T> box) {
        return switch (box) {
            case Box<? extends T>(String s, int n) when n > 1 -> s.repeat(n);
            case Box<? extends T>(Box<?>(var inner, var m), var n) -> "box of " + inner + " " + m * n;
            case Box<? extends T>(var other, var n) -> other + " x" + n;
        };
    }

    static String match(Pair<Object, Object> p) {
        return switch (p) {
            case Pair<Object, Object>(Integer a, Integer b) -> "sum " + (a + b);
            case Pair<Object, Object>(String a, Integer b) -> a + " at " + b;
            case Pair<Object, Object>(Pair<?, ?>(var a, Pair<?, ?>(var b, var c)), var d) ->
                "deep " + a + b + c + d;
            case Pair<Object, Object>(var a, List<?> b) when b.contains(a) -> a + " is in " + b;
            case Pair<Object, Object>(var a, var b) -> "other " + a + "," + b;
        };
    }

    public static void main(String[] args) {
        System.out.println(length(new Line(new Point(1, 2), new Point(4, -6))));
        System.out.println(length(new Point(5, 5)) + " " + length(new Point(5, 6)) + " "
            + length("x") + " " + length(null));
        System.out.println(length(new Line(new Point(1, 2), null)));
        System.out.println(unwrap(new Box<>("ab", 3)) + " " + unwrap(new Box<>(7, 2)) + " "
            + unwrap(new Box<>(new Box<>('c', 4), 5)) + " " + unwrap(new Box<>(null, 1)));
        System.out.println(match(new Pair<>(3, 4)));
        System.out.println(match(new Pair<>("here", 4)));
        System.out.println(match(new Pair<>(new Pair<>(1, new Pair<>('b', 3L)), 4.5)));
        System.out.println(match(new Pair<>("b", List.of("a", "b"))));
        System.out.println(match(new Pair<>("c", List.of("a", "b"))));
        System.out.println(match(new Pair<>(null, null)));
        for (int v : new int[] { 5, -5 })
            try {
                Object o = new Faulty(v);
                System.out.println(o instanceof Faulty(int value) ? "value " + value : "none");
            } catch (MatchException e) {
                System.out.println(e.getMessage() + " | " + e.getCause());
            }
        for (Map.Entry<String, Point> e : Map.of("only", new Point(8, 9)).entrySet())
            if (e.getValue() instanceof Point(var x, var y))
                System.out.println(e.getKey() + " " + x * y);
    }
}
