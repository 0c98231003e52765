/* SPDX-License-Identifier: MIT */
/* java.util.concurrent.atomic: all classes, from several threads. */
import java.util.concurrent.atomic.*;

public class Atomics {
    volatile int vi;
    volatile long vl;
    volatile String vs = "a";

    public static void main(String[] args) throws Exception {
        AtomicInteger i = new AtomicInteger();
        AtomicLong l = new AtomicLong();
        LongAdder adder = new LongAdder();
        LongAccumulator max = new LongAccumulator(Math::max, Long.MIN_VALUE);
        AtomicIntegerArray ia = new AtomicIntegerArray(4);
        AtomicReference<Integer> ref = new AtomicReference<>(0);
        DoubleAdder d = new DoubleAdder();
        Atomics holder = new Atomics();
        AtomicIntegerFieldUpdater<Atomics> iu =
            AtomicIntegerFieldUpdater.newUpdater(Atomics.class, "vi");
        AtomicLongFieldUpdater<Atomics> lu = AtomicLongFieldUpdater.newUpdater(Atomics.class, "vl");
        AtomicReferenceFieldUpdater<Atomics, String> ru =
            AtomicReferenceFieldUpdater.newUpdater(Atomics.class, String.class, "vs");
        Thread[] threads = new Thread[4];
        for (int t = 0; t < 4; t++) {
            int id = t;
            threads[t] = new Thread(() -> {
                for (int k = 0; k < 2000; k++) {
                    i.incrementAndGet();
                    l.addAndGet(k);
                    adder.add(2);
                    max.accumulate(k * id);
                    ia.getAndIncrement(k & 3);
                    ref.updateAndGet(x -> x + 1);
                    d.add(0.5);
                    iu.incrementAndGet(holder);
                    lu.getAndAdd(holder, 3);
                    synchronized (ru) {
                        if (k < 2) {
                            ru.updateAndGet(holder, s -> s + "b");
                        }
                    }
                }
            });
            threads[t].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        System.out.println(i + " " + l + " " + adder + " " + max + " " + ia + " " + ref + " " + d
            + " " + holder.vi + " " + holder.vl + " " + holder.vs);
        System.out.println(i.compareAndSet(8000, 1) + " " + i.compareAndSet(8000, 2) + " "
            + i.getAndUpdate(x -> x * 5) + " " + i.accumulateAndGet(3, (a, b) -> a - b) + " "
            + i.getAndSet(9) + " " + i.compareAndExchange(9, 10) + " " + i.getPlain());
        AtomicStampedReference<String> st = new AtomicStampedReference<>("x", 1);
        System.out.println(st.compareAndSet("x", "y", 1, 2) + " " + st.compareAndSet("y", "z", 1, 3)
            + " " + st.getReference() + st.getStamp());
        AtomicMarkableReference<String> mk = new AtomicMarkableReference<>("x", false);
        System.out.println(mk.attemptMark("x", true) + " " + mk.isMarked());
        AtomicBoolean b = new AtomicBoolean();
        System.out.println(b.compareAndSet(false, true) + " " + b.getAndSet(false) + " " + b);
        AtomicReferenceArray<String> ra = new AtomicReferenceArray<>(new String[] { "p", null });
        ra.lazySet(1, "q");
        System.out.println(ra + " " + ra.getAndAccumulate(0, "s", String::concat) + ra.get(0));
        try {
            ia.get(4);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            AtomicIntegerFieldUpdater.newUpdater(Atomics.class, "vs");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(max.getThenReset() + " " + adder.sumThenReset() + " " + adder);
    }
}
