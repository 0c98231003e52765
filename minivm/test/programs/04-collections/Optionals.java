/* SPDX-License-Identifier: MIT */
/* Optional, Objects, Comparator combinators, functional interfaces. */
import java.util.*;
import java.util.function.*;

public class Optionals {
    public static void main(String[] args) {
        Optional<String> some = Optional.of("value"), none = Optional.empty();
        System.out.println(some + " " + none + " " + some.map(String::length) + " "
            + none.map(String::length) + " " + some.filter(s -> s.isEmpty()) + " "
            + none.or(() -> Optional.of("other")).get() + " " + none.orElse("else") + " "
            + some.flatMap(s -> Optional.of(s + s)).get() + " " + some.stream().count());
        some.ifPresentOrElse(s -> System.out.println("has " + s), () -> System.out.println("no"));
        none.ifPresentOrElse(s -> System.out.println("has " + s), () -> System.out.println("no"));
        try {
            none.get();
        } catch (NoSuchElementException e) {
            System.out.println(e.getMessage());
        }
        try {
            none.orElseThrow(() -> new IllegalStateException("mine"));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(OptionalInt.of(5) + " " + OptionalDouble.empty() + " "
            + Optional.ofNullable(null).isEmpty() + " " + some.equals(Optional.of("value")));
        System.out.println(Objects.hash(1, "a", null) + " " + Objects.equals(null, null) + " "
            + Objects.toString(null, "default") + " " + Objects.requireNonNullElse(null, 3)
            + " " + Objects.compare("a", "b", Comparator.naturalOrder()));
        try {
            Objects.checkIndex(5, 3);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            Objects.checkFromToIndex(2, 9, 5);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        List<String> words = new ArrayList<>(Arrays.asList("pear", null, "fig", "apple", "kiwi"));
        words.sort(Comparator.nullsFirst(Comparator.comparing(String::length)
            .thenComparing(Comparator.naturalOrder())));
        System.out.println(words);
        BiFunction<Integer, Integer, Integer> add = Integer::sum;
        System.out.println(add.andThen(x -> x * 2).apply(3, 4));
        System.out.println(BinaryOperator.minBy(Comparator.<Integer>naturalOrder()).apply(4, 2)
            + " " + UnaryOperator.identity().apply("id") + " "
            + Predicate.not(String::isEmpty).test("") + " "
            + Predicate.isEqual("x").or(s -> s == null).test(null));
        IntUnaryOperator twice = x -> x * 2;
        System.out.println(twice.andThen(x -> x + 1).compose(x -> x - 3).applyAsInt(10));
        StringJoiner j = new StringJoiner("; ", "{", "}").setEmptyValue("EMPTY");
        System.out.println(j);
        j.add("a").add("b");
        System.out.println(j + " " + j.length());
    }
}
