// SPDX-License-Identifier: MIT
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.Set;

/** What goes wrong between class loaders: constraints, duplicates, names, bad bytes. */
public class LoaderErrors {
    public static class Arg {
    }

    public static class Base {
        public static Arg shared;

        public static void take(Arg a) {
        }

        public Object make(Arg a) {
            return "base";
        }
    }

    public static class Derived extends Base {
        @Override
        public Object make(Arg a) {
            return "derived";
        }
    }

    public static class User {
        public static void call() {
            Base.take(null);
        }

        public static void field() {
            System.out.println(Base.shared);
        }
    }

    public interface Maker {
        Object make(Arg a);
    }

    public static class MakerImpl implements Maker {
        @Override
        public Object make(Arg a) {
            return a;
        }
    }

    static byte[] bytes(String name) {
        try (InputStream in = LoaderErrors.class.getResourceAsStream("/" + name + ".class")) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Defines its own version of some classes. */
    static class Own extends ClassLoader {
        private final Set<String> own;

        Own(String name, String... own) {
            super(name, LoaderErrors.class.getClassLoader());
            this.own = Set.of(own);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve)
                throws ClassNotFoundException {
            if (!own.contains(name))
                return super.loadClass(name, resolve);
            Class<?> c = findLoadedClass(name);
            return c != null ? c : define(name, bytes(name));
        }

        Class<?> define(String name, byte[] b) {
            return defineClass(name, b, 0, b.length);
        }
    }

    /** Answers something else for the class Base. */
    static class Strange extends Own {
        private final Class<?> answer;

        Strange(Class<?> answer) {
            super("strange", "LoaderErrors$User");
            this.answer = answer;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve)
                throws ClassNotFoundException {
            if (!name.equals("LoaderErrors$Base"))
                return super.loadClass(name, resolve);
            if (answer == void.class)
                throw new IllegalStateException("mine");
            return answer;
        }
    }

    interface Action {
        void run() throws Throwable;
    }

    static void attempt(String what, Action action) {
        try {
            action.run();
            System.out.println(what + ": fine");
        } catch (Throwable e) {
            if (e instanceof InvocationTargetException)
                e = e.getCause();
            System.out.println(what + ": " + e.toString().replaceAll("@[0-9a-f]+", "@hash"));
        }
    }

    static void call(ClassLoader l, String method) throws Exception {
        l.loadClass("LoaderErrors$User").getMethod(method).invoke(null);
    }

    static Own withOwnArg(String name, String other) throws Exception {
        Own l = new Own(name, other, "LoaderErrors$Arg");
        l.loadClass("LoaderErrors$Arg");
        return l;
    }

    static void constraints() {
        /* Else the constraints would depend on how long the loaders below live. */
        System.out.println(Arg.class.getClassLoader() == Base.class.getClassLoader());
        attempt("overriding", () -> withOwnArg("o", "LoaderErrors$Derived")
                .loadClass("LoaderErrors$Derived").getConstructor().newInstance());
        attempt("implementing", () -> withOwnArg("i", "LoaderErrors$MakerImpl")
                .loadClass("LoaderErrors$MakerImpl").getConstructor().newInstance());
        attempt("calling", () -> call(withOwnArg("c", "LoaderErrors$User"), "call"));
        attempt("reading", () -> call(withOwnArg("r", "LoaderErrors$User"), "field"));
        attempt("loading later", () -> {
            Own l = new Own("l", "LoaderErrors$User", "LoaderErrors$Arg");
            call(l, "call");
            l.loadClass("LoaderErrors$Arg");
        });
    }

    static void definitions() {
        byte[] arg = bytes("LoaderErrors$Arg");
        attempt("twice", () -> {
            Own l = new Own("twice");
            l.define("LoaderErrors$Arg", arg);
            l.define("LoaderErrors$Arg", arg);
        });
        attempt("an interface twice", () -> {
            Own l = new Own(null);
            l.define(null, bytes("LoaderErrors$Maker"));
            l.define(null, bytes("LoaderErrors$Maker"));
        });
        attempt("prohibited", () -> new Own("p").define("java.lang.Mine", arg));
        attempt("another name", () -> new Own("n").define("Other", arg));
        attempt("truncated", () -> new Own("t").define("LoaderErrors$Arg",
                java.util.Arrays.copyOf(arg, arg.length - 30)));
        attempt("no class file", () -> new Own("m").define("X", new byte[] {1, 2, 3, 4, 5, 6}));
    }

    public static void main(String[] args) {
        constraints();
        definitions();
        attempt("null", () -> call(new Strange(null), "call"));
        attempt("another class", () -> call(new Strange(String.class), "call"));
        attempt("an exception", () -> call(new Strange(void.class), "call"));
    }
}
