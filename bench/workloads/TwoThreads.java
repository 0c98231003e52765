/* SPDX-License-Identifier: MIT */

/*
 * Two threads, each counting on its own lock and now and then on a shared one.
 * The first argument is the rounds of a thread, the second the threads.
 */
public class TwoThreads {
    static final class Counter {
        private int count;

        synchronized void add(int n) {
            count += n;
        }

        synchronized int get() {
            return count;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 20_000_000;
        int threads = args.length > 1 ? Integer.parseInt(args[1]) : 2;
        Counter shared = new Counter();
        Counter[] own = new Counter[threads];
        Thread[] workers = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            Counter mine = own[t] = new Counter();
            workers[t] = new Thread(() -> {
                for (int i = 1; i <= rounds; i++) {
                    mine.add(1);
                    if ((i & 1023) == 0) {
                        shared.add(1);
                    }
                }
            });
        }
        for (Thread worker : workers) {
            worker.start();
        }
        int total = 0;
        for (int t = 0; t < threads; t++) {
            workers[t].join();
            total += own[t].get();
        }
        System.out.println(total + " " + shared.get());
    }
}
