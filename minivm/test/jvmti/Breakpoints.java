// SPDX-License-Identifier: MIT
// stress: -XX:GCStress=97 -XX:+PoisonFreed
// departs: middle every index below the code's length is taken (Set Breakpoint)
// departs: second-duplicate one environment at a time has breakpoints (Set Breakpoint)
// departs: second-enable one environment at a time has breakpoints (Set Breakpoint)
// departs: second one environment at a time has breakpoints (Set Breakpoint)
// departs: set-in-catch is not reported (Multiple Co-located Events)

import java.util.Arrays;

/** Breakpoints at chosen bytecodes: when they are hit, in what order, and by whom. */
public class Breakpoints {
    static final int STEP = 60, BREAKPOINT = 62, ENTRY = 65, CATCH = 59;
    static final int NONE = 0, INVALID_LOCATION = 24, DUPLICATE = 40, NOT_FOUND = 41;

    static native String take();
    static native long events();
    static native int enable(int event, boolean on, Thread thread);
    static native int enableSecond(int event, boolean on);
    static native int setBreakpoint(Class<?> c, String method, long location);
    static native int setBreakpointSecond(Class<?> c, String method, long location);
    static native int clearBreakpoint(Class<?> c, String method, long location);
    /** In the callback of event at method and location, once: action at target. */
    static native void plan(char event, String method, long location, char action,
                            String target, long targetLocation, Class<?> c);
    static native byte[] bytecodes(Class<?> c, String method);

    static abstract class T {
        /* 0 iconst_0, 1 istore_1, 2 iconst_0, 3 istore_2, 4 iload_2, 5 iload_0,
           6 if_icmpge 19, 9 iload_1, 10 iload_2, 11 iadd, 12 istore_1, 13 iinc,
           16 goto 4, 19 iload_1, 20 ireturn */
        static int loop(int n) {
            int sum = 0;
            for (int i = 0; i < n; i++)
                sum += i;
            return sum;
        }

        /* 0 iload_0, 1 ifne 8, 4 iconst_1, 5 goto 16, 8 iload_0, 9 iload_0,
           10 iconst_1, 11 isub, 12 invokestatic, 15 imul, 16 ireturn */
        static int factorial(int n) {
            return n == 0 ? 1 : n * factorial(n - 1);
        }

        static native void nothing();
        abstract void body();

        /* 0 new, 3 dup, 4 invokespecial, 7 athrow, 8 astore_0, 9 iconst_3 */
        static int caught() {
            try {
                throw new RuntimeException();
            } catch (RuntimeException e) {
                return 3;
            }
        }

        /* 0 iconst_1, 1 ldc, 3 ldc2_w, 6 invokestatic, 9 iload_0, 10 iadd, 11 iadd */
        static int below(int a) {
            return 1 + (set("below", 9) + a);
        }

        static volatile boolean stop, running;
        static volatile int rounds;

        /* 0 iconst_0, 1 istore_0, 2 iconst_1, 3 putstatic, 6 getstatic, 9 ifne 25,
           12 iload_0, 13 iconst_1, 14 iadd, 15 dup, 16 istore_0, 17 iconst_1, 18 iadd,
           19 putstatic, 22 goto 6, 25 iload_0, 26 ireturn */
        static int spin() {
            int n = 0;
            running = true;
            while (!stop)
                rounds = (n = n + 1) + 1;
            return n;
        }

        static synchronized int locked(int a) {
            return a + 1;
        }
    }

    static void check(String name, Object actual, Object expected) {
        boolean good = expected.equals(actual);
        System.out.println((good ? "ok " : "not ok ") + name
            + (good ? "" : ": " + actual + ", expected " + expected));
        System.out.flush();
    }

    static int set(String method, long location) {
        return setBreakpoint(T.class, method, location);
    }

    static int clear(String method, long location) {
        return clearBreakpoint(T.class, method, location);
    }

    static void plan(char event, String method, long location, char action,
                     String target, long targetLocation) {
        plan(event, method, location, action, target, targetLocation, T.class);
    }

    static void errors() {
        check("set", set("loop", 9), NONE);
        check("duplicate", set("loop", 9), DUPLICATE);
        check("clear", clear("loop", 9), NONE);
        check("not-found", clear("loop", 9), NOT_FOUND);
        check("never-there", clear("loop", 4), NOT_FOUND);
        check("negative", set("loop", -1), INVALID_LOCATION);
        check("end", set("loop", 21), INVALID_LOCATION);
        check("far", set("loop", 1L << 32), INVALID_LOCATION);
        check("middle", set("loop", 7), INVALID_LOCATION);
        clear("loop", 7);
        check("last", set("loop", 20), NONE);
        check("clear-last", clear("loop", 20), NONE);
        check("native", set("nothing", 0), INVALID_LOCATION);
        check("abstract", set("body", 0), INVALID_LOCATION);
        check("clear-far", clear("loop", 21), INVALID_LOCATION);
        check("silent", take(), "");
    }

    static void hits() {
        byte[] before = bytecodes(T.class, "loop");
        T.loop(3);
        set("loop", 0);
        set("loop", 9);
        set("loop", 20);
        check("bytecodes", Arrays.equals(bytecodes(T.class, "loop"), before), true);
        check("loop-result", T.loop(3), 3);
        check("loop", take(), "B:loop@0 B:loop@9 B:loop@9 B:loop@9 B:loop@20");
        clear("loop", 9);
        T.loop(3);
        check("loop-less", take(), "B:loop@0 B:loop@20");
        enable(BREAKPOINT, false, null);
        T.loop(3);
        check("disabled", take(), "");
        enable(BREAKPOINT, true, null);
        clear("loop", 0);
        clear("loop", 20);
        T.loop(3);
        check("loop-none", take(), "");
        check("bytecodes-after", Arrays.equals(bytecodes(T.class, "loop"), before),
              true);
        set("factorial", 4);
        set("factorial", 12);
        set("factorial", 15);
        check("factorial-result", T.factorial(3), 6);
        check("factorial", take(), "B:factorial@12 B:factorial@12 B:factorial@12 "
            + "B:factorial@4 B:factorial@15 B:factorial@15 B:factorial@15");
        clear("factorial", 4);
        clear("factorial", 12);
        clear("factorial", 15);
        check("below-result", T.below(5), 6);
        check("below", take(), "B:below@9");
        clear("below", 9);
        set("locked", 0);
        check("locked-result", T.locked(1), 2);
        check("locked", take(), "B:locked@0");
        clear("locked", 0);
        set("caught", 8);
        enable(CATCH, true, null);
        check("caught-result", T.caught(), 3);
        check("caught", take(), "C:caught@8 B:caught@8");
        clear("caught", 8);
        plan('C', "caught", 8, 'b', "caught", 8);
        T.caught();
        check("set-in-catch", take(), "C:caught@8 +0 B:caught@8");
        clear("caught", 8);
        enable(CATCH, false, null);
    }

    /** A step comes before the breakpoint, the entry before both. */
    static void order() {
        Thread self = Thread.currentThread();
        set("locked", 0);
        set("locked", 2);
        enable(STEP, true, self);
        enable(ENTRY, true, self);
        T.locked(1);
        enable(STEP, false, self);
        enable(ENTRY, false, self);
        check("order", take(), "E:locked@0 S:locked@0 B:locked@0 S:locked@1 S:locked@2 "
            + "B:locked@2 S:locked@3");
        clear("locked", 0);
        clear("locked", 2);
    }

    /** What a callback sets is reported at once if its place is later in the order. */
    static void inCallbacks() {
        Thread self = Thread.currentThread();
        plan('S', "locked", 1, 'b', "locked", 1);
        enable(STEP, true, self);
        T.locked(1);
        enable(STEP, false, self);
        check("set-in-step", take(), "S:locked@0 S:locked@1 +0 B:locked@1 S:locked@2 "
            + "S:locked@3");
        plan('S', "locked", 1, 'c', "locked", 1);
        enable(STEP, true, self);
        T.locked(1);
        enable(STEP, false, self);
        check("clear-in-step", take(), "S:locked@0 S:locked@1 -0 S:locked@2 "
            + "S:locked@3");
        set("locked", 1);
        plan('B', "locked", 1, 's', "locked", 1);
        T.locked(1);
        enable(STEP, false, self);
        check("step-in-breakpoint", take(), "B:locked@1 S:locked@2 S:locked@3");
        plan('B', "locked", 1, 'b', "locked", 2);
        T.locked(1);
        check("set-ahead", take(), "B:locked@1 +0 B:locked@2");
        plan('B', "locked", 1, 'c', "locked", 2);
        T.locked(1);
        check("clear-ahead", take(), "B:locked@1 -0");
        plan('B', "locked", 1, 'c', "locked", 1);
        T.locked(1);
        T.locked(1);
        check("clear-itself", take(), "B:locked@1 -0");
        enable(ENTRY, true, self);
        plan('E', "locked", 0, 'b', "locked", 0);
        T.locked(1);
        enable(ENTRY, false, self);
        check("set-in-entry", take(), "E:locked@0 +0 B:locked@0");
        clear("locked", 0);
    }

    /** In a loop that another thread runs already, and back to its own speed. */
    static void running() throws Exception {
        int[] result = new int[1];
        Thread t = new Thread(() -> result[0] = T.spin());
        t.start();
        while (!T.running || T.rounds < 1000)
            Thread.onSpinWait();
        take();
        check("running-set", set("spin", 18), NONE);
        while (events() < 100)
            Thread.onSpinWait();
        check("running-clear", clear("spin", 18), NONE);
        Thread.sleep(20);              /* an event may be under way */
        String log = take();
        check("running", log.replace("B:spin@18", "").isBlank(), true);
        int rounds = T.rounds;
        while (T.rounds < rounds + 1000)
            Thread.onSpinWait();
        check("running-cleared", take(), "");
        set("spin", 6);
        while (events() < 100)
            Thread.onSpinWait();
        clear("spin", 6);
        set("spin", 25);
        T.stop = true;
        t.join();
        log = take();
        check("running-end", log.substring(log.lastIndexOf(' ') + 1), "B:spin@25");
        check("running-result", result[0] + 1, T.rounds);
        clear("spin", 25);
    }

    /** The library's own methods, which may have bodies other than their bytecode. */
    static void library() throws Exception {
        String text = "a text that was not hashed before " + System.nanoTime();
        String same = new String(text.toCharArray());
        Class<?> latin = Class.forName("java.lang.StringLatin1");
        int hash = text.hashCode();
        for (int i = 0; i < 10; i++)
            new String(text.toCharArray()).hashCode();
        setBreakpoint(String.class, "hashCode", 0);
        setBreakpoint(latin, "hashCode", 0);
        int again = same.hashCode();
        clearBreakpoint(String.class, "hashCode", 0);
        clearBreakpoint(latin, "hashCode", 0);
        check("library", take(), "B:hashCode@0 B:hashCode@0");
        check("library-result", again, hash);
        check("library-after", new String(text.toCharArray()).hashCode(), hash);
    }

    /** All environments share the breakpoints; the older one is told first. */
    static void environments() {
        set("locked", 1);
        check("second-duplicate", setBreakpointSecond(T.class, "locked", 1), DUPLICATE);
        check("second-enable", enableSecond(BREAKPOINT, true), NONE);
        T.locked(1);
        check("second", take(), "B:locked@1 2B:locked@1");
        enableSecond(BREAKPOINT, false);
        T.locked(1);
        check("second-off", take(), "B:locked@1");
        clear("locked", 1);
        enable(STEP, true, Thread.currentThread());
        enableSecond(STEP, true);
        T.locked(1);
        enableSecond(STEP, false);
        enable(STEP, false, Thread.currentThread());
        check("second-steps", take(), "S:locked@0 2S:locked@0 S:locked@1 2S:locked@1 "
            + "S:locked@2 2S:locked@2 S:locked@3 2S:locked@3");
    }

    public static void main(String[] args) throws Exception {
        T.loop(1);                     /* its class is prepared */
        enable(BREAKPOINT, true, null);
        errors();
        hits();
        order();
        inCallbacks();
        environments();
        running();
        library();
        check("at-the-end", T.loop(1000), 499500);
        check("nothing-left", take(), "");
    }
}
