/* SPDX-License-Identifier: MIT */
// vm: -Xmx64m
/* Weak, soft and phantom references, queues, cleaners, finalizers. */
import java.lang.ref.*;
import java.util.*;

@SuppressWarnings({ "deprecation", "removal" })
public class References {
    static volatile int finalized;

    static class Finalizable {
        static Finalizable saved;
        final boolean resurrect;

        Finalizable(boolean resurrect) {
            this.resurrect = resurrect;
        }

        @Override
        protected void finalize() {
            finalized++;
            if (resurrect) {
                saved = this;
            }
        }
    }

    interface Condition {
        boolean holds();
    }

    static boolean await(Condition c) throws InterruptedException {
        for (int i = 0; i < 200 && !c.holds(); i++) {
            System.gc();
            System.runFinalization();
            Thread.sleep(5);
        }
        return c.holds();
    }

    static Object[] make(ReferenceQueue<Object> q) {
        Object o = new Object();
        return new Object[] { new WeakReference<>(o, q), new PhantomReference<>(o, q) };
    }

    static void garbage() {
        new Finalizable(false);
        new Finalizable(true);
    }

    static Cleaner.Cleanable clean(Cleaner c, List<String> log) {
        Object o = new Object();
        Cleaner.Cleanable x = c.register(o, () -> log.add("explicit"));
        return x;
    }

    static void cleanLater(Cleaner c, List<String> log) {
        c.register(new Object(), () -> log.add("automatic"));
    }

    public static void main(String[] args) throws Exception {
        ReferenceQueue<Object> q = new ReferenceQueue<>();
        Object[] refs = make(q);
        WeakReference<?> weak = (WeakReference<?>) refs[0];
        PhantomReference<?> phantom = (PhantomReference<?>) refs[1];
        System.out.println(phantom.get() + " " + phantom.refersTo(null));
        Set<Object> seen = new HashSet<>();
        System.out.println(await(() -> {
            for (Object r; (r = q.poll()) != null;) {
                seen.add(r);
            }
            return seen.size() == 2;
        }) + " " + weak.get() + " " + weak.refersTo(null));
        Object strong = new Object();
        WeakReference<Object> kept = new WeakReference<>(strong);
        SoftReference<Object> soft = new SoftReference<>(new byte[100]);
        System.gc();
        System.out.println((kept.get() == strong) + " " + (soft.get() != null) + " "
            + kept.enqueue() + " " + kept.isEnqueued());
        garbage();
        System.out.println(await(() -> finalized == 2) + " " + (Finalizable.saved != null));
        Finalizable.saved = null;
        System.gc();
        System.runFinalization();
        System.out.println(finalized);
        WeakHashMap<Object, String> map = new WeakHashMap<>();
        Object key = new Object();
        map.put(key, "kept");
        for (int i = 0; i < 100; i++) {
            map.put(new Object(), "dropped");
        }
        System.out.println(await(() -> map.size() == 1) + " " + map.get(key));
        Cleaner cleaner = Cleaner.create();
        List<String> log = Collections.synchronizedList(new ArrayList<>());
        Cleaner.Cleanable c = clean(cleaner, log);
        c.clean();
        c.clean();
        cleanLater(cleaner, log);
        System.out.println(await(() -> log.contains("automatic")) + " " + log);
        List<SoftReference<byte[]>> softs = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            softs.add(new SoftReference<>(new byte[1 << 20]));
        }
        int cleared = 0;
        for (SoftReference<byte[]> s : softs) {
            cleared += s.get() == null ? 1 : 0;
        }
        System.out.println((cleared > 30) + " " + (cleared < 100));
        Reference.reachabilityFence(strong);
        try {
            q.remove(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(q.remove(2));
    }
}
