// SPDX-License-Identifier: MIT
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Kinds platform|virtual: threads of that kind execute the same lines.  Apart from the
 * other programs since JDK 17 does not compile it.
 */
public class Kinds {
    static final AtomicInteger sum = new AtomicInteger();

    static void work(int i) {
        if (i < 0)
            sum.addAndGet(-i); // missed
        Thread.yield(); // hit
        if (i % 10 == 9)
            pause(); // hit
        sum.addAndGet(i); // hit
    }

    static void pause() {
        try {
            Thread.sleep(1); // hit
        } catch (InterruptedException e) {
            throw new IllegalStateException(e); // missed
        }
        Thread.yield(); // hit
    }

    public static void main(String[] args) throws InterruptedException {
        boolean virtual = args[0].equals("virtual");
        Thread[] threads = new Thread[100];
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            Thread.Builder kind = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
            threads[i] = kind.unstarted(() -> work(number));
        }
        for (Thread thread : threads)
            thread.start();
        for (Thread thread : threads)
            thread.join();
        System.out.println("sum " + sum + ", virtual " + threads[0].isVirtual());
    }
}
