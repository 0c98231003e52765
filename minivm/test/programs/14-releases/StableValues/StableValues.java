// SPDX-License-Identifier: MIT
// since: 25
// until: 25
// vm: --enable-preview
import java.util.*;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.*;

/** Stable values: set once, computed once, as suppliers, functions, lists and maps. */
public class StableValues {
    static final AtomicInteger computed = new AtomicInteger();
    static final Supplier<String> NAME = StableValue.supplier(() -> "name" + computed.incrementAndGet());
    static final List<Long> FIBONACCI = StableValue.list(60, StableValues::fibonacci);

    static long fibonacci(int n) {
        computed.incrementAndGet();
        return n < 2 ? n : FIBONACCI.get(n - 1) + FIBONACCI.get(n - 2);
    }

    static void attempt(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + ": done");
        } catch (RuntimeException e) {
            System.out.println(what + ": " + e.getClass().getSimpleName());
        }
    }

    public static void main(String[] args) throws Exception {
        StableValue<Integer> one = StableValue.of();
        System.out.println(one.isSet() + " " + one.orElse(7) + " " + one);
        System.out.println(one.trySet(1) + " " + one.trySet(2) + " " + one.orElseThrow() + " " + one.orElseSet(() -> 3));
        attempt("set twice", () -> one.setOrThrow(5));
        attempt("get one that is not set", () -> StableValue.of().orElseThrow());
        StableValue<String> none = StableValue.of();
        attempt("a computation that throws", () -> none.orElseSet(() -> {
            throw new UnsupportedOperationException();
        }));
        System.out.println(none.isSet() + " " + none.orElseSet(() -> "then") + " " + StableValue.of("given"));
        System.out.println(NAME.get() + " " + NAME.get() + " " + computed);
        System.out.println(FIBONACCI.get(50) + " " + (computed.get() - 1) + " " + FIBONACCI.size());
        attempt("beyond the list", () -> FIBONACCI.get(60));
        attempt("change the list", () -> FIBONACCI.set(0, 1L));
        Map<String, Integer> lengths = StableValue.map(Set.of("a", "bb", "ccc"), s -> {
            computed.addAndGet(100);
            return s.length();
        });
        System.out.println(lengths.get("bb") + " " + lengths.get("bb") + " " + lengths.get("other") + " "
            + lengths.containsKey("ccc") + " " + computed.get() / 100);
        IntFunction<String> squares = StableValue.intFunction(5, n -> n * n + "#" + computed.incrementAndGet() % 2 * 0);
        System.out.println(squares.apply(4) + " " + squares.apply(4) + " " + squares.apply(0));
        Function<Integer, String> words = StableValue.function(Set.of(1, 2), n -> n == 1 ? "one" : "two");
        attempt("an input that is none", () -> words.apply(3));
        System.out.println(words.apply(2));
        // Of many threads one computes, and all see it.
        StableValue<Object> shared = StableValue.of();
        AtomicInteger runs = new AtomicInteger();
        Set<Object> seen = Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 20; i++)
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                seen.add(shared.orElseSet(() -> {
                    runs.incrementAndGet();
                    return new Object();
                }));
            }));
        go.countDown();
        for (Thread t : threads)
            t.join();
        System.out.println(runs + " " + seen.size());
        StableValue<Integer> self = StableValue.of();
        attempt("a value that needs itself", () -> self.orElseSet(() -> self.orElseSet(() -> 1)));
    }
}
