// SPDX-License-Identifier: MIT
// since: 25
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations -Djdk.virtualThreadScheduler.parallelism=1 -Djdk.virtualThreadScheduler.maxPoolSize=1
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A thousand virtual threads contend for monitors on one carrier. */
public class VirtualContention {
    static final int THREADS = 1000, ROUNDS = 3;
    static int entered, inside, most;

    static synchronized void enterStatic() {
        enter();
    }

    synchronized void enterInstance() {
        enter();
    }

    /** Gives up the carrier in the midst of the monitor. */
    static void enter() {
        int now = ++inside;
        if (now > most)
            most = now;
        int seen = entered;
        Thread.yield();
        entered = seen + 1;
        inside--;
    }

    static void contend(String name, Runnable r) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        CountDownLatch go = new CountDownLatch(1);
        entered = most = 0;
        for (int i = 0; i < THREADS; i++)
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                for (int j = 0; j < ROUNDS; j++)
                    r.run();
            }));
        go.countDown();
        for (Thread t : threads)
            t.join();
        System.out.println(name + " " + entered + ", at most " + most + " inside");
    }

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        VirtualContention c = new VirtualContention();
        contend("block", () -> {
            synchronized (lock) {
                enter();
            }
        });
        contend("static method", VirtualContention::enterStatic);
        contend("method", c::enterInstance);
        contend("nested", () -> {
            synchronized (c) {
                synchronized (lock) {
                    Thread.yield();
                    synchronized (c) {
                        enter();
                    }
                }
            }
        });
        // An exception in a contended monitor.
        contend("exception", () -> {
            try {
                synchronized (lock) {
                    enter();
                    throw new IllegalStateException("inside");
                }
            } catch (IllegalStateException e) {
                if (Thread.holdsLock(lock))
                    System.out.println("kept");
            }
        });
    }
}
