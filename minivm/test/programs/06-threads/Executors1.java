/* SPDX-License-Identifier: MIT */
/* ExecutorService of every kind; futures, invokeAll, rejection, scheduling. */
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class Executors1 {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        List<Future<Integer>> futures = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int n = i;
            futures.add(pool.submit(() -> n * n));
        }
        int sum = 0;
        for (Future<Integer> f : futures) {
            sum += f.get();
        }
        System.out.println(sum);
        Future<?> failing = pool.submit(() -> {
            throw new IllegalArgumentException("task");
        });
        try {
            failing.get();
        } catch (ExecutionException e) {
            System.out.println(e.getMessage() + " " + e.getCause().getClass().getName());
        }
        List<Callable<String>> calls = List.of(() -> "a", () -> "b", () -> "c");
        StringBuilder sb = new StringBuilder();
        for (Future<String> f : pool.invokeAll(calls)) {
            sb.append(f.get()).append(f.isDone());
        }
        System.out.println(sb + " " + List.of("a", "b", "c").contains(pool.invokeAny(calls)));
        CountDownLatch block = new CountDownLatch(1);
        Future<?> blocked = pool.submit(() -> {
            block.await();
            return 1;
        });
        try {
            blocked.get(5, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            System.out.println("timeout " + e.getMessage());
        }
        System.out.println(blocked.cancel(true) + " " + blocked.isCancelled());
        try {
            blocked.get();
        } catch (CancellationException e) {
            System.out.println("cancelled");
        }
        pool.shutdown();
        System.out.println(pool.awaitTermination(10, TimeUnit.SECONDS) + " " + pool.isTerminated());
        try {
            pool.submit(() -> 1);
        } catch (RejectedExecutionException e) {
            System.out.println("rejected");
        }
        ScheduledExecutorService s = Executors.newScheduledThreadPool(2);
        AtomicInteger ticks = new AtomicInteger();
        CountDownLatch five = new CountDownLatch(5);
        ScheduledFuture<?> rate = s.scheduleAtFixedRate(() -> {
            ticks.incrementAndGet();
            five.countDown();
        }, 1, 1, TimeUnit.MILLISECONDS);
        five.await();
        rate.cancel(false);
        System.out.println(ticks.get() >= 5);
        System.out.println(s.schedule(() -> "later", 2, TimeUnit.MILLISECONDS).get());
        s.shutdownNow();
        ThreadPoolExecutor tpe = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(1), r -> new Thread(r, "named"),
            new ThreadPoolExecutor.CallerRunsPolicy());
        CountDownLatch hold = new CountDownLatch(1);
        tpe.execute(() -> {
            try {
                hold.await();
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
        });
        String[] names = new String[2];
        tpe.execute(() -> names[0] = Thread.currentThread().getName());
        tpe.execute(() -> names[1] = Thread.currentThread().getName());
        System.out.println(names[1] + " " + tpe.getQueue().size() + " " + tpe.getActiveCount());
        hold.countDown();
        tpe.shutdown();
        tpe.awaitTermination(10, TimeUnit.SECONDS);
        System.out.println(names[0] + " " + tpe.getCompletedTaskCount());
        ExecutorService single = Executors.newSingleThreadExecutor();
        StringBuffer order = new StringBuffer();
        for (int i = 0; i < 10; i++) {
            int n = i;
            single.execute(() -> order.append(n));
        }
        single.shutdown();
        single.awaitTermination(10, TimeUnit.SECONDS);
        System.out.println(order);
        ExecutorCompletionService<Integer> ecs = new ExecutorCompletionService<>(
            Executors.newCachedThreadPool(r -> {
                Thread t = new Thread(r);
                t.setDaemon(true);
                return t;
            }));
        for (int i = 0; i < 5; i++) {
            int n = i;
            ecs.submit(() -> n);
        }
        Set<Integer> got = new TreeSet<>();
        for (int i = 0; i < 5; i++) {
            got.add(ecs.take().get());
        }
        System.out.println(got);
    }
}
