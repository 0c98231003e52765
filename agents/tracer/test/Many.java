// SPDX-License-Identifier: MIT
/** Many THREADS CALLS DEPTH: THREADS * (3 + CALLS + DEPTH) + 1 calls, main's included. */
public class Many extends Thread {
    static int calls, depth;

    static int leaf(int i) {
        return i + 1;
    }

    static int deep(int n) {
        return n == 1 ? 1 : 1 + deep(n - 1);
    }

    static int body() {
        int sum = 0;
        for (int i = 0; i < calls; i++)
            sum = leaf(sum);
        return sum + (depth > 0 ? deep(depth) : 0);
    }

    @Override
    public void run() {
        body();
    }

    public static void main(String[] args) throws InterruptedException {
        Many[] threads = new Many[Integer.parseInt(args[0])];
        calls = Integer.parseInt(args[1]);
        depth = Integer.parseInt(args[2]);
        for (int i = 0; i < threads.length; i++)
            threads[i] = new Many();
        for (Many thread : threads)
            thread.start();
        for (Many thread : threads)
            thread.join();
        System.out.println("done");
    }
}
