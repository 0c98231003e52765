/* SPDX-License-Identifier: MIT */
/* A bounded buffer with wait and notifyAll; ping-pong between two threads. */
public class WaitNotify {
    static class Buffer {
        final int[] items = new int[4];
        int head, count;

        synchronized void put(int x) throws InterruptedException {
            while (count == items.length) {
                wait();
            }
            items[(head + count++) % items.length] = x;
            notifyAll();
        }

        synchronized int take() throws InterruptedException {
            while (count == 0) {
                wait();
            }
            int x = items[head];
            head = (head + 1) % items.length;
            count--;
            notifyAll();
            return x;
        }
    }

    static final Object TURN = new Object();
    static int turn;
    static final StringBuilder LOG = new StringBuilder();

    static Thread player(int me) {
        return new Thread(() -> {
            for (int i = 0; i < 10; i++) {
                synchronized (TURN) {
                    while (turn % 2 != me) {
                        try {
                            TURN.wait(10000, 500);
                        } catch (InterruptedException e) {
                            return;
                        }
                    }
                    LOG.append(me == 0 ? "ping " : "pong ");
                    turn++;
                    TURN.notify();
                }
            }
        });
    }

    public static void main(String[] args) throws InterruptedException {
        Buffer b = new Buffer();
        long[] sums = new long[3];
        Thread[] all = new Thread[6];
        for (int i = 0; i < 3; i++) {
            int id = i;
            all[i] = new Thread(() -> {
                try {
                    for (int k = 0; k < 2000; k++) {
                        b.put(k * 3 + id);
                    }
                } catch (InterruptedException e) {
                    System.out.println("interrupted");
                }
            });
            all[i + 3] = new Thread(() -> {
                try {
                    for (int k = 0; k < 2000; k++) {
                        sums[id] += b.take();
                    }
                } catch (InterruptedException e) {
                    System.out.println("interrupted");
                }
            });
        }
        for (Thread t : all) {
            t.start();
        }
        for (Thread t : all) {
            t.join();
        }
        System.out.println(sums[0] + sums[1] + sums[2]);
        Thread p = player(0), q = player(1);
        p.start();
        q.start();
        p.join();
        q.join();
        System.out.println(LOG);
        synchronized (TURN) {
            long before = System.nanoTime();
            TURN.wait(20);
            System.out.println(System.nanoTime() - before >= 19_000_000L);
        }
        Thread.currentThread().interrupt();
        try {
            synchronized (TURN) {
                TURN.wait();
            }
        } catch (InterruptedException e) {
            System.out.println("wait interrupted " + Thread.interrupted());
        }
    }
}
