// SPDX-License-Identifier: MIT
// since: 21
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Two virtual threads hand a turn to each other, and permits are kept. */
public class VirtualParking {
    static volatile int turn;
    static Thread[] players = new Thread[2];

    static void play(int me) {
        for (int i = 0; i < 500; i++) {
            while (turn != me)
                LockSupport.park();
            turn = 1 - me;
            LockSupport.unpark(players[1 - me]);
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 2; i++) {
            int me = i;
            players[i] = Thread.ofVirtual().unstarted(() -> play(me));
        }
        for (Thread t : players)
            t.start();
        for (Thread t : players)
            t.join();
        System.out.println("turn " + turn);

        Thread permit = Thread.startVirtualThread(() -> {
            LockSupport.unpark(Thread.currentThread());
            LockSupport.unpark(Thread.currentThread());
            LockSupport.park();
            long before = System.nanoTime();
            LockSupport.parkNanos(20_000_000);
            System.out.println("waited " + (System.nanoTime() - before >= 19_000_000));
        });
        permit.join();

        AtomicInteger woken = new AtomicInteger();
        Thread[] many = new Thread[500];
        for (int i = 0; i < many.length; i++)
            many[i] = Thread.startVirtualThread(() -> {
                LockSupport.park();
                woken.incrementAndGet();
            });
        for (Thread t : many)
            while (t.isAlive()) {
                LockSupport.unpark(t);
                Thread.yield();
            }
        System.out.println("woken " + woken);
        Object blocker = "the blocker";
        Thread blocked = Thread.startVirtualThread(() -> LockSupport.park(blocker));
        while (LockSupport.getBlocker(blocked) == null)
            Thread.onSpinWait();
        System.out.println(LockSupport.getBlocker(blocked));
        LockSupport.unpark(blocked);
        blocked.join();
    }
}
