// SPDX-License-Identifier: MIT
// since: 22
import java.lang.foreign.*;
import java.lang.invoke.*;
import java.nio.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.stream.*;

/** Arenas and segments that belong to one virtual thread, or to many at once. */
public class ThreadArenas {
    static final MemoryLayout POINT = MemoryLayout.structLayout(
        ValueLayout.JAVA_INT.withName("x"), ValueLayout.JAVA_INT.withName("y"),
        ValueLayout.JAVA_LONG.withName("sum"));
    static final VarHandle X = POINT.varHandle(MemoryLayout.PathElement.groupElement("x"));
    static final VarHandle Y = POINT.varHandle(MemoryLayout.PathElement.groupElement("y"));
    static final VarHandle SUM = POINT.varHandle(MemoryLayout.PathElement.groupElement("sum"));

    interface Body {
        void run() throws Exception;
    }

    static String failure(Body body) {
        try {
            body.run();
            return "none";
        } catch (Exception e) {
            return e.getClass().getSimpleName();
        }
    }

    /** A confined arena knows its virtual thread, whatever carrier that is on. */
    static void confined() throws Exception {
        MemorySegment[] leaked = new MemorySegment[1];
        Arena[] arenas = new Arena[1];
        CountDownLatch ready = new CountDownLatch(1), done = new CountDownLatch(1);
        List<String> said = new CopyOnWriteArrayList<>();
        Thread owner = Thread.startVirtualThread(() -> {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment segment = arena.allocate(POINT, 8);
                arenas[0] = arena;
                leaked[0] = segment;
                ready.countDown();
                for (int i = 0; i < 8; i++) {
                    Thread.yield();
                    MemorySegment point = segment.asSlice(i * POINT.byteSize(), POINT);
                    X.set(point, 0L, i);
                    Y.set(point, 0L, -i * i);
                    SUM.setVolatile(point, 0L, (long) (int) X.get(point, 0L) + (int) Y.get(point, 0L));
                }
                done.await();
                said.add("sum " + LongStream.range(0, 8)
                    .map(i -> (long) SUM.get(segment, i * POINT.byteSize())).sum());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        ready.await();
        System.out.println(failure(() -> leaked[0].get(ValueLayout.JAVA_INT, 0)) + " "
                           + failure(() -> arenas[0].close()) + " "
                           + failure(() -> arenas[0].allocate(8)) + " "
                           + leaked[0].isAccessibleBy(owner) + leaked[0].isAccessibleBy(Thread.currentThread()));
        Thread.startVirtualThread(() -> said.add(failure(() -> leaked[0].fill((byte) 1)))).join();
        done.countDown();
        owner.join();
        System.out.println(said + " " + failure(() -> leaked[0].get(ValueLayout.JAVA_INT, 0)) + " "
                           + leaked[0].scope().isAlive());
    }

    /** Many add to the same memory by handles; who comes after the end is told so. */
    static void shared() throws Exception {
        VarHandle longs = ValueLayout.JAVA_LONG.arrayElementVarHandle();
        AtomicInteger late = new AtomicInteger();
        MemorySegment segment;
        List<Thread> threads = new ArrayList<>();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment mine = segment = arena.allocate(ValueLayout.JAVA_LONG, 4);
            for (int i = 0; i < 32; i++) {
                int n = i;
                threads.add(Thread.startVirtualThread(() -> {
                    for (int k = 0; k < 50; k++) {
                        longs.getAndAdd(mine, 0L, (long) (n + k) % 4, 1L);
                        long seen;
                        do
                            seen = (long) longs.getVolatile(mine, 0L, 3L);
                        while (!longs.compareAndSet(mine, 0L, 3L, seen, seen + 2));
                        if (k % 10 == 0)
                            Thread.yield();
                    }
                }));
            }
            for (Thread thread : threads)
                thread.join();
            System.out.println(Arrays.toString(mine.toArray(ValueLayout.JAVA_LONG)));
        }
        threads.clear();
        for (int i = 0; i < 5; i++)
            threads.add(Thread.startVirtualThread(() -> late.addAndGet(
                failure(() -> segment.get(ValueLayout.JAVA_LONG, 0)).equals("IllegalStateException") ? 1 : 0)));
        for (Thread thread : threads)
            thread.join();
        System.out.println("late " + late);
    }

    public static void main(String[] args) throws Throwable {
        confined();
        shared();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(16).asReadOnly();
            System.out.println(failure(() -> segment.set(ValueLayout.JAVA_INT, 0, 1)) + " "
                + failure(() -> segment.get(ValueLayout.JAVA_INT, 13)) + " "
                + segment.asByteBuffer().order(ByteOrder.nativeOrder()).getInt(0));
        }
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(0, Thread.ofVirtual().factory());
        try (timer) {
            Arena automatic = Arena.ofAuto();
            MemorySegment counter = automatic.allocate(ValueLayout.JAVA_INT);
            CountDownLatch five = new CountDownLatch(5);
            timer.scheduleAtFixedRate(() -> {
                counter.setAtIndex(ValueLayout.JAVA_INT, 0, counter.get(ValueLayout.JAVA_INT, 0) + 1);
                five.countDown();
            }, 0, 1, TimeUnit.MILLISECONDS);
            five.await();
            timer.shutdownNow();
            System.out.println(counter.get(ValueLayout.JAVA_INT, 0) >= 5);
        }
    }
}
