// SPDX-License-Identifier: MIT
// since: 21
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations
import java.lang.ref.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.LockSupport;

/** References, cleaners and weak maps whose objects hang on the frames of parked threads. */
public class VirtualReferences {
    static final Cleaner CLEANER = Cleaner.create(Thread.ofVirtual().name("cleaner").factory());
    static final AtomicInteger cleaned = new AtomicInteger();
    static final CountDownLatch release = new CountDownLatch(1);

    static class Resource implements AutoCloseable {
        final int[] data;
        final Cleaner.Cleanable cleanable;

        Resource(int size) {
            data = new int[size];
            Arrays.fill(data, size);
            cleanable = CLEANER.register(this, cleaned::incrementAndGet);
        }

        long sum() {
            return Arrays.stream(data).asLongStream().sum();
        }

        @Override
        public void close() {
            cleanable.clean();
        }
    }

    static void collectUntil(java.util.function.BooleanSupplier done) throws InterruptedException {
        for (int i = 0; i < 500 && !done.getAsBoolean(); i++) {
            System.gc();
            Thread.sleep(2);
        }
    }

    /** The frame alone refers to what it holds. */
    static long hold(int n, List<WeakReference<Object>> seen) throws InterruptedException {
        Resource resource = new Resource(n);
        Object[] ring = new Object[2];
        ring[0] = ring;
        ring[1] = resource;
        synchronized (seen) {
            seen.add(new WeakReference<>(ring));
        }
        release.await();
        long sum = resource.sum() + ((Resource) ring[1]).data.length;
        Reference.reachabilityFence(ring);
        return sum;
    }

    public static void main(String[] args) throws Exception {
        List<WeakReference<Object>> seen = new ArrayList<>();
        List<Future<Long>> sums = new ArrayList<>();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 1; i <= 60; i++) {
                int n = i;
                sums.add(executor.submit(() -> hold(n, seen)));
            }
            while (true) {
                synchronized (seen) {
                    if (seen.size() == 60)
                        break;
                }
                Thread.yield();
            }
            for (int i = 0; i < 5; i++)
                System.gc();
            System.out.println("kept " + seen.stream().filter(r -> r.get() != null).count()
                               + " cleaned " + cleaned);
            release.countDown();
        }
        long sum = 0;
        for (Future<Long> f : sums)
            sum += f.get();
        System.out.println("sum " + sum);
        collectUntil(() -> cleaned.get() == 60);
        System.out.println("kept " + seen.stream().filter(r -> r.get() != null).count()
                           + " cleaned " + cleaned);

        /* A queue that a virtual thread empties. */
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        Map<Reference<?>, Integer> alive = new ConcurrentHashMap<>();
        BlockingQueue<Integer> gone = new LinkedBlockingQueue<>();
        Thread drain = Thread.startVirtualThread(() -> {
            try {
                while (true)
                    gone.add(alive.remove(queue.remove()));
            } catch (InterruptedException e) {
                gone.add(-1);
            }
        });
        for (int i = 0; i < 20; i++)
            alive.put(i % 2 == 0 ? new PhantomReference<>(new byte[100], queue)
                                 : new WeakReference<>(new byte[100], queue), i);
        collectUntil(() -> gone.size() == 20);
        drain.interrupt();
        drain.join();
        System.out.println(new TreeSet<>(gone));

        /* Thread-local variables of a thread that has ended do not keep what they had. */
        ThreadLocal<Object> local = new ThreadLocal<>();
        WeakReference<?>[] last = new WeakReference<?>[1];
        Thread.startVirtualThread(() -> {
            Object value = new Object();
            local.set(value);
            last[0] = new WeakReference<>(value);
            LockSupport.parkNanos(1000);
            System.out.println("has it " + (local.get() == last[0].get()));
        }).join();
        collectUntil(() -> last[0].get() == null);
        System.out.println("gone " + (last[0].get() == null));

        /* A weak map whose keys threads hold for a time. */
        WeakHashMap<Object, String> map = new WeakHashMap<>();
        Semaphore stay = new Semaphore(0);
        CountDownLatch in = new CountDownLatch(10);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            int n = i;
            threads.add(Thread.startVirtualThread(() -> {
                Object key = new Object();
                synchronized (map) {
                    map.put(key, "v" + n);
                }
                in.countDown();
                stay.acquireUninterruptibly();
                synchronized (map) {
                    if (!map.get(key).equals("v" + n))
                        System.out.println("lost " + n);
                }
            }));
        }
        in.await();
        System.gc();
        synchronized (map) {
            System.out.println("keys " + map.size());
        }
        stay.release(10);
        for (Thread thread : threads)
            thread.join();
        threads.clear();
        collectUntil(() -> {
            synchronized (map) {
                return map.isEmpty();
            }
        });
        System.out.println("keys " + map.size());
        try (Resource resource = new Resource(3)) {
            System.out.println("closed " + resource.sum());
        }
        System.out.println("cleaned " + cleaned);
    }
}
