// SPDX-License-Identifier: MIT
// since: 21
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations
/** Exceptions, handlers and overflowing stacks in virtual threads. */
public class VirtualFailures {
    static int depth(int n) {
        return depth(n + 1) + 1;
    }

    static void inner() {
        throw new IllegalStateException("inner");
    }

    public static void main(String[] args) throws Exception {
        Thread t = Thread.ofVirtual().name("handled")
            .uncaughtExceptionHandler((thread, e) -> System.out.println(thread.getName() + ": " + e))
            .start(() -> inner());
        t.join();
        Thread.setDefaultUncaughtExceptionHandler(
            (thread, e) -> System.out.println("default, " + thread.getName() + ": " + e));
        t = Thread.ofVirtual().name("unhandled").start(() -> {
            Thread.yield();
            inner();
        });
        t.join();
        t = Thread.startVirtualThread(() -> {
            for (int i = 0; i < 3; i++) {
                try {
                    depth(0);
                } catch (StackOverflowError e) {
                    System.out.println("overflow " + i);
                }
                Thread.yield();
            }
        });
        t.join();
        t = Thread.startVirtualThread(() -> {
            try {
                Thread.yield();
                inner();
            } catch (IllegalStateException e) {
                StackTraceElement[] trace = e.getStackTrace();
                System.out.println(trace[0].getMethodName() + " "
                                   + trace[trace.length - 1].getClassName() + " "
                                   + trace[trace.length - 1].getMethodName());
            } finally {
                System.out.println("finally");
            }
        });
        t.join();
        t = Thread.startVirtualThread(() -> {
            StackTraceElement[] trace = Thread.currentThread().getStackTrace();
            System.out.println(trace[trace.length - 1].getMethodName() + " " + trace[0]);
            StackWalker.getInstance().forEach(
                f -> System.out.println("frame " + f.getMethodName()));
        });
        t.join();
    }
}
