/* SPDX-License-Identifier: MIT */
/* ConcurrentHashMap under fire: compute, merge, resize, iteration. */
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class ConcurrentMaps {
    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<String, AtomicInteger> counts = new ConcurrentHashMap<>(2);
        ConcurrentHashMap<Integer, Integer> squares = new ConcurrentHashMap<>();
        ConcurrentSkipListSet<Integer> sorted = new ConcurrentSkipListSet<>();
        AtomicInteger computed = new AtomicInteger();
        Thread[] t = new Thread[4];
        for (int i = 0; i < 4; i++) {
            int id = i;
            t[i] = new Thread(() -> {
                for (int k = 0; k < 3000; k++) {
                    counts.computeIfAbsent("key" + k % 700, x -> new AtomicInteger())
                        .incrementAndGet();
                    int n = k;
                    squares.computeIfAbsent(k, x -> {
                        computed.incrementAndGet();
                        return n * n;
                    });
                    squares.merge(-1 - k % 10, 1, Integer::sum);
                    sorted.add(k * 4 + id);
                    if (k % 3 == 0) {
                        sorted.remove(k * 4 + id);
                    }
                }
            });
            t[i].start();
        }
        for (Thread x : t) {
            x.join();
        }
        int total = 0;
        for (AtomicInteger a : counts.values()) {
            total += a.get();
        }
        System.out.println(counts.size() + " " + total + " " + computed + " " + squares.size() + " "
            + squares.get(-1) + " " + squares.get(2999) + " " + sorted.size() + " " + sorted.first()
            + " " + sorted.last());
        squares.keySet().removeIf(k -> k > 5);
        System.out.println(new TreeMap<>(squares));
        Iterator<Integer> it = squares.keySet().iterator();
        squares.put(1000, 1);
        int seen = 0;
        while (it.hasNext()) {
            it.next();
            seen++;
        }
        System.out.println(seen >= 16);
        try {
            squares.computeIfAbsent(77, k -> squares.computeIfAbsent(77, x -> 1));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            squares.put(null, 1);
        } catch (NullPointerException e) {
            System.out.println("no null keys");
        }
    }
}
