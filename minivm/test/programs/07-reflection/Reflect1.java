/* SPDX-License-Identifier: MIT */
/* Fields, methods, constructors: lookup, invocation, access, errors. */
import java.lang.reflect.*;
import java.util.*;

public class Reflect1 {
    public static class Base {
        public int pub = 1;
        protected String prot = "p";
        private static long priv = 3;

        public String hello(String s, int n) {
            return s + n;
        }

        private int secret() {
            return 99;
        }

        public static double add(double a, float b) {
            return a + b;
        }

        public void fails() throws Exception {
            throw new Exception("inner");
        }

        public int sum(int... all) {
            return Arrays.stream(all).sum();
        }
    }

    public static class Derived extends Base implements Runnable, Comparable<Derived> {
        public final int fin = 5;
        public volatile boolean flag;

        public Derived() {
        }

        private Derived(int x, String[] s) {
            pub = x + s.length;
        }

        @Override
        public void run() {
            pub++;
        }

        @Override
        public int compareTo(Derived o) {
            return 0;
        }
    }

    abstract static class Abstract {
    }

    static void names(Member[] all) {
        TreeSet<String> names = new TreeSet<>();
        for (Member m : all) {
            names.add(Modifier.toString(m.getModifiers()) + " " + m);
        }
        names.forEach(System.out::println);
    }

    interface Action {
        Object run() throws Exception;
    }

    static void attempt(Action a) {
        try {
            System.out.println(a.run());
        } catch (InvocationTargetException e) {
            System.out.println("ITE " + e.getCause());
        } catch (Exception e) {
            System.out.println(e.getClass().getSimpleName() + ": "
                + String.valueOf(e.getMessage()).replaceAll("@[0-9a-f]+", "@"));
        }
    }

    public static void main(String[] args) throws Exception {
        names(Derived.class.getDeclaredFields());
        names(Derived.class.getDeclaredMethods());
        names(Derived.class.getDeclaredConstructors());
        names(Base.class.getDeclaredMethods());
        System.out.println(Derived.class.getFields().length + " "
            + Arrays.toString(Derived.class.getInterfaces()));
        Derived d = new Derived();
        Method hello = Derived.class.getMethod("hello", String.class, int.class);
        attempt(() -> hello.invoke(d, "x", 5));
        attempt(() -> hello.invoke(d, "x", (short) 5));
        attempt(() -> hello.invoke(d, "x", 5L));
        attempt(() -> hello.invoke(d, 1, 5));
        attempt(() -> hello.invoke(d, "x"));
        attempt(() -> hello.invoke("wrong", "x", 5));
        attempt(() -> hello.invoke(null, "x", 5));
        attempt(() -> hello.invoke(d, "x", null));
        attempt(() -> Base.class.getMethod("add", double.class, float.class).invoke(null, 1, 2f));
        attempt(() -> Base.class.getMethod("fails").invoke(d));
        attempt(() -> Base.class.getMethod("sum", int[].class).invoke(d, new int[] { 1, 2 }));
        attempt(() -> Base.class.getMethod("secret"));
        Method secret = Base.class.getDeclaredMethod("secret");
        attempt(() -> secret.invoke(d));
        secret.setAccessible(true);
        for (int i = 0; i < 40; i++) {
            if ((int) secret.invoke(d) != 99) {
                System.out.println("wrong at " + i);
            }
        }
        Constructor<Derived> c = Derived.class.getDeclaredConstructor(int.class, String[].class);
        attempt(() -> c.newInstance(10, new String[3]).pub);
        attempt(() -> Abstract.class.getDeclaredConstructor().newInstance());
        attempt(() -> Derived.class.getConstructor(int.class));
        Field pub = Derived.class.getField("pub");
        attempt(() -> pub.getInt(d));
        pub.set(d, (byte) 7);
        attempt(() -> pub.getDouble(d));
        attempt(() -> {
            pub.set(d, "text");
            return null;
        });
        attempt(() -> {
            pub.setLong(d, 1);
            return null;
        });
        attempt(() -> {
            Derived.class.getField("fin").setInt(d, 6);
            return null;
        });
        Field fin = Derived.class.getDeclaredField("fin");
        fin.setAccessible(true);
        fin.setInt(d, 8);
        attempt(() -> fin.getInt(d));
        Field priv = Base.class.getDeclaredField("priv");
        attempt(() -> priv.get(null));
        priv.setAccessible(true);
        priv.setLong(null, 77);
        attempt(() -> priv.get(null));
        attempt(() -> String.class.getDeclaredField("value").trySetAccessible());
        attempt(() -> {
            String.class.getDeclaredField("value").setAccessible(true);
            return null;
        });
        attempt(() -> Class.forName("no.such.Thing"));
        attempt(() -> Class.forName("[Ljava.lang.String;") + " " + Class.forName("[[I"));
        attempt(() -> Class.forName("int"));
        attempt(() -> hello + " " + hello.toGenericString() + " " + hello.hashCode());
        attempt(() -> hello.getParameters()[0].getName() + hello.getParameterCount());
        Class<?> inner = Class.forName("Reflect1$Derived");
        System.out.println(inner.getEnclosingClass() + " " + inner.getDeclaringClass() + " "
            + inner.isMemberClass() + " " + Modifier.toString(inner.getModifiers()) + " "
            + inner.getPackageName().isEmpty() + " " + inner.getTypeName());
        System.out.println(new Object() { }.getClass().getEnclosingMethod());
        System.out.println(Reflect1.class.getDeclaredClasses().length + " "
            + Reflect1.class.getNestHost() + " " + inner.isNestmateOf(Base.class));
        Object array = Array.newInstance(int.class, 2, 3);
        Array.setInt(Array.get(array, 1), 2, 9);
        System.out.println(Arrays.deepToString((int[][]) array) + " " + Array.getLength(array));
        attempt(() -> Array.get(array, 5));
        attempt(() -> {
            Array.set(new int[1], 0, "x");
            return null;
        });
        attempt(() -> Array.getInt("no array", 0));
        attempt(() -> Array.newInstance(void.class, 1));
        attempt(() -> int.class.isAssignableFrom(Integer.class) + " "
            + Number.class.isAssignableFrom(Integer.class) + " "
            + Object[].class.isAssignableFrom(String[].class) + " " + Runnable.class.isInstance(d));
        attempt(() -> Integer.class.cast("x"));
        attempt(() -> int.class.arrayType() + " " + String[].class.componentType() + " "
            + char.class.descriptorString() + Map.Entry.class.descriptorString());
    }
}
