// SPDX-License-Identifier: MIT
// stress: -XX:GCStress=97 -XX:+PoisonFreed
import java.util.function.IntUnaryOperator;

// departs: entered the step behind a monitorenter that blocked is left out (Single Step)

/** Every bytecode of a method is one step, in the order in which they run. */
public class Steps {
    static final int STEP = 60, ENTRY = 65;

    static native String take();
    static native long events();
    static native int enable(int event, boolean on, Thread thread);

    static class T {
        static int loop(int n) {
            int sum = 0;
            for (int i = 0; i < n; i++)
                sum += i;
            return sum;
        }

        static int choose(int n) {
            switch (n) {
            case 1: return 10;
            case 2: return 20;
            case 1000: return 30;
            default: return 40;
            }
        }

        static int dense(int n) {
            switch (n) {
            case 1: return 10;
            case 2: return 20;
            case 3: return 30;
            default: return 40;
            }
        }

        static int caught(int n) {
            try {
                return 10 / n;
            } catch (ArithmeticException e) {
                return -1;
            }
        }

        static void thrower() {
            throw new IllegalStateException();
        }

        static int outer() {
            try {
                thrower();
                return 0;
            } catch (IllegalStateException e) {
                return 1;
            } finally {
                T.field = 2;
            }
        }

        static int field;
        long wide;

        static long wide(long a, long b) {
            return a < b ? a * 2 : b - 1;
        }

        static synchronized int locked(Object o) {
            synchronized (o) {
                return 5;
            }
        }

        static int lambda(int n) {
            IntUnaryOperator f = x -> x + n;
            return f.applyAsInt(3);
        }

        static int made() {
            T t = new T();
            t.wide = 7;
            int[] a = new int[2];
            a[1] = (int) t.wide;
            return a[1] + a.length;
        }

        static int inner() {
            return enable(STEP, true, Thread.currentThread());
        }

        static int waiting(int a, int b) {
            return a + b * inner() + a;
        }

        static class Init {
            static int value = 3 + inner();
        }

        static int initializing(int a) {
            int x = a + Init.value;
            return x + a;
        }

        static volatile boolean stop, running;

        static int spin() {
            int n = 0;
            running = true;
            while (!stop)
                n = n * 3 + 1;
            return n;
        }

        static int entered(Object o, int a) {
            int n = a;
            synchronized (o) {
                n += 2;
            }
            return n;
        }
    }

    static int failures;

    static void check(String name, Object actual, Object expected) {
        boolean good = expected.equals(actual);
        System.out.println((good ? "ok " : "not ok ") + name
            + (good ? "" : ": " + actual + ", expected " + expected));
        System.out.flush();
    }

    static void on() {
        take();
        enable(STEP, true, Thread.currentThread());
    }

    static String off() {
        enable(STEP, false, Thread.currentThread());
        return take();
    }

    /** "name 1 2 3" for "S:name@1 S:name@2 S:name@3", a name where it changes. */
    static String brief(String log) {
        StringBuilder out = new StringBuilder();
        String last = "";
        for (String event : log.split(" ")) {
            int at = event.indexOf('@');
            String name = event.substring(0, at < 0 ? event.length() : at);
            if (!name.equals(last))
                out.append(out.length() == 0 ? "" : " ").append(name.replace("S:", ""));
            last = name;
            out.append(' ').append(event.substring(at + 1));
        }
        return out.toString();
    }

    static void trace(String name, java.util.function.IntSupplier run, int result,
                      String expected) {
        on();
        int actual = run.getAsInt();
        String log = off();
        check(name + "-result", actual, result);
        check(name, brief(log), expected);
    }

    /** Steps of one round of spin's loop, again and again. */
    static boolean isSpinning(String log) {
        String[] steps = log.split(" ");
        String[] rounds = ("S:spin@6 S:spin@9 S:spin@12 S:spin@13 S:spin@14 S:spin@15 "
            + "S:spin@16 S:spin@17 S:spin@18").split(" ");
        int at = java.util.Arrays.asList(rounds).indexOf(steps[0]);
        for (int i = 0; i < steps.length; i++, at++)
            if (!steps[i].equals(rounds[at % rounds.length]))
                return false;
        return steps.length >= 1000;
    }

    static void spinning() throws Exception {
        int[] result = new int[1];
        Thread t = new Thread(() -> result[0] = T.spin());
        t.start();
        while (!T.running)
            Thread.onSpinWait();
        Thread.sleep(20);
        take();
        check("spin-before", events(), 0L);
        enable(STEP, true, t);
        while (events() < 1000)
            Thread.onSpinWait();
        enable(STEP, false, t);
        Thread.sleep(20);              /* an event may be under way */
        String log = take();
        check("spin", isSpinning(log), true);
        Thread.sleep(20);
        check("spin-off", take(), "");
        enable(STEP, true, t);
        while (events() < 10)
            Thread.onSpinWait();
        T.stop = true;
        t.join();
        log = take();
        check("spin-end", log.substring(log.lastIndexOf("S:spin@6")),
              "S:spin@6 S:spin@9 S:spin@21 S:spin@22");
    }

    static void entering() throws Exception {
        Object lock = new Object();
        int[] result = new int[1];
        Thread t = new Thread(() -> result[0] = T.entered(lock, 40));
        synchronized (lock) {
            t.start();
            while (t.getState() != Thread.State.BLOCKED)
                Thread.sleep(1);
            take();
            enable(STEP, true, t);
        }
        t.join();
        check("entered-result", result[0], 42);
        check("entered", brief(take()), "entered 6 9 10 11 21 22");
    }

    public static void main(String[] args) throws Exception {
        T.loop(2);                     /* its class is initialized, its code quick */
        trace("loop", () -> T.loop(2), 1,
              "loop 0 1 2 3 4 5 6 9 10 11 12 13 16 4 5 6 9 10 11 12 13 16 4 5 6 19 20");
        trace("lookup", () -> T.choose(1000), 30, "choose 0 1 42 44");
        trace("lookup-default", () -> T.choose(7), 40, "choose 0 1 45 47");
        trace("table", () -> T.dense(2), 20, "dense 0 1 31 33");
        trace("table-default", () -> T.dense(0), 40, "dense 0 1 37 39");
        trace("no-exception", () -> T.caught(5), 2, "caught 0 2 3 4");
        trace("exception", () -> T.caught(0), -1, "caught 0 2 3 5 6 7");
        trace("thrown", T::outer, 1,
              "outer 0 thrower 0 3 4 7 outer 11 12 13 14 15 18 19");
        trace("wide", () -> (int) T.wide(3, 4), 6, "wide 0 1 2 3 6 7 10 11 17");
        trace("wide-else", () -> (int) T.wide(4, 4), 3, "wide 0 1 2 3 14 15 16 17");
        trace("locked", () -> T.locked(new Object()), 5, "locked 0 1 2 3 4 5 6 7");
        trace("lambda", () -> T.lambda(4), 7,
              "lambda 0 1 6 7 8 9 lambda$lambda$0 0 1 2 3 lambda 14");
        trace("objects", T::made, 9,
              "made 0 3 4 <init> 0 1 4 made 7 8 9 12 15 16 18 19 20 21 22 25 26 27 28 "
              + "29 30 31 32 33");
        take();
        int waited = T.waiting(2, 3);
        check("waiting-result", waited, 4);
        check("waiting", brief(off()), "inner 9 waiting 5 6 7 8 9");
        take();
        int initialized = T.initializing(10);
        check("initializing-result", initialized, 23);
        check("initializing", brief(off()), "inner 9 initializing 4 5 6 7 8 9");
        spinning();
        entering();
        /* The frame that stepped is quick again and says nothing. */
        check("after", T.loop(1000), 499500);
        check("after-events", events(), 0L);
    }
}
