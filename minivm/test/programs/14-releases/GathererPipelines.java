// SPDX-License-Identifier: MIT
// since: 24
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;
import java.util.stream.*;

/** Gatherers of one's own, put together, in parallel, with virtual threads that map. */
public class GathererPipelines {
    record Run<T>(T value, int length) {
        @Override
        public String toString() {
            return value + "x" + length;
        }
    }

    /** Equal neighbours become one. */
    static <T> Gatherer<T, ?, Run<T>> runs() {
        class State {
            T value;
            int length;
        }
        return Gatherer.<T, State, Run<T>>ofSequential(State::new, (state, element, down) -> {
            if (state.length > 0 && Objects.equals(state.value, element)) {
                state.length++;
                return true;
            }
            boolean more = state.length == 0 || down.push(new Run<>(state.value, state.length));
            state.value = element;
            state.length = 1;
            return more;
        }, (state, down) -> {
            if (state.length > 0 && !down.isRejecting())
                down.push(new Run<>(state.value, state.length));
        });
    }

    /** The first of each key, of whatever part of the stream; parts are combined. */
    static <T, K> Gatherer<T, Map<K, T>, T> distinctBy(Function<T, K> key) {
        return Gatherer.of(ConcurrentHashMap::new,
            Gatherer.Integrator.ofGreedy((seen, element, down) ->
                seen.putIfAbsent(key.apply(element), element) != null || true),
            (a, b) -> {
                b.forEach(a::putIfAbsent);
                return a;
            }, (seen, down) -> seen.values().stream()
                .sorted(Comparator.comparing(Object::toString)).forEach(down::push));
    }

    static <T> Gatherer<T, ?, T> every(int n) {
        return Gatherer.<T, int[], T>ofSequential(() -> new int[1],
            (count, element, down) -> count[0]++ % n != 0 || down.push(element));
    }

    static <T> Gatherer<T, ?, T> until(Predicate<T> last) {
        return Gatherer.<T, T>of((nothing, element, down) -> down.push(element) && !last.test(element));
    }

    public static void main(String[] args) {
        System.out.println("aaabccddddda".chars().mapToObj(c -> (char) c).gather(runs()).toList());
        System.out.println(Stream.<String>empty().gather(runs()).toList());
        System.out.println(Stream.iterate(1, i -> i + 1).gather(runs()).limit(3).toList());
        System.out.println(IntStream.range(0, 30).boxed()
            .gather(GathererPipelines.<Integer>every(4).andThen(Gatherers.windowFixed(3))).toList());
        System.out.println(Stream.iterate(1, i -> i * 2).gather(until(i -> i > 500))
            .gather(Gatherers.scan(() -> 0L, (sum, i) -> sum + i)).toList());
        List<Integer> distinct = IntStream.range(0, 1000).boxed().parallel()
            .gather(GathererPipelines.<Integer, Integer>distinctBy(i -> i % 7 < 5 ? i % 7 : -1))
            .map(i -> i % 7 < 5 ? i % 7 : -1).toList();
        System.out.println(new TreeSet<>(distinct) + " " + distinct.size());
        System.out.println(Stream.of("a", "b", "c", "d").gather(Gatherers.windowSliding(2))
            .gather(Gatherers.fold(() -> "", (s, w) -> s + w.get(0) + "-" + w.get(1) + " ")).findFirst().get());

        AtomicInteger running = new AtomicInteger(), most = new AtomicInteger(), virtual = new AtomicInteger();
        List<Integer> squares = IntStream.range(0, 40).boxed().gather(Gatherers.mapConcurrent(5, i -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            virtual.addAndGet(Thread.currentThread().isVirtual() ? 1 : 0);
            try {
                Thread.sleep((40 - i) % 7);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            running.decrementAndGet();
            return i * i;
        })).toList();
        System.out.println(squares + " " + (most.get() <= 5) + " " + virtual);
        AtomicInteger interrupted = new AtomicInteger();
        System.out.println(Stream.of(1, 2, 3).gather(Gatherers.mapConcurrent(3, i -> {
            if (i > 1) {
                try {
                    Thread.sleep(60_000);
                } catch (InterruptedException e) {
                    interrupted.incrementAndGet();
                }
            }
            return "first " + i;
        })).findFirst().get());
        try {
            Stream.of(4, 2, 0, 1).gather(Gatherers.mapConcurrent(2, i -> 8 / i)).forEach(System.out::println);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        } catch (RuntimeException e) {
            System.out.println(e.getClass().getSimpleName() + " " + e.getCause().getMessage());
        }
        Gatherer<Integer, ?, String> all = GathererPipelines.<Integer>every(2)
            .andThen(Gatherers.scan(() -> 0, Integer::sum)).andThen(runs()).andThen(
                Gatherer.<Run<Integer>, String>of((nothing, run, down) -> down.push("<" + run + ">")));
        System.out.println(Stream.of(1, 2, 0, 4, 0, 6, 7).gather(all).collect(Collectors.joining()));
        for (int bad : new int[] { 0, -3 }) {
            try {
                Gatherers.windowFixed(bad);
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
