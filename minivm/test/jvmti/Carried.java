// SPDX-License-Identifier: MIT
// since: 25
// departs: reaches-unmounted the depth counts frames that no trace has (Follow References)
// may depart: carrier-frames in one run of twenty the frames of the thread that it carries
// may depart: carrier-without-its the same
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations
// vm: -Djdk.virtualThreadScheduler.parallelism=4 --add-opens java.base/java.lang=ALL-UNNAMED
// stress: -XX:GCStress=97 -XX:+PoisonFreed -Dcollects=1
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** What agents see of virtual threads that carriers run: mounted, unmounted, between. */
public class Carried {
    static final int SUSPENDED = 0x100000;
    static final int ALIVE = 1, PARKED = 0x200, WAITING = 0x80, INTERRUPTED = 0x200000;
    static final int OPAQUE = 32, NOT_SUSPENDED = 13, IS_SUSPENDED = 14, NOT_ALIVE = 15;
    static final int STEP = 60, BREAKPOINT = 62, EXCEPTION = 58, CATCH = 80, ENTRY = 65,
        EXIT = 66, WAIT = 73, WAITED = 74, CONTENDED = 75, ENTERED = 76, START = 87,
        END = 88;

    static native int suspend(Thread t);
    static native int resume(Thread t);
    static native long list(boolean suspend, Thread... threads);
    static native int state(Thread t);
    static native Thread current();
    static native int setStorage(Thread t, long value);
    static native long storage(Thread t);
    static native int stop(Thread t, Throwable exception);
    static native int interrupt(Thread t);
    static native String frames(Thread t);
    static native String counts(Thread... threads);
    static native int depth(Thread t, String method);
    static native String locals(Thread t, int depth);
    static native int setInt(Thread t, int depth, int slot, int value);
    static native int notifyPop(Thread t, int depth);
    static native int popFrame(Thread t);
    static native String monitors(Thread t, Object contended);
    static native int enterRaw();
    static native int exitRaw();
    static native int reaches(Thread t, long tag, String method);
    static native void tag(Object o, long tag);
    static native int redefine(Class<?> c, byte[] file);
    static native boolean isObsolete(Thread t, int depth);
    static native void note(Thread t);
    static native String take();
    static native int enable(int event, boolean on, Thread t);
    static native int breakpoint(Class<?> c, String method, boolean set);
    static native int platformStarts();
    static native void plan(char what);

    static void check(String name, boolean good) {
        System.out.println((good ? "ok " : "not ok ") + name);
    }

    static void same(String name, Object actual, Object expected) {
        System.out.println(actual.equals(expected)
            ? "ok " + name : "not ok " + name + ": " + actual + ", expected " + expected);
    }

    /** A virtual thread whose body may throw. */
    interface Body {
        void run() throws Exception;
    }

    static volatile Throwable failure;

    static Thread unstarted(Body body) {
        return Thread.ofVirtual().unstarted(() -> {
            try {
                body.run();
            } catch (Throwable e) {
                failure = e;
            }
        });
    }

    static Thread start(Body body) {
        Thread t = unstarted(body);
        t.start();
        return t;
    }

    static final boolean collects = System.getProperty("collects") != null;

    /** Waits until the thread, if it is not suspended, is unmounted and waits.  Two
        collections move the frames of such a thread elsewhere on a VM that packs them. */
    static Thread parked(Thread t) throws Exception {
        while (t.getState() != Thread.State.WAITING || state(t) == ALIVE + 4)
            Thread.sleep(1);
        for (int i = 0; collects && i < 2; i++)
            System.gc();
        return t;
    }

    /** What parked threads wait for. */
    static volatile boolean go;

    static void pause() {
        while (!go)
            LockSupport.park();
    }

    static void release(Thread... threads) throws Exception {
        go = true;
        for (Thread t : threads)
            LockSupport.unpark(t);
        for (Thread t : threads)
            t.join();
        go = false;
    }

    /* ---- frames and locals ---- */

    static int t_locals(int i, long j, float f, double d, String s) {
        pause();
        return i + (int) j + (int) f + (int) d + s.length();
    }

    static volatile int sum;

    static void checkLocals() throws Exception {
        Thread t = parked(start(() -> sum = t_locals(4711, 1L << 40, 1.5f, 2.25, "local")));
        same("frames", frames(t), "yieldContinuation park park pause t_locals runWith run "
            + "enter0 enter");
        same("local-not-suspended", locals(t, depth(t, "t_locals")), "13 0 0 0 0 null");
        same("suspend", suspend(t), 0);
        same("locals", locals(t, depth(t, "t_locals")),
            "0 4711 " + (1L << 40) + " 1.5 2.25 local");
        int error = setInt(t, depth(t, "t_locals"), 0, 11);
        check("set-local", error == 0 || error == OPAQUE);
        same("pop-frame", popFrame(t), OPAQUE);
        same("resume", resume(t), 0);
        release(t);
        same("set-value", sum, (error == 0 ? 11 : 4711) + 1 + 2 + 5);
    }

    static void spin() {
        while (!go)
            Thread.onSpinWait();
    }

    static Thread carrier(Thread t) throws Exception {
        var field = Class.forName("java.lang.VirtualThread")
            .getDeclaredField("carrierThread");
        field.setAccessible(true);
        return (Thread) field.get(t);
    }

    static void checkCarrier() throws Exception {
        Thread t = start(() -> spin());
        while (depth(t, "spin") < 0)
            Thread.sleep(1);
        Thread c = carrier(t);
        check("carrier-frames", frames(c).startsWith("run runContinuation"));
        check("carrier-without-its", depth(c, "spin") < 0);
        same("carrier-state", state(c), 0x91);
        same("suspend-carrier", suspend(c), 0);
        same("suspend-carrier-again", suspend(c), IS_SUSPENDED);
        check("carrier-suspended", (state(c) & SUSPENDED) != 0);
        check("its-not", (state(t) & SUSPENDED) == 0);
        same("suspend-both", suspend(t), 0);
        same("resume-carrier", resume(c), 0);
        check("its-suspended", (state(t) & SUSPENDED) != 0);
        check("carrier-not", (state(c) & SUSPENDED) == 0);
        same("resume-carrier-again", resume(c), NOT_SUSPENDED);
        same("resume-its", resume(t), 0);
        release(t);
    }

    static void checkCounts() throws Exception {
        Thread unmounted = parked(start(() -> pause())), mounted = start(() -> spin());
        Thread ended = start(() -> { });
        ended.join();
        while (depth(mounted, "spin") < 0)
            Thread.sleep(1);
        same("suspended-list", list(true, unmounted, mounted, ended, unmounted),
            (long) NOT_ALIVE * 100 + IS_SUSPENDED);
        same("counts", counts(unmounted, mounted, ended, unstarted(() -> { })),
            "same:100291 same:100005 15:0:2 15:0:0 ");
        same("resumed-list", list(false, mounted, unmounted, unmounted),
            (long) NOT_SUSPENDED);
        release(unmounted, mounted);
    }

    /* ---- suspension ---- */

    static volatile int count;

    static void checkSuspended() throws Exception {
        Thread t = parked(start(() -> {
            pause();
            count++;
        }));
        count = 0;
        same("suspend-unmounted", suspend(t), 0);
        same("suspend-twice", suspend(t), IS_SUSPENDED);
        go = true;
        LockSupport.unpark(t);
        Thread.sleep(100);
        same("stays", count, 0);
        check("is-suspended", (state(t) & SUSPENDED) != 0);
        same("resume-unmounted", resume(t), 0);
        t.join();
        same("goes-on", count, 1);
        go = false;

        Thread self = start(() -> {
            suspend(Thread.currentThread());
            count++;
        });
        while ((state(self) & SUSPENDED) == 0)
            Thread.sleep(1);
        same("suspends-itself", count, 1);
        same("frames-of-itself", frames(self), "suspend runWith run enter0 enter");
        same("resumes-itself", resume(self), 0);
        self.join();
        same("after-itself", count, 2);
    }

    static void t_stopped() {
        spin();
    }

    static void checkStopped() throws Exception {
        Error error = new Error("stopped");
        Thread t = start(() -> t_stopped());
        while (depth(t, "t_stopped") < 0)
            Thread.sleep(1);
        same("stop-running", stop(t, error), NOT_SUSPENDED);
        suspend(t);
        same("stop", stop(t, error), 0);
        resume(t);
        t.join();
        check("stopped", failure == error);

        failure = null;
        boolean[] was = new boolean[1];
        Thread sleeper = start(() -> {
            try {
                Thread.sleep(100000);
            } catch (InterruptedException e) {
                was[0] = !Thread.currentThread().isInterrupted();
            }
        });
        while (sleeper.getState() != Thread.State.TIMED_WAITING)
            Thread.sleep(1);
        same("sleeping-state", state(sleeper) & ~0x40, 0x2a1);
        same("interrupt", interrupt(sleeper), 0);
        sleeper.join();
        check("interrupted", was[0]);
    }

    /* ---- what belongs to a thread ---- */

    static void checkStorage() throws Exception {
        Thread[] all = new Thread[16];
        boolean[] good = new boolean[all.length];
        for (int i = 0; i < all.length; i++) {
            int n = i;
            all[i] = start(() -> {
                Thread me = Thread.currentThread();
                setStorage(n % 2 == 0 ? null : me, n + 100);
                good[n] = true;
                for (int k = 0; k < 200; k++) {
                    Thread.yield();
                    good[n] &= storage(k % 2 == 0 ? me : null) == n + 100
                        && current() == me && storage(carrier(me)) == 0;
                }
                pause();
                good[n] &= storage(null) == n + 200;
            });
        }
        boolean of_others = true, follows = true;
        for (int i = 0; i < all.length; i++)
            of_others &= storage(parked(all[i])) == i + 100
                && setStorage(all[i], i + 200) == 0;
        release(all);
        for (boolean b : good)
            follows &= b;
        check("storage-follows", follows);
        check("storage-of-others", of_others);
        same("storage-ended", storage(all[0]), -1L);
        check("no-failure", failure == null);
    }

    /* ---- events ---- */

    static int t_leaf(int n) {
        return n + 1;
    }

    static int t_yielding(int n) {
        Thread.yield();
        n = t_leaf(n);
        pause();
        return t_leaf(n);
    }

    static int t_throwing(int n) {
        pause();
        throw new IllegalStateException("thrown");
    }

    static void checkEvents() throws Exception {
        Thread t = unstarted(() -> t_yielding(1)), other = unstarted(() -> t_yielding(1));
        note(t);
        enable(START, true, null);
        enable(END, true, null);
        t.start();
        other.start();
        parked(t);
        parked(other);
        same("start-event", take(), "start");
        enable(ENTRY, true, t);
        enable(EXIT, true, t);
        release(t, other);
        same("own-events", take(), "E:t_leaf X:t_leaf X:t_yielding end");
        enable(START, false, null);
        enable(END, false, null);

        Thread steps = unstarted(() -> t_yielding(1));
        note(steps);
        steps.start();
        parked(steps);
        enable(STEP, true, steps);
        release(steps);
        same("steps", (take() + " ").replaceAll("(S:[a-z_]+ )\\1+", "$1"),
            "S:t_yielding S:t_leaf S:t_yielding ");
        same("platform-starts", platformStarts(), 0);
    }

    static void checkPops() throws Exception {
        Thread t = unstarted(() -> t_yielding(1));
        note(t);
        t.start();
        parked(t);
        same("notify-running", notifyPop(t, 0), NOT_SUSPENDED);
        suspend(t);
        same("notify", notifyPop(t, depth(t, "t_yielding")), 0);
        resume(t);
        release(t);
        same("frame-pop", take(), "P:t_yielding");

        Thread throwing = unstarted(() -> t_throwing(1));
        note(throwing);
        throwing.start();
        parked(throwing);
        enable(EXCEPTION, true, null);
        enable(CATCH, true, null);
        suspend(throwing);
        notifyPop(throwing, depth(throwing, "t_throwing"));
        resume(throwing);
        release(throwing);
        enable(EXCEPTION, false, null);
        enable(CATCH, false, null);
        same("frame-pop-thrown", take(), "T:t_throwing PT:t_throwing");
        check("thrown", failure instanceof IllegalStateException);
        failure = null;
    }

    /** In a virtual thread, with a breakpoint at its first bytecode. */
    static int t_target(int n) {
        return n * 2;
    }

    static int[] values(char what) throws Exception {
        int[] value = new int[1];
        Thread t = unstarted(() -> {
            Thread.yield();
            value[0] = t_target(10);
        });
        note(t);
        plan(what);
        t.start();
        while (what == 's' && (state(t) & SUSPENDED) == 0)
            Thread.sleep(1);
        if (what == 's')
            popFrame(t);
        if (what == 's')
            resume(t);
        t.join();
        return value;
    }

    static void checkBreakpoints() throws Exception {
        breakpoint(Carried.class, "t_target", true);
        enable(BREAKPOINT, true, null);
        same("breakpoint-value", values((char) 0)[0], 20);
        same("breakpoint", take(), "B:t_target");
        same("early-return", values('i')[0], 77);
        same("early-return-events", take(), "B:t_target");
        same("set-local-value", values('g')[0], 10);
        same("set-local-events", take(), "B:t_target");
        same("pop-value", values('p')[0], 20);
        same("pop-events", take(), "B:t_target B:t_target");
        same("pop-suspended-value", values('s')[0], 20);
        same("pop-suspended-events", take(), "B:t_target B:t_target");
        enable(BREAKPOINT, false, null);
        breakpoint(Carried.class, "t_target", false);
    }

    /* ---- monitors ---- */

    static void checkMonitors() throws Exception {
        Object held = new Object(), wanted = new Object();
        Thread t = unstarted(() -> {
            synchronized (held) {
                synchronized (wanted) {
                    wanted.wait(20);
                }
            }
        });
        note(t);
        for (int event = WAIT; event <= ENTERED; event++)
            enable(event, true, null);
        synchronized (wanted) {
            t.start();
            while (t.getState() != Thread.State.BLOCKED)
                Thread.sleep(1);
            same("monitors", monitors(t, wanted), "1 true");
            same("blocked-state", state(t), 0x401);
            same("blocked-frames", frames(t), "runWith run enter0 enter");
        }
        t.join();
        for (int event = WAIT; event <= ENTERED; event++)
            enable(event, false, null);
        same("monitor-events", take(), "contended entered wait timed-out");
        check("no-failure-2", failure == null);
    }

    /** More threads than carriers: those that wait for a raw monitor keep theirs. */
    static void checkRawMonitor() throws Exception {
        Thread[] all = new Thread[16];
        int[] entered = new int[1];

        for (int i = 0; i < all.length; i++)
            all[i] = start(() -> {
                for (int k = 0; k < 10; k++) {
                    enterRaw();
                    int before = entered[0];
                    Thread.yield();
                    LockSupport.parkNanos(1000);
                    entered[0] = before + 1;
                    exitRaw();
                }
            });
        for (Thread t : all)
            t.join();
        same("raw-monitor", entered[0], 10 * all.length);
    }

    /* ---- memory ---- */

    /** The memory of the process that no file has, in bytes. */
    static long memory() throws Exception {
        for (String line : Files.readAllLines(Path.of("/proc/self/status")))
            if (line.startsWith("RssAnon:"))
                return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
        throw new AssertionError();
    }

    /** With an agent, too, parked threads take less than a page each.  The memory that a
        sanitizer adds does not count. */
    static void checkMemory() throws Exception {
        Thread[] all = new Thread[20000];
        long before = memory();
        for (int i = 0; i < all.length; i++)
            all[i] = start(() -> pause());
        for (Thread t : all)
            while (t.getState() != Thread.State.WAITING)
                Thread.sleep(1);
        long each = (memory() - before) / all.length;
        String sanitizer = System.getenv("SANITIZER_RUNTIME");
        check("parked-memory", each < 4096 || (sanitizer != null && !sanitizer.isEmpty()));
        if (each >= 4096)
            System.err.println(each + " bytes for each parked thread");
        release(all);
    }

    /* ---- the heap, and redefinition ---- */

    static int t_holder(Object[] box) {
        Object only = box[0];
        box[0] = null;
        pause();
        return only.hashCode();
    }

    static int t_spinner(Object[] box) {
        Object only = box[0];
        box[0] = null;
        spin();
        return only.hashCode();
    }

    static void checkHeap() throws Exception {
        Object[] box = { new Object() };
        tag(box[0], 2);
        Thread t = parked(start(() -> t_holder(box)));
        same("reaches-unmounted", reaches(t, 1, "t_holder"), 1);
        release(t);
        box[0] = new Object();
        tag(box[0], 2);
        Thread mounted = start(() -> t_spinner(box));
        while (depth(mounted, "spin") < 0)
            Thread.sleep(1);
        // Between the walk and the look at the stack the thread must not leave a frame.
        suspend(mounted);
        same("reaches-mounted", reaches(mounted, 1, "t_spinner"), 1);
        resume(mounted);
        release(mounted);
    }

    static class Redefined {
        static String t_old() {
            pause();
            return "first " + t_text();
        }

        static String t_text() {
            return "erste";
        }
    }

    static void checkRedefinition() throws Exception {
        String[] text = new String[1];
        Thread t = parked(start(() -> text[0] = Redefined.t_old()));
        byte[] file;
        try (var in = Carried.class.getResourceAsStream("Carried$Redefined.class")) {
            file = in.readAllBytes();
        }
        String all = new String(file, "ISO-8859-1");
        file = all.replace("first", "other").replace("erste", "neuen")
            .getBytes("ISO-8859-1");
        check("not-obsolete", !isObsolete(t, depth(t, "t_old")));
        same("redefine", redefine(Redefined.class, file), 0);
        check("obsolete", isObsolete(t, depth(t, "t_old")));
        release(t);
        same("old-frame", text[0], "first neuen");
        Thread again = start(() -> text[0] = Redefined.t_old());
        parked(again);
        release(again);
        same("new-frame", text[0], "other neuen");
    }

    public static void main(String[] args) throws Exception {
        checkLocals();
        checkCarrier();
        checkCounts();
        checkSuspended();
        checkStopped();
        checkStorage();
        checkEvents();
        checkPops();
        checkBreakpoints();
        checkMonitors();
        checkRawMonitor();
        checkHeap();
        checkRedefinition();
        if (!collects)
            checkMemory();
    }
}
