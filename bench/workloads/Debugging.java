// SPDX-License-Identifier: MIT

/** What a debugger's events cost: the time of ten million of each, without the work. */
public class Debugging {
    static final int STEP = 60, POP = 61, BREAKPOINT = 62, ACCESS = 63, MODIFICATION = 64,
                     EXCEPTION = 58, CATCH = 59;

    static native long events();
    static native void enable(int event, boolean on);
    static native void breakpoint(String method, boolean on);
    static native double setAndClear(int count);
    static native void watch(boolean on);
    static native void notifyPop(boolean shall);

    static int field;

    static int leaf(int n) {
        return n;
    }

    static int calls(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++)
            sum += leaf(i);
        return sum;
    }

    static int accesses(int n) {
        for (int i = 0; i < n; i++)
            field = field + i;
        return field;
    }

    static int counting(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++)
            sum += i ^ n;
        return sum;
    }

    static final RuntimeException thrown = new RuntimeException();

    static int throwing(int n) {
        int caught = 0;
        for (int i = 0; i < n; i++)
            try {
                throw thrown;
            } catch (RuntimeException e) {
                caught++;
            }
        return caught;
    }

    static boolean shallNotify;

    static int popped() {
        notifyPop(shallNotify);
        return 1;
    }

    static int popping(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++)
            sum += popped();
        return sum;
    }

    interface Work {
        int run(int n);
    }

    static double time(Work work, int n) {
        long start = System.nanoTime();
        work.run(n);
        return (System.nanoTime() - start) / 1e9;
    }

    /** The rest of the cost of one round of work, in seconds for ten million events. */
    static void measure(String name, Work work, int n, Runnable on, Runnable off) {
        for (int i = 0; i < 3; i++)
            work.run(n / 4);
        double without = time(work, n);
        on.run();
        work.run(n / 10);
        long before = events();
        double with = time(work, n);
        long count = events() - before;
        off.run();
        System.out.println(name + " " + (with - without) / count * 1e7);
    }

    static void enable(boolean on, int... kinds) {
        for (int kind : kinds)
            enable(kind, on);
    }

    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        measure("single-step", Debugging::counting, n, () -> enable(STEP, true),
                () -> enable(STEP, false));
        measure("breakpoint", Debugging::calls, n, () -> {
            enable(BREAKPOINT, true);
            breakpoint("leaf", true);
        }, () -> breakpoint("leaf", false));
        measure("field-watch", Debugging::accesses, n, () -> {
            enable(true, ACCESS, MODIFICATION);
            watch(true);
        }, () -> {
            watch(false);
            enable(false, ACCESS, MODIFICATION);
        });
        measure("exception", Debugging::throwing, n / 10,
                () -> enable(true, EXCEPTION, CATCH),
                () -> enable(false, EXCEPTION, CATCH));
        measure("frame-pop", Debugging::popping, n / 10, () -> {
            enable(POP, true);
            shallNotify = true;
        }, () -> {
            shallNotify = false;
            enable(POP, false);
        });
        int count = n / 50;
        System.out.println("set-clear " + setAndClear(count) / count * 1e7);
    }
}
