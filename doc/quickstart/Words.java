// SPDX-License-Identifier: MIT
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Counts the words of a sentence: streams, lambdas, collections, formatted output. */
public class Words {
    public static void main(String[] args) {
        String sentence = "a virtual machine is a machine that a machine runs";
        Map<String, Long> counts = Stream.of(sentence.split(" "))
            .collect(Collectors.groupingBy(word -> word, TreeMap::new,
                                           Collectors.counting()));
        counts.forEach((word, count) -> System.out.printf("%-8s %d%n", word, count));
    }
}
