// SPDX-License-Identifier: MIT
// since: 21
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

/** Executors that are closed by try, a thread per task, and what Future tells without waiting. */
public class ExecutorCloses {
    static String tell(Future<?> f) {
        String text = f.state() + " ";
        try {
            text += f.resultNow();
        } catch (IllegalStateException e) {
            text += e.getMessage();
        }
        try {
            text += " " + f.exceptionNow();
        } catch (IllegalStateException e) {
            text += " " + e.getMessage();
        }
        return text;
    }

    public static void main(String[] args) throws Exception {
        AtomicInteger sum = new AtomicInteger();
        List<Future<Integer>> futures = new ArrayList<>();
        ExecutorService closed;
        try (ExecutorService e = Executors.newVirtualThreadPerTaskExecutor()) {
            closed = e;
            for (int i = 0; i < 200; i++) {
                int n = i;
                futures.add(e.submit(() -> {
                    Thread.sleep(n % 7);
                    if (n % 50 == 49)
                        throw new java.io.IOException("task " + n);
                    sum.addAndGet(n);
                    return n * n;
                }));
            }
        }
        System.out.println(sum + " " + closed.isTerminated());
        Map<Future.State, Integer> states = new EnumMap<>(Future.State.class);
        for (Future<Integer> f : futures)
            states.merge(f.state(), 1, Integer::sum);
        System.out.println(states + " " + tell(futures.get(12)) + " | " + tell(futures.get(99)));
        try {
            closed.submit(() -> 1);
        } catch (RejectedExecutionException e) {
            System.out.println("refused");
        }
        CountDownLatch started = new CountDownLatch(1), hold = new CountDownLatch(1);
        ExecutorService one = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("t-", 0).factory());
        Future<String> waiting = one.submit(() -> {
            started.countDown();
            hold.await();
            return Thread.currentThread().getName();
        });
        started.await();
        System.out.println(tell(waiting));
        Future<?> cancelled = one.submit(() -> {
            hold.await();
            return 0;
        });
        cancelled.cancel(true);
        System.out.println(tell(cancelled));
        hold.countDown();
        one.close();
        System.out.println(tell(waiting));
        try (ExecutorService e = Executors.newVirtualThreadPerTaskExecutor()) {
            System.out.println(e.invokeAll(List.of(() -> "a", () -> "b", () -> "c")).stream().map(Future::resultNow).toList());
            System.out.println(e.invokeAny(List.<Callable<String>>of(() -> {
                Thread.sleep(60000);
                return "slow";
            }, () -> "fast")));
            try {
                e.invokeAny(List.<Callable<String>>of(() -> {
                    throw new IllegalStateException("only one");
                }));
            } catch (ExecutionException x) {
                System.out.println(x.getCause());
            }
        }
        // Closing while interrupted cancels what runs.
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        Thread closer = Thread.ofPlatform().start(() -> {
            try (ExecutorService e = Executors.newFixedThreadPool(1)) {
                e.submit(() -> {
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException x) {
                        told.add("task interrupted");
                    }
                });
                Thread.currentThread().interrupt();
            }
            told.add("closed, interrupted " + Thread.interrupted());
        });
        closer.join();
        System.out.println(told.getLast());
        try (ForkJoinPool pool = new ForkJoinPool(3)) {
            System.out.println(pool.submit(() -> java.util.stream.IntStream.range(0, 1000).parallel().sum()).get());
        }
        ScheduledExecutorService later = Executors.newScheduledThreadPool(1);
        ScheduledFuture<Integer> f = later.schedule(() -> 42, 5, TimeUnit.MILLISECONDS);
        later.close();
        System.out.println(tell(f));
    }
}
