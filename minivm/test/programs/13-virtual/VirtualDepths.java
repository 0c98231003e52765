// SPDX-License-Identifier: MIT
// since: 21
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.LockSupport;

/** Deep stacks in virtual threads: parked at the bottom, unwound by exceptions, overflown. */
public class VirtualDepths {
    static int unwound;

    static long descend(int depth, long a, double b, Object o) {
        if (depth == 0) {
            LockSupport.parkNanos(1);
            return a;
        }
        long below = descend(depth - 1, a + depth, b * 0.5, o);
        if (depth % 100 == 0)
            Thread.yield();
        if (o != Thread.currentThread())
            throw new AssertionError("another object");
        return below + (b > 0 ? 1 : 0);
    }

    static int deepThrow(int depth) throws Exception {
        try {
            if (depth == 0) {
                Thread.sleep(1);
                throw new Exception("bottom");
            }
            return deepThrow(depth - 1) + 1;
        } catch (IllegalStateException e) {
            throw new AssertionError(e);
        } finally {
            unwound++;
            if (depth % 64 == 0)
                Thread.yield();
        }
    }

    static int overflow(int depth, long[] deepest) {
        deepest[0] = depth;
        return overflow(depth + 1, deepest) + 1;
    }

    /** Each frame is parked once on the way down and once on the way up. */
    static String zigzag(int depth, Semaphore down, Semaphore up) throws InterruptedException {
        down.acquire();
        String s = depth == 0 ? "." : zigzag(depth - 1, down, up) + (depth % 10 == 0 ? depth + " " : "");
        up.acquire();
        return s;
    }

    static synchronized int nested(int depth, Object[] locks) {
        if (depth == locks.length)
            return 0;
        synchronized (locks[depth]) {
            return nested(depth + 1, locks) + (Thread.holdsLock(locks[depth]) ? 1 : 0);
        }
    }

    static <T> T inVirtual(Callable<T> body) throws Exception {
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            return executor.submit(body).get();
        }
    }

    public static void main(String[] args) throws Exception {
        for (int depth : new int[] { 0, 1, 10, 100, 1000, 2000 })
            System.out.println(depth + " " + inVirtual(
                () -> descend(depth, 1, 1.0, Thread.currentThread())));

        List<Future<Long>> many = new ArrayList<>();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 40; i++) {
                int depth = 10 * i;
                many.add(executor.submit(() -> descend(depth, depth, 0, Thread.currentThread())));
            }
        }
        long sum = 0;
        for (Future<Long> f : many)
            sum += f.get();
        System.out.println("sum " + sum);

        try {
            inVirtual(() -> deepThrow(500));
        } catch (ExecutionException e) {
            long frames = Arrays.stream(e.getCause().getStackTrace())
                              .filter(f -> f.getMethodName().equals("deepThrow")).count();
            System.out.println(e.getCause().getMessage() + " unwound " + unwound + " frames " + frames);
        }

        Thread twice = Thread.ofVirtual().start(() -> {
            long[] first = new long[1], second = new long[1];
            try {
                overflow(0, first);
            } catch (StackOverflowError e) {
                System.out.println("overflow " + (first[0] > 500) + " " + (e.getStackTrace().length > 100));
            }
            LockSupport.parkNanos(1000);
            try {
                overflow(0, second);
            } catch (StackOverflowError e) {
                System.out.println("again " + (second[0] > first[0] / 4));
            }
            LockSupport.parkNanos(1000);
            System.out.println("lives");
        });
        twice.join();

        Semaphore down = new Semaphore(0), up = new Semaphore(0);
        FutureTask<String> task = new FutureTask<>(() -> zigzag(50, down, up));
        Thread zigzag = Thread.ofVirtual().start(task);
        for (int i = 0; i <= 50; i++) {
            down.release();
            if (i % 10 == 0)
                System.gc();
        }
        while (zigzag.getState() != Thread.State.WAITING || down.availablePermits() > 0)
            Thread.yield();
        System.out.println("at the bottom: " + Arrays.stream(zigzag.getStackTrace())
                               .filter(f -> f.getMethodName().equals("zigzag")).count());
        for (int i = 0; i <= 50; i++)
            up.release();
        System.out.println(task.get());

        Object[] locks = new Object[60];
        Arrays.setAll(locks, i -> new Object());
        System.out.println("held " + inVirtual(() -> nested(0, locks)));
        System.out.println("free " + Arrays.stream(locks).noneMatch(Thread::holdsLock));
    }
}
