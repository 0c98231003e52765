// SPDX-License-Identifier: MIT
// since: 25
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Supplier;

/** Scoped values: binding, rebinding, nesting, exceptions, many at once, other threads. */
public class ScopedBindings {
    static final ScopedValue<String> USER = ScopedValue.newInstance();
    static final ScopedValue<Integer> DEPTH = ScopedValue.newInstance();
    static final List<String> log = new ArrayList<>();

    static String state() {
        return (USER.isBound() ? USER.get() : "nobody") + "/" + DEPTH.orElse(-1);
    }

    static int descend(int limit) {
        int depth = DEPTH.orElse(0);
        if (depth == limit)
            return depth;
        return depth + ScopedValue.where(DEPTH, depth + 1).call(() -> descend(limit));
    }

    static class Refused extends Exception {
        Refused(String message) {
            super(message);
        }
    }

    static String guarded(String wanted) throws Refused {
        if (!USER.isBound() || !USER.get().equals(wanted))
            throw new Refused(wanted + " is not " + USER.orElse("bound"));
        return "welcome " + wanted;
    }

    public static void main(String[] args) throws Exception {
        System.out.println(state());
        ScopedValue.where(USER, "ann").run(() -> {
            log.add(state());
            ScopedValue.where(USER, "bob").where(DEPTH, 5).run(() -> log.add(state()));
            log.add(state());
        });
        System.out.println(log + " " + state());
        System.out.println(descend(10));
        for (String name : new String[] { "ann", "eve" })
            try {
                System.out.println(ScopedValue.where(USER, name).call(() -> guarded("ann")));
            } catch (Refused e) {
                System.out.println(e.getMessage() + " then " + state());
            }
        try {
            USER.get();
        } catch (NoSuchElementException e) {
            System.out.println("not bound");
        }
        try {
            USER.orElseThrow(() -> new IllegalStateException("mine"));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        // More values than the cache of a thread has places.
        List<ScopedValue<Integer>> many = new ArrayList<>();
        for (int i = 0; i < 100; i++)
            many.add(ScopedValue.newInstance());
        ScopedValue.Carrier carrier = ScopedValue.where(many.get(0), 0);
        for (int i = 1; i < many.size(); i++)
            carrier = carrier.where(many.get(i), i * i);
        System.out.println(carrier.call(() -> {
            long sum = 0;
            for (int round = 0; round < 3; round++)
                for (ScopedValue<Integer> v : many)
                    sum += v.get();
            return sum;
        }) + " " + carrier.get(many.get(9)));
        Supplier<String> seen = ScopedBindings::state;
        System.out.println(ScopedValue.where(USER, "outer").call(() -> {
            List<String> found = new ArrayList<>();
            for (Thread.Builder b : List.of(Thread.ofPlatform(), Thread.ofVirtual())) {
                CompletableFuture<String> result = new CompletableFuture<>();
                b.start(() -> result.complete(seen.get())).join();
                found.add(result.join());
                b.start(() -> ScopedValue.where(USER, "inner").run(() -> found.add(state()))).join();
            }
            return found + " " + state();
        }));
        ScopedValue.where(USER, null).run(() -> System.out.println(USER.isBound() + " " + USER.get()));
        try {
            ScopedValue.where(DEPTH, 1).run(() -> ScopedValue.where(DEPTH, 2).run(() -> {
                throw new UnsupportedOperationException("at " + DEPTH.get());
            }));
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage() + " " + state());
        }
    }
}
