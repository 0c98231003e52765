/* SPDX-License-Identifier: MIT */
/* Files, streams and collections together: a concordance of generated text. */
import java.io.IOException;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

public class WordCount {
    public static void main(String[] args) throws IOException {
        Path dir = Files.createDirectories(Path.of("texts"));
        String[] vocabulary = "alpha beta gamma delta epsilon zeta eta theta iota kappa".split(" ");
        Random r = new Random(21);
        for (int f = 0; f < 5; f++) {
            List<String> lines = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                lines.add(IntStream.range(0, 8).mapToObj(k -> vocabulary[(int) Math.abs(
                    r.nextGaussian() * 3) % 10]).collect(Collectors.joining(" ", "", ".")));
            }
            Files.write(dir.resolve("t" + f + ".txt"), lines);
        }
        Map<String, Long> counts;
        try (Stream<Path> files = Files.list(dir)) {
            counts = files.sorted().flatMap(p -> {
                try {
                    return Files.lines(p);
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            }).flatMap(l -> Stream.of(l.split("\\W+"))).collect(Collectors.groupingBy(w -> w,
                Collectors.counting()));
        }
        counts.entrySet().stream().sorted(Map.Entry.<String, Long>comparingByValue().reversed()
            .thenComparing(Map.Entry.comparingByKey())).forEach(e ->
                System.out.printf(Locale.ROOT, "%-8s %5d %s%n", e.getKey(), e.getValue(),
                    "*".repeat((int) (e.getValue() / 50))));
        Map<Integer, SortedSet<String>> byLength = counts.keySet().stream().collect(
            Collectors.groupingBy(String::length, TreeMap::new, Collectors.toCollection(TreeSet::new)));
        System.out.println(byLength);
        Map<String, Set<Integer>> index = new TreeMap<>();
        int line = 0;
        for (String l : Files.readAllLines(dir.resolve("t0.txt"))) {
            line++;
            for (String w : l.replace(".", "").split(" ")) {
                index.computeIfAbsent(w, k -> new TreeSet<>()).add(line);
            }
        }
        index.forEach((w, at) -> System.out.println(w + " " + at.size() + " " + at.stream().limit(5)
            .map(String::valueOf).collect(Collectors.joining(","))));
    }
}
