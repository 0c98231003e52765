// SPDX-License-Identifier: MIT
// since: 21
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations
import java.util.concurrent.CountDownLatch;

/** What a virtual thread says of itself before, while and after it runs. */
public class VirtualProperties {
    static void tell(String when, Thread t) {
        System.out.println(when + ": " + t.getName() + " " + t.isVirtual() + " " + t.isDaemon()
                           + " " + t.getPriority() + " " + t.getState() + " " + t.isAlive()
                           + " " + (t.getThreadGroup() == null ? null
                                                               : t.getThreadGroup().getName()));
    }

    public static void main(String[] args) throws Exception {
        CountDownLatch started = new CountDownLatch(1), go = new CountDownLatch(1);
        Thread t = Thread.ofVirtual().name("one").unstarted(() -> {
            tell("inside", Thread.currentThread());
            started.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                System.out.println(e);
            }
        });

        tell("new", t);
        t.start();
        started.await();
        while (t.getState() != Thread.State.WAITING)
            Thread.onSpinWait();
        tell("waiting", t);
        go.countDown();
        t.join();
        tell("ended", t);
        try {
            t.start();
        } catch (IllegalThreadStateException e) {
            System.out.println("started twice: " + e.getMessage());
        }
        try {
            t.setDaemon(false);
        } catch (IllegalArgumentException e) {
            System.out.println("setDaemon: " + e.getMessage());
        }
        t.setPriority(Thread.MAX_PRIORITY);
        System.out.println("priority " + t.getPriority());
        System.out.println("unnamed '" + Thread.ofVirtual().unstarted(() -> { }).getName() + "'");
        Thread.Builder.OfVirtual counted = Thread.ofVirtual().name("n-", 5);
        for (int i = 0; i < 3; i++)
            System.out.println(counted.unstarted(() -> { }).getName());
        System.out.println(Thread.currentThread().isVirtual());
        System.out.println(t.threadId() > 0 && t.threadId() != Thread.currentThread().threadId());
    }
}
