/* SPDX-License-Identifier: MIT */
/* Parallel streams give the results of sequential ones. */
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.stream.*;

public class ParallelStreams {
    public static void main(String[] args) throws Exception {
        System.out.println(IntStream.range(0, 100000).parallel().mapToLong(i -> (long) i * i)
            .sum());
        System.out.println(IntStream.range(0, 1000).parallel().boxed().map(i -> "n" + i)
            .collect(Collectors.joining(",")).hashCode());
        List<Integer> list = new Random(1).ints(20000, 0, 5000).boxed().toList();
        System.out.println(list.parallelStream().distinct().sorted().toList().equals(
            new ArrayList<>(new TreeSet<>(list))));
        ConcurrentMap<Integer, List<Integer>> groups = list.parallelStream()
            .collect(Collectors.groupingByConcurrent(x -> x % 7));
        int total = 0;
        for (List<Integer> g : groups.values()) {
            total += g.size();
        }
        System.out.println(groups.size() + " " + total);
        LongAdder adder = new LongAdder();
        list.parallelStream().forEach(adder::add);
        System.out.println(adder.sum() == list.stream().mapToLong(x -> x).sum());
        StringBuilder ordered = new StringBuilder();
        IntStream.range(0, 20).parallel().forEachOrdered(ordered::append);
        System.out.println(ordered);
        System.out.println(list.parallelStream().filter(x -> x > 4990).findFirst().get()
            .equals(list.stream().filter(x -> x > 4990).findFirst().get()));
        System.out.println(IntStream.rangeClosed(1, 10).parallel().reduce(1, (a, b) -> a * b));
        System.out.println(Stream.iterate(1, x -> x + 1).parallel().limit(500).skip(100)
            .mapToInt(x -> x).sum());
        double[] d = new double[10000];
        Arrays.parallelSetAll(d, i -> i / 4.0);
        System.out.println(Arrays.stream(d).parallel().max().getAsDouble());
        try {
            IntStream.range(0, 1000).parallel().forEach(i -> {
                if (i == 500) {
                    throw new IllegalStateException("in parallel");
                }
            });
        } catch (IllegalStateException e) {
            System.out.println("thrown");
        }
        ForkJoinPool pool = new ForkJoinPool(3);
        System.out.println(pool.submit(() -> list.parallelStream().mapToInt(x -> x).max()
            .getAsInt()).get());
        pool.shutdown();
        System.out.println(pool.awaitTermination(10, TimeUnit.SECONDS));
    }
}
