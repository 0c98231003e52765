// SPDX-License-Identifier: MIT
// since: 21
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;

/** Virtual threads exchange values by the queues of java.util.concurrent. */
public class VirtualQueues {
    static long through(BlockingQueue<Integer> queue, int producers, int consumers, int each)
        throws InterruptedException {
        AtomicLong sum = new AtomicLong();
        CountDownLatch ended = new CountDownLatch(producers + consumers);

        for (int i = 0; i < producers; i++)
            Thread.startVirtualThread(() -> {
                try {
                    for (int k = 1; k <= each; k++)
                        queue.put(k);
                } catch (InterruptedException e) {
                    System.out.println(e);
                }
                ended.countDown();
            });
        for (int i = 0; i < consumers; i++)
            Thread.startVirtualThread(() -> {
                try {
                    for (int k = 0; k < producers * each / consumers; k++)
                        sum.addAndGet(queue.take());
                } catch (InterruptedException e) {
                    System.out.println(e);
                }
                ended.countDown();
            });
        ended.await();
        return sum.get();
    }

    public static void main(String[] args) throws Exception {
        System.out.println("synchronous " + through(new SynchronousQueue<>(), 4, 4, 100));
        System.out.println("fair " + through(new SynchronousQueue<>(true), 2, 4, 100));
        System.out.println("array " + through(new ArrayBlockingQueue<>(3), 5, 2, 100));
        System.out.println("linked " + through(new LinkedBlockingQueue<>(2), 2, 5, 100));
        System.out.println("transfer " + through(new LinkedTransferQueue<>(), 3, 3, 100));
        System.out.println("priority " + through(new PriorityBlockingQueue<>(), 3, 3, 100));
        Exchanger<String> exchanger = new Exchanger<>();
        String[] got = new String[2];
        Thread a = Thread.startVirtualThread(() -> {
            try {
                got[0] = exchanger.exchange("of a");
            } catch (InterruptedException e) {
                System.out.println(e);
            }
        });
        Thread b = Thread.startVirtualThread(() -> {
            try {
                got[1] = exchanger.exchange("of b");
            } catch (InterruptedException e) {
                System.out.println(e);
            }
        });
        a.join();
        b.join();
        System.out.println(got[0] + ", " + got[1]);
    }
}
