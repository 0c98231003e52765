// SPDX-License-Identifier: MIT
// since: 21
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.*;

/** Classes that many virtual threads initialize at once, in each way in which it can end. */
public class VirtualInitializers {
    static final AtomicInteger runs = new AtomicInteger();
    static volatile Thread initializer;

    static class Slow {
        static final int VALUE;

        static {
            runs.incrementAndGet();
            initializer = Thread.currentThread();
            try {
                Thread.sleep(30);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            VALUE = 42;
        }
    }

    static class Broken {
        static int value = 1;

        static {
            runs.incrementAndGet();
            Thread.yield();
            if (value == 1)
                throw new IllegalStateException("no value");
        }
    }

    /* Each needs the other: who begins in the one sees the other, and the other way round. */
    static class Chicken {
        static final Object EGG = new Object();
        static final boolean SEES = Egg.CHICKEN != null;
    }

    static class Egg {
        static final Object CHICKEN = new Object();
        static final boolean SEES = Chicken.EGG != null;
    }

    interface Named {
        String NAME = make("interface");

        default String name() {
            return NAME;
        }
    }

    static class Implementation implements Named {
        static final String OWN = make("class");
    }

    static String make(String what) {
        runs.incrementAndGet();
        Thread.yield();
        return what;
    }

    enum Level {
        LOW, HIGH;

        static final Map<String, Level> BY_NAME = new TreeMap<>();

        static {
            for (Level level : values())
                BY_NAME.put(level.name().toLowerCase(Locale.ROOT), level);
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** What each of the threads got, counted. */
    static Map<String, Long> all(int threads, Callable<?> body) throws Exception {
        CyclicBarrier together = new CyclicBarrier(threads);
        List<Future<String>> results = new ArrayList<>();
        runs.set(0);
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < threads; i++)
                results.add(executor.submit(() -> {
                    together.await();
                    try {
                        return String.valueOf(body.call());
                    } catch (ExceptionInInitializerError e) {
                        return "in initializer: " + e.getCause().getMessage();
                    } catch (NoClassDefFoundError e) {
                        return e.getMessage() + " / "
                            + (e.getCause() instanceof ExceptionInInitializerError);
                    }
                }));
        }
        return new TreeMap<>(results.stream().map(Future::resultNow)
                                 .collect(Collectors.groupingBy(s -> s, Collectors.counting())));
    }

    public static void main(String[] args) throws Exception {
        System.out.println(all(50, () -> Slow.VALUE) + " runs " + runs + " "
                           + initializer.isVirtual());
        System.out.println(all(40, () -> Broken.value) + " runs " + runs);
        System.out.println(all(20, () -> Chicken.SEES & Egg.SEES));
        System.out.println(all(30, () -> new Implementation().name() + Implementation.OWN)
                           + " runs " + runs);
        System.out.println(all(30, () -> Level.BY_NAME.get("high").ordinal()
                                         + Level.valueOf("LOW").name()));
        System.out.println(all(30, () -> Class.forName("VirtualInitializers$ByName").getName())
                           + " runs " + runs);

        /* A platform thread waits for what a virtual one initializes. */
        CountDownLatch go = new CountDownLatch(1);
        int[] seen = new int[2];
        Thread virtual = Thread.startVirtualThread(() -> seen[0] = Late.touch(go));
        Late.begun.await();
        Thread platform = new Thread(() -> seen[1] = Late.Inner.value);
        platform.start();
        Thread.sleep(10);
        System.out.println("not yet " + seen[1]);
        go.countDown();
        platform.join();
        virtual.join();
        System.out.println(Arrays.toString(seen));
    }

    static class ByName {
        static {
            make("by name");
        }
    }

    static class Late {
        static final CountDownLatch begun = new CountDownLatch(1);
        static volatile CountDownLatch go;

        static int touch(CountDownLatch latch) {
            go = latch;
            return Inner.value;
        }

        static class Inner {
            static final int value;

            static {
                begun.countDown();
                try {
                    go.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                value = 7;
            }
        }
    }
}
