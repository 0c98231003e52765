/* SPDX-License-Identifier: MIT */
/* BusyThreads THREADS ROUNDS: threads that always have something to do, in methods that call
   each other some twenty frames deep; each does the same work whatever else happens. */
public class BusyThreads {
    static long fold(int depth, long value) {
        return depth == 0 ? value * 31 + 7 : unfold(depth - 1, value ^ value >>> 7) + depth;
    }

    static long unfold(int depth, long value) {
        return depth == 0 ? value * 17 + 3 : fold(depth - 1, value + (value << 3)) - depth;
    }

    static long sort(long seed) {
        long[] values = new long[2000];
        long at = seed;
        for (int i = 0; i < values.length; i++) {
            at = fold(20, at);
            values[i] = at;
        }
        java.util.Arrays.sort(values);
        return values[values.length / 2];
    }

    static long count(long seed) {
        java.util.HashMap<Long, Integer> counts = new java.util.HashMap<>();
        for (long i = 0; i < 2000; i++) {
            counts.merge(fold(10, seed + i) & 255, 1, Integer::sum);
        }
        return counts.size();
    }

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = new Thread[Integer.parseInt(args[0])];
        long[] sums = new long[threads.length];
        int rounds = Integer.parseInt(args[1]);

        for (int t = 0; t < threads.length; t++) {
            int number = t;
            threads[t] = new Thread(() -> {
                for (int i = 0; i < rounds; i++) {
                    sums[number] += sort(number * 1000L + i) + count(i);
                }
            }, "busy-" + t);
            threads[t].start();
        }
        long sum = 0;
        for (int t = 0; t < threads.length; t++) {
            threads[t].join();
            sum += sums[t];
        }
        System.out.println(sum);
    }
}
