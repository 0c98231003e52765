// SPDX-License-Identifier: MIT
// since: 25
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations -Djdk.virtualThreadScheduler.parallelism=1 -Djdk.virtualThreadScheduler.maxPoolSize=1
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** Object.wait of virtual threads on one carrier: each way in which it ends. */
public class VirtualWaiting {
    static final Object lock = new Object();
    static int waiting, woken, interrupted, timedOut;
    static boolean open;

    static void awaitState(Thread t, Thread.State state) {
        while (t.getState() != state)
            Thread.onSpinWait();
    }

    static List<Thread> start(int count, Runnable r) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++)
            threads.add(Thread.ofVirtual().start(r));
        return threads;
    }

    static void join(List<Thread> threads) throws InterruptedException {
        for (Thread t : threads)
            t.join();
    }

    /** Waits in a monitor that was entered three times. */
    static void await(long millis) {
        synchronized (lock) {
            synchronized (lock) {
                synchronized (lock) {
                    try {
                        waiting++;
                        while (!open) {
                            lock.wait(millis);
                            if (millis > 0 && !open) {
                                timedOut++;
                                break;
                            }
                        }
                        woken++;
                    } catch (InterruptedException e) {
                        interrupted++;
                        if (Thread.currentThread().isInterrupted())
                            System.out.println("still interrupted");
                    }
                }
                if (!Thread.holdsLock(lock))
                    System.out.println("not held");
            }
        }
        if (Thread.holdsLock(lock))
            System.out.println("still held");
    }

    static void report(String name) {
        synchronized (lock) {
            System.out.println(name + ": " + waiting + " waited, " + woken + " woken, "
                               + timedOut + " timed out, " + interrupted + " interrupted");
            waiting = woken = interrupted = timedOut = 0;
            open = false;
        }
    }

    static void awaitWaiting(List<Thread> threads) {
        for (Thread t : threads)
            while (t.getState() != Thread.State.WAITING
                   && t.getState() != Thread.State.TIMED_WAITING)
                Thread.onSpinWait();
    }

    /** A bounded queue as in textbooks. */
    static class Channel {
        final Queue<Integer> items = new ArrayDeque<>();

        synchronized void put(int i) throws InterruptedException {
            while (items.size() == 2)
                wait();
            items.add(i);
            notifyAll();
        }

        synchronized int take() throws InterruptedException {
            while (items.isEmpty())
                wait();
            int i = items.remove();
            notifyAll();
            return i;
        }
    }

    static void exchange() throws InterruptedException {
        Channel c = new Channel();
        long[] sum = new long[1];
        List<Thread> threads = start(10, () -> {
            try {
                for (int i = 0; i < 100; i++)
                    c.put(i);
            } catch (InterruptedException e) {
                System.out.println(e);
            }
        });
        threads.addAll(start(10, () -> {
            try {
                for (int i = 0; i < 100; i++) {
                    int got = c.take();
                    synchronized (sum) {
                        sum[0] += got;
                    }
                }
            } catch (InterruptedException e) {
                System.out.println(e);
            }
        }));
        join(threads);
        System.out.println("sum " + sum[0]);
    }

    public static void main(String[] args) throws Exception {
        List<Thread> threads = start(100, () -> await(0));
        awaitWaiting(threads);
        synchronized (lock) {
            open = true;
            lock.notifyAll();
        }
        join(threads);
        report("notifyAll");

        threads = start(100, () -> await(0));
        awaitWaiting(threads);
        synchronized (lock) {
            open = true;
        }
        for (int i = 0; i < 100; i++)
            synchronized (lock) {
                lock.notify();
            }
        join(threads);
        report("notify");

        threads = start(100, () -> await(5));
        join(threads);
        report("time");

        threads = start(100, () -> await(0));
        awaitWaiting(threads);
        for (Thread t : threads)
            t.interrupt();
        join(threads);
        report("interrupt");

        threads = start(100, () -> await(100_000));
        awaitWaiting(threads);
        for (Thread t : threads)
            t.interrupt();
        join(threads);
        report("interrupt of a timed wait");

        threads = start(3, () -> {
            Thread.currentThread().interrupt();
            await(0);
        });
        join(threads);
        report("interrupted before");

        // Notified while the notifier keeps the monitor: they are blocked then.
        threads = start(10, () -> await(0));
        awaitWaiting(threads);
        synchronized (lock) {
            open = true;
            lock.notifyAll();
            for (Thread t : threads)
                awaitState(t, Thread.State.BLOCKED);
            threads.get(0).interrupt();
        }
        join(threads);
        report("blocked");

        // From a virtual thread to another, and from one to a platform thread.
        threads = start(5, () -> await(0));
        threads.add(Thread.ofPlatform().start(() -> await(0)));
        awaitWaiting(threads);
        join(start(1, () -> {
            synchronized (lock) {
                open = true;
                lock.notifyAll();
            }
        }));
        join(threads);
        report("from a virtual thread");

        join(start(1, () -> {
            for (int i = 0; i < 3; i++)
                try {
                    if (i == 0)
                        lock.wait();
                    else if (i == 1)
                        lock.notify();
                    else
                        synchronized (lock) {
                            lock.wait(-1);
                        }
                } catch (InterruptedException | RuntimeException e) {
                    System.out.println(e);
                }
        }));
        exchange();
    }
}
