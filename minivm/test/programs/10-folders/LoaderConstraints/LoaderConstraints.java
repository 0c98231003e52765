/* SPDX-License-Identifier: MIT */
import java.io.InputStream;
import java.util.*;

/* Loader constraints (JVMS 5.3.4): two loaders disagree about one name. */
public class LoaderConstraints {
    public static class Shared {
        public int v = 5;
    }

    public static class Giver {
        public static Shared last = new Shared();

        public Shared give() {
            return new Shared();
        }

        public static Shared make() {
            return new Shared();
        }
    }

    public static class Taker extends Giver {
        @Override
        public Shared give() {
            return null;
        }
    }

    public static class User {
        public int call() {
            return new Giver().give().v;
        }

        public int callStatic() {
            return Giver.make().v;
        }

        public int field() {
            return Giver.last.v;
        }
    }

    static class Own extends ClassLoader {
        final Set<String> mine;

        Own(ClassLoader parent, String... mine) {
            super(parent);
            this.mine = Set.of(mine);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            Class<?> c = findLoadedClass(name);
            if (c == null && mine.contains(name)) {
                try (InputStream in = getResourceAsStream(name + ".class")) {
                    byte[] b = in.readAllBytes();
                    c = defineClass(name, b, 0, b.length);
                } catch (java.io.IOException e) {
                    throw new ClassNotFoundException(name);
                }
            }
            return c != null ? c : super.loadClass(name, resolve);
        }

        @Override
        public String toString() {
            return "Own";
        }
    }

    static void attempt(String method, String... mine) throws Exception {
        ClassLoader l = new Own(LoaderConstraints.class.getClassLoader(), mine);
        try {
            Class<?> c = l.loadClass("LoaderConstraints$User");
            System.out.println(c.getMethod(method).invoke(c.getConstructor().newInstance()));
        } catch (java.lang.reflect.InvocationTargetException e) {
            System.out.println(e.getCause().getClass().getName());
        }
    }

    public static void main(String[] args) throws Exception {
        String p = "LoaderConstraints$";
        for (String m : new String[] { "call", "callStatic", "field" }) {
            attempt(m, p + "User");
            attempt(m, p + "User", p + "Shared", p + "Giver");
            ClassLoader l = new Own(LoaderConstraints.class.getClassLoader(), p + "User", p + "Shared");
            l.loadClass(p + "Shared");
            attempt(m, p + "User", p + "Shared");
        }
        try {
            ClassLoader l = new Own(LoaderConstraints.class.getClassLoader(), p + "Taker", p + "Shared");
            l.loadClass(p + "Shared");
            Class<?> c = l.loadClass(p + "Taker");
            c.getConstructor().newInstance();
            System.out.println("linked");
        } catch (LinkageError e) {
            System.out.println(e.getClass().getName());
        }
    }
}
