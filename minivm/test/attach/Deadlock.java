/* SPDX-License-Identifier: MIT */

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.ReentrantLock;

/** Two pairs of threads that wait for each other, and one that waits for a pair. */
public class Deadlock {
    static final Object a = new Object(), b = new Object();
    static final ReentrantLock c = new ReentrantLock(), d = new ReentrantLock();

    static Thread start(String name, Runnable body) {
        Thread t = new Thread(body, name);
        t.setDaemon(true);
        t.start();
        return t;
    }

    static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new RuntimeException(e);
        }
    }

    static void await(Thread t, Thread.State state) throws InterruptedException {
        while (t.getState() != state)
            Thread.sleep(5);
    }

    public static void main(String[] args) throws Exception {
        CyclicBarrier first = new CyclicBarrier(2), second = new CyclicBarrier(2);

        Thread one = start("one", () -> {
            synchronized (a) {
                meet(first);
                synchronized (b) { System.out.println("never"); }
            }
        });
        Thread two = start("two", () -> {
            synchronized (b) {
                meet(first);
                synchronized (a) { System.out.println("never"); }
            }
        });
        Thread three = start("three", () -> {
            c.lock();
            meet(second);
            d.lock();
        });
        Thread four = start("four", () -> {
            d.lock();
            meet(second);
            c.lock();
        });
        await(one, Thread.State.BLOCKED);
        await(two, Thread.State.BLOCKED);
        Thread outside = start("outside", () -> {
            synchronized (a) { System.out.println("never"); }
        });
        await(outside, Thread.State.BLOCKED);
        /* Past the barrier, only the locks are left to wait for. */
        while (!c.hasQueuedThread(four) || !d.hasQueuedThread(three))
            Thread.sleep(5);
        await(three, Thread.State.WAITING);
        await(four, Thread.State.WAITING);
        System.out.println("ready");
        System.in.read();
    }
}
