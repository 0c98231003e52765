/* SPDX-License-Identifier: MIT */
// stderr: yes
/* Uncaught exception handlers: per thread, of the group, the default. */
public class Uncaughts {
    static Thread failing(ThreadGroup g, String name) {
        return new Thread(g, () -> {
            throw new IllegalStateException("from " + name);
        }, name);
    }

    static void run(Thread t) throws InterruptedException {
        t.start();
        t.join();
    }

    public static void main(String[] args) throws InterruptedException {
        run(failing(null, "plain"));
        Thread own = failing(null, "own");
        own.setUncaughtExceptionHandler((t, e) ->
            System.out.println("own handler " + t.getName() + " " + e.getMessage()));
        run(own);
        ThreadGroup g = new ThreadGroup("g") {
            @Override
            public void uncaughtException(Thread t, Throwable e) {
                System.out.println("group " + getName() + " " + e.getMessage());
            }
        };
        run(failing(g, "grouped"));
        Thread.setDefaultUncaughtExceptionHandler((t, e) -> {
            System.out.println("default " + t.getName() + " " + e.getMessage());
            throw new RuntimeException("in handler");
        });
        run(failing(null, "last"));
        System.out.println(own.getUncaughtExceptionHandler() == null);
        Thread.setDefaultUncaughtExceptionHandler(null);
        Thread t = new Thread(() -> {
            throw new Error("an error");
        }, "error thread");
        run(t);
        System.out.println("main ends well");
    }
}
