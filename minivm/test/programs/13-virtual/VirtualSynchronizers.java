// SPDX-License-Identifier: MIT
// since: 21
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.*;

/** Locks and synchronizers of java.util.concurrent, used by virtual threads. */
public class VirtualSynchronizers {
    static void all(int n, Runnable body) throws InterruptedException {
        Thread[] threads = new Thread[n];
        for (int i = 0; i < n; i++)
            threads[i] = Thread.startVirtualThread(body);
        for (Thread t : threads)
            t.join();
    }

    static void run(Callable<?> body) {
        try {
            body.call();
        } catch (Exception e) {
            System.out.println(e);
        }
    }

    public static void main(String[] args) throws Exception {
        int[] count = new int[1];
        ReentrantLock lock = new ReentrantLock();
        all(100, () -> {
            for (int i = 0; i < 20; i++) {
                lock.lock();
                try {
                    int before = count[0];
                    Thread.yield();
                    count[0] = before + 1;
                } finally {
                    lock.unlock();
                }
            }
        });
        System.out.println("lock " + count[0]);

        Semaphore three = new Semaphore(3);
        AtomicInteger inside = new AtomicInteger(), most = new AtomicInteger();
        all(30, () -> run(() -> {
            three.acquire();
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            Thread.sleep(2);
            inside.decrementAndGet();
            three.release();
            return null;
        }));
        System.out.println("semaphore " + (most.get() <= 3) + " " + inside);

        CyclicBarrier barrier = new CyclicBarrier(10, () -> count[0]++);
        count[0] = 0;
        all(10, () -> run(() -> {
            for (int i = 0; i < 5; i++)
                barrier.await();
            return null;
        }));
        System.out.println("barrier " + count[0]);

        Phaser phaser = new Phaser(8);
        all(8, () -> {
            for (int i = 0; i < 4; i++)
                phaser.arriveAndAwaitAdvance();
            phaser.arriveAndDeregister();
        });
        System.out.println("phaser " + phaser.isTerminated());

        ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
        StampedLock stamped = new StampedLock();
        count[0] = 0;
        all(20, () -> {
            rw.writeLock().lock();
            count[0]++;
            rw.writeLock().unlock();
            rw.readLock().lock();
            Thread.yield();
            rw.readLock().unlock();
            long stamp = stamped.writeLock();
            Thread.yield();
            stamped.unlockWrite(stamp);
        });
        System.out.println("read and write " + count[0] + " " + stamped.isWriteLocked());

        Condition full = lock.newCondition();
        count[0] = 0;
        Thread waiter = Thread.startVirtualThread(() -> {
            lock.lock();
            try {
                while (count[0] < 10)
                    full.awaitUninterruptibly();
                System.out.println("condition " + count[0]);
            } finally {
                lock.unlock();
            }
        });
        all(10, () -> {
            lock.lock();
            count[0]++;
            full.signalAll();
            lock.unlock();
        });
        waiter.join();
    }
}
