/* SPDX-License-Identifier: MIT */

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/* Pipelines of lambdas: filter, map, flatMap, grouping, reduction. */
public class Streams {
    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 110;
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            numbers.add(i * 7919 % 10007);
        }
        long total = 0;
        Map<Integer, Long> groups = null;
        for (int r = 0; r < rounds; r++) {
            int shift = r;
            total += numbers.stream()
                .filter(n -> (n & 1) == 0)
                .map(n -> n + shift)
                .mapToLong(n -> (long) n * n)
                .sum();
            groups = numbers.stream()
                .collect(Collectors.groupingBy(n -> n % 11, TreeMap::new,
                                               Collectors.counting()));
            total += IntStream.range(0, 100)
                .boxed()
                .flatMap(n -> numbers.subList(n, n + 10).stream())
                .sorted()
                .reduce(0, (a, b) -> a * 31 + b);
        }
        System.out.println(total + " " + groups);
    }
}
