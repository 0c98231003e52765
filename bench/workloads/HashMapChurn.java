/* SPDX-License-Identifier: MIT */

import java.util.HashMap;
import java.util.Map;

/* Puts, gets and removals of boxed keys in a HashMap. */
public class HashMapChurn {
    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 1_200_000;
        Map<Integer, Integer> map = new HashMap<>();
        int seed = 42;
        long hits = 0;
        for (int i = 0; i < rounds; i++) {
            seed = seed * 1103515245 + 12345;
            int key = (seed >>> 8) & 0xffff;
            switch (i & 3) {
            case 0:
            case 1:
                map.merge(key, 1, HashMapChurn::add);
                break;
            case 2:
                Integer old = map.get(key);
                if (old != null) {
                    hits += old;
                }
                break;
            default:
                map.remove(key ^ 1);
                break;
            }
        }
        long sum = 0;
        for (Map.Entry<Integer, Integer> e : map.entrySet()) {
            sum += (long) e.getKey() * e.getValue();
        }
        System.out.println(map.size() + " entries, " + hits + " hits, sum " + sum);
    }

    static int add(int a, int b) {
        return a + b;
    }
}
