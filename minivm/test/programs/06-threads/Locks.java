/* SPDX-License-Identifier: MIT */
/* ReentrantLock, conditions, read-write locks, StampedLock. */
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class Locks {
    static int counter;

    static void parallel(int n, Runnable r) throws InterruptedException {
        Thread[] t = new Thread[n];
        for (int i = 0; i < n; i++) {
            t[i] = new Thread(r);
            t[i].start();
        }
        for (Thread x : t) {
            x.join();
        }
    }

    public static void main(String[] args) throws Exception {
        for (boolean fair : new boolean[] { false, true }) {
            ReentrantLock lock = new ReentrantLock(fair);
            counter = 0;
            parallel(4, () -> {
                for (int i = 0; i < (fair ? 200 : 3000); i++) {
                    lock.lock();
                    try {
                        counter++;
                    } finally {
                        lock.unlock();
                    }
                }
            });
            System.out.println(counter + " " + lock.isLocked() + " " + lock.isFair());
        }
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        lock.lock();
        System.out.println(lock.getHoldCount() + " " + lock.isHeldByCurrentThread() + " "
                           + lock.tryLock());
        lock.unlock();
        lock.unlock();
        lock.unlock();
        try {
            lock.unlock();
        } catch (IllegalMonitorStateException e) {
            System.out.println("not owner");
        }
        Condition full = lock.newCondition(), empty = lock.newCondition();
        Deque<Integer> buffer = new ArrayDeque<>();
        long[] sum = new long[1];
        Thread producer = new Thread(() -> {
            for (int i = 0; i < 1000; i++) {
                lock.lock();
                try {
                    while (buffer.size() == 3) {
                        full.awaitUninterruptibly();
                    }
                    buffer.add(i);
                    empty.signal();
                } finally {
                    lock.unlock();
                }
            }
        });
        producer.start();
        for (int i = 0; i < 1000; i++) {
            lock.lock();
            try {
                while (buffer.isEmpty()) {
                    empty.await();
                }
                sum[0] += buffer.remove();
                full.signal();
            } finally {
                lock.unlock();
            }
        }
        producer.join();
        System.out.println(sum[0]);
        lock.lock();
        System.out.println(full.await(2, TimeUnit.MILLISECONDS) + " " + (full.awaitNanos(1000) <= 0));
        lock.unlock();
        ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
        Map<Integer, Integer> map = new HashMap<>();
        parallel(4, () -> {
            for (int i = 0; i < 500; i++) {
                rw.readLock().lock();
                boolean absent;
                try {
                    absent = !map.containsKey(i);
                } finally {
                    rw.readLock().unlock();
                }
                if (absent) {
                    rw.writeLock().lock();
                    try {
                        map.merge(i, 1, (a, b) -> a);
                    } finally {
                        rw.writeLock().unlock();
                    }
                }
            }
        });
        System.out.println(map.size() + " " + rw.getReadLockCount());
        rw.writeLock().lock();
        rw.readLock().lock();
        rw.writeLock().unlock();
        System.out.println(rw.getReadHoldCount() + " " + rw.writeLock().tryLock());
        rw.readLock().unlock();
        StampedLock s = new StampedLock();
        long[] pair = new long[2];
        int[] torn = new int[1];
        parallel(3, () -> {
            for (int i = 0; i < 2000; i++) {
                if (i % 10 == 0) {
                    long w = s.writeLock();
                    pair[0]++;
                    pair[1]++;
                    s.unlockWrite(w);
                } else {
                    long o = s.tryOptimisticRead();
                    long a = pair[0], b = pair[1];
                    if (!s.validate(o)) {
                        o = s.readLock();
                        a = pair[0];
                        b = pair[1];
                        s.unlockRead(o);
                    }
                    if (a != b) {
                        torn[0]++;
                    }
                }
            }
        });
        System.out.println(pair[0] + " " + pair[1] + " " + torn[0]);
        Thread parked = new Thread(() -> {
            LockSupport.park("blocker");
            System.out.println("unparked");
        });
        LockSupport.unpark(parked);
        parked.start();
        while (LockSupport.getBlocker(parked) == null && parked.isAlive()) {
            Thread.yield();
        }
        System.out.println(LockSupport.getBlocker(parked));
        LockSupport.unpark(parked);
        parked.join();
        LockSupport.unpark(Thread.currentThread());
        LockSupport.park();
        LockSupport.parkNanos(1000);
        System.out.println("end");
    }
}
