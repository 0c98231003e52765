// SPDX-License-Identifier: MIT
// since: 21
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations -Djdk.virtualThreadScheduler.parallelism=1 -Djdk.virtualThreadScheduler.maxPoolSize=1
import java.util.concurrent.ConcurrentLinkedQueue;

/** With one carrier, virtual threads that yield take turns. */
public class VirtualYielding {
    public static void main(String[] args) throws Exception {
        ConcurrentLinkedQueue<String> order = new ConcurrentLinkedQueue<>();
        Thread starter = Thread.ofVirtual().unstarted(() -> {
            Thread[] threads = new Thread[3];
            for (int i = 0; i < threads.length; i++) {
                String name = "abc".substring(i, i + 1);
                threads[i] = Thread.ofVirtual().unstarted(() -> {
                    for (int k = 0; k < 4; k++) {
                        order.add(name + k);
                        Thread.yield();
                    }
                });
            }
            for (Thread t : threads)
                t.start();
            for (Thread t : threads)
                try {
                    t.join();
                } catch (InterruptedException e) {
                    System.out.println(e);
                }
        });
        starter.start();
        starter.join();
        int[] next = new int[3];
        boolean inTurn = true;
        for (String s : order)
            inTurn &= s.charAt(1) - '0' == next[s.charAt(0) - 'a']++;
        System.out.println(order.size() + " " + inTurn);
    }
}
