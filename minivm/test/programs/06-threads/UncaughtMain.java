/* SPDX-License-Identifier: MIT */
// exit: 1
/* The main thread dies, but others finish first; the exit code tells. */
public class UncaughtMain {
    public static void main(String[] args) {
        Thread main = Thread.currentThread();
        new Thread(() -> {
            try {
                main.join();
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
            System.out.println("other thread ends after main, alive " + main.isAlive());
        }).start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        throw new RuntimeException("main dies");
    }
}
