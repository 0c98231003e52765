/* SPDX-License-Identifier: MIT */
/* The VM ends when only daemon threads are left. */
public class DaemonExit {
    public static void main(String[] args) throws InterruptedException {
        Object started = new Object();
        Thread d = new Thread(() -> {
            synchronized (started) {
                started.notify();
            }
            try {
                Thread.sleep(Long.MAX_VALUE);
            } catch (InterruptedException e) {
                System.out.println("no");
            } finally {
                System.out.println("finally of a daemon does not run");
            }
        });
        d.setDaemon(true);
        synchronized (started) {
            d.start();
            started.wait();
        }
        new Thread(() -> {
            for (int i = 0; i < 3; i++) {
                System.out.println("user thread " + i);
            }
        }).start();
    }
}
