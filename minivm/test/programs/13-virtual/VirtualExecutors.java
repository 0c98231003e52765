// SPDX-License-Identifier: MIT
// since: 21
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.*;

/** Executors that run each task in a virtual thread of its own. */
public class VirtualExecutors {
    public static void main(String[] args) throws Exception {
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> results = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                int n = i;
                results.add(pool.submit(() -> {
                    Thread.sleep(n % 7);
                    return n * n;
                }));
            }
            long sum = 0;
            for (Future<Integer> f : results)
                sum += f.get();
            System.out.println("sum " + sum);
            List<Callable<String>> calls = List.of(() -> "a", () -> "b", () -> {
                Thread.sleep(10);
                return "c";
            });
            for (Future<String> f : pool.invokeAll(calls))
                System.out.print(f.get() + " ");
            System.out.println();
            List<Callable<String>> race = List.of(() -> {
                Thread.sleep(60_000);
                return "slow";
            }, () -> "fast");
            System.out.println(pool.invokeAny(race));
            Future<String> failing = pool.submit(() -> {
                throw new Exception("the task's");
            });
            try {
                failing.get();
            } catch (ExecutionException e) {
                System.out.println(e.getCause().getMessage() + " " + failing.state());
            }
            Future<?> cancelled = pool.submit(() -> {
                Thread.sleep(60_000);
                return null;
            });
            System.out.println(cancelled.cancel(true) + " " + cancelled.state());
        }
        ThreadFactory factory = Thread.ofVirtual().name("worker-", 0).factory();
        try (ExecutorService pool = Executors.newThreadPerTaskExecutor(factory)) {
            System.out.println(pool.submit(() -> Thread.currentThread().getName()).get());
        }
        CompletableFuture<Integer> chain = CompletableFuture
            .supplyAsync(() -> 20, Executors.newVirtualThreadPerTaskExecutor())
            .thenApplyAsync(n -> n + 1).thenCombine(
                CompletableFuture.supplyAsync(() -> 2), (a, b) -> a * b);
        System.out.println(chain.get());
    }
}
