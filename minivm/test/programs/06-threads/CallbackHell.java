/* SPDX-License-Identifier: MIT */
/* Work stealing, nested parallel streams, futures that wait for futures. */
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

public class CallbackHell {
    static CompletableFuture<Integer> depth(int n, Executor e) {
        return n == 0 ? CompletableFuture.completedFuture(1)
            : CompletableFuture.supplyAsync(() -> n, e).thenComposeAsync(x -> depth(x - 1, e), e)
                .thenCombineAsync(CompletableFuture.supplyAsync(() -> n, e), Integer::sum, e);
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newWorkStealingPool(3);
        System.out.println(depth(40, pool).get(60, TimeUnit.SECONDS));
        System.out.println(IntStream.range(0, 20).parallel().map(i -> IntStream.range(0, 50).parallel()
            .map(j -> i * j).sum()).sum());
        FutureTask<String> task = new FutureTask<>(() -> "task");
        Thread t = new Thread(task);
        t.start();
        System.out.println(task.get() + " " + task.isDone());
        List<CompletableFuture<String>> racing = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int n = i;
            racing.add(CompletableFuture.supplyAsync(() -> "r" + n, pool).thenApply(s -> s + "!"));
        }
        System.out.println(racing.stream().map(CompletableFuture::join).sorted().toList());
        CompletableFuture<Object> any = CompletableFuture.anyOf(racing.toArray(
            new CompletableFuture<?>[0]));
        System.out.println(any.get().toString().endsWith("!"));
        ConcurrentLinkedDeque<Integer> order = new ConcurrentLinkedDeque<>();
        CompletableFuture<Void> gate = new CompletableFuture<>();
        List<CompletableFuture<Void>> waiting = IntStream.range(0, 50).mapToObj(i ->
            gate.thenRunAsync(() -> order.add(i), pool)).toList();
        gate.complete(null);
        waiting.forEach(CompletableFuture::join);
        System.out.println(order.stream().mapToInt(x -> x).sum() + " " + order.size());
        pool.shutdown();
        System.out.println(pool.awaitTermination(20, TimeUnit.SECONDS));
    }
}
