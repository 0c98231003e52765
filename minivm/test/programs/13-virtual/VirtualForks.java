// SPDX-License-Identifier: MIT
// since: 21
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.stream.*;

/** Fork-join tasks, parallel streams and futures that virtual threads start and wait for. */
public class VirtualForks {
    static class Sum extends RecursiveTask<Long> {
        final int[] data;
        final int from, to;

        Sum(int[] data, int from, int to) {
            this.data = data;
            this.from = from;
            this.to = to;
        }

        @Override
        protected Long compute() {
            if (to - from < 100) {
                long sum = 0;
                for (int i = from; i < to; i++)
                    sum += data[i];
                return sum;
            }
            int middle = (from + to) >>> 1;
            Sum left = new Sum(data, from, middle), right = new Sum(data, middle, to);
            left.fork();
            return right.compute() + left.join();
        }
    }

    static class Counter extends CountedCompleter<Void> {
        final AtomicInteger leaves;
        final int depth;

        Counter(CountedCompleter<?> parent, AtomicInteger leaves, int depth) {
            super(parent);
            this.leaves = leaves;
            this.depth = depth;
        }

        @Override
        public void compute() {
            if (depth == 0) {
                leaves.incrementAndGet();
            } else {
                setPendingCount(2);
                new Counter(this, leaves, depth - 1).fork();
                new Counter(this, leaves, depth - 1).fork();
            }
            tryComplete();
        }
    }

    /** Has a worker wait for a virtual thread, so that the pool needs another worker. */
    static class Gate implements ForkJoinPool.ManagedBlocker {
        final CountDownLatch latch;

        Gate(CountDownLatch latch) {
            this.latch = latch;
        }

        @Override
        public boolean block() throws InterruptedException {
            latch.await();
            return true;
        }

        @Override
        public boolean isReleasable() {
            return latch.getCount() == 0;
        }
    }

    public static void main(String[] args) throws Exception {
        int[] data = IntStream.range(0, 10_000).toArray();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor();
             var pool = new ForkJoinPool(3)) {
            List<Future<Long>> sums = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                int n = i;
                sums.add(executor.submit(() -> n % 2 == 0 ? pool.invoke(new Sum(data, 0, 1000 * n / 2))
                    : Arrays.stream(data, 0, 1000 * n / 2).parallel().asLongStream().sum()));
            }
            for (Future<Long> sum : sums)
                System.out.print(sum.get() + " ");
            System.out.println();

            AtomicInteger leaves = new AtomicInteger();
            executor.submit(() -> pool.invoke(new Counter(null, leaves, 10))).get();
            System.out.println("leaves " + leaves);

            CountDownLatch gate = new CountDownLatch(1);
            List<ForkJoinTask<String>> blocked = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                int n = i;
                blocked.add(pool.submit(() -> {
                    ForkJoinPool.managedBlock(new Gate(gate));
                    return "w" + n;
                }));
            }
            Thread.startVirtualThread(gate::countDown).join();
            System.out.println(blocked.stream().map(ForkJoinTask::join).toList());

            CompletableFuture<Integer> chain = CompletableFuture.supplyAsync(() -> 1, executor);
            for (int i = 0; i < 50; i++) {
                int n = i;
                chain = n % 2 == 0 ? chain.thenApplyAsync(v -> v + n, executor)
                    : chain.thenComposeAsync(v -> CompletableFuture.supplyAsync(() -> v ^ n, pool), executor);
            }
            System.out.println("chain " + chain.get());
            CompletableFuture<String> failed = CompletableFuture.<String>supplyAsync(() -> {
                throw new CompletionException(new java.io.IOException("no data"));
            }, executor).handleAsync((v, e) -> v + " " + e.getCause(), executor);
            System.out.println(failed.join());
            try {
                executor.submit(() -> pool.invoke(new RecursiveAction() {
                    @Override
                    protected void compute() {
                        throw new ArithmeticException("in a task");
                    }
                })).get();
            } catch (ExecutionException e) {
                System.out.println(e.getCause().getClass());
            }
            Map<Boolean, Long> map = executor.submit(() -> IntStream.range(0, 5000).parallel().boxed()
                .collect(Collectors.groupingByConcurrent(i -> i % 3 == 0, Collectors.counting()))).get();
            System.out.println(new TreeMap<>(map));
            int[] sorted = new Random(5).ints(20_000, 0, 1000).toArray();
            executor.submit(() -> Arrays.parallelSort(sorted)).get();
            System.out.println(IntStream.range(1, sorted.length).allMatch(i -> sorted[i - 1] <= sorted[i])
                               + " " + sorted[10_000]);
            String any = executor.invokeAny(List.of(() -> {
                Thread.sleep(60_000);
                return "slow";
            }, () -> "fast"));
            System.out.println(any);
            List<Future<Integer>> all = executor.invokeAll(List.of(() -> 1, () -> {
                Thread.sleep(60_000);
                return 2;
            }), 50, TimeUnit.MILLISECONDS);
            System.out.println(all.get(0).get() + " " + all.get(1).state());
        }
        ThreadLocalRandom[] randoms = new ThreadLocalRandom[2];
        int[] out = new int[1];
        Thread.startVirtualThread(() -> {
            randoms[0] = ThreadLocalRandom.current();
            for (int i = 0; i < 1000; i++) {
                int v = ThreadLocalRandom.current().nextInt(10, 20);
                out[0] += v < 10 || v >= 20 ? 1 : 0;
                if (i % 100 == 0)
                    Thread.yield();
            }
            randoms[1] = ThreadLocalRandom.current();
        }).join();
        System.out.println("out of bounds " + out[0] + " " + (randoms[0] == randoms[1]));
    }
}
