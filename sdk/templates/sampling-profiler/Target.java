// SPDX-License-Identifier: @license@
// @copyright@
/** Spends a second in spin(), called by outer(), while another thread sleeps. */
public class Target {
    static volatile long sum;

    static void spin(long nanoseconds) {
        long end = System.nanoTime() + nanoseconds;
        while (System.nanoTime() < end)
            for (int i = 0; i < 1000; i++)
                sum += i;
    }

    static void outer() {
        spin(1000000000L);
    }

    public static void main(String[] args) {
        Thread sleeper = new Thread(() -> {
            try {
                Thread.sleep(100000);
            } catch (InterruptedException end) {
                return;
            }
        }, "sleeper");
        sleeper.start();
        outer();
        sleeper.interrupt();
        System.out.println("done");
    }
}
