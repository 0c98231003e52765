// SPDX-License-Identifier: MIT
package target;

import java.util.ArrayList;
import java.util.List;

/** Code of all shapes; its calls are counted by hand where that is said. */
public class Target {
    interface Shape {
        double area();
        default String text() { return "area " + (int) area(); }
    }

    record Square(double side) implements Shape {
        public double area() { return side * side; }
    }

    record Disc(double radius) implements Shape {
        public double area() { return Math.PI * radius * radius; }
    }

    static class Base {
        final List<String> log;
        Base(List<String> log) { this.log = log; }
    }

    static class Derived extends Base {
        Derived(boolean big) {
            super(big ? new ArrayList<>(1000) : new ArrayList<>());
            log.add("made");
        }
    }

    static int dense(int i) {
        switch (i) {
        case 1: return 10;
        case 2: return 20;
        case 4: return 40;
        default: return -1;
        }
    }

    static int sparse(int i) {
        switch (i) {
        case -1000000: return 1;
        case 7: return 2;
        case 99999999: return 3;
        default: return 4;
        }
    }

    static String words(String s) {
        switch (s) {
        case "one": return "1";
        case "two": return "2";
        default: return s;
        }
    }

    static long loop(int n) {
        long sum = 0;
        double half = 0.5;
        for (int i = 0; i < n; i++) {
            sum += i;
            if (i % 3 == 0)
                continue;
            Object o = i % 2 == 0 ? "even" : Integer.valueOf(i);
            sum += o instanceof String ? 1 : (long) (2 * half);
        }
        return sum;
    }

    static int tryAll(int depth) {
        try {
            if (depth == 0)
                throw new IllegalStateException("deep");
            return tryAll(depth - 1) + 1;
        } catch (IllegalArgumentException never) {
            return -100;
        } finally {
            counter++;
        }
    }

    static int counter;

    static synchronized int locked(Object lock) {
        synchronized (lock) {
            return counter;
        }
    }

    static int counted(int n) {     // 1 call; n + 3 lines; leaves once
        int sum = 0;
        for (int i = 0; i < n; i++)
            sum += i;
        return sum;
    }

    static void fails() {           // thrown once
        throw new RuntimeException("x");
    }

    public static void main(String[] args) throws Exception {
        System.out.println(dense(1) + dense(3) + dense(4) + " " + sparse(7) + sparse(8)
                           + " " + words("two") + words("x"));
        System.out.println(loop(1000) + " " + new Derived(true).log);
        for (Shape shape : new Shape[] { new Square(2), new Disc(1) })
            System.out.println(shape.text() + " " + shape);
        try {
            tryAll(3);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + " " + counter + " "
                               + e.getStackTrace()[0].getLineNumber());
        }
        System.out.println(locked(new Object()));
        List<Integer> list = new ArrayList<>(List.of(3, 1, 2));
        list.sort((a, b) -> b - a);
        System.out.println(list + String.format(" %5.2f %s", 1.5, new int[2][3].length));
        Runnable r = () -> System.out.println("run " + args.length);
        r.run();
        if (args.length > 0)
            count();
    }

    /** What the probes see: a call without, one with an exception. */
    static void count() throws Exception {
        Class<?> probe = Class.forName("probe.Probe");
        int[] before = read(probe);
        counted(5);
        int[] between = read(probe);
        try {
            fails();
        } catch (RuntimeException expected) {
        }
        int[] after = read(probe);
        System.out.println("enter " + (between[0] - before[0]) + " leave "
                           + (between[1] - before[1]) + " thrown " + (after[2] - between[2])
                           + " never " + after[4]);
    }

    static int[] read(Class<?> probe) throws Exception {
        String[] names = { "enter", "leave", "thrown", "line", "never" };
        int[] values = new int[names.length];
        for (int i = 0; i < names.length; i++)
            values[i] = probe.getField(names[i]).getInt(null);
        return values;
    }
}
