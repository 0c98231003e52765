/* SPDX-License-Identifier: MIT */
// vm: -Xmx64m
/* Classes die with their loader; statics and instances keep them alive. */
import java.io.*;
import java.lang.ref.*;
import java.util.*;

public class Unloading {
    public static class Payload {
        public static byte[] data = new byte[200_000];
        public static Runnable lambda = () -> System.out.println("from unloadable code");

        @Override
        public String toString() {
            return "payload";
        }
    }

    static class Own extends ClassLoader {
        Own() {
            super(null);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (InputStream in = Unloading.class.getResourceAsStream("/" + name + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] b = in.readAllBytes();
                return defineClass(name, b, 0, b.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    static Object load(List<WeakReference<Object>> refs, boolean keep) throws Exception {
        Own l = new Own();
        Class<?> c = l.loadClass("Unloading$Payload");
        Object o = c.getConstructor().newInstance();
        c.getField("data").get(null);
        refs.add(new WeakReference<>(l));
        refs.add(new WeakReference<>(c));
        return keep ? o : null;
    }

    static int alive(List<WeakReference<Object>> refs) {
        int n = 0;
        for (WeakReference<Object> r : refs) {
            n += r.get() != null ? 1 : 0;
        }
        return n;
    }

    static boolean collected(List<WeakReference<Object>> refs, int wanted) throws Exception {
        for (int i = 0; i < 100 && alive(refs) > wanted; i++) {
            System.gc();
            Thread.sleep(5);
        }
        return alive(refs) == wanted;
    }

    public static void main(String[] args) throws Exception {
        List<WeakReference<Object>> refs = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            load(refs, false);
        }
        System.out.println(collected(refs, 0));
        refs.clear();
        Object kept = load(refs, true);
        System.out.println(collected(refs, 2) + " " + kept);
        Runnable r = (Runnable) kept.getClass().getField("lambda").get(null);
        kept = null;
        System.gc();
        r.run();
        System.out.println(alive(refs));
        r = null;
        System.out.println(collected(refs, 0));
    }
}
