/* SPDX-License-Identifier: MIT */
// exit: 5
/* System.exit in another thread while main is blocked. */
public class ExitFromThread {
    public static void main(String[] args) throws InterruptedException {
        Object lock = new Object();
        synchronized (lock) {
            new Thread(() -> {
                System.out.println("exiting");
                System.exit(5);
            }).start();
            lock.wait();
        }
    }
}
