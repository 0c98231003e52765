/* SPDX-License-Identifier: MIT */
/* CountDownLatch, CyclicBarrier, Phaser, Exchanger, Semaphore, SynchronousQueue. */
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class Synchronizers {
    static Thread start(Callable<?> c) {
        Thread t = new Thread(() -> {
            try {
                c.call();
            } catch (Exception e) {
                System.out.println(e);
            }
        });
        t.start();
        return t;
    }

    public static void main(String[] args) throws Exception {
        CountDownLatch go = new CountDownLatch(1), done = new CountDownLatch(4);
        AtomicInteger n = new AtomicInteger();
        for (int i = 0; i < 4; i++) {
            start(() -> {
                go.await();
                n.incrementAndGet();
                done.countDown();
                return null;
            });
        }
        System.out.println(n + " " + done.getCount());
        go.countDown();
        done.await();
        System.out.println(n + " " + done.await(1, TimeUnit.SECONDS));
        StringBuffer log = new StringBuffer();
        CyclicBarrier barrier = new CyclicBarrier(3, () -> log.append("|"));
        Thread[] t = new Thread[3];
        for (int i = 0; i < 3; i++) {
            t[i] = start(() -> {
                for (int k = 0; k < 4; k++) {
                    log.append(k);
                    barrier.await();
                }
                return null;
            });
        }
        for (Thread x : t) {
            x.join();
        }
        System.out.println(log);
        CyclicBarrier broken = new CyclicBarrier(2);
        try {
            broken.await(1, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            System.out.println("timed out, broken " + broken.isBroken());
        }
        try {
            broken.await();
        } catch (BrokenBarrierException e) {
            System.out.println("broken barrier");
        }
        Phaser phaser = new Phaser(1) {
            @Override
            protected boolean onAdvance(int phase, int registered) {
                log.append("p").append(phase);
                return phase >= 2;
            }
        };
        log.setLength(0);
        for (int i = 0; i < 3; i++) {
            phaser.register();
            start(() -> {
                while (!phaser.isTerminated()) {
                    phaser.arriveAndAwaitAdvance();
                }
                return null;
            });
        }
        phaser.arriveAndAwaitAdvance();
        phaser.arriveAndAwaitAdvance();
        phaser.arriveAndAwaitAdvance();
        System.out.println(log + " " + phaser.isTerminated());
        Exchanger<String> ex = new Exchanger<>();
        String[] other = new String[1];
        Thread e = start(() -> other[0] = ex.exchange("from thread"));
        String mine = ex.exchange("from main");
        e.join();
        System.out.println(mine + " / " + other[0]);
        Semaphore sem = new Semaphore(2);
        AtomicInteger inside = new AtomicInteger(), max = new AtomicInteger();
        Thread[] s = new Thread[6];
        for (int i = 0; i < 6; i++) {
            s[i] = start(() -> {
                for (int k = 0; k < 50; k++) {
                    sem.acquire();
                    max.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    Thread.yield();
                    inside.decrementAndGet();
                    sem.release();
                }
                return null;
            });
        }
        for (Thread x : s) {
            x.join();
        }
        System.out.println((max.get() <= 2) + " " + sem.availablePermits() + " "
            + sem.tryAcquire(3) + " " + sem.drainPermits());
        SynchronousQueue<Integer> q = new SynchronousQueue<>();
        start(() -> {
            for (int i = 0; i < 5; i++) {
                q.put(i);
            }
            return null;
        });
        int sum = 0;
        for (int i = 0; i < 5; i++) {
            sum += q.take();
        }
        System.out.println(sum + " " + q.offer(1));
        LinkedTransferQueue<String> ltq = new LinkedTransferQueue<>();
        Thread taker = start(() -> {
            log.setLength(0);
            log.append(ltq.take());
            return null;
        });
        ltq.transfer("transferred");
        taker.join();
        System.out.println(log);
        DelayQueue<Delayed> dq = new DelayQueue<>();
        record Item(long at, String name) implements Delayed {
            @Override
            public long getDelay(TimeUnit unit) {
                return unit.convert(at - System.nanoTime(), TimeUnit.NANOSECONDS);
            }

            @Override
            public int compareTo(Delayed d) {
                return Long.compare(at, ((Item) d).at);
            }
        }
        long now = System.nanoTime();
        dq.add(new Item(now + 20_000_000, "second"));
        dq.add(new Item(now + 1_000_000, "first"));
        System.out.println(((Item) dq.take()).name() + " " + ((Item) dq.take()).name());
    }
}
