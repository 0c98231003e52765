/* SPDX-License-Identifier: MIT */
/* Iteration order of hash tables with string keys is what String.hashCode says. */
import java.util.*;

public class HashIteration {
    public static void main(String[] args) {
        Map<String, Integer> map = new HashMap<>();
        Set<String> set = new HashSet<>();
        String text = "It was the best of times it was the worst of times it was the age "
            + "of wisdom it was the age of foolishness it was the epoch of belief";
        for (String w : text.split(" ")) {
            map.merge(w, 1, Integer::sum);
            set.add(w + w.length());
        }
        System.out.println(map);
        System.out.println(set);
        System.out.println(map.keySet().hashCode() + " " + map.hashCode());
        for (int i = 0; i < 100; i++) {
            map.put("key" + i * 37, i);
        }
        System.out.println(map);
        map.keySet().removeIf(k -> k.endsWith("7") || k.length() < 5);
        System.out.println(map.values());
        Map<String, Integer> collide = new HashMap<>();
        String[] parts = { "Aa", "BB" };
        for (int i = 0; i < 64; i++) {
            StringBuilder sb = new StringBuilder();
            for (int b = 0; b < 6; b++) {
                sb.append(parts[i >> b & 1]);
            }
            collide.put(sb.toString(), i);
        }
        System.out.println(collide.size() + " " + collide.get("AaBBAaBBAaBB"));
        System.out.println(collide);
        for (int i = 0; i < 60; i++) {
            StringBuilder sb = new StringBuilder();
            for (int b = 0; b < 6; b++) {
                sb.append(parts[i >> b & 1]);
            }
            collide.remove(sb.toString());
        }
        System.out.println(collide);
        System.out.println(new Hashtable<>(Map.of("one", 1)));
        Properties p = new Properties();
        p.setProperty("a", "b");
        System.out.println(p);
    }
}
