// SPDX-License-Identifier: MIT

/** Raw monitors: owners, counts, waiting, and threads that are suspended meanwhile. */
public class RawMonitors {
    static final int NONE = 0, INVALID_MONITOR = 50, NOT_OWNER = 51, INTERRUPT = 52;

    static native int create();
    static native int destroy();
    static native int enter();
    static native int exit();
    static native int await(long millis);
    static native int signal(boolean all);
    static native void enterAndTell();
    static native boolean isInside();
    static native int suspend(Thread t, boolean on);

    static void check(String name, Object actual, Object expected) {
        boolean good = expected.equals(actual);
        System.out.println((good ? "ok " : "not ok ") + name
            + (good ? "" : ": " + actual + ", expected " + expected));
        System.out.flush();
    }

    static volatile int waiting, woken;

    static void waiter() {
        enter();
        waiting++;
        await(0);
        woken++;
        exit();
    }

    /** Until another thread's count, which it changes while it owns the monitor. */
    static void waiters(Thread[] threads) {
        for (int i = 0; i < threads.length; i++)
            (threads[i] = new Thread(RawMonitors::waiter)).start();
        for (boolean all = false; !all;) {
            enter();
            all = waiting == threads.length;
            exit();
        }
    }

    public static void main(String[] args) throws Exception {
        check("create", create(), NONE);
        check("exit-free", exit(), NOT_OWNER);
        check("wait-free", await(1), NOT_OWNER);
        check("notify-free", signal(false), NOT_OWNER);
        check("notify-all-free", signal(true), NOT_OWNER);
        check("enter", enter(), NONE);
        check("enter-again", enter(), NONE);
        check("exit-inner", exit(), NONE);
        long start = System.nanoTime();
        check("wait-time", await(30), NONE);
        check("waited", System.nanoTime() - start >= 29_000_000L, true);
        check("exit-outer", exit(), NONE);
        check("exit-too-often", exit(), NOT_OWNER);

        Thread.currentThread().interrupt();
        enter();
        check("interrupted", await(0), INTERRUPT);
        exit();

        Thread[] threads = new Thread[3];
        waiters(threads);
        enter();
        check("notify-one", signal(false), NONE);
        exit();
        while (woken < 1)
            Thread.onSpinWait();
        Thread.sleep(20);
        check("woken-one", woken, 1);
        enter();
        check("notify-rest", signal(true), NONE);
        exit();
        for (Thread t : threads)
            t.join();
        check("woken-all", woken, 3);

        /* One that was suspended while it waited must not get in. */
        enter();
        Thread suspended = new Thread(RawMonitors::enterAndTell);
        suspended.start();
        Thread.sleep(50);
        check("suspend", suspend(suspended, true), NONE);
        exit();
        Thread.sleep(50);
        check("suspended-outside", isInside(), false);
        check("others-enter", enter() + exit(), NONE);
        check("resume", suspend(suspended, false), NONE);
        suspended.join();
        check("resumed-inside", isInside(), true);

        check("destroy", destroy(), NONE);
        check("enter-destroyed", enter(), INVALID_MONITOR);
    }
}
