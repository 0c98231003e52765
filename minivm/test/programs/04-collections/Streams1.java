/* SPDX-License-Identifier: MIT */
/* Streams: every intermediate and terminal operation. */
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

public class Streams1 {
    record Person(String name, int age, String city) {
    }

    public static void main(String[] args) {
        List<Person> people = List.of(new Person("Ann", 30, "Oslo"), new Person("Bob", 25, "Rome"),
            new Person("Cid", 35, "Oslo"), new Person("Dan", 25, "Bern"),
            new Person("Eve", 41, "Rome"));
        System.out.println(people.stream().filter(p -> p.age() > 26).map(Person::name)
            .collect(Collectors.joining(",", "<", ">")));
        System.out.println("" + people.stream().collect(Collectors.groupingBy(Person::city,
            TreeMap::new, Collectors.averagingInt(Person::age))));
        System.out.println("" + people.stream().collect(Collectors.partitioningBy(p -> p.age() > 29,
            Collectors.mapping(Person::name, Collectors.toList()))));
        System.out.println(people.stream().sorted(Comparator.comparingInt(Person::age)
            .thenComparing(Person::name, Comparator.reverseOrder())).map(Person::name).toList());
        System.out.println("" + people.stream().collect(Collectors.toMap(Person::city, Person::name,
            (a, b) -> a + "+" + b, LinkedHashMap::new)));
        System.out.println(people.stream().mapToInt(Person::age).summaryStatistics());
        System.out.println("" + people.stream().collect(Collectors.teeing(Collectors.counting(),
            Collectors.summingInt(Person::age), (n, s) -> s / n)));
        System.out.println(people.stream().map(Person::age).reduce(0, Integer::sum) + " "
            + people.stream().max(Comparator.comparing(Person::name)).get().name() + " "
            + people.stream().anyMatch(p -> p.city().equals("Bern")) + " "
            + people.stream().allMatch(p -> p.age() > 25) + " "
            + people.stream().noneMatch(p -> p.age() > 50));
        System.out.println(IntStream.rangeClosed(1, 20).filter(i -> i % 3 == 0).boxed()
            .collect(Collectors.toList()) + " " + IntStream.of(3, 1, 2).sorted().boxed().toList());
        System.out.println(Stream.iterate(1, x -> x * 2).limit(12).skip(3).map(String::valueOf)
            .collect(Collectors.joining(" ")));
        System.out.println(Stream.iterate(1, x -> x < 100, x -> x * 3).toList());
        System.out.println(Stream.of("a,b", "c", "d,e,f").flatMap(s -> Stream.of(s.split(",")))
            .distinct().count());
        System.out.println(Stream.of(1, 2, 3).<Integer>mapMulti((x, sink) -> {
            for (int i = 0; i < x; i++) {
                sink.accept(x);
            }
        }).toList());
        System.out.println(IntStream.range(0, 100).takeWhile(i -> i < 5).sum() + " "
            + IntStream.range(0, 10).dropWhile(i -> i < 7).sum() + " "
            + DoubleStream.of(1, 2, 3).average().getAsDouble() + " "
            + LongStream.rangeClosed(1, 15).reduce(1, (a, b) -> a * b));
        List<String> log = new ArrayList<>();
        Optional<Integer> first = Stream.of(5, 6, 7, 8).peek(x -> log.add("p" + x))
            .filter(x -> x > 5).findFirst();
        System.out.println(first + " " + log);
        Stream<String> once = Stream.of("x");
        once.forEach(s -> { });
        try {
            once.count();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        StringBuilder closed = new StringBuilder();
        try (Stream<Integer> s = Stream.of(1).onClose(() -> closed.append("closed"))) {
            s.findAny();
        }
        System.out.println(closed);
        System.out.println(Stream.concat(Stream.of(1), Stream.empty()).toList() + " "
            + Stream.ofNullable(null).count() + " " + "hello".chars().mapToObj(c -> (char) c)
            .collect(Collectors.groupingBy(Function.identity(), TreeMap::new,
                Collectors.counting())));
        System.out.println(Arrays.toString(Stream.of("b", "a").sorted().toArray(String[]::new)));
        System.out.println("" + Stream.of(1, 2, 3, 4).collect(Collectors.collectingAndThen(
            Collectors.reducing(1, (a, b) -> a * b), x -> "product " + x)));
        System.out.println("" + Stream.of(1, 2, 3, 4).collect(Collectors.filtering(x -> x % 2 == 0,
            Collectors.flatMapping(x -> Stream.of(x, -x), Collectors.toList()))));
        Supplier<Stream<Integer>> pyth = () -> IntStream.rangeClosed(1, 50).boxed().flatMap(a ->
            IntStream.rangeClosed(a, 50).filter(b -> Math.sqrt(a * a + b * b) % 1 == 0)
                .mapToObj(b -> a * 100 + b));
        System.out.println(pyth.get().count() + " " + pyth.get().limit(3).toList());
        PrimitiveIterator.OfInt it = IntStream.generate(new IntSupplier() {
            int a = 0, b = 1;

            @Override
            public int getAsInt() {
                int r = a;
                a = b;
                b += r;
                return r;
            }
        }).limit(10).iterator();
        while (it.hasNext()) {
            System.out.print(it.nextInt() + " ");
        }
        System.out.println();
        System.out.println("" + Stream.of("x", "y").collect(ArrayList::new, List::add, List::addAll));
        try {
            Stream.of("a", "a").collect(Collectors.toMap(s -> s, s -> 1));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
