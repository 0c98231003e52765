// SPDX-License-Identifier: MIT
// since: 25
// until: 25
// vm: --enable-preview
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.StructuredTaskScope.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** StructuredTaskScope: joiners, failures, cancellation, time limits, scoped values, misuse. */
public class StructuredTasks {
    static final ScopedValue<String> REQUEST = ScopedValue.newInstance();
    static final AtomicInteger interrupted = new AtomicInteger();

    static int fetch(int n) throws InterruptedException {
        Thread.sleep(n % 3);
        return n * n;
    }

    static String forever() {
        try {
            new CountDownLatch(1).await();
            return "never";
        } catch (InterruptedException e) {
            interrupted.incrementAndGet();
            return "interrupted";
        }
    }

    /** Completes when more than half of the tasks have the same answer. */
    static class Majority implements Joiner<String, String> {
        private final Map<String, Integer> votes = new ConcurrentHashMap<>();
        private final int needed;
        private volatile String winner;

        Majority(int tasks) {
            needed = tasks / 2 + 1;
        }

        @Override
        public boolean onComplete(Subtask<? extends String> task) {
            if (task.state() == Subtask.State.SUCCESS
                    && votes.merge(task.get(), 1, Integer::sum) >= needed) {
                winner = task.get();
                return true;
            }
            return false;
        }

        @Override
        public String result() {
            return winner == null ? "no majority in " + new TreeMap<>(votes) : winner;
        }
    }

    static int tree(int depth) throws InterruptedException {
        if (depth == 0)
            return 1;
        try (var scope = StructuredTaskScope.open()) {
            Subtask<Integer> left = scope.fork(() -> tree(depth - 1));
            Subtask<Integer> right = scope.fork(() -> tree(depth - 1));
            scope.join();
            return left.get() + right.get();
        }
    }

    public static void main(String[] args) throws Exception {
        try (var scope = StructuredTaskScope.open(Joiner.<Integer>allSuccessfulOrThrow())) {
            for (int i = 0; i < 20; i++) {
                int n = i;
                scope.fork(() -> fetch(n));
            }
            System.out.println(scope.join().map(Subtask::get).reduce(0, Integer::sum));
        }
        System.out.println(tree(5));
        try (var scope = StructuredTaskScope.open(Joiner.<String>anySuccessfulResultOrThrow())) {
            scope.fork(StructuredTasks::forever);
            scope.fork(() -> {
                throw new IllegalStateException("one fails");
            });
            scope.fork(() -> "first");
            System.out.println(scope.join() + " " + scope.isCancelled());
        }
        System.out.println("interrupted " + interrupted);
        try (var scope = StructuredTaskScope.open()) {
            Subtask<String> slow = scope.fork(StructuredTasks::forever);
            scope.fork(() -> {
                throw new java.io.IOException("broken");
            });
            try {
                scope.join();
            } catch (FailedException e) {
                System.out.println(e.getCause() + " " + slow.state());
            }
        }
        try (var scope = StructuredTaskScope.open(new Majority(5))) {
            for (String s : List.of("yes", "no", "yes", "no", "yes"))
                scope.fork(() -> s);
            System.out.println(scope.join());
        }
        try (var scope = StructuredTaskScope.open(Joiner.<String>awaitAll(),
                c -> c.withTimeout(Duration.ofMillis(50)).withName("limited"))) {
            scope.fork(StructuredTasks::forever);
            try {
                scope.join();
            } catch (StructuredTaskScope.TimeoutException e) {
                System.out.println("timeout " + e.getMessage());
            }
        }
        System.out.println(ScopedValue.where(REQUEST, "r1").call(() -> {
            try (var scope = StructuredTaskScope.open(Joiner.<String>allSuccessfulOrThrow(),
                    c -> c.withThreadFactory(Thread.ofVirtual().name("t-", 0).factory()))) {
                for (int i = 0; i < 3; i++) {
                    int n = i;
                    scope.fork(() -> REQUEST.get() + ":" + n + ":" + Thread.currentThread().getName());
                }
                return scope.join().map(Subtask::get).collect(Collectors.joining(" "));
            }
        }));
        try (var scope = StructuredTaskScope.open()) {
            Subtask<Integer> task = scope.fork(() -> 1);
            try {
                task.get();
            } catch (IllegalStateException e) {
                System.out.println("get before join");
            }
            Thread.ofPlatform().start(() -> {
                try {
                    scope.fork(() -> 2);
                } catch (WrongThreadException e) {
                    System.out.println("another thread may not fork");
                }
            }).join();
            scope.join();
            System.out.println(task.get() + " " + task.state());
        }
        try {
            ScopedValue.where(REQUEST, "outer").run(() -> {
                var scope = StructuredTaskScope.open();
                ScopedValue.where(REQUEST, "inner").run(() -> {
                    try {
                        scope.fork(() -> 1);
                    } catch (StructureViolationException e) {
                        System.out.println("bindings have changed");
                    }
                });
            });
        } catch (StructureViolationException e) {
            System.out.println("the scope was not closed");
        }
    }
}
