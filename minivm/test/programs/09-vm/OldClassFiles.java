/* SPDX-License-Identifier: MIT */
/* Class files below version 50, which are verified by inference. */
import java.io.*;
import java.lang.reflect.*;
import java.util.*;

public class OldClassFiles {
    static class Plain {
        interface Shape {
            double area(double scale);
        }

        static int factorial(int n) {
            int result = 1;
            try {
                for (int i = 2; i <= n; i++) {
                    if (i % 2 == 0)
                        result *= i;
                    else
                        result = i * result;
                }
                return result;
            } finally {
                result = -1;
            }
        }

        static Object pick(int i) {
            Object o;
            switch (i) {
            case 0:
                o = new long[] { 1L, 2L };
                break;
            case 1:
                o = new int[2][3];
                break;
            default:
                o = "text";
                break;
            }
            synchronized (o) {
                return o;
            }
        }

        public static String run() {
            StringBuilder b = new StringBuilder();
            Shape s = scale -> 0;
            b.append(factorial(6)).append(' ');
            for (int i = 0; i < 3; i++)
                b.append(pick(i).getClass().getSimpleName()).append(' ');
            return b.append((long)2.5).toString();
        }
    }

    /* The same without a lambda, which version 49 has not. */
    static class Simple {
        static int twice(int i, long l, Object o) {
            if (o instanceof String)
                return i + i;
            return (int)l;
        }

        public static String run() {
            int[][] table = new int[2][2];
            table[1][0] = twice(4, 5L, "x");
            try {
                Object o = table;
                return ((int[][])o)[1][0] + " " + twice(1, 77L, null);
            } catch (ClassCastException e) {
                return "cast";
            }
        }
    }

    static byte[] read(Class<?> c) throws IOException {
        try (InputStream in = c.getResourceAsStream(c.getName() + ".class")) {
            return in.readAllBytes();
        }
    }

    static Class<?> define(String name, byte[] bytes) {
        return new ClassLoader(OldClassFiles.class.getClassLoader()) {
            Class<?> define() {
                return defineClass(name, bytes, 0, bytes.length);
            }
        }.define();
    }

    static void run(Class<?> original, byte[] bytes, String what) {
        try {
            Method m = define(original.getName(), bytes).getDeclaredMethod("run");
            m.setAccessible(true);
            System.out.println(what + ": " + m.invoke(null));
        } catch (InvocationTargetException e) {
            System.out.println(what + ": target " + e.getCause());
        } catch (Throwable e) {
            System.out.println(what + ": " + e);
        }
    }

    /* Every place of one instruction's byte gets another one. */
    static void damage(Class<?> c, byte[] good, int from, int to) {
        for (int i = 10; i < good.length; i++) {
            if ((good[i] & 0xff) != from)
                continue;
            byte[] bad = good.clone();
            bad[i] = (byte)to;
            run(c, bad, from + " to " + to + " at " + i);
        }
    }

    public static void main(String[] args) throws Exception {
        byte[] plain = read(Plain.class), simple = read(Simple.class);

        for (int version = 46; version <= 50; version++) {
            plain[7] = simple[7] = (byte)version;
            run(Plain.class, plain, "plain " + version);
            run(Simple.class, simple, "simple " + version);
        }
        simple[7] = 49;
        damage(Simple.class, simple, 0x60, 0x61);   /* iadd to ladd */
        damage(Simple.class, simple, 0xac, 0xb0);   /* ireturn to areturn */
        damage(Simple.class, simple, 0x2a, 0x1a);   /* aload_0 to iload_0 */
        damage(Simple.class, simple, 0x4f, 0x50);   /* iastore to lastore */
        damage(Simple.class, simple, 0x32, 0x2e);   /* aaload to iaload */
        damage(Simple.class, simple, 0xb1, 0xac);   /* return to ireturn */
    }
}
