/* SPDX-License-Identifier: MIT */
/* TreeMap, LinkedHashMap, HashMap, IdentityHashMap, WeakHashMap; views. */
import java.util.*;
import java.util.concurrent.ConcurrentSkipListMap;

public class Maps {
    static void exercise(Map<String, Integer> m) {
        for (String s : "one two three four five six seven eight nine ten".split(" ")) {
            m.put(s, s.length());
        }
        System.out.println(m.put("one", 11) + " " + m.putIfAbsent("one", 5) + " "
            + m.getOrDefault("zero", -1) + " " + m.computeIfAbsent("eleven", String::length)
            + " " + m.computeIfPresent("two", (k, v) -> null) + " "
            + m.compute("six", (k, v) -> v * 100) + " " + m.merge("ten", 7, Integer::sum));
        m.replaceAll((k, v) -> k.startsWith("s") ? -v : v);
        m.entrySet().removeIf(e -> e.getValue() == 5);
        m.values().remove(4);
        m.keySet().retainAll(new HashSet<>(List.of("one", "six", "seven", "ten", "five")));
        System.out.println(new TreeMap<>(m) + " " + m.size() + " " + m.containsValue(11)
                           + " " + m.remove("six", 0) + m.replace("one", 11, 12));
        for (Map.Entry<String, Integer> e : m.entrySet()) {
            try {
                e.setValue(e.getValue() + 1);
            } catch (UnsupportedOperationException x) {
                System.out.println("entry is a copy");
            }
        }
        System.out.println(new TreeMap<>(m) + " " + m.hashCode() + " "
                           + m.equals(new HashMap<>(m)));
    }

    public static void main(String[] args) {
        exercise(new HashMap<>());
        exercise(new LinkedHashMap<>());
        exercise(new TreeMap<>(Comparator.reverseOrder()));
        exercise(new Hashtable<>());
        TreeMap<Integer, String> t = new TreeMap<>();
        for (int i = 0; i < 1000; i++) {
            t.put(i * 7919 % 1009, "v" + i);
        }
        System.out.println(t.firstKey() + " " + t.lastEntry() + " " + t.floorKey(500) + " "
            + t.higherKey(500) + " " + t.ceilingEntry(-5) + " " + t.lowerEntry(0));
        NavigableMap<Integer, String> sub = t.subMap(100, true, 110, false).descendingMap();
        System.out.println(sub);
        sub.remove(105);
        System.out.println(t.containsKey(105) + " " + t.headMap(3) + " "
                           + t.tailMap(1006, false).size() + " " + t.pollFirstEntry());
        try {
            sub.put(200, "x");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        for (int i = 0; i < 900; i++) {
            t.remove(i);
        }
        System.out.println(t.size() + " " + t.hashCode());
        LinkedHashMap<String, Integer> lru = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Integer> e) {
                return size() > 3;
            }
        };
        for (String s : "a b c a d e a f".split(" ")) {
            lru.merge(s, 1, Integer::sum);
        }
        System.out.println(lru);
        IdentityHashMap<String, Integer> id = new IdentityHashMap<>();
        String k = "k";
        id.put(k, 1);
        id.put(new String(k), 2);
        System.out.println(id.size() + " " + id.get("k"));
        ConcurrentSkipListMap<String, Integer> skip = new ConcurrentSkipListMap<>();
        exercise(skip);
        System.out.println(skip.firstEntry() + " " + skip.headMap("p", true));
        Map<String, Integer> of = Map.of("x", 1);
        try {
            of.put("y", 2);
        } catch (UnsupportedOperationException e) {
            System.out.println("immutable");
        }
        try {
            Map.of("a", 1, "a", 2);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            new TreeMap<Object, String>().put(new Object(), "");
        } catch (ClassCastException e) {
            System.out.println("not comparable");
        }
        Map<Integer, Integer> big = new HashMap<>();
        for (int i = 0; i < 50000; i++) {
            big.merge(i * i % 4099, 1, Integer::sum);
        }
        long sum = 0;
        for (var e : big.entrySet()) {
            sum = sum * 31 + e.getKey() * 7L + e.getValue();
        }
        System.out.println(big.size() + " " + sum);
    }
}
