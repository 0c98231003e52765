// SPDX-License-Identifier: MIT
/** Calls methods in an order that is known: the tree that the test expects. */
public class Calls {
    static int sink;

    static void leaf(int i) {
        sink += i;
    }

    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static void thrower(int n) {
        if (n == 0)
            throw new IllegalStateException("thrown");
        thrower(n - 1);
    }

    /** Leaves by the exception after a finally clause. */
    static void middle() {
        try {
            thrower(2);
        } finally {
            leaf(1);
        }
    }

    static void catcher() {
        try {
            middle();
        } catch (IllegalStateException expected) {
            leaf(2);
        }
    }

    static int even(int n) {
        return n == 0 ? 1 : odd(n - 1);
    }

    static int odd(int n) {
        return n == 0 ? 0 : even(n - 1);
    }

    static synchronized void locked(long wide, double real, Object[] objects) {
        leaf(3);
    }

    /** Takes its time, alone. */
    static void pause() throws InterruptedException {
        Thread.sleep(30);
    }

    static class Handler implements Thread.UncaughtExceptionHandler {
        @Override
        public void uncaughtException(Thread thread, Throwable thrown) {
            leaf(4);
        }
    }

    static class Worker extends Thread {
        private final int calls;

        Worker(String name, int calls) {
            super(name);
            this.calls = calls;
        }

        @Override
        public void run() {
            for (int i = 0; i < calls; i++)
                leaf(i);
            if (calls == 3)
                thrower(1);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Thread.setDefaultUncaughtExceptionHandler(new Handler());
        fib(5);
        catcher();
        even(3);
        locked(1, 2, args);
        pause();
        Worker[] workers = {
            new Worker("none", 0), new Worker("worker;a", 5), new Worker("worker b", 3)
        };
        for (Worker worker : workers) {
            worker.start();
            worker.join();
        }
        System.out.println("sink " + sink);
    }
}
