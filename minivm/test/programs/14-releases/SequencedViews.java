// SPDX-License-Identifier: MIT
// since: 21
import java.util.*;
import java.util.concurrent.*;

/** SequencedCollection, SequencedSet and SequencedMap: both ends, and reversed views. */
public class SequencedViews {
    static void collection(String name, SequencedCollection<String> c) {
        c.addAll(List.of("b", "c", "d"));
        try {
            c.addFirst("a");
            c.addLast("e");
        } catch (UnsupportedOperationException e) {
            System.out.println(name + " has an order of its own");
        }
        System.out.println(name + " " + c + " " + c.getFirst() + c.getLast() + " " + c.reversed());
        SequencedCollection<String> back = c.reversed();
        System.out.println("  removed " + back.removeFirst() + " " + c.removeFirst() + " left " + c);
        back.clear();
        try {
            c.getFirst();
        } catch (NoSuchElementException e) {
            System.out.println("  empty: " + c.isEmpty() + " " + back);
        }
    }

    static void map(String name, SequencedMap<Integer, String> m) {
        for (int i : new int[] { 5, 3, 9 })
            m.put(i, "v" + i);
        System.out.println(name + " " + m + " " + m.firstEntry() + " " + m.lastEntry());
        try {
            m.putFirst(7, "first");
            m.putLast(3, "last");
        } catch (UnsupportedOperationException e) {
            System.out.println("  no positions");
        }
        System.out.println("  " + m.reversed() + " " + m.sequencedKeySet().reversed() + " "
            + m.sequencedValues().getLast() + " " + m.sequencedEntrySet().getFirst());
        System.out.println("  " + m.pollFirstEntry() + " " + m.pollLastEntry() + " " + m);
        m.reversed().put(100, "through the view");
        System.out.println("  " + m);
    }

    public static void main(String[] args) {
        collection("ArrayList", new ArrayList<>());
        collection("LinkedList", new LinkedList<>());
        collection("ArrayDeque", new ArrayDeque<>());
        collection("LinkedHashSet", new LinkedHashSet<>());
        collection("TreeSet", new TreeSet<>());
        collection("CopyOnWriteArrayList", new CopyOnWriteArrayList<>());
        collection("ConcurrentSkipListSet", new ConcurrentSkipListSet<>());
        map("LinkedHashMap", new LinkedHashMap<>());
        map("TreeMap", new TreeMap<>());
        map("ConcurrentSkipListMap", new ConcurrentSkipListMap<>());
        List<Integer> numbers = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6));
        List<Integer> back = numbers.reversed();
        back.set(0, 60);
        back.subList(1, 3).replaceAll(n -> n * 10);
        ListIterator<Integer> at = back.listIterator(4);
        at.next();
        at.remove();
        System.out.println(numbers + " " + back + " " + back.indexOf(3) + " " + back.reversed());
        System.out.println(back.stream().skip(1).toList() + " " + new TreeSet<>(numbers).reversed());
        LinkedHashSet<String> set = new LinkedHashSet<>(List.of("x", "y", "z"));
        set.addFirst("z");
        set.addLast("x");
        System.out.println(set + " " + String.join("", set.reversed()));
        System.out.println(Collections.unmodifiableSequencedSet(set).reversed().getFirst());
    }
}
