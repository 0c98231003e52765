// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Covered in part: branches, switches, handlers, lambdas, nested classes, threads. */
public class Coverage {
    interface Shape {
        int sides();

        default boolean isFlat() {
            return sides() > 2;
        }

        static Shape of(int sides) {
            return sides < 3 ? () -> 0 : () -> sides;
        }
    }

    enum Level {
        LOW, HIGH {
            @Override int weight() {
                return 10;
            }
        };

        int weight() {
            return 1;
        }
    }

    static abstract class Base {
        final int made;

        Base() {
            made = make();
        }

        abstract int make();

        int never() {
            return made * 2;
        }
    }

    static class Derived extends Base {
        @Override int make() {
            return 7;
        }
    }

    static class Unused {
        int field = 3;

        int method() {
            return field;
        }
    }

    static int choose(int n) {
        switch (n) {
        case 1:
            return 10;
        case 2:
            return 20;
        case 3:
            return 30;
        default:
            return n > 5 && n < 10 || n == 100 ? 1 : 2;
        }
    }

    static String words(String s) {
        switch (s) {
        case "a":
            return "A";
        case "b":
            return "B";
        default:
            return "?";
        }
    }

    static int handled(int[] array, int i) {
        try {
            return array[i];
        } catch (ArrayIndexOutOfBoundsException e) {
            return -1;
        } catch (NullPointerException e) {
            return -2;
        } finally {
            array = null;
        }
    }

    static void thrown() {
        int i = 1;
        if (i > 0)
            throw new IllegalStateException();
        System.out.println("never");
    }

    static long loops(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            if (i % 3 == 0)
                continue;
            int j = i;
            while (j-- > 0)
                sum += j;
        }
        return sum;
    }

    static synchronized void locked(List<Integer> list, int n) {
        synchronized (list) {
            if (n > 1000)
                list.clear();
            list.add(n);
        }
    }

    public static void main(String[] args) throws Exception {
        IntUnaryOperator used = x -> x + 1, unused = x -> x * 2;
        System.out.println(choose(1) + choose(3) + choose(7) + choose(11));
        System.out.println(words("a") + words("z") + used.applyAsInt(2));
        System.out.println(handled(new int[3], 2) + handled(new int[3], 3));
        System.out.println(loops(10) + new Derived().made);
        System.out.println(Shape.of(4).isFlat() + " " + Level.HIGH.weight());
        try {
            thrown();
        } catch (IllegalStateException e) {
            System.out.println("thrown");
        }
        List<Integer> list = new ArrayList<>();
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            int n = i;
            threads[i] = new Thread(() -> locked(list, n));
            threads[i].start();
        }
        for (Thread t : threads)
            t.join();
        System.out.println(list.size() + (args.length > 0 ? args[0] : ""));
    }
}
