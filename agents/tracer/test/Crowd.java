/* SPDX-License-Identifier: MIT */
/* Crowd THREADS SECONDS: threads that compute all the time, many more than processors. */
public class Crowd {
    static volatile boolean enough;
    static volatile long sum;

    static long turn(long value) {
        for (int i = 0; i < 1000; i++) {
            value = value * 31 + (value >>> 7);
        }
        return value;
    }

    static void compute() {
        long value = Thread.currentThread().getId();
        while (!enough) {
            value = turn(value);
        }
        sum = value;
    }

    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[Integer.parseInt(args[0])];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(Crowd::compute, "member " + i);
            threads[i].start();
        }
        Thread.sleep(Long.parseLong(args[1]) * 1000);
        enough = true;
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }
}
