/* SPDX-License-Identifier: MIT */
// exit: 7
/* Hooks run at exit, also those that call exit or fail; order inside one. */
public class ShutdownHooks {
    public static void main(String[] args) throws Exception {
        Thread hook = new Thread(() -> {
            System.out.println("hook runs");
            try {
                Runtime.getRuntime().addShutdownHook(new Thread());
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
            throw new RuntimeException("hook fails");
        });
        Thread removed = new Thread(() -> System.out.println("never"));
        Runtime.getRuntime().addShutdownHook(hook);
        Runtime.getRuntime().addShutdownHook(removed);
        System.out.println(Runtime.getRuntime().removeShutdownHook(removed));
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Thread daemon = new Thread(() -> {
            while (true) {
                Thread.onSpinWait();
            }
        });
        daemon.setDaemon(true);
        daemon.start();
        Thread waiting = new Thread(() -> {
            synchronized (hook) {
                try {
                    hook.wait();
                } catch (InterruptedException e) {
                    System.out.println("interrupted");
                }
            }
        });
        waiting.start();
        try {
            System.exit(7);
        } finally {
            System.out.println("not printed");
        }
    }
}
