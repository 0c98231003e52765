// SPDX-License-Identifier: MIT
import java.util.function.IntUnaryOperator;

/** What is executed of it is known: each line that is has a comment that says so.
 *  "+": executed; "-": not; "n/m": n of its m branches are taken, too. */
public class Target {                           // -
    interface Shape {
        int SIDES = Integer.parseInt("4");      // +

        int sides();

        default boolean isFlat() {
            return sides() > 2;                 // + 1/2
        }

        static Shape of(int sides) {
            return sides < 3 ? () -> 0 : () -> sides;   // + 1/2
        }
    }

    enum Level {                                // +
        LOW, HIGH {                             // +
            @Override
            int weight() {
                return 10;                      // +
            }
        };

        int weight() {
            return 1;                           // -
        }
    }

    record Point(int x, int y) {                // +
        int sum() {
            return x + y;                       // +
        }

        /* It returns a field, but is no accessor: nothing else has its name. */
        int first() {
            return x;                           // -
        }
    }

    /** Its subclass is used before it is initialized. */
    static class Base {                         // +
        static final Base FIRST = new Derived(7);       // +
    }

    static class Derived extends Base {
        static int made;
        final int n;

        Derived(int n) {                        // +
            this.n = n;                         // +
            made++;                             // +
        }                                       // +
    }

    static class Unused {                       // -
        int field = 3;                          // -

        int method() {
            return field;                       // -
        }
    }

    static final class Util {
        private Util() {
        }

        static int twice(int n) {
            return 2 * n;                       // +
        }
    }

    static class Resource implements AutoCloseable {    // +
        @Override
        public void close() {
            count++;                            // +
        }                                       // +
    }

    static int count;

    static int dense(int n) {
        switch (n) {                            // + 2/4
        case 1:
            return 10;                          // +
        case 2:
            return 20;                          // -
        case 3:
            return 30;                          // -
        default:
            return n > 5 && n < 10 || n == 100 ? 1 : 2;     // + 5/6
        }
    }

    static int sparse(int n) {
        switch (n) {                            // + 2/3
        case 1:
        case 1000:
            n++;                                // +
        case 100000:                            // (falls through)
            n++;                                // +
            break;                              // +
        default:
            n = 0;                              // -
        }
        return n;                               // +
    }

    static String words(String s) {
        switch (s) {                            // + 2/3
        case "a":
            return "A";                         // +
        case "b":
            return "B";                         // -
        default:
            return "?";                         // +
        }
    }

    static int handled(int[] array, int i) {
        try {
            return array[i];                    // +
        } catch (ArrayIndexOutOfBoundsException e) {    // +
            return -1;                          // +
        } catch (NullPointerException e) {      // -
            return -2;                          // -
        } finally {
            count++;                            // +
        }
    }

    static void thrown(int i) {
        if (i > 0)                              // + 1/2
            throw new IllegalStateException();  // +
        count++;                                // -
    }                                           // -

    /** The call does not come back: its line is not executed to the end. */
    static int passed() {
        int n = 1;                              // +
        thrown(n);                              // -
        return n;                               // -
    }

    static long loops(int n) {
        long sum = 0;                           // +
        for (int i = 0; i < n; i++) {           // + 2/2
            if (i % 3 == 0)                     // + 2/2
                continue;                       // +
            int j = i;                          // +
            while (j-- > 0)                     // + 2/2
                sum += j;                       // +
        }
        do {
            sum--;                              // +
        } while (sum > 1000000);                // + 1/2
        return sum;                             // +
    }

    static synchronized void locked(Object lock, int n) {
        synchronized (lock) {                   // +
            if (n > 1000)                       // + 1/2
                count = 0;                      // -
            count += n;                         // +
        }                                       // +
    }                                           // +

    static int resource() {
        try (Resource r = new Resource()) {     // +
            return count;                       // +
        }
    }

    static Object nested(int n) {
        class Local {                           // +
            final int m = n;                    // +

            class Inner {                       // +
                int m() {
                    return m;                   // +
                }
            }
        }
        Runnable run = new Runnable() {         // +
            @Override
            public void run() {
                count++;                        // -
            }                                   // -
        };
        int m = new Local().new Inner().m();    // +
        return m > 0 ? run : null;              // + 1/2
    }

    public static void main(String[] args) throws Exception {
        IntUnaryOperator used = x -> x + 1;     // +
        IntUnaryOperator unused = x ->          // +
            x * 2;                              // -
        int sum = dense(1) + dense(7) + dense(11) + dense(100);     // +
        sum += sparse(1) + sparse(100000);      // +
        sum += handled(new int[3], 2) + handled(new int[3], 3);     // +
        sum += loops(10) + Util.twice(3) + used.applyAsInt(2);      // +
        sum += new Point(1, 2).sum() + new Derived(1).n;            // +
        System.out.println(sum + words("a") + words("z"));          // +
        System.out.println(Shape.of(Shape.SIDES).isFlat());         // +
        System.out.println(Level.HIGH.weight());                    // +
        try {
            passed();                           // -
        } catch (IllegalStateException e) {     // +
            System.out.println("thrown");       // +
        }                                       // -
        locked(used, resource());               // +
        System.out.println(nested(1) != null);  // + 1/2
        if (args.length > 0)                    // + 1/2
            Second.main(args);                  // -
        System.out.println(count);              // +
    }                                           // +
}
