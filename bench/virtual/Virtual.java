// SPDX-License-Identifier: MIT
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;

/** What virtual threads cost: Virtual yield|hand-over|monitors|parked COUNT. */
public class Virtual {
    static final Thread[] players = new Thread[2];
    static final Object lock = new Object();
    static volatile int turn;
    static int entered;

    /** A continuation yields and is run again. */
    static void yieldAndRun(int count) {
        ContinuationScope scope = new ContinuationScope("bench");
        Continuation c = new Continuation(scope, () -> {
            while (true)
                Continuation.yield(scope);
        });
        for (int i = 0; i < count; i++)
            c.run();
    }

    static void play(int me, int count) {
        for (int i = 0; i < count; i++) {
            while (turn != me)
                LockSupport.park();
            turn = 1 - me;
            LockSupport.unpark(players[1 - me]);
        }
    }

    /** Two threads on one carrier take turns. */
    static void handOver(int count) throws InterruptedException {
        for (int i = 0; i < 2; i++) {
            int me = i;
            players[i] = Thread.ofVirtual().unstarted(() -> play(me, count / 2));
        }
        join(players);
    }

    /** A hundred threads contend for a monitor, in which each gives up the carrier. */
    static void contend(int count) throws InterruptedException {
        Thread[] threads = new Thread[100];
        for (int i = 0; i < threads.length; i++)
            threads[i] = Thread.ofVirtual().unstarted(() -> {
                for (int j = 0; j < count / threads.length; j++)
                    synchronized (lock) {
                        entered++;
                        Thread.yield();
                    }
            });
        join(threads);
    }

    static void join(Thread[] threads) throws InterruptedException {
        for (Thread t : threads)
            t.start();
        for (Thread t : threads)
            t.join();
    }

    /** So many threads are parked at once. */
    static void park(int count) throws InterruptedException {
        Thread[] threads = new Thread[count];
        CountDownLatch parked = new CountDownLatch(count), done = new CountDownLatch(count);
        for (int i = 0; i < count; i++)
            threads[i] = Thread.ofVirtual().start(() -> {
                parked.countDown();
                LockSupport.park();
                done.countDown();
            });
        parked.await();
        for (Thread t : threads)
            LockSupport.unpark(t);
        done.await();
    }

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[1]);
        switch (args[0]) {
        case "yield" -> yieldAndRun(count);
        case "hand-over" -> handOver(count);
        case "monitors" -> contend(count);
        default -> park(count);
        }
        System.out.println(args[0] + " " + count);
    }
}
