// SPDX-License-Identifier: MIT
// stress: -XX:GCStress=97 -XX:+PoisonFreed
import java.util.List;

// departs: narrow.byte (HotSpot returns the int as it is, JVMS 6.5 ireturn narrows it)
// departs: narrow.char
// departs: narrow.short
// departs: narrow.boolean
// departs: prepare.value (HotSpot leaves the initializer of the class instead)

/** Methods return early, with every type of result, in events and in another thread. */
public class EarlyReturn {
    static final int PREPARE = 56, THROW = 58, CATCH = 59, STEP = 60, POP = 61, BREAK = 62,
        ACCESS = 63, MODIFY = 64, ENTRY = 65, EXIT = 66, ENTERED = 76;
    static final int NO_MORE = 31, OPAQUE = 32, MISMATCH = 34, NOT_SUSPENDED = 13,
        NOT_ALIVE = 15;

    static native void plan(char event, String method, long location, char action,
                            Object value, double number, int times);
    static native int result();
    static native int enable(int event, boolean on);
    static native int leave(Thread thread, char action, Object value, double number);
    static native int suspend(Thread thread);
    static native int resume(Thread thread);
    static native int stop(Thread thread, Throwable exception);
    static native int state(Thread thread);
    static native int notifyPop(Thread thread, int depth);
    static native void note(Thread thread);
    static native String take();
    static native int breakpoint(Class<?> c, String method, String type, long location);
    static native int watch(Class<?> c, String field);
    static native void upcall(Class<?> c, String method);

    static void check(String name, Object actual, Object expected) {
        boolean good = expected.equals(actual);
        System.out.println((good ? "ok " : "not ok ") + name
                           + (good ? "" : ": " + actual + ", expected " + expected));
    }

    static class T {
        static int count, trigger, cleanups;

        static boolean z() {
            count++;
            return false;
        }

        static byte b() {
            count++;
            return 1;
        }

        static char c() {
            count++;
            return 1;
        }

        static short s() {
            count++;
            return 1;
        }

        static int i(int n) {
            count++;
            trigger = n;
            count++;
            return n;
        }

        static long j(long a) {
            count++;
            return a;
        }

        static float f() {
            count++;
            return 1;
        }

        static double d(double a, double b) {
            count++;
            return a + b;
        }

        static void v() {
            count++;
        }

        static String text(Object o) {
            count++;
            return o.toString();
        }

        static int[] array() {
            count++;
            return null;
        }

        static List<String>[][] lists() {
            count++;
            return null;
        }

        static Comparable<?> comparable() {
            count++;
            return null;
        }

        int field;

        T(int n) {
            field = n;
            trigger = n;
            field = n + 1;
        }

        T() {
        }

        synchronized int locks(Object a, Object b) {
            synchronized (a) {
                synchronized (b) {
                    trigger = 1;
                    return 1;
                }
            }
        }

        static int cleans(int n) {
            try {
                trigger = n;
                return n;
            } finally {
                cleanups++;
            }
        }

        static int fails(int n) {
            count++;
            return n / (n - n);
        }

        static int reads() {
            return trigger + 1;
        }

        static int loads(int n) {
            count++;
            return n + Loaded.value;
        }

        static class Loaded {
            static int value = 30;
        }

        static int outer(int n) {
            return 1 + inner(n);
        }

        static int inner(int n) {
            trigger = n;
            return n;
        }

        static void empty() {
        }

        static class Init {
            static int value = 5;

            static {
                trigger = 7;
                value = 6;
            }
        }

        static int recursive(int n) {
            return n == 0 ? 0 : 1 + recursive(n - 1);
        }
    }

    static void at(char event, String method, char action, Object value, double number) {
        T.count = 0;
        plan(event, method, -1, action, value, number, 1);
    }

    static String returned(Object value) {
        return result() + " " + value + " " + T.count;
    }

    static void types() {
        enable(ENTRY, true);
        at('E', "z", 'I', null, 1);
        check("type.boolean", returned(T.z()), "0 true 0");
        at('E', "b", 'I', null, -100);
        check("type.byte", returned(T.b()), "0 -100 0");
        at('E', "c", 'I', null, 'q');
        check("type.char", returned(T.c()), "0 q 0");
        at('E', "s", 'I', null, -30000);
        check("type.short", returned(T.s()), "0 -30000 0");
        at('E', "i", 'I', null, 1 << 30);
        check("type.int", returned(T.i(1)), "0 1073741824 0");
        at('E', "j", 'J', null, 1e17);
        check("type.long", returned(T.j(1)), "0 100000000000000000 0");
        at('E', "f", 'F', null, 0.25);
        check("type.float", returned(T.f()), "0 0.25 0");
        at('E', "d", 'D', null, -1e300);
        check("type.double", returned(T.d(1, 2)), "0 -1.0E300 0");
        at('E', "v", 'V', null, 0);
        T.v();
        check("type.void", returned(""), "0  0");
        at('E', "text", 'L', "forced", 0);
        check("type.object", returned(T.text(1)), "0 forced 0");
        at('E', "text", 'L', null, 0);
        check("type.null", returned(T.text(1)), "0 null 0");
        at('E', "array", 'L', new int[4], 0);
        check("type.array", returned(T.array().length), "0 4 0");
        at('E', "comparable", 'L', "c", 0);
        check("type.interface", returned(T.comparable()), "0 c 0");
        at('E', "lists", 'L', new java.util.ArrayList[1][2], 0);
        check("type.covariant-array", returned(T.lists().length), "0 1 0");
        at('E', "lists", 'L', new List[1][2], 0);
        check("type.nested-array", returned(T.lists().length), "0 1 0");
        at('E', "<init>", 'V', null, 0);
        check("type.constructor", returned(new T(4).field), "0 0 0");
        at('E', "b", 'I', null, 300);
        int narrow = T.b();
        check("narrow.byte", narrow, 44);
        at('E', "c", 'I', null, -1);
        narrow = T.c();
        check("narrow.char", narrow, 65535);
        at('E', "s", 'I', null, 70000);
        narrow = T.s();
        check("narrow.short", narrow, 4464);
        at('E', "z", 'I', null, 2);
        check("narrow.boolean", T.z(), false);
        enable(ENTRY, false);
    }

    static void mismatches() {
        enable(ENTRY, true);
        at('E', "i", 'J', null, 1);
        check("mismatch.int-long", returned(T.i(1)), "34 1 2");
        at('E', "j", 'I', null, 1);
        check("mismatch.long-int", returned(T.j(1)), "34 1 1");
        at('E', "f", 'I', null, 1);
        check("mismatch.float-int", returned(T.f()), "34 1.0 1");
        at('E', "d", 'F', null, 1);
        check("mismatch.double-float", returned(T.d(1, 2)), "34 3.0 1");
        at('E', "v", 'I', null, 1);
        T.v();
        check("mismatch.void-int", returned(""), "34  1");
        at('E', "i", 'V', null, 1);
        check("mismatch.int-void", returned(T.i(1)), "34 1 2");
        at('E', "text", 'I', null, 1);
        check("mismatch.object-int", returned(T.text("t")), "34 t 1");
        at('E', "i", 'L', "x", 1);
        check("mismatch.int-object", returned(T.i(1)), "34 1 2");
        at('E', "text", 'L', 5, 1);
        check("mismatch.class", returned(T.text("t")), "34 t 1");
        at('E', "array", 'L', new long[0], 1);
        check("mismatch.array", returned(T.array()), "34 null 1");
        at('E', "comparable", 'L', new Object(), 1);
        check("mismatch.interface", returned(T.comparable()), "34 null 1");
        enable(ENTRY, false);
        check("native", leave(Thread.currentThread(), 'I', null, 0), OPAQUE);
    }

    static void effects() {
        enable(MODIFY, true);
        enable(ACCESS, true);
        T.trigger = -1;
        watch(T.class, "trigger");
        at('M', "i", 'I', null, 77);
        check("field.value", returned(T.i(5)), "0 77 1");
        check("field.write", T.trigger, -1);
        at('A', "reads", 'I', null, 78);
        check("field.read", T.reads(), 78);
        T t = new T();
        Object a = new Object(), b = new Object();
        at('M', "locks", 'I', null, 79);
        check("locks.value", t.locks(a, b), 79);
        check("locks.free", Thread.holdsLock(t) || Thread.holdsLock(a)
              || Thread.holdsLock(b), false);
        at('M', "cleans", 'I', null, 80);
        check("finally.value", T.cleans(5), 80);
        check("finally.runs", T.cleanups, 0);
        at('M', "<init>", 'V', null, 0);
        check("constructor", new T(4).field, 4);
        at('M', "<clinit>", 'V', null, 0);
        check("initializer", T.Init.value + T.trigger, 4);
        check("initializer.result", result(), 0);
        enable(MODIFY, false);
        enable(ACCESS, false);
        enable(THROW, true);
        at('T', "fails", 'I', null, 81);
        check("exception", returned(T.fails(5)), "0 81 1");
        enable(THROW, false);
        enable(PREPARE, true);
        at('K', "loads", 'I', null, 82);
        check("prepare.value", T.loads(4), 82);
        check("prepare.entries", T.count, 1);
        enable(PREPARE, false);
        enable(STEP, true);
        at('S', "recursive", 'I', null, 83);
        check("step", T.recursive(5), 83);
        enable(STEP, false);
    }

    /** MethodExit and FramePop are sent as in a normal return. */
    static void events() {
        enable(ENTRY, true);
        enable(EXIT, true);
        enable(POP, true);
        note(Thread.currentThread());
        at('E', "inner", 'I', null, 30);
        check("events.value", T.outer(3), 31);
        at('X', "inner", 'I', null, 40);
        check("exit.value", T.outer(3), 41);
        at('X', "empty", 'V', null, 0);
        T.empty();
        check("exit.void", result(), 0);
        note(null);
        check("events", take(), "E:outer E:inner X:inner=30 X:outer=31"
              + " E:outer E:inner X:inner=3 X:inner=40 X:outer=41"
              + " E:empty X:empty X:empty");
        enable(ENTRY, false);
        enable(EXIT, false);
        enable(POP, false);
    }

    // ---- another thread ----

    static class TWorker extends Thread {
        volatile boolean started, go = true, after;
        Object value;

        TWorker() {
            setDaemon(true);
        }

        String spin(int n, String s) {
            started = true;
            try {
                while (go)
                    ;
            } finally {
                go = false;
            }
            return s + n;
        }

        @Override
        public void run() {
            value = spin(5, "abc");
            after = true;
        }
    }

    static class TAlone extends Thread {
        volatile boolean started, go = true, after;

        @Override
        public void run() {
            started = true;
            while (go)
                ;
            after = true;
        }
    }

    static void others() throws Exception {
        TWorker w = new TWorker();
        check("not-started", leave(w, 'L', null, 0), NOT_ALIVE);
        w.start();
        while (!w.started)
            Thread.onSpinWait();
        check("running", leave(w, 'L', null, 0), NOT_SUSPENDED);
        enable(EXIT, true);
        enable(POP, true);
        note(w);
        suspend(w);
        check("notify", notifyPop(w, 0), 0);
        check("other.mismatch", leave(w, 'L', 5, 0), MISMATCH);
        check("other", leave(w, 'L', new String("for" + w.started), 0), 0);
        for (int i = 0; i < 200; i++)
            w.value = new int[1000];
        System.gc();
        resume(w);
        w.join();
        note(null);
        enable(EXIT, false);
        enable(POP, false);
        check("other.value", w.value + " " + w.go + w.after, "fortrue truetrue");
        check("other.events", take(), "X:spin=object P:spin X:run");
        check("ended", leave(w, 'L', null, 0), NOT_ALIVE);

        TAlone alone = new TAlone();
        alone.start();
        while (!alone.started)
            Thread.onSpinWait();
        suspend(alone);
        check("one-frame", leave(alone, 'V', null, 0), 0);
        resume(alone);
        alone.join();
        check("one-frame.after", alone.after, false);
    }

    public static void main(String[] args) throws Throwable {
        types();
        mismatches();
        effects();
        events();
        others();
    }
}
