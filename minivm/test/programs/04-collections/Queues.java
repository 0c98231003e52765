/* SPDX-License-Identifier: MIT */
/* PriorityQueue, ArrayDeque, DelayQueue-free blocking queues, BitSet. */
import java.util.*;
import java.util.concurrent.*;

public class Queues {
    public static void main(String[] args) throws InterruptedException {
        PriorityQueue<String> pq = new PriorityQueue<>(
            Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder()));
        for (String s : "the quick brown fox jumps over the lazy dog".split(" ")) {
            pq.add(s);
        }
        pq.remove("lazy");
        StringBuilder sb = new StringBuilder();
        while (!pq.isEmpty()) {
            sb.append(pq.poll()).append(' ');
        }
        System.out.println(sb);
        ArrayDeque<Integer> d = new ArrayDeque<>(2);
        for (int i = 0; i < 40; i++) {
            if (i % 3 == 0) {
                d.addFirst(i);
            } else {
                d.addLast(i);
            }
            if (i % 5 == 0) {
                d.pollFirst();
            }
        }
        System.out.println(d + " " + d.descendingIterator().next());
        ArrayBlockingQueue<Integer> a = new ArrayBlockingQueue<>(2);
        System.out.println(a.offer(1) + " " + a.offer(2) + " " + a.offer(3) + " " + a.peek());
        try {
            a.add(9);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(a.poll(1, TimeUnit.MILLISECONDS) + " " + a.take() + " "
                           + a.poll(1, TimeUnit.MILLISECONDS));
        LinkedBlockingDeque<Integer> ld = new LinkedBlockingDeque<>(List.of(1, 2, 3));
        System.out.println(ld.takeLast() + " " + ld.drainTo(new ArrayList<>(), 1) + ld);
        ConcurrentLinkedQueue<Integer> c = new ConcurrentLinkedQueue<>(List.of(5, 6));
        c.offer(7);
        System.out.println(c + " " + c.poll() + c.size());
        PriorityBlockingQueue<Integer> pb = new PriorityBlockingQueue<>(4);
        for (int i : new int[] { 5, 1, 4, 2, 3, 0 }) {
            pb.put(i);
        }
        System.out.println(pb.take() + "" + pb.take() + pb.take());
        BitSet x = new BitSet(), y = new BitSet(200);
        x.set(3, 80);
        y.set(70, 130);
        y.clear(75);
        x.xor(y);
        System.out.println(x + " " + x.cardinality() + " " + x.nextClearBit(3) + " "
            + x.previousSetBit(100) + " " + x.length() + " " + Arrays.toString(y.toLongArray()));
        CopyOnWriteArrayList<String> cow = new CopyOnWriteArrayList<>(List.of("a", "b"));
        for (String s : cow) {
            cow.add(s + s);
        }
        System.out.println(cow + " " + cow.addIfAbsent("a"));
        ConcurrentHashMap<String, Integer> chm = new ConcurrentHashMap<>();
        for (int i = 0; i < 500; i++) {
            chm.merge("k" + i % 50, i, Integer::sum);
        }
        System.out.println(chm.reduceValues(1000, Integer::sum) + " " + chm.mappingCount() + " "
            + chm.search(1000, (k, v) -> v == 2300 ? k : null) + " " + chm.get("k49"));
        System.out.println(new TreeMap<>(chm).firstEntry());
    }
}
