// SPDX-License-Identifier: MIT
// since: 21
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** Two thousand virtual threads sleep at the same time. */
public class VirtualSleepers {
    static long deep(int n) throws InterruptedException {
        if (n == 0) {
            Thread.sleep(Duration.ofMillis(5));
            return 0;
        }
        return n + deep(n - 1);
    }

    public static void main(String[] args) throws Exception {
        CountDownLatch ended = new CountDownLatch(2000);
        AtomicLong sum = new AtomicLong();

        for (int i = 0; i < 2000; i++) {
            int n = i % 100;
            Thread.startVirtualThread(() -> {
                try {
                    sum.addAndGet(deep(n));
                } catch (InterruptedException e) {
                    System.out.println(e);
                }
                ended.countDown();
            });
        }
        ended.await();
        System.out.println("sum " + sum);
        Thread t = Thread.startVirtualThread(() -> {
            try {
                Thread.sleep(0);
                Thread.sleep(-1);
            } catch (IllegalArgumentException | InterruptedException e) {
                System.out.println(e);
            }
        });
        t.join();
        System.out.println(t.join(Duration.ofMillis(1)));
    }
}
