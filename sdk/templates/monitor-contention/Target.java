// SPDX-License-Identifier: @license@
// @copyright@
/** One thread is blocked three times, for 30 ms at least, and waits twice. */
public class Target {
    static class Lock {
    }

    static class Signal {
    }

    static class Free {
    }

    static final Lock lock = new Lock();
    static final Signal signal = new Signal();

    /** Wait until the thread is in the state, then for a while. */
    static void until(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state)
            Thread.sleep(1);
        Thread.sleep(30);
    }

    static void block() throws InterruptedException {
        Thread thread;
        synchronized (lock) {
            thread = new Thread(() -> {
                synchronized (lock) {
                    blocked++;
                }
            });
            thread.start();
            until(thread, Thread.State.BLOCKED);
        }
        thread.join();
    }

    static void signal() throws InterruptedException {
        Thread thread = new Thread(() -> {
            synchronized (signal) {
                try {
                    signal.wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        });
        thread.start();
        until(thread, Thread.State.WAITING);
        synchronized (signal) {
            signal.notifyAll();
        }
        thread.join();
    }

    static int blocked;

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 3; i++)
            block();
        signal();
        synchronized (signal) {
            signal.wait(40);
        }
        Free free = new Free();
        for (int i = 0; i < 1000; i++)
            synchronized (free) {
                blocked += i % 2;
            }
        System.out.println("blocked " + blocked);
    }
}
