// SPDX-License-Identifier: MIT
/** The Java side of loop.c. */
public class Proto {
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    static void loop(int n, byte[] a) {
        do {
            int j = 0;
            do { a[j] = (byte) (a[j] + 1); j++; } while (j < 8191);
        } while (--n != 0);
    }
    public static void main(String[] args) {
        long t = System.nanoTime();
        int r = fib(Integer.parseInt(args[0]));
        System.out.printf("fib %d %.3f%n", r, (System.nanoTime() - t) / 1e9);
        t = System.nanoTime();
        loop(20000, new byte[8192]);
        System.out.printf("array %.3f%n", (System.nanoTime() - t) / 1e9);
    }
}
