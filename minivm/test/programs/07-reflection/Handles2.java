/* SPDX-License-Identifier: MIT */
/* Combinators: filter, fold, guard, catch, loops, permute, collect, spread. */
import java.lang.invoke.*;
import java.util.*;

public class Handles2 {
    static int add(int a, int b) {
        return a + b;
    }

    static boolean even(int x) {
        return x % 2 == 0;
    }

    static String show(String s, long n, double d) {
        return s + "/" + n + "/" + d;
    }

    static int fail(String m) {
        throw new IllegalStateException(m);
    }

    static int rescue(IllegalStateException e, String m) {
        return e.getMessage().length() * 100;
    }

    static int cleanup(Throwable t, int result, String m) {
        System.out.println("cleanup " + (t == null ? result : t.getMessage()));
        return result + 1;
    }

    static boolean less(int i, int n) {
        return i < n;
    }

    static int step(int i, int n) {
        return i + 3;
    }

    static long seven(long a, int b, double c, float d, byte e, Object f, char g) {
        return a + b + (long) c + (long) d + e + f.hashCode() + g;
    }

    static MethodHandle find(String name, Class<?> r, Class<?>... p) throws Exception {
        return MethodHandles.lookup().findStatic(Handles2.class, name, MethodType.methodType(r, p));
    }

    public static void main(String[] args) throws Throwable {
        MethodHandle add = find("add", int.class, int.class, int.class);
        MethodHandle even = find("even", boolean.class, int.class);
        MethodHandle show = find("show", String.class, String.class, long.class, double.class);
        MethodHandle len = MethodHandles.lookup().findVirtual(String.class, "length",
            MethodType.methodType(int.class));
        System.out.println((int) MethodHandles.insertArguments(add, 0, 10).invokeExact(5));
        System.out.println((int) MethodHandles.filterArguments(add, 0, len, len)
            .invokeExact("ab", "cde"));
        System.out.println((int) MethodHandles.filterReturnValue(len,
            MethodHandles.insertArguments(add, 1, 1)).invokeExact("abcd"));
        MethodHandle fold = MethodHandles.foldArguments(find("seven2", long.class, int.class,
            int.class, int.class), add);
        System.out.println((long) fold.invokeExact(2, 3));
        System.out.println((String) MethodHandles.permuteArguments(show, MethodType.methodType(
            String.class, double.class, String.class, long.class), 1, 2, 0)
            .invokeExact(2.5, "p", 9L));
        System.out.println((int) MethodHandles.dropArguments(len, 0, double.class, Object.class)
            .invoke(1.5, null, "dropped"));
        MethodHandle guard = MethodHandles.guardWithTest(even, MethodHandles.insertArguments(add, 1,
            1000), MethodHandles.identity(int.class));
        System.out.println((int) guard.invokeExact(4) + " " + (int) guard.invokeExact(5));
        MethodHandle fail = find("fail", int.class, String.class);
        MethodHandle caught = MethodHandles.catchException(fail, IllegalStateException.class,
            find("rescue", int.class, IllegalStateException.class, String.class));
        System.out.println((int) caught.invokeExact("four"));
        MethodHandle cleanup = find("cleanup", int.class, Throwable.class, int.class, String.class);
        System.out.println((int) MethodHandles.tryFinally(len, cleanup).invokeExact("xyz"));
        try {
            int r = (int) MethodHandles.tryFinally(fail, cleanup).invokeExact("thrown");
        } catch (IllegalStateException e) {
            System.out.println("still " + e.getMessage());
        }
        MethodHandle loop = MethodHandles.whileLoop(MethodHandles.dropArguments(
            MethodHandles.constant(int.class, 0), 0, int.class),
            find("less", boolean.class, int.class, int.class),
            find("step", int.class, int.class, int.class));
        System.out.println((int) loop.invokeExact(10));
        MethodHandle sum = MethodHandles.countedLoop(MethodHandles.constant(int.class, 5),
            MethodHandles.constant(int.class, 100), add);
        System.out.println((int) sum.invoke());
        MethodHandle iter = MethodHandles.iteratedLoop(null, MethodHandles.constant(int.class, 0),
            MethodHandles.filterArguments(add, 1, MethodHandles.identity(Integer.class)
                .asType(MethodType.methodType(int.class, Integer.class))));
        System.out.println((int) iter.invoke(List.of(4, 5, 6)));
        System.out.println((String) show.asSpreader(Object[].class, 3)
            .invoke(new Object[] { "s", 1L, 2.0 }));
        System.out.println((int) add.asSpreader(int[].class, 2).invokeExact(new int[] { 3, 4 }));
        MethodHandle list = MethodHandles.lookup().findStatic(Arrays.class, "asList",
            MethodType.methodType(List.class, Object[].class));
        System.out.println(list.asCollector(Object[].class, 3).invoke(1, "2", 3.0));
        System.out.println(list.withVarargs(true).invoke(1, 2) + " "
            + list.asFixedArity().isVarargsCollector());
        System.out.println((int) MethodHandles.collectArguments(add, 1, len).invokeExact(1, "two"));
        MethodHandle seven = find("seven", long.class, long.class, int.class, double.class,
            float.class, byte.class, Object.class, char.class);
        System.out.println((long) seven.invokeExact(1L, 2, 3.0, 4f, (byte) 5, (Object) "o", 'g'));
        System.out.println(MethodHandles.insertArguments(seven, 1, 20, 30.0).invoke(1, 4, (byte) 5,
            "o", 'g'));
        System.out.println(seven.invokeWithArguments(1, 2, 3, 4, (byte) 5, 6, 'a'));
        System.out.println((Object) MethodHandles.explicitCastArguments(add, MethodType.methodType(
            byte.class, double.class, Object.class)).invoke(300.7, (Object) 5));
        MethodHandle thrower = MethodHandles.throwException(int.class, Exception.class);
        try {
            int x = (int) thrower.invokeExact(new Exception("from handle"));
        } catch (Exception e) {
            System.out.println(e.getMessage());
        }
        System.out.println((Object) MethodHandles.zero(long.class).invoke() + " "
            + MethodHandles.empty(MethodType.methodType(String.class, int.class)).invoke(1));
        System.out.println((int) MethodHandles.exactInvoker(add.type()).invokeExact(add, 8, 9) + " "
            + MethodHandles.spreadInvoker(add.type(), 0).invoke(add, new Object[] { 1, 2 }));
        MutableCallSite site = new MutableCallSite(MethodHandles.constant(int.class, 1));
        MethodHandle dynamic = site.dynamicInvoker();
        System.out.print((int) dynamic.invokeExact() + " ");
        site.setTarget(MethodHandles.constant(int.class, 2));
        System.out.println((int) dynamic.invokeExact());
        SwitchPoint sp = new SwitchPoint();
        MethodHandle switched = sp.guardWithTest(MethodHandles.constant(String.class, "before"),
            MethodHandles.constant(String.class, "after"));
        System.out.print((String) switched.invokeExact() + " ");
        SwitchPoint.invalidateAll(new SwitchPoint[] { sp });
        System.out.println((String) switched.invokeExact());
        MethodHandle table = MethodHandles.tableSwitch(MethodHandles.dropArguments(
            MethodHandles.constant(String.class, "default"), 0, int.class),
            MethodHandles.dropArguments(MethodHandles.constant(String.class, "zero"), 0, int.class),
            MethodHandles.dropArguments(MethodHandles.constant(String.class, "one"), 0, int.class));
        System.out.println((String) table.invokeExact(1) + (String) table.invokeExact(7));
        MethodHandle nested = add;
        for (int i = 0; i < 30; i++) {
            nested = MethodHandles.filterReturnValue(nested, MethodHandles.insertArguments(add, 0, i));
        }
        System.out.println((int) nested.invokeExact(1, 1));
        int total = 0;
        for (int i = 0; i < 5000; i++) {
            total += (int) guard.invokeExact(i);
        }
        System.out.println(total);
    }

    static long seven2(int sum, int a, int b) {
        return sum * 100L + a * 10 + b;
    }
}
