// SPDX-License-Identifier: MIT
// since: 21
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations
import java.io.*;
import java.lang.invoke.*;
import java.lang.reflect.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Class loaders, proxies, lambdas and hidden classes that virtual threads make at once. */
public class VirtualLoading {
    public interface Task extends Callable<String> {
    }

    public static class Plugin implements Task {
        static int made;
        final int number;

        public Plugin() {
            synchronized (Plugin.class) {
                number = ++made;
            }
        }

        @Override
        public String call() {
            Helper helper = new Helper(number);
            return helper.describe();
        }
    }

    public record Helper(int number) {
        String describe() {
            return "plugin " + number + " " + Thread.currentThread().isVirtual();
        }
    }

    static class Gadget {
        static int made;

        static int make() {
            return ++made;
        }
    }

    /** Defines the nested classes anew; yields while it does. */
    static class Loader extends ClassLoader {
        static final AtomicInteger defined = new AtomicInteger();

        static {
            registerAsParallelCapable();
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("VirtualLoading$"))
                return super.loadClass(name, resolve);
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known != null)
                    return known;
                Thread.yield();
                byte[] bytes = read(name);
                defined.incrementAndGet();
                return defineClass(name, bytes, 0, bytes.length);
            }
        }
    }

    static byte[] read(String name) throws ClassNotFoundException {
        try (InputStream in = VirtualLoading.class.getResourceAsStream(name + ".class")) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    static <T> List<T> together(int threads, Callable<T> body) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(threads);
        List<Future<T>> futures = new ArrayList<>();
        List<T> results = new ArrayList<>();
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < threads; i++)
                futures.add(executor.submit(() -> {
                    barrier.await();
                    return body.call();
                }));
        }
        for (Future<T> future : futures)
            results.add(future.get());
        return results;
    }

    static <T> int distinct(List<T> list) {
        Set<T> set = Collections.newSetFromMap(new IdentityHashMap<>());
        set.addAll(list);
        return set.size();
    }

    public static void main(String[] args) throws Exception {
        Loader shared = new Loader();
        List<Class<?>> classes =
            together(32, () -> (Class<?>) shared.loadClass("VirtualLoading$Plugin"));
        System.out.println(distinct(classes) + " class, defined " + Loader.defined);

        List<String> said = together(16, () -> ((Callable<?>) shared.loadClass(
            "VirtualLoading$Plugin").getDeclaredConstructor().newInstance()).call().toString());
        System.out.println(new TreeSet<>(said));
        System.out.println("defined " + Loader.defined);

        List<String> own = together(16, () -> ((Callable<?>) new Loader().loadClass(
            "VirtualLoading$Plugin").getDeclaredConstructor().newInstance()).call().toString());
        System.out.println(new TreeSet<>(own) + " defined " + Loader.defined);

        List<Object> proxies = together(16, () -> Proxy.newProxyInstance(
            VirtualLoading.class.getClassLoader(), new Class<?>[] { Comparator.class, Runnable.class },
            (proxy, method, arguments) -> {
                Thread.yield();
                return arguments == null ? null : arguments.length;
            }));
        System.out.println(distinct(proxies.stream().map(Object::getClass).toList())
                           + " proxy class, compares "
                           + ((Comparator<?>) proxies.get(3)).compare(null, null));

        List<Class<?>> hidden = together(8, () -> (Class<?>) MethodHandles.lookup()
            .defineHiddenClass(read("VirtualLoading$Gadget"), true).lookupClass());
        int made = 0;
        for (Class<?> each : hidden)
            made += (int) each.getDeclaredMethod("make").invoke(null);
        System.out.println(distinct(hidden) + " hidden classes, "
                           + hidden.stream().allMatch(Class::isHidden) + " " + made);

        List<Integer> handles = together(16, () -> {
            MethodHandle parse = MethodHandles.publicLookup().findStatic(
                Integer.class, "parseInt", MethodType.methodType(int.class, String.class));
            MethodHandle twice = MethodHandles.filterReturnValue(
                parse, MethodHandles.publicLookup().findStatic(Math.class, "negateExact",
                    MethodType.methodType(int.class, int.class)));
            try {
                return (int) twice.invokeExact("21");
            } catch (Throwable t) {
                throw new AssertionError(t);
            }
        });
        System.out.println(new HashSet<>(handles));

        List<String> missing = together(16, () -> {
            try {
                return shared.loadClass("no.such.Thing").getName();
            } catch (ClassNotFoundException e) {
                return e.getMessage();
            }
        });
        System.out.println(new HashSet<>(missing));
        List<String> twice = together(4, () -> {
            try {
                byte[] bytes = read("VirtualLoading$Task");
                return MethodHandles.lookup().defineClass(bytes).getName();
            } catch (LinkageError e) {
                return e.getClass().getSimpleName();
            }
        });
        System.out.println(new HashSet<>(twice));
    }
}
