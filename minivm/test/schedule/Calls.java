// SPDX-License-Identifier: MIT

/** Three threads that each count in native code, without a lock (calls.c). */
public class Calls {
    static final int THREADS = 3;

    static native void count(int kind, int thread);

    static native String counted();

    public static void main(String[] args) throws Exception {
        int kind = Integer.parseInt(args[0]);
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            threads[i] = new Thread(() -> count(kind, number));
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(counted());
    }
}
