// SPDX-License-Identifier: MIT
// since: 21
// vm: --finalization=disabled
import java.lang.ref.*;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** --finalization=disabled: no finalizer runs; cleaners and references work as ever. */
public class FinalizationOff {
    static final AtomicInteger finalized = new AtomicInteger();
    static final CountDownLatch cleaned = new CountDownLatch(50);

    static class Old implements Cloneable {
        final byte[] content = new byte[1000];

        @Override
        @SuppressWarnings({ "deprecation", "removal" })
        protected void finalize() {
            finalized.incrementAndGet();
        }

        @Override
        protected Old clone() {
            try {
                return (Old) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    static int make(ReferenceQueue<Old> queue, Cleaner cleaner, java.util.List<WeakReference<Old>> kept)
            throws Exception {
        int made = 0;
        for (int i = 0; i < 50; i++) {
            Old o = i % 3 == 0 ? new Old().clone()
                : i % 3 == 1 ? Old.class.getDeclaredConstructor().newInstance() : new Old();
            kept.add(new WeakReference<>(o, queue));
            cleaner.register(o, cleaned::countDown);
            made += o.content.length;
        }
        return made;
    }

    @SuppressWarnings("removal")
    public static void main(String[] args) throws Exception {
        ReferenceQueue<Old> queue = new ReferenceQueue<>();
        java.util.List<WeakReference<Old>> kept = new java.util.ArrayList<>();
        System.out.println(make(queue, Cleaner.create(), kept));
        boolean done = false;
        for (int i = 0; i < 100 && !done; i++) {
            System.gc();
            System.runFinalization();
            done = cleaned.await(100, TimeUnit.MILLISECONDS);
        }
        System.out.println("cleaned " + done + ", finalized " + finalized);
        int queued = 0;
        while (queued < 50 && queue.remove(10000) != null)
            queued++;
        System.out.println(queued + " " + kept.stream().filter(r -> r.get() == null).count());
        System.out.println(Thread.getAllStackTraces().keySet().stream()
            .anyMatch(t -> t.getName().equals("Finalizer")));
    }
}
