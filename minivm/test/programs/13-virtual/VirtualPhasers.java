// SPDX-License-Identifier: MIT
// since: 21
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

/** Phasers, exchangers, stamped and read-write locks, and conditions among virtual threads. */
public class VirtualPhasers {
    static void run(int threads, java.util.function.IntConsumer body) throws InterruptedException {
        List<Thread> list = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int n = i;
            list.add(Thread.ofVirtual().name("v" + i).start(() -> body.accept(n)));
        }
        for (Thread thread : list)
            thread.join();
    }

    /** Each phase adds what the phase before has made of its neighbours. */
    static void phases() throws InterruptedException {
        int n = 16;
        long[][] cells = new long[6][n];
        StringBuilder log = new StringBuilder();
        Phaser phaser = new Phaser(n) {
            @Override
            protected boolean onAdvance(int phase, int parties) {
                log.append(phase).append(':').append(parties).append(' ');
                return phase == 4 || parties == 0;
            }
        };
        Arrays.setAll(cells[0], i -> i);
        run(n, i -> {
            for (int phase = 0; !phaser.isTerminated(); phase++) {
                cells[phase + 1][i] = cells[phase][i] + cells[phase][(i + 1) % n];
                if (i == 5 && phase == 2) {
                    phaser.arriveAndDeregister();
                    return;
                }
                phaser.arriveAndAwaitAdvance();
            }
        });
        System.out.println(log + "" + Arrays.stream(cells[5]).sum() + " " + phaser.isTerminated());
        Phaser root = new Phaser(), left = new Phaser(root, 3), right = new Phaser(root, 2);
        run(5, i -> (i < 3 ? left : right).arriveAndAwaitAdvance());
        System.out.println(root.getPhase() + " " + left.getPhase() + " " + right.getPhase());
    }

    static void exchanges() throws InterruptedException {
        List<Exchanger<Integer>> pairs = new ArrayList<>();
        for (int i = 0; i < 10; i++)
            pairs.add(new Exchanger<>());
        AtomicLong sum = new AtomicLong();
        AtomicInteger own = new AtomicInteger();
        run(20, i -> {
            try {
                for (int k = 0; k < 50; k++) {
                    int mine = i * 1000 + k, got = pairs.get(i / 2).exchange(mine);
                    sum.addAndGet(got - mine);
                    own.addAndGet(got == (i ^ 1) * 1000 + k ? 1 : 0);
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        System.out.println("exchanged: " + sum + " " + own);
        run(1, i -> {
            try {
                pairs.get(0).exchange(1, 5, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                System.out.println("nobody to exchange with");
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    static void stamps() throws InterruptedException {
        StampedLock lock = new StampedLock();
        long[] point = new long[2];
        AtomicInteger torn = new AtomicInteger();
        run(24, i -> {
            for (int k = 0; k < 100; k++) {
                if (i % 3 == 0) {
                    long stamp = lock.writeLock();
                    point[0]++;
                    if (k % 10 == 0)
                        Thread.yield();
                    point[1]--;
                    lock.unlockWrite(stamp);
                } else {
                    long stamp = lock.tryOptimisticRead();
                    long x = point[0], y = point[1];
                    if (stamp == 0 || !lock.validate(stamp)) {
                        stamp = lock.readLock();
                        x = point[0];
                        y = point[1];
                        lock.unlockRead(stamp);
                    }
                    torn.addAndGet(x + y == 0 ? 0 : 1);
                }
            }
        });
        System.out.println("stamped: " + Arrays.toString(point) + " torn " + torn);
        long read = lock.readLock();
        long write = lock.tryConvertToWriteLock(read);
        System.out.println((write != 0) + " " + lock.isWriteLocked() + " " + (lock.tryReadLock() == 0));
        lock.unlock(write);
    }

    static void conditions() throws InterruptedException {
        ReentrantLock lock = new ReentrantLock(true);
        Condition[] turn = new Condition[5];
        StringBuilder order = new StringBuilder();
        int[] now = { 0 };
        Arrays.setAll(turn, i -> lock.newCondition());
        run(5, i -> {
            for (int k = 0; k < 4; k++) {
                lock.lock();
                try {
                    while (now[0] != i)
                        turn[i].awaitUninterruptibly();
                    lock.lock();
                    order.append(i);
                    lock.unlock();
                    now[0] = (i + 2) % 5;
                    turn[now[0]].signal();
                } finally {
                    lock.unlock();
                }
            }
        });
        System.out.println(order + " " + lock.isLocked());
        run(1, i -> {
            lock.lock();
            try {
                System.out.println("timed " + (turn[0].awaitNanos(1000) <= 0) + " "
                                   + lock.isHeldByCurrentThread());
                Thread.currentThread().interrupt();
                turn[0].await();
            } catch (InterruptedException e) {
                System.out.println("interrupted, holds " + lock.getHoldCount());
            } finally {
                lock.unlock();
            }
        });
        try {
            turn[1].signal();
        } catch (IllegalMonitorStateException e) {
            System.out.println("not the owner");
        }
    }

    public static void main(String[] args) throws Exception {
        phases();
        exchanges();
        stamps();
        conditions();
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        Map<Integer, Integer> map = new TreeMap<>();
        run(40, i -> {
            Lock side = i % 4 == 0 ? lock.writeLock() : lock.readLock();
            for (int k = 0; k < 25; k++) {
                side.lock();
                try {
                    if (i % 4 == 0)
                        map.merge(k % 5, 1, Integer::sum);
                    else if (map.size() > 5)
                        throw new AssertionError();
                } finally {
                    side.unlock();
                }
            }
        });
        System.out.println(map + " " + lock.getReadLockCount());
    }
}
