// SPDX-License-Identifier: MIT
// since: 21
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations -Djdk.trackAllThreads=false
import java.lang.ref.WeakReference;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** A parked virtual thread that nobody can wake is collected, with what it holds. */
public class VirtualUnreachable {
    static WeakReference<Object> held;

    static WeakReference<Thread> start() throws InterruptedException {
        CountDownLatch parked = new CountDownLatch(1);
        CountDownLatch[] parking = { parked };
        Thread t = Thread.startVirtualThread(() -> {
            Object local = new byte[1000];
            held = new WeakReference<>(local);
            parking[0].countDown();
            parking[0] = null;
            LockSupport.park();
            System.out.println("never: " + local);
        });
        parked.await();
        while (t.getState() != Thread.State.WAITING)
            Thread.onSpinWait();
        return new WeakReference<>(t);
    }

    public static void main(String[] args) throws Exception {
        WeakReference<Thread> t = start();
        for (int i = 0; i < 200 && (t.get() != null || held.get() != null); i++) {
            System.gc();
            Thread.sleep(5);
        }
        System.out.println(t.get() + " " + held.get());
    }
}
