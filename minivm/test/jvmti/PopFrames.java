// SPDX-License-Identifier: MIT
// stress: -XX:GCStress=97 -XX:+PoisonFreed -Dstop=1
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntSupplier;

// departs: prepare.value (HotSpot pops the initializer of the class instead)
// departs: prepare.entries

/** Frames are popped in events and from another thread; their caller invokes again. */
public class PopFrames {
    static final int PREPARE = 56, THROW = 58, CATCH = 59, STEP = 60, POP = 61, BREAK = 62,
        ACCESS = 63, MODIFY = 64, ENTRY = 65, EXIT = 66, ENTERED = 76;
    static final int NO_MORE = 31, OPAQUE = 32, NOT_SUSPENDED = 13, NOT_ALIVE = 15;

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

    interface Shape {
        int area(int a, long b);
    }

    static class TBase {
        int entries;

        TBase() {
        }

        TBase(int n) {
            entries += n;
        }

        int inherited(int n) {
            T.count++;
            return n + entries;
        }
    }

    static class T extends TBase implements Shape {
        static int count, trigger, cleanups;

        T() {
        }

        T(int n) {
            super(n);
        }

        static int statics(int i, long j, float f, double d, Object o) {
            count++;
            return (int) (i + j + f + d) + o.toString().length();
        }

        private int special(int n) {
            count++;
            return n * 2;
        }

        int virtuals(String s, int n) {
            count++;
            return s.length() + n;
        }

        @Override
        public int area(int a, long b) {
            count++;
            return a * (int) b;
        }

        @Override
        int inherited(int n) {
            return super.inherited(n) + 1;
        }

        static int handled(int a, String s) {
            count++;
            return a + s.length();
        }

        int bound(long j) {
            count++;
            return (int) j;
        }

        static void nothing() {
            count++;
        }

        static int changes(int i, long j, String s) {
            count++;
            i++;
            j *= 2;
            s = s + "!";
            trigger = i;
            return i * 1000 + (int) j * 100 + s.length();
        }

        static int reads(int i) {
            count++;
            i += 10;
            return trigger + i;
        }

        static synchronized int locks(Object a, Object b) {
            count++;
            synchronized (a) {
                synchronized (b) {
                    trigger = 1;
                }
            }
            return Thread.holdsLock(T.class) ? 1 : 0;
        }

        static int cleans(int n) {
            try {
                count++;
                trigger = n;
            } finally {
                cleanups++;
            }
            return n;
        }

        static int throwsOnce(int n) {
            if (count++ == 0)
                throw new IllegalStateException("first");
            return n;
        }

        static int catches(int n) {
            count++;
            try {
                return n / (n - n);
            } catch (ArithmeticException e) {
                return n + count;
            }
        }

        static int a(int n) {
            countA++;
            n++;
            int r = 7 + b(n * 2);
            return r;
        }

        static int b(int n) {
            countB++;
            n++;
            int r = 5 + c(n * 2);
            return r;
        }

        static int c(int n) {
            count++;
            return n;
        }

        static int countA, countB;

        static int recursive(int n) {
            count++;
            return n == 0 ? 0 : 1 + recursive(n - 1);
        }

        static int loop(int n) {
            count++;
            int sum = 0;
            for (int i = 0; i < n; i++)
                sum += i;
            return sum;
        }

        static int loads(int n) {
            count++;
            return n + Loaded.value;
        }

        static String texts(String s, int n) {
            count++;
            return s + n;
        }

        static class Loaded {
            static int value = 30;
        }

        static class Init {
            static int value = initialValue(4);

            static int initialValue(int n) {
                count++;
                return n;
            }
        }

        static class Plain {
            static int value;

            static {
                value = ++count;
            }
        }
    }

    static void expect(String name, int actual, int expected, int entries) {
        check(name + ".popped", result(), 0);
        check(name + ".value", actual, expected);
        check(name + ".entries", T.count, entries);
    }

    static void at(char event, String method) {
        T.count = 0;
        plan(event, method, -1, 'p', null, 0, 1);
    }

    // ---- every kind of invoke ----

    static void invokes() throws Throwable {
        T t = new T();
        Shape shape = t;
        enable(ENTRY, true);
        at('E', "statics");
        expect("static", T.statics(1, 20, 300f, 4000, "text"), 4325, 1);
        at('E', "special");
        expect("special", t.special(21), 42, 1);
        at('E', "virtuals");
        expect("virtual", t.virtuals("four", 5), 9, 1);
        at('E', "area");
        expect("interface", shape.area(6, 7), 42, 1);
        at('E', "inherited");
        expect("super", t.inherited(3), 4, 1);
        at('E', "<init>");
        expect("constructor", new T(5).entries + T.count, 5, 0);
        at('E', "lambda$invokes$0");
        IntSupplier lambda = () -> 5 + ++T.count;
        check("lambda.value", lambda.getAsInt(), 6);
        at('E', "texts");
        check("string", T.texts("s", 3), "s3");
        check("string.popped", result(), 0);
        handles(t);
        enable(ENTRY, false);
        check("later", T.statics(1, 2, 3f, 4, ""), 10);
    }

    static void handles(T t) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle h = lookup.findStatic(
            T.class, "handled", MethodType.methodType(int.class, int.class, String.class));
        MethodHandle bound = lookup.findVirtual(
            T.class, "bound", MethodType.methodType(int.class, long.class));
        check("handle.warm", (int) h.invokeExact(1, "x") + (int) bound.invokeExact(t, 1L), 3);
        at('E', "handled");
        expect("handle", (int) h.invokeExact(40, "ab"), 42, 1);
        at('E', "bound");
        expect("handle-virtual", (int) bound.invokeExact(t, 43L), 43, 1);
    }

    static void opaque() throws Exception {
        enable(ENTRY, true);
        at('E', "nothing");
        upcall(T.class, "nothing");
        check("native-caller", result(), OPAQUE);
        at('E', "nothing");
        T.class.getDeclaredMethod("nothing").invoke(null);
        /* As of JDK 18 reflection calls it by a method handle, from Java code. */
        check("reflection", result(), Runtime.version().feature() < 18 ? OPAQUE : 0);
        at('E', "<clinit>");
        check("initializer.value", T.Plain.value, 1);
        check("initializer", result(), OPAQUE);
        at('E', "initialValue");
        expect("in-initializer", T.Init.value, 4, 1);
        enable(ENTRY, false);
        check("native", leave(Thread.currentThread(), 'p', null, 0), OPAQUE);
    }

    // ---- what remains and what does not ----

    static void effects() {
        enable(MODIFY, true);
        enable(ACCESS, true);
        watch(T.class, "trigger");
        T.trigger = -1;
        at('M', "changes");
        int value = T.changes(1, 2, "s");
        expect("arguments", value, 3000 + 800 + 3, 2);
        check("arguments.write", T.trigger, 3);
        at('A', "reads");
        expect("access", T.reads(1), 3 + 21, 2);
        Object a = new Object(), b = new Object();
        at('M', "locks");
        expect("locks", T.locks(a, b), 1, 2);
        check("locks.free", Thread.holdsLock(a) || Thread.holdsLock(b)
              || Thread.holdsLock(T.class), false);
        at('M', "cleans");
        expect("finally", T.cleans(9), 9, 2);
        check("finally.runs", T.cleanups, 1);
        enable(MODIFY, false);
        enable(ACCESS, false);
    }

    static void events() {
        enable(ENTRY, true);
        enable(EXIT, true);
        enable(POP, true);
        note(Thread.currentThread());
        at('E', "a");
        T.countA = T.countB = 0;
        check("events.value", T.a(1), 7 + 5 + 2 * 5);
        note(null);
        check("events", take(), "E:a E:a E:b E:c X:c=10 X:b=15 X:a=22");
        at('X', "c");
        check("exit.value", T.a(1), 22);
        check("exit.entries", T.count, 2);
        enable(ENTRY, false);
        enable(EXIT, false);
        enable(POP, false);
    }

    static void exceptions() {
        enable(THROW, true);
        enable(CATCH, true);
        at('T', "throwsOnce");
        expect("exception", T.throwsOnce(8), 8, 2);
        at('C', "catches");
        expect("catch", T.catches(4), 6, 2);
        enable(THROW, false);
        enable(CATCH, false);
        enable(PREPARE, true);
        at('K', "loads");
        expect("prepare", T.loads(4), 34, 2);
        enable(PREPARE, false);
    }

    /** c is popped at its entry, b by the breakpoint at its invoke of c, which comes again;
        n has grown by one each time. */
    static void several() {
        T.countA = T.countB = 0;
        enable(STEP, true);
        at('S', "c");
        int value = T.a(1);
        enable(STEP, false);
        check("step.value", value, 22);
        check("step.entries", T.count, 1);
        // countB++ takes 8 bytes, iinc, iconst_5, iload_0, iconst_2 and imul the next 7
        check("breakpoint.set", breakpoint(T.class, "b", "(I)I", 15), 0);
        enable(BREAK, true);
        T.countA = T.countB = T.count = 0;
        plan('B', "b", -1, 'p', null, 0, 3);
        value = T.a(1);
        enable(BREAK, false);
        check("breakpoint.value", value, 7 + 5 + 2 * 8);
        check("breakpoint.entries", "" + T.countA + T.countB + T.count, "141");
    }

    static void deep() {
        enable(ENTRY, true);
        T.count = 0;
        plan('E', "recursive", -1, 'p', null, 0, 150);
        check("deep.value", T.recursive(200), 200);
        check("deep.entries", T.count, 201);
        plan('E', "loop", -1, 'p', null, 0, 1000);
        check("again.value", T.loop(10), 45);
        enable(ENTRY, false);
    }

    // ---- another thread ----

    static class TWorker extends Thread {
        volatile int entries;
        volatile boolean go = true;
        final Object lock;
        String caught;
        int value;

        TWorker(Object lock) {
            this.lock = lock;
            setDaemon(true);
        }

        int spin(int n, String s) {
            n++;
            entries++;
            while (go)
                ;
            return n + s.length();
        }

        int blocks(int n) {
            n++;
            entries++;
            synchronized (lock) {
                return n;
            }
        }

        @Override
        public void run() {
            try {
                value = lock == null ? spin(5, "abc") : blocks(5);
            } catch (Error e) {
                caught = e.getMessage();
            }
        }
    }

    static class TAlone extends Thread {
        volatile boolean started, go = true;

        @Override
        public void run() {
            started = true;
            while (go)
                ;
        }
    }

    static void await(TWorker w, int entries) {
        while (w.entries != entries)
            Thread.onSpinWait();
    }

    /** An exception of StopThread and PopFrame wait together.  The text does not say what
        comes of them; the JDK's VM loses the exception now and then, and the program would
        not end, so this is for runs with the property "stop". */
    static void stopped() throws Exception {
        TWorker stopped = new TWorker(null);
        stopped.start();
        await(stopped, 1);
        check("stopped.codes", suspend(stopped) | stop(stopped, new Error("stopped"))
              | leave(stopped, 'p', null, 0) | resume(stopped), 0);
        stopped.join();
        check("stopped", stopped.caught, "stopped");
    }

    static void others() throws Exception {
        TWorker w = new TWorker(null);
        check("not-started", leave(w, 'p', null, 0), NOT_ALIVE);
        w.start();
        await(w, 1);
        check("running", leave(w, 'p', null, 0), NOT_SUSPENDED);
        for (int i = 1; i <= 50; i++) {
            int codes = suspend(w) | leave(w, 'p', null, 0) | resume(w);
            if (codes != 0)
                check("spin.popped", codes, 0);
            await(w, i + 1);
        }
        w.go = false;
        w.join();
        check("spin.value", w.value, 5 + 51 + 3);
        check("ended", leave(w, 'p', null, 0), NOT_ALIVE);

        if (System.getProperty("stop") != null)
            stopped();

        Object lock = new Object();
        TWorker blocked = new TWorker(lock);
        boolean opaque;
        synchronized (lock) {
            blocked.start();
            while ((state(blocked) & 0x400) == 0)
                Thread.onSpinWait();
            check("blocked.suspend", suspend(blocked), 0);
            opaque = leave(blocked, 'p', null, 0) == OPAQUE;
            check("blocked.resume", resume(blocked), 0);
        }
        blocked.join();
        /* HotSpot is unable to pop a frame that waits for a monitor. */
        check("blocked.value", "" + blocked.value + blocked.entries, opaque ? "61" : "72");

        TAlone alone = new TAlone();
        alone.start();
        while (!alone.started)
            Thread.onSpinWait();
        suspend(alone);
        check("one-frame", leave(alone, 'p', null, 0), NO_MORE);
        resume(alone);
        alone.go = false;
        alone.join();

        CountDownLatch latch = new CountDownLatch(1);
        Thread parked = new Thread(() -> {
            try {
                latch.await();
            } catch (InterruptedException e) {
            }
        });
        parked.start();
        while ((state(parked) & 0x200) == 0)
            Thread.onSpinWait();
        suspend(parked);
        check("parked", leave(parked, 'p', null, 0), OPAQUE);
        resume(parked);
        latch.countDown();
        parked.join();
    }

    public static void main(String[] args) throws Throwable {
        invokes();
        opaque();
        effects();
        events();
        exceptions();
        several();
        deep();
        others();
    }
}
