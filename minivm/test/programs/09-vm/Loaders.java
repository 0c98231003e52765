/* SPDX-License-Identifier: MIT */
/* Class loaders of one's own: delegation, namespaces, resources, errors. */
import java.io.*;
import java.net.*;
import java.util.*;

public class Loaders {
    public static class Subject {
        static int count;
        public final int n = ++count;

        public Class<?> helper() {
            return Helper.class;
        }

        @Override
        public String toString() {
            return "Subject " + n;
        }
    }

    public static class Helper {
    }

    static byte[] bytes(String name) throws IOException {
        try (InputStream in = Loaders.class.getClassLoader().getResourceAsStream(
                name.replace('.', '/') + ".class")) {
            return in.readAllBytes();
        }
    }

    static class Isolated extends ClassLoader {
        final List<String> asked = new ArrayList<>();
        final String prefix;

        Isolated(String prefix) {
            super("isolated", Loaders.class.getClassLoader());
            this.prefix = prefix;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                asked.add(name);
                if (name.startsWith(prefix)) {
                    Class<?> c = findLoadedClass(name);
                    if (c == null) {
                        try {
                            byte[] b = bytes(name);
                            c = defineClass(name, b, 0, b.length);
                        } catch (IOException e) {
                            throw new ClassNotFoundException(name, e);
                        }
                    }
                    return c;
                }
                return super.loadClass(name, resolve);
            }
        }

        Class<?> define(String name, byte[] b) {
            return defineClass(name, b, 0, b.length);
        }
    }

    interface Body {
        Object run() throws Exception;
    }

    static void attempt(Body b) {
        try {
            System.out.println(b.run());
        } catch (Throwable t) {
            System.out.println(t.getClass().getSimpleName() + ": "
                + String.valueOf(t.getMessage()).replaceAll("@[0-9a-f]+", "@"));
        }
    }

    public static void main(String[] args) throws Exception {
        Isolated a = new Isolated("Loaders$"), b = new Isolated("Loaders$");
        Class<?> ca = a.loadClass("Loaders$Subject"), cb = b.loadClass("Loaders$Subject");
        System.out.println((ca == cb) + " " + (ca == a.loadClass("Loaders$Subject")) + " "
            + ca.getName().equals(cb.getName()) + " " + (ca.getClassLoader() == a));
        Object oa = ca.getConstructor().newInstance(), ob = cb.getConstructor().newInstance();
        System.out.println(oa + " " + ob + " " + ca.getConstructor().newInstance() + " "
            + ca.isInstance(ob) + " " + (oa instanceof Subject));
        attempt(() -> (Subject) oa);
        System.out.println(((Class<?>) ca.getMethod("helper").invoke(oa)).getClassLoader() == a);
        a.asked.removeIf(s -> !s.startsWith("Loaders"));
        System.out.println(a.asked);
        attempt(() -> a.define("Loaders$Subject", bytes("Loaders$Subject")));
        attempt(() -> a.define("wrong.Name", bytes("Loaders$Helper")));
        attempt(() -> a.define("java.lang.Evil", bytes("Loaders$Helper")));
        attempt(() -> new Isolated("zzz").define("Loaders$Helper", new byte[10]));
        attempt(() -> new Isolated("zzz").define(null, Arrays.copyOf(bytes("Loaders$Helper"), 50)));
        attempt(() -> {
            byte[] x = bytes("Loaders$Helper");
            x[7] = 99;
            return new Isolated("zzz").define(null, x);
        });
        attempt(() -> new Isolated("zzz").loadClass("no.such.Thing"));
        attempt(() -> Class.forName("Loaders$Helper", false, null));
        attempt(() -> Class.forName("Loaders$Helper", true, a).getClassLoader() == a);
        attempt(() -> ClassLoader.getSystemClassLoader().getName() + " "
            + ClassLoader.getPlatformClassLoader().getName() + " "
            + ClassLoader.getSystemClassLoader().getParent().getName() + " "
            + String.class.getClassLoader());
        attempt(() -> new ClassLoader(null) { }.loadClass("Loaders"));
        attempt(() -> {
            new ClassLoader() {
                @Override
                protected Class<?> findClass(String name) {
                    return null;
                }
            }.loadClass("nothing");
            return "null class";
        });
        attempt(() -> Class.forName("x.Y", true, new ClassLoader() {
            @Override
            protected Class<?> findClass(String name) {
                return String.class;
            }
        }));
        attempt(() -> Class.forName("x.Y", true, new ClassLoader() {
            @Override
            protected Class<?> findClass(String name) {
                throw new IllegalStateException("loader fails");
            }
        }));
        System.out.println(Thread.currentThread().getContextClassLoader()
            == ClassLoader.getSystemClassLoader());
        URL here = Loaders.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader u = new URLClassLoader(new URL[] { here }, null)) {
            Class<?> c = u.loadClass("Loaders$Helper");
            System.out.println((c != Helper.class) + " " + (c.getClassLoader() == u) + " "
                + (u.getResource("Loaders.class") != null) + " " + u.findResource("none"));
        }
        Package p = a.getDefinedPackage("");
        System.out.println(p + " " + (a.getUnnamedModule() != b.getUnnamedModule()));
        a.setDefaultAssertionStatus(true);
        System.out.println(Collections.list(Loaders.class.getClassLoader().getResources(
            "Loaders.class")).size());
    }
}
