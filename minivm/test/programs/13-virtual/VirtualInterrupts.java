// SPDX-License-Identifier: MIT
// since: 21
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations
import java.util.concurrent.locks.LockSupport;

/** VirtualInterrupts reach virtual threads that sleep, park, wait, run, or have not begun. */
public class VirtualInterrupts {
    interface Body {
        void run() throws InterruptedException;
    }

    static void interrupted(String what, Thread.State until, Body body) throws Exception {
        Thread t = Thread.ofVirtual().unstarted(() -> {
            try {
                body.run();
                System.out.println(what + ": returned, " + Thread.interrupted());
            } catch (InterruptedException e) {
                System.out.println(what + ": " + e.getMessage() + ", "
                                   + Thread.currentThread().isInterrupted());
            }
        });
        t.start();
        while (t.getState() != until)
            Thread.onSpinWait();
        t.interrupt();
        t.join();
        System.out.println(what + " afterwards: " + t.isInterrupted());
    }

    public static void main(String[] args) throws Exception {
        interrupted("sleep", Thread.State.TIMED_WAITING, () -> Thread.sleep(60_000));
        interrupted("park", Thread.State.WAITING, () -> LockSupport.park());
        Object lock = new Object();
        interrupted("wait", Thread.State.WAITING, () -> {
            synchronized (lock) {
                lock.wait();
            }
        });
        interrupted("timed wait", Thread.State.TIMED_WAITING, () -> {
            synchronized (lock) {
                lock.wait(60_000);
            }
        });
        Thread forever = Thread.ofVirtual().unstarted(() -> LockSupport.park());
        forever.start();
        interrupted("join", Thread.State.WAITING, () -> forever.join());
        LockSupport.unpark(forever);
        forever.join();
        Thread running = Thread.startVirtualThread(() -> {
            while (!Thread.currentThread().isInterrupted())
                Thread.onSpinWait();
            System.out.println("running: " + Thread.interrupted() + " " + Thread.interrupted());
        });
        running.interrupt();
        running.join();
        Thread early = Thread.ofVirtual().unstarted(() -> {
            try {
                Thread.sleep(1);
                System.out.println("early: slept");
            } catch (InterruptedException e) {
                System.out.println("early: " + e.getMessage());
            }
        });
        early.interrupt();
        System.out.println("early is " + early.isInterrupted());
        early.start();
        early.join();
    }
}
