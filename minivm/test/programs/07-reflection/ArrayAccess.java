/* SPDX-License-Identifier: MIT */
/* java.lang.reflect.Array and the conversions of Method.invoke. */
import java.lang.reflect.*;
import java.util.*;

public class ArrayAccess {
    interface Body {
        Object run() throws Exception;
    }

    static void show(Body body) {
        try {
            System.out.println(body.run());
        } catch (InvocationTargetException e) {
            System.out.println("target: " + e.getCause());
        } catch (Throwable e) {
            System.out.println(e);
        }
    }

    static Object set(Object array, int index, Object value) {
        Array.set(array, index, value);
        return Array.get(array, index);
    }

    public static double wide(byte b, short s, char c, int i, long l, float f, double d) {
        return b + s + c + i + l + f + d;
    }

    public static Object[] all(boolean z, String s, int... rest) {
        return new Object[] { z, s, rest.length };
    }

    static void elements() {
        Object[] boxes = { true, (byte)1, (short)2, 'c', 4, 5L, 6f, 7d, null, "s" };
        Object[] arrays = { new boolean[1], new byte[1], new short[1], new char[1],
                            new int[1], new long[1], new float[1], new double[1],
                            new Integer[1], new Object[1] };

        for (Object array : arrays)
            for (Object box : boxes)
                show(() -> array.getClass() + " " + set(array, 0, box));
        for (Object array : arrays) {
            show(() -> Array.getInt(array, 0));
            show(() -> Array.getDouble(array, 0));
            show(() -> Array.getBoolean(array, 0));
            show(() -> Array.getChar(array, 0));
            show(() -> {
                Array.setShort(array, 0, (short)-3);
                return Array.get(array, 0);
            });
            show(() -> Array.get(array, 1));
            show(() -> set(array, -1, 1));
        }
        show(() -> Array.get("no array", 0));
        show(() -> Array.getInt("no array", 0));
        show(() -> Array.getLength(null));
        show(() -> Array.getLength("no array"));
        show(() -> Array.getLength(new int[2][3]));
    }

    static void creation() {
        show(() -> Array.newInstance(void.class, 1));
        show(() -> Array.newInstance(int.class, -1));
        show(() -> Array.newInstance(null, 1));
        show(() -> Array.newInstance(int.class, new int[0]));
        show(() -> Array.newInstance(int.class, new int[] { 2, -3 }));
        show(() -> Array.newInstance(int.class, new int[256]));
        show(() -> Array.newInstance(String[].class, 2).getClass());
        show(() -> Arrays.deepToString((Object[])Array.newInstance(char.class, 2, 0)));
        show(() -> Arrays.deepToString((Object[])Array.newInstance(long[].class, 2, 2)));
    }

    static void calls() throws Exception {
        Method wide = ArrayAccess.class.getMethod("wide", byte.class, short.class,
                                                  char.class, int.class, long.class,
                                                  float.class, double.class);
        Method all = ArrayAccess.class.getMethod("all", boolean.class, String.class,
                                                 int[].class);
        Method charAt = String.class.getMethod("charAt", int.class);

        for (int i = 0; i < 20; i += 19) {
            for (int j = 0; j < i; j++)
                wide.invoke(null, (byte)1, (short)2, 'c', 4, 5L, 6f, 7d);
            show(() -> wide.invoke(null, (byte)1, (byte)2, 'c', 'd', 5, 6L, 7f));
            show(() -> Arrays.toString((Object[])all.invoke(null, true, null, new int[2])));
        }
        show(() -> all.invoke(null, 1, null, null));
        show(() -> charAt.invoke("abc", (Object)null));
        show(() -> charAt.invoke("abc", "x"));
        show(() -> charAt.invoke("abc", 1L));
        show(() -> charAt.invoke("abc"));
        show(() -> charAt.invoke("abc", 1, 2));
        show(() -> charAt.invoke(5, 1));
        show(() -> charAt.invoke("abc", 7));
        show(() -> charAt.invoke("abc", (short)1));
        show(() -> Number.class.getConstructor().newInstance());
        show(() -> Runnable.class.getMethod("run").invoke("x"));
        show(() -> ArrayAccess.class.getMethod("wide"));
    }

    public static void main(String[] args) throws Exception {
        elements();
        creation();
        calls();
    }
}
