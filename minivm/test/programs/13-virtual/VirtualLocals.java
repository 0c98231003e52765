// SPDX-License-Identifier: MIT
// since: 21
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations
import java.util.concurrent.CountDownLatch;

/** Thread-local variables belong to the virtual thread, not to its carrier. */
public class VirtualLocals {
    static final ThreadLocal<String> OWN = ThreadLocal.withInitial(() -> "first");
    static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();

    public static void main(String[] args) throws Exception {
        INHERITED.set("from main");
        int n = 50;
        CountDownLatch ended = new CountDownLatch(n);
        int[] wrong = new int[1];
        for (int i = 0; i < n; i++) {
            String mine = "value " + i;
            Thread.startVirtualThread(() -> {
                boolean good = OWN.get().equals("first");
                OWN.set(mine);
                for (int k = 0; k < 20; k++) {
                    Thread.yield();
                    good &= OWN.get().equals(mine) && INHERITED.get().equals("from main");
                }
                INHERITED.set(mine);
                good &= INHERITED.get().equals(mine);
                if (!good)
                    synchronized (wrong) {
                        wrong[0]++;
                    }
                ended.countDown();
            });
        }
        ended.await();
        System.out.println("wrong " + wrong[0] + ", main has " + OWN.get() + ", "
                           + INHERITED.get());
        Thread t = Thread.ofVirtual().inheritInheritableThreadLocals(false).start(
            () -> System.out.println("not inherited: " + INHERITED.get()));
        t.join();
    }
}
