/* SPDX-License-Identifier: MIT */
/* Many threads, one lock; locks inflate and deflate; a deadlock-free order. */
import java.util.*;

public class Contention {
    static final Object[] FORKS = new Object[5];
    static int meals;
    static long total;

    static synchronized void add(int n) {
        total += n;
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] t = new Thread[8];
        for (int i = 0; i < t.length; i++) {
            t[i] = new Thread(() -> {
                for (int k = 0; k < 5000; k++) {
                    add(k);
                }
            });
        }
        for (Thread x : t) {
            x.start();
        }
        for (Thread x : t) {
            x.join();
        }
        System.out.println(total);
        for (int i = 0; i < 5; i++) {
            FORKS[i] = new Object();
        }
        Thread[] p = new Thread[5];
        for (int i = 0; i < 5; i++) {
            Object first = FORKS[Math.min(i, (i + 1) % 5)];
            Object second = FORKS[Math.max(i, (i + 1) % 5)];
            p[i] = new Thread(() -> {
                for (int k = 0; k < 500; k++) {
                    synchronized (first) {
                        synchronized (second) {
                            synchronized (FORKS) {
                                meals++;
                            }
                        }
                    }
                }
            });
            p[i].start();
        }
        for (Thread x : p) {
            x.join();
        }
        System.out.println(meals);
        List<Integer> list = Collections.synchronizedList(new ArrayList<>());
        Thread[] q = new Thread[4];
        for (int i = 0; i < 4; i++) {
            int id = i;
            q[i] = new Thread(() -> {
                for (int k = 0; k < 500; k++) {
                    list.add(id * 1000 + k);
                    if (k % 50 == 0) {
                        Thread.yield();
                    }
                }
            });
            q[i].start();
        }
        for (Thread x : q) {
            x.join();
        }
        Collections.sort(list);
        System.out.println(list.size() + " " + list.hashCode());
        int many = 0;
        for (int i = 0; i < 200; i++) {
            Thread x = new Thread(() -> { });
            x.start();
            x.join();
            many++;
        }
        System.out.println(many);
    }
}
