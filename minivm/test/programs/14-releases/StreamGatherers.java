// SPDX-License-Identifier: MIT
// since: 25
import java.util.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.*;
import java.util.stream.*;

/** Gatherers: those of the library, own ones with state, composition, short circuit. */
public class StreamGatherers {
    /** Passes an element on when it differs from the one before. */
    static <T> Gatherer<T, ?, T> changes() {
        class State {
            T last;
            boolean any;
        }
        return Gatherer.ofSequential(State::new, Gatherer.Integrator.ofGreedy((s, t, down) -> {
            boolean differs = !s.any || !Objects.equals(s.last, t);
            s.any = true;
            s.last = t;
            return !differs || down.push(t);
        }));
    }

    /** Runs of equal elements, as "element*length". */
    static Gatherer<String, ?, String> runs() {
        return Gatherer.<String, List<String>, String>ofSequential(ArrayList::new,
            (run, t, down) -> {
                boolean ok = true;
                if (!run.isEmpty() && !run.getFirst().equals(t)) {
                    ok = down.push(run.getFirst() + "*" + run.size());
                    run.clear();
                }
                run.add(t);
                return ok;
            },
            (run, down) -> {
                if (!run.isEmpty())
                    down.push(run.getFirst() + "*" + run.size());
            });
    }

    /** The sum of all, in parallel, too. */
    static Gatherer<Integer, int[], Integer> sum() {
        return Gatherer.of(() -> new int[1], (s, n, down) -> {
            s[0] += n;
            return true;
        }, (a, b) -> {
            a[0] += b[0];
            return a;
        }, (s, down) -> down.push(s[0]));
    }

    static <T> Gatherer<T, ?, T> takeUntil(Predicate<T> last) {
        return Gatherer.ofSequential(Gatherer.Integrator.of((_, t, down) -> down.push(t) && !last.test(t)));
    }

    public static void main(String[] args) {
        System.out.println(IntStream.rangeClosed(1, 8).boxed().gather(Gatherers.windowFixed(3)).toList());
        System.out.println(IntStream.rangeClosed(1, 5).boxed().gather(Gatherers.windowSliding(3)).toList());
        System.out.println(Stream.of(1, 2).gather(Gatherers.windowSliding(3)).toList());
        System.out.println(Stream.of("a", "b", "c").gather(Gatherers.fold(() -> "", (a, b) -> b + a)).findFirst());
        System.out.println(Stream.of(1, 2, 3, 4).gather(Gatherers.scan(() -> 100, Integer::sum)).toList());
        System.out.println(IntStream.range(0, 20).boxed()
            .gather(Gatherers.mapConcurrent(4, n -> n * n)).limit(6).toList());
        System.out.println(Stream.of(1, 1, 2, 2, 2, 1, 3).gather(changes()).toList());
        System.out.println(Stream.of("x", "x", "y", "x", "x", "x").gather(runs()).toList());
        System.out.println(Stream.<String>empty().gather(runs()).toList());
        System.out.println(IntStream.rangeClosed(1, 1000).boxed().parallel().gather(sum()).toList());
        AtomicInteger asked = new AtomicInteger();
        System.out.println(Stream.iterate(1, n -> n * 3).peek(_ -> asked.incrementAndGet())
            .gather(takeUntil(n -> n > 100)).toList() + " asked for " + asked);
        System.out.println(Stream.of(3, 3, 4, 5, 5, 6).gather(StreamGatherers.<Integer>changes()
            .andThen(Gatherers.windowFixed(2)).andThen(Gatherers.scan(() -> 0, (a, w) -> a + w.size()))).toList());
        try {
            Gatherers.windowFixed(0);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            Stream.of(1, 0).gather(Gatherers.mapConcurrent(2, n -> 10 / n)).forEach(n -> { });
        } catch (RuntimeException e) {
            System.out.println(e.getClass().getName() + " " + e.getMessage());
        }
    }
}
