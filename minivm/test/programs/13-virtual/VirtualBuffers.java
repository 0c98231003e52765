// SPDX-License-Identifier: MIT
// since: 21
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Monitors alone: a bounded buffer, a barrier, dining philosophers, storms of notifyAll. */
public class VirtualBuffers {
    static class Buffer<T> {
        private final Object[] items;
        private int head, count;
        private boolean closed;

        Buffer(int size) {
            items = new Object[size];
        }

        synchronized void put(T item) throws InterruptedException {
            while (count == items.length)
                wait();
            items[(head + count++) % items.length] = item;
            notifyAll();
        }

        @SuppressWarnings("unchecked")
        synchronized T take() throws InterruptedException {
            while (count == 0 && !closed)
                wait();
            if (count == 0)
                return null;
            T item = (T) items[head];
            items[head] = null;
            head = (head + 1) % items.length;
            count--;
            notifyAll();
            return item;
        }

        synchronized void close() {
            closed = true;
            notifyAll();
        }
    }

    static class Barrier {
        private final int parties;
        private int waiting, generation;

        Barrier(int parties) {
            this.parties = parties;
        }

        int await() throws InterruptedException {
            synchronized (this) {
                int mine = generation;
                if (++waiting == parties) {
                    waiting = 0;
                    generation++;
                    notifyAll();
                } else {
                    while (mine == generation)
                        wait(60_000);
                }
                return mine;
            }
        }
    }

    interface Body {
        void run(int n) throws Exception;
    }

    static List<Thread> start(int threads, Body body) {
        List<Thread> list = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int n = i;
            list.add(Thread.startVirtualThread(() -> {
                try {
                    body.run(n);
                } catch (Exception e) {
                    System.out.println(n + ": " + e);
                }
            }));
        }
        return list;
    }

    static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads)
            thread.join();
    }

    static void buffers() throws InterruptedException {
        Buffer<Integer> first = new Buffer<>(3), second = new Buffer<>(1);
        AtomicLong sum = new AtomicLong();
        AtomicInteger items = new AtomicInteger();
        List<Thread> producers = start(8, n -> {
            for (int i = 0; i < 60; i++)
                first.put(n * 100 + i);
        });
        List<Thread> middle = start(3, n -> {
            for (Integer v; (v = first.take()) != null;)
                second.put(v * 2);
        });
        List<Thread> consumers = start(5, n -> {
            for (Integer v; (v = second.take()) != null;) {
                sum.addAndGet(v);
                items.incrementAndGet();
            }
        });
        join(producers);
        first.close();
        join(middle);
        second.close();
        join(consumers);
        System.out.println("items " + items + " sum " + sum);
    }

    static void philosophers() throws InterruptedException {
        Object[] forks = new Object[7];
        int[] meals = new int[7];
        Arrays.setAll(forks, i -> new Object());
        join(start(7, n -> {
            Object low = forks[Math.min(n, (n + 1) % 7)], high = forks[Math.max(n, (n + 1) % 7)];
            for (int i = 0; i < 40; i++) {
                synchronized (low) {
                    if (i % 8 == 0)
                        Thread.sleep(0, 1000);
                    synchronized (high) {
                        meals[n]++;
                    }
                }
            }
        }));
        System.out.println("meals " + Arrays.toString(meals));
    }

    /** Half of the waiters are interrupted, the rest is notified; nobody is lost. */
    static void storm() throws InterruptedException {
        Object lock = new Object();
        AtomicInteger woken = new AtomicInteger(), interrupted = new AtomicInteger(), in = new AtomicInteger();
        boolean[] go = new boolean[1];
        List<Thread> waiters = start(60, n -> {
            synchronized (lock) {
                in.incrementAndGet();
                try {
                    while (!go[0])
                        lock.wait();
                    woken.incrementAndGet();
                } catch (InterruptedException e) {
                    interrupted.incrementAndGet();
                    if (Thread.currentThread().isInterrupted() || !Thread.holdsLock(lock))
                        System.out.println("bad state");
                }
            }
        });
        while (in.get() < 60)
            Thread.sleep(1);
        synchronized (lock) {
            for (int i = 0; i < 60; i += 2)
                waiters.get(i).interrupt();
        }
        for (int i = 0; i < 60; i += 2)
            waiters.get(i).join();
        synchronized (lock) {
            go[0] = true;
            lock.notifyAll();
        }
        join(waiters);
        System.out.println("woken " + woken + " interrupted " + interrupted);
    }

    public static void main(String[] args) throws Exception {
        buffers();
        philosophers();
        storm();
        Barrier barrier = new Barrier(10);
        int[] generations = new int[10];
        join(start(10, n -> {
            for (int i = 0; i < 20; i++)
                generations[n] += barrier.await();
        }));
        System.out.println("generations " + Arrays.toString(generations));
        Object lock = new Object();
        join(start(1, n -> {
            long start = System.nanoTime();
            synchronized (lock) {
                synchronized (lock) {
                    lock.wait(5);
                }
            }
            System.out.println("timed out " + (System.nanoTime() - start >= 5_000_000));
            try {
                lock.notify();
            } catch (IllegalMonitorStateException e) {
                System.out.println("not the owner");
            }
            Thread.currentThread().interrupt();
            synchronized (lock) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    System.out.println("at once " + Thread.interrupted());
                }
            }
        }));
    }
}
