// SPDX-License-Identifier: MIT
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntSupplier;

/** Eight threads load, link and initialize the same classes of short-lived loaders. */
public class ParallelLoading {
    static final Map<String, byte[]> CODE = new HashMap<>();

    static Class<?> load(Loading l, String name) {
        Class<?> c = l.find(name);
        byte[] b = CODE.get(name);

        return c != null ? c : l.define(name, b);
    }

    interface Loading {
        Class<?> find(String name);

        Class<?> define(String name, byte[] b);
    }

    static class Parallel extends ClassLoader implements Loading {
        static {
            registerAsParallelCapable();
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve)
                throws ClassNotFoundException {
            if (!CODE.containsKey(name))
                return super.loadClass(name, resolve);
            synchronized (getClassLoadingLock(name)) {
                return load(this, name);
            }
        }

        @Override
        public Class<?> find(String name) {
            return findLoadedClass(name);
        }

        @Override
        public Class<?> define(String name, byte[] b) {
            return defineClass(name, b, 0, b.length);
        }
    }

    /** Relies on the VM to lock it. */
    static class Serial extends ClassLoader implements Loading {
        @Override
        protected Class<?> loadClass(String name, boolean resolve)
                throws ClassNotFoundException {
            return CODE.containsKey(name) ? load(this, name) : super.loadClass(name, resolve);
        }

        @Override
        public Class<?> find(String name) {
            return findLoadedClass(name);
        }

        @Override
        public Class<?> define(String name, byte[] b) {
            return defineClass(name, b, 0, b.length);
        }
    }

    public static class Top implements IntSupplier {
        static int initialized;

        static {
            initialized++;
            Thread.yield();
        }

        @Override
        public int getAsInt() {
            return 100 * initialized;
        }
    }

    public static class Middle extends Top {
        @Override
        public int getAsInt() {
            return super.getAsInt() + 1;
        }
    }

    public static class Bottom extends Middle {
        static final IntSupplier OTHER = new Side();

        @Override
        public int getAsInt() {
            return super.getAsInt() + OTHER.getAsInt();
        }
    }

    public static class Side extends Top {
        @Override
        public int getAsInt() {
            return 10;
        }
    }

    static final String[] NAMES = {"Bottom", "Middle", "Side", "Top"};

    static int round(ExecutorService threads, int count, ClassLoader l) throws Exception {
        CyclicBarrier start = new CyclicBarrier(count);
        List<Future<Integer>> results = new ArrayList<>();
        int sum = 0;

        for (int i = 0; i < count; i++) {
            String name = "ParallelLoading$" + NAMES[i % 3];
            results.add(threads.submit(() -> {
                start.await();
                Class<?> c = Class.forName(name, true, l);
                return ((IntSupplier) c.getConstructor().newInstance()).getAsInt();
            }));
        }
        for (Future<Integer> f : results)
            sum += f.get();
        return sum;
    }

    public static void main(String[] args) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        long sum = 0;

        for (String name : NAMES) {
            String full = "ParallelLoading$" + name;
            try (InputStream in = ParallelLoading.class.getResourceAsStream("/" + full + ".class")) {
                CODE.put(full, in.readAllBytes());
            }
        }
        for (int i = 0; i < 24; i++)
            sum += round(threads, 8, i % 2 == 0 ? new Parallel() : new Serial());
        threads.shutdown();
        System.out.println(sum);
    }
}
