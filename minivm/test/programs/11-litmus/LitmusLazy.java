/* SPDX-License-Identifier: MIT */
/* Double-checked locking, holder idiom, piggybacking on library classes. */
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class LitmusLazy {
    static final class Thing {
        int a = 1, b = 2;
        int[] c = { 3 };
    }

    static final class Lazy {
        private volatile Thing thing;
        final AtomicInteger made = new AtomicInteger();

        Thing get() {
            Thing t = thing;
            if (t == null) {
                synchronized (this) {
                    t = thing;
                    if (t == null) {
                        made.incrementAndGet();
                        thing = t = new Thing();
                    }
                }
            }
            return t;
        }
    }

    public static void main(String[] args) throws Exception {
        int rounds = 3000;
        Lazy[] all = new Lazy[rounds];
        for (int i = 0; i < rounds; i++) {
            all[i] = new Lazy();
        }
        AtomicInteger bad = new AtomicInteger();
        CyclicBarrier start = new CyclicBarrier(4);
        Thread[] t = new Thread[4];
        for (int k = 0; k < 4; k++) {
            t[k] = new Thread(() -> {
                try {
                    start.await();
                } catch (Exception e) {
                    bad.addAndGet(1000);
                }
                for (Lazy l : all) {
                    Thing x = l.get();
                    if (x.a + x.b + x.c[0] != 6) {
                        bad.incrementAndGet();
                    }
                }
            });
            t[k].start();
        }
        for (Thread x : t) {
            x.join();
        }
        int made = 0;
        for (Lazy l : all) {
            made += l.made.get();
        }
        System.out.println(made + " " + bad);
        BlockingQueue<int[]> q = new ArrayBlockingQueue<>(16);
        Thread producer = new Thread(() -> {
            for (int i = 0; i < 10_000; i++) {
                int[] data = new int[4];
                Arrays.fill(data, i);
                try {
                    q.put(data);
                } catch (InterruptedException e) {
                    return;
                }
            }
        });
        producer.start();
        int wrong = 0;
        for (int i = 0; i < 10_000; i++) {
            int[] d = q.take();
            for (int x : d) {
                wrong += x != i ? 1 : 0;
            }
        }
        System.out.println("queue " + wrong);
        int[] plain = new int[1];
        Thread starter = new Thread(() -> plain[0] += 5);
        plain[0] = 37;
        starter.start();
        starter.join();
        System.out.println("start and join " + plain[0]);
    }
}
