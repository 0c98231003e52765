/* SPDX-License-Identifier: MIT */
/* Hot SECONDS: a thread that is in hot() four times as long as in cold(), one that waits. */
public class Hot {
    static volatile long sink;

    static void work(long nanos) {
        for (long end = System.nanoTime() + nanos; System.nanoTime() < end; ) {
            sink += 1;
        }
    }

    static void hot() {
        work(40_000_000L);
    }

    static void cold() {
        work(10_000_000L);
    }

    public static void main(String[] args) throws Exception {
        Thread waiting = new Thread(() -> {
            synchronized (Hot.class) {
                try {
                    Hot.class.wait();
                } catch (InterruptedException e) {
                    sink += 1;
                }
            }
        }, "waiting");

        waiting.setDaemon(true);
        waiting.start();
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
        while (System.nanoTime() < end) {
            cold();
            hot();
        }
        System.out.println("done");
    }
}
