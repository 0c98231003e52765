/* SPDX-License-Identifier: MIT */
/* Streams of characters, comparators of strings, joins and folds of text. */
import java.util.*;
import java.util.function.Function;
import java.util.stream.*;

public class CharStreams {
    static String caesar(String s, int by) {
        return s.chars().map(c -> c >= 'a' && c <= 'z' ? (c - 'a' + by + 26) % 26 + 'a' : c)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .toString();
    }

    static String runs(String s) {
        StringBuilder sb = new StringBuilder();
        for (int i = 0, j; i < s.length(); i = j) {
            for (j = i; j < s.length() && s.charAt(j) == s.charAt(i); j++) {
                continue;
            }
            sb.append(j - i).append(s.charAt(i));
        }
        return sb.toString();
    }

    public static void main(String[] args) {
        System.out.println(caesar("the quick brown fox", 3) + " " + caesar(caesar("round", 7), -7));
        String s = "1";
        for (int i = 0; i < 12; i++) {
            s = runs(s);
        }
        System.out.println(s);
        Map<String, List<String>> anagrams = Stream.of("listen", "silent", "enlist", "google", "elgoog",
            "abc").collect(Collectors.groupingBy(w -> w.chars().sorted().mapToObj(c -> "" + (char) c)
            .collect(Collectors.joining()), TreeMap::new, Collectors.toList()));
        System.out.println(anagrams);
        System.out.println("" + "mississippi".chars().mapToObj(c -> (char) c).collect(Collectors.groupingBy(
            Function.identity(), LinkedHashMap::new, Collectors.counting())));
        System.out.println(Stream.of("b10", "a2", "a10", "b2").sorted(Comparator.comparing(
            (String x) -> x.charAt(0)).thenComparingInt(x -> Integer.parseInt(x.substring(1)))).toList());
        System.out.println(IntStream.rangeClosed(1, 15).mapToObj(i -> i % 15 == 0 ? "FizzBuzz"
            : i % 5 == 0 ? "Buzz" : i % 3 == 0 ? "Fizz" : "" + i).collect(Collectors.joining(" ")));
        StringBuilder wrapped = new StringBuilder();
        int column = 0;
        for (String w : "in olden times when wishing still helped one there lived a king".split(" ")) {
            if (column + w.length() > 20) {
                wrapped.append('\n');
                column = 0;
            }
            wrapped.append(w).append(' ');
            column += w.length() + 1;
        }
        System.out.println(wrapped);
        System.out.println(new StringBuilder("never odd or even").reverse().toString().replace(" ", "")
            .equals("never odd or even".replace(" ", "")));
    }
}
