/* SPDX-License-Identifier: MIT */
/* Method handles: lookup of every kind, invoke and invokeExact, asType. */
import java.lang.invoke.*;
import java.util.*;

public class Handles1 {
    int field = 5;
    static String shared = "s";

    int plus(int x) {
        return field + x;
    }

    private String hidden(long a, double b) {
        return "hidden" + a + b;
    }

    static String join(String a, Object... rest) {
        return a + Arrays.toString(rest);
    }

    static class Child extends Handles1 {
        @Override
        int plus(int x) {
            return -1;
        }

        static MethodHandle superPlus() throws Exception {
            return MethodHandles.lookup().findSpecial(Handles1.class, "plus",
                MethodType.methodType(int.class, int.class), Child.class);
        }
    }

    interface Shape {
        default int sides() {
            return 0;
        }
    }

    static class Tri implements Shape {
        @Override
        public int sides() {
            return 3;
        }
    }

    interface Body {
        Object run() throws Throwable;
    }

    static void attempt(Body b) {
        try {
            System.out.println(b.run());
        } catch (Throwable t) {
            System.out.println(t.getClass().getSimpleName() + ": " + t.getMessage());
        }
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup();
        MethodHandle plus = l.findVirtual(Handles1.class, "plus",
            MethodType.methodType(int.class, int.class));
        Handles1 h = new Handles1();
        Child c = new Child();
        System.out.println((int) plus.invokeExact(h, 3) + " " + (int) plus.invoke((Handles1) c, 3));
        System.out.println((int) Child.superPlus().invokeExact(c, 3));
        MethodHandle hidden = l.findVirtual(Handles1.class, "hidden",
            MethodType.methodType(String.class, long.class, double.class));
        System.out.println((String) hidden.invokeExact(h, 1L, 2.5));
        System.out.println((Object) hidden.invoke(h, 1, 2f));
        MethodHandle join = l.findStatic(Handles1.class, "join",
            MethodType.methodType(String.class, String.class, Object[].class));
        System.out.println((String) join.invoke("a", 1, 2L, 'c') + (String) join.invoke("b")
            + (String) join.invokeExact("c", new Object[] { 1 }) + join.isVarargsCollector());
        MethodHandle make = l.findConstructor(ArrayList.class,
            MethodType.methodType(void.class, Collection.class));
        System.out.println((ArrayList<?>) make.invoke(List.of(1, 2)));
        MethodHandle get = l.findGetter(Handles1.class, "field", int.class);
        MethodHandle set = l.findSetter(Handles1.class, "field", int.class);
        set.invokeExact(h, 50);
        System.out.println((int) get.invokeExact(h) + " " + (long) get.invoke(h));
        MethodHandle sget = l.findStaticGetter(Handles1.class, "shared", String.class);
        l.findStaticSetter(Handles1.class, "shared", String.class).invokeExact("changed");
        System.out.println((String) sget.invokeExact());
        MethodHandle sides = l.findVirtual(Shape.class, "sides", MethodType.methodType(int.class));
        System.out.println((int) sides.invoke((Shape) new Tri()) + (int) sides.invoke(new Shape() { }));
        MethodHandle bound = plus.bindTo(h);
        System.out.println((int) bound.invokeExact(1) + " " + bound.type());
        attempt(() -> (int) plus.invokeExact(h, (short) 3));
        attempt(() -> (long) plus.invokeExact(h, 3));
        attempt(() -> plus.invoke(h));
        attempt(() -> plus.invoke("x", 3));
        attempt(() -> plus.invoke((Handles1) null, 3));
        attempt(() -> plus.invokeWithArguments(h, 4));
        attempt(() -> plus.invokeWithArguments(List.of(h)));
        attempt(() -> l.findVirtual(Handles1.class, "none", MethodType.methodType(int.class)));
        attempt(() -> l.findStatic(Handles1.class, "plus",
            MethodType.methodType(int.class, int.class)));
        attempt(() -> MethodHandles.publicLookup().findVirtual(Handles1.class, "hidden",
            MethodType.methodType(String.class, long.class, double.class)));
        attempt(() -> l.findVirtual(String.class, "isLatin1", MethodType.methodType(boolean.class)));
        attempt(() -> plus.asType(MethodType.methodType(long.class, Object.class, Integer.class))
            .invoke((Object) h, (Integer) 9));
        attempt(() -> plus.asType(MethodType.methodType(String.class, Handles1.class, int.class)));
        attempt(() -> l.unreflect(Handles1.class.getDeclaredMethod("plus", int.class))
            .invoke(h, 100));
        attempt(() -> l.revealDirect(plus) + " " + plus);
        MethodType mt = MethodType.fromMethodDescriptorString("(ILjava/lang/String;[J)V", null);
        System.out.println(mt + " " + mt.wrap() + " " + mt.erase() + " " + mt.generic() + " "
            + mt.insertParameterTypes(0, char.class).dropParameterTypes(1, 2) + " "
            + mt.toMethodDescriptorString() + " " + (mt == MethodType.methodType(void.class,
                int.class, String.class, long[].class)));
        attempt(() -> MethodHandles.arrayElementGetter(int[].class).invoke(new int[] { 7 }, 0));
        attempt(() -> MethodHandles.arrayElementGetter(int[].class).invoke(new int[] { 7 }, 1));
        attempt(() -> MethodHandles.arrayConstructor(String[].class).invoke(4).getClass());
        attempt(() -> MethodHandles.arrayLength(long[].class).invoke(new long[6]));
        MethodHandle sort = l.findStatic(Collections.class, "sort",
            MethodType.methodType(void.class, List.class));
        List<Integer> list = new ArrayList<>(List.of(3, 1, 2));
        sort.invoke(list);
        System.out.println(list);
        Comparator<?> cmp = MethodHandleProxies.asInterfaceInstance(Comparator.class,
            l.findVirtual(String.class, "compareTo", MethodType.methodType(int.class, String.class)));
        @SuppressWarnings("unchecked")
        int order = ((Comparator<String>) cmp).compare("b", "a");
        System.out.println(order);
    }
}
