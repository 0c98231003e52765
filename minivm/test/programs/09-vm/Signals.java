/* SPDX-License-Identifier: MIT */
// exit: 143
/* SIGTERM from a child runs the hooks and gives 128 + 15; handlers of one's own. */
import sun.misc.Signal;

public class Signals {
    public static void main(String[] args) throws Exception {
        java.util.concurrent.CountDownLatch seen = new java.util.concurrent.CountDownLatch(1);
        Signal.handle(new Signal("USR2"), s -> {
            System.out.println("handled " + s.getName());
            seen.countDown();
        });
        Signal.raise(new Signal("USR2"));
        seen.await();
        try {
            Signal.handle(new Signal("SEGV"), s -> { });
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            new Signal("NOPE");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        System.out.flush();
        new ProcessBuilder("kill", "-TERM", "" + ProcessHandle.current().pid()).start().waitFor();
        Thread.sleep(100_000);
    }
}
