// SPDX-License-Identifier: MIT
// Gives the agent every chance to crash.
public class Crash {
    static native void natively(Object tagged);

    static native void handle();

    static void target() {
    }

    static void thrower() {
        throw new IllegalStateException("thrown");
    }

    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].equals("handle"))
            handle();
        if (args.length > 0 && args[0].equals("register"))
            System.out.println(sun.misc.Signal.handle(new sun.misc.Signal("ABRT"),
                sun.misc.SignalHandler.SIG_DFL));
        if (args.length > 0 && args[0].equals("crowd"))
            startSleepers(300);
        natively(new Object());
        target();
        try {
            thrower();
        } catch (IllegalStateException e) {
            // As it should be.
        }
        Thread worker = new Thread(() -> { }, "worker");
        worker.start();
        worker.join();
        System.gc();
        System.gc();
        System.out.println("survived");
    }

    private static void startSleepers(int count) {
        for (int i = 0; i < count; i++) {
            Thread t = new Thread(java.util.concurrent.locks.LockSupport::park, "sleeper-" + i);
            t.setDaemon(true);
            t.start();
        }
    }
}
