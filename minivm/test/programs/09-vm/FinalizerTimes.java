/* SPDX-License-Identifier: MIT */
/* Which objects are finalized: those whose Object constructor has returned, and clones
   (JLS 12.6). */
import java.util.*;
import java.util.concurrent.atomic.AtomicInteger;

public class FinalizerTimes {
    static final Map<String, AtomicInteger> counts = new TreeMap<>();

    static class Counted implements Cloneable {
        final String name;

        Counted(String name, int number) {
            if (number < 0)
                throw new IllegalArgumentException(name);
            this.name = name;
        }

        Object copy() throws CloneNotSupportedException {
            return clone();
        }

        @Override
        @SuppressWarnings("removal")
        protected void finalize() {
            synchronized (counts) {
                counts.computeIfAbsent(String.valueOf(name), n -> new AtomicInteger())
                    .incrementAndGet();
            }
        }
    }

    static class Derived extends Counted {
        Derived(String name, String number) {
            super(name, Integer.parseInt(number));
        }
    }

    static void make() throws Exception {
        new Counted("made", 1);
        new Counted("copied", 1).copy();
        new Derived("derived", "5");
        Counted.class.getDeclaredConstructor(String.class, int.class)
            .newInstance("reflected", 3);
        try {
            new Derived("not begun", "x"); /* no constructor was entered */
        } catch (NumberFormatException e) {
            System.out.println("not begun");
        }
        try {
            new Counted("not done", -1); /* Object's has returned: its name is null */
        } catch (IllegalArgumentException e) {
            System.out.println("not done");
        }
        class Never extends Counted {
            Never() {
                super("never", 1 / zero);
            }
        }
        try {
            new Never();
        } catch (ArithmeticException e) {
            System.out.println("never");
        }
    }

    static int zero;

    static int total() {
        synchronized (counts) {
            return counts.values().stream().mapToInt(AtomicInteger::get).sum();
        }
    }

    public static void main(String[] args) throws Exception {
        make();
        for (int i = 0; i < 200 && total() < 6; i++) {
            System.gc();
            Thread.sleep(10);
        }
        System.gc();
        Thread.sleep(100);
        System.out.println(counts);
    }
}
