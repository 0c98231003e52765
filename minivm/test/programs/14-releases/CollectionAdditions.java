// SPDX-License-Identifier: MIT
// since: 21
import java.util.*;
import java.util.concurrent.*;
import java.util.random.RandomGenerator;
import java.util.stream.*;

/** What collections and streams learnt from 18 to 21: sizes, shuffles, views, multi-maps. */
public class CollectionAdditions {
    /** A hash code that collides, so that tables with right sizes still work. */
    record Clumsy(int n) implements Comparable<Clumsy> {
        public int hashCode() {
            return n % 3;
        }

        public int compareTo(Clumsy other) {
            return Integer.compare(n, other.n);
        }
    }

    public static void main(String[] args) {
        Map<Clumsy, Integer> map = HashMap.newHashMap(200);
        Map<String, Integer> linked = LinkedHashMap.newLinkedHashMap(5);
        Set<Clumsy> set = HashSet.newHashSet(200);
        WeakHashMap<Object, String> weak = WeakHashMap.newWeakHashMap(3);
        for (int i = 0; i < 200; i++) {
            map.put(new Clumsy(i), i);
            set.add(new Clumsy(i / 2));
        }
        Object key = new Object();
        weak.put(key, "kept");
        linked.putAll(Map.of("only", 1));
        System.out.println(map.values().stream().mapToInt(i -> i).sum() + " " + set.size() + " " + weak.get(key) + linked);
        try {
            HashMap.newHashMap(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        List<Integer> numbers = IntStream.range(0, 12).boxed().collect(Collectors.toCollection(ArrayList::new));
        RandomGenerator seeded = new SplittableRandom(7);
        Collections.shuffle(numbers, seeded);
        System.out.println(numbers + " " + numbers.stream().sorted(Comparator.reverseOrder()).limit(3).toList());
        System.out.println(Stream.of(1, 2, 3).<Integer>mapMulti((n, sink) -> {
            for (int i = 0; i < n; i++)
                sink.accept(n * 10 + i);
        }).toList());
        String both = Stream.of("b", "a", "c").collect(Collectors.teeing(Collectors.joining(),
            Collectors.counting(), (s, n) -> s + n));
        System.out.println(both);
        NavigableMap<String, Integer> tree = new TreeMap<>(Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder()));
        for (String s : "some words of several lengths are here".split(" "))
            tree.putIfAbsent(s, s.length());
        System.out.println(tree + " " + tree.descendingMap().firstKey() + " " + tree.headMap("are", true).size());
        PriorityQueue<Clumsy> queue = new PriorityQueue<>(set);
        System.out.println(queue.poll() + " " + queue.size() + " " + queue.peek());
        ConcurrentMap<Integer, LongAdderLike> adders = new ConcurrentHashMap<>();
        IntStream.range(0, 1000).parallel().forEach(i -> adders.computeIfAbsent(i % 5, k -> new LongAdderLike()).add(i));
        System.out.println(new TreeMap<>(adders));
        BitSet bits = new BitSet();
        IntStream.iterate(3, i -> i < 300, i -> i * 2 + 1).forEach(bits::set);
        System.out.println(bits + " " + Arrays.toString(bits.toLongArray()).length());
        Deque<Integer> deque = new ArrayDeque<>(List.of(1, 2, 3));
        System.out.println(deque.reversed() + " " + deque.reversed().peek() + " " + List.copyOf(deque.reversed()));
        Iterator<Integer> forever = Stream.generate(() -> 4).iterator();
        System.out.println(forever.next() + forever.next());
        System.out.println(Objects.toIdentityString("x").startsWith("java.lang.String@") + " " + Objects.checkIndex(4L, 5L));
        EnumMap<Thread.State, Integer> states = new EnumMap<>(Map.of(Thread.State.NEW, 1, Thread.State.BLOCKED, 2));
        System.out.println(states);
    }

    static class LongAdderLike {
        private long sum;

        synchronized void add(long n) {
            sum += n;
        }

        public synchronized String toString() {
            return "" + sum;
        }
    }
}
