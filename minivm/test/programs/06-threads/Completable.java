/* SPDX-License-Identifier: MIT */
/* CompletableFuture: composition, exceptions, timeouts, allOf, anyOf. */
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

public class Completable {
    static <T> void show(CompletableFuture<T> f) {
        try {
            System.out.println(f.get(20, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            System.out.println("failed: " + e.getCause());
        } catch (InterruptedException | TimeoutException | CancellationException e) {
            System.out.println(e.getClass().getSimpleName());
        }
    }

    public static void main(String[] args) {
        show(CompletableFuture.supplyAsync(() -> 20).thenApply(x -> x + 1).thenApplyAsync(x -> x * 2));
        show(CompletableFuture.supplyAsync(() -> "a").thenCombine(
            CompletableFuture.supplyAsync(() -> "b"), (a, b) -> a + b));
        show(CompletableFuture.supplyAsync(() -> 5).thenCompose(x ->
            CompletableFuture.supplyAsync(() -> x + 10)));
        show(CompletableFuture.supplyAsync(() -> {
            throw new IllegalStateException("broken");
        }));
        show(CompletableFuture.<Integer>supplyAsync(() -> {
            throw new IllegalStateException("broken");
        }).thenApply(x -> x + 1).exceptionally(t -> {
            System.out.println(t);
            return -1;
        }));
        show(CompletableFuture.supplyAsync(() -> 1 / Integer.parseInt("0")).handle((x, t) ->
            t == null ? "ok" : t.getCause().getMessage()));
        show(CompletableFuture.completedFuture("done").whenComplete((x, t) ->
            System.out.println(x + " " + t)));
        List<CompletableFuture<Integer>> all = IntStream.range(0, 10).mapToObj(i ->
            CompletableFuture.supplyAsync(() -> i * i)).toList();
        show(CompletableFuture.allOf(all.toArray(new CompletableFuture[0])).thenApply(v ->
            all.stream().map(CompletableFuture::join).collect(Collectors.toList())));
        CompletableFuture<String> never = new CompletableFuture<>();
        show(CompletableFuture.anyOf(never, CompletableFuture.completedFuture("any")));
        show(never.copy().orTimeout(10, TimeUnit.MILLISECONDS));
        show(never.copy().completeOnTimeout("default", 10, TimeUnit.MILLISECONDS));
        CompletableFuture<String> dependent = never.thenApply(s -> s + "!");
        never.complete("completed");
        never.complete("again");
        show(dependent);
        CompletableFuture<String> c = new CompletableFuture<>();
        c.cancel(true);
        show(c);
        System.out.println(c.isCancelled() + " " + c.isCompletedExceptionally());
        try {
            CompletableFuture.failedFuture(new Exception("checked")).join();
        } catch (CompletionException e) {
            System.out.println(e.getMessage());
        }
        show(CompletableFuture.supplyAsync(() -> "x").acceptEither(new CompletableFuture<>(),
            x -> System.out.println("either " + x)));
        show(CompletableFuture.runAsync(() -> { }, Runnable::run).thenRun(() ->
            System.out.println("ran")));
        StringBuffer sb = new StringBuffer();
        CompletableFuture<Void> chain = CompletableFuture.completedFuture(null);
        for (int i = 0; i < 50; i++) {
            int n = i;
            chain = chain.thenRunAsync(() -> sb.append(n % 10));
        }
        chain.join();
        System.out.println(sb);
    }
}
