// SPDX-License-Identifier: MIT
// stress: -XX:GCStress=97 -XX:+PoisonFreed
// departs: park-status the thread is interrupted as well (Stop Thread)
// departs: spin-status the thread is interrupted as well (Stop Thread)
import java.util.concurrent.locks.LockSupport;

/** An exception arrives in a thread that runs or waits, and nothing else does. */
public class Stops {
    static class Own extends Error {
    }

    interface Body {
        void run() throws Exception;
    }

    static native int stop(Thread t, Throwable exception);
    static native int state(Thread t);

    static final Object lock = new Object();
    static volatile boolean running, done;
    static volatile int spins;

    static void check(String name, boolean good) {
        System.out.println((good ? "ok " : "not ok ") + name);
    }

    /** Stops a thread in body, once its state has these bits. */
    static void stopIn(String name, Body body, int bits) throws Exception {
        Own own = new Own();
        Throwable[] got = new Throwable[1];
        boolean[] interrupted = new boolean[1];
        running = false;
        Thread t = new Thread(() -> {
            try {
                running = true;
                body.run();
            } catch (Throwable e) {
                got[0] = e;
            }
            interrupted[0] = Thread.currentThread().isInterrupted();
        });
        t.start();
        while (!running || (state(t) & bits) != bits)
            Thread.sleep(1);
        check(name + "-stopped", stop(t, own) == 0);
        t.join(20000);
        check(name + "-ended", !t.isAlive());
        check(name + "-object", got[0] == own);
        check(name + "-status", !interrupted[0]);
    }

    public static void main(String[] args) throws Exception {
        int sleeping = 0x40, parked = 0x200, inWait = 0x100;
        stopIn("sleep", () -> Thread.sleep(60000), sleeping);
        stopIn("wait", () -> {
            synchronized (lock) {
                lock.wait();
            }
        }, inWait);
        stopIn("timed-wait", () -> {
            synchronized (lock) {
                lock.wait(60000);
            }
        }, inWait);
        stopIn("park", () -> {
            while (true)
                LockSupport.park(lock);
        }, parked);
        stopIn("spin", () -> {
            while (!done)
                spins++;
        }, 1);
        /* The lock is free again. */
        synchronized (lock) {
            check("lock-free", true);
        }
        /* An interrupt that was there stays. */
        Thread.currentThread().interrupt();
        Own own = new Own();
        Throwable got = null;
        try {
            stop(Thread.currentThread(), own);
        } catch (Own e) {
            got = e;
        }
        check("own-thread", got == own);
        check("own-thread-interrupted", Thread.interrupted());
        check("not-alive", stop(new Thread(), own) == 15);
    }
}
