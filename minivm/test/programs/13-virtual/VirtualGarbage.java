// SPDX-License-Identifier: MIT
// since: 21
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** What the frames of parked virtual threads refer to stays, however often memory is
    collected. */
public class VirtualGarbage {
    static String build(int n) {
        StringBuilder b = new StringBuilder();
        for (int i = 0; i <= n % 5; i++)
            b.append((char)('a' + i)).append(n);
        return b.toString();
    }

    static String hold(int n, CountDownLatch parked, CountDownLatch go) throws Exception {
        Object[] kept = { build(n), new int[n + 1], null };
        String local = build(n + 1);
        double number = n + 0.5;
        parked.countDown();
        go.await();
        int[] array = (int[])kept[1];
        return kept[0] + "/" + array.length + "/" + local + "/" + number;
    }

    public static void main(String[] args) throws Exception {
        int n = 300;
        CountDownLatch parked = new CountDownLatch(n), go = new CountDownLatch(1);
        String[] results = new String[n];
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            int me = i;
            threads.add(Thread.startVirtualThread(() -> {
                try {
                    results[me] = hold(me, parked, go);
                } catch (Exception e) {
                    System.out.println(e);
                }
            }));
        }
        parked.await();
        for (int i = 0; i < 3; i++) {
            byte[][] junk = new byte[200][];
            for (int k = 0; k < junk.length; k++)
                junk[k] = new byte[50_000];
            System.gc();
        }
        go.countDown();
        for (Thread t : threads)
            t.join();
        int wrong = 0;
        for (int i = 0; i < n; i++)
            if (!results[i].equals(build(i) + "/" + (i + 1) + "/" + build(i + 1) + "/" + (i + 0.5)))
                wrong++;
        System.out.println("wrong " + wrong + ", the last is " + results[n - 1]);
        WeakReference<Thread> ended = new WeakReference<>(threads.get(0));
        threads.clear();
        for (int i = 0; i < 50 && ended.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        System.out.println("ended thread collected " + (ended.get() == null));
    }
}
