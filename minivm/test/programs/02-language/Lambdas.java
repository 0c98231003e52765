/* SPDX-License-Identifier: MIT */
/* Lambdas and method references of every kind (JVMS 4.4.8 kinds 5 to 9). */
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.*;

public class Lambdas {
    interface TriLong {
        long apply(int a, long b, double c);
    }

    static class Base {
        String who() {
            return "base";
        }
    }

    static class Derived extends Base {
        @Override
        String who() {
            return "derived";
        }

        Supplier<String> viaSuper() {
            return super::who;
        }

        Supplier<String> viaThis() {
            return this::who;
        }
    }

    int state = 10;

    IntSupplier counter() {
        return () -> state++;
    }

    static <T extends Comparable<T>> T max(List<T> list) {
        BinaryOperator<T> pick = (a, b) -> a.compareTo(b) >= 0 ? a : b;
        T best = list.get(0);
        for (T t : list) {
            best = pick.apply(best, t);
        }
        return best;
    }

    static void varargs(Object... all) {
        System.out.println(all.length);
    }

    static Object dropped(int n) {
        System.out.println("dropped " + n);
        return n;
    }

    public static void main(String[] args) throws Exception {
        Function<String, Integer> unbound = String::length;
        Supplier<Integer> bound = "four"::length;
        Function<String, Integer> parse = Integer::parseInt;
        Supplier<List<String>> make = ArrayList::new;
        IntFunction<int[][]> array = int[][]::new;
        Function<Object, String> text = String::valueOf;
        System.out.println(unbound.apply("abc") + bound.get() + parse.apply("40"));
        List<String> list = make.get();
        list.add("x");
        System.out.println(list + " " + array.apply(3).length + text.apply(null));
        int i = 1;
        long l = 2;
        float f = 3;
        double d = 4;
        byte b = 5;
        char c = '6';
        short s = 7;
        boolean z = true;
        Object o = "o";
        int[] box = { 0 };
        TriLong all = (x, y, w) -> {
            box[0]++;
            return x + y + (long) w + i + l + (long) f + (long) d + b + c + s + (z ? 1 : 0)
                + o.hashCode();
        };
        System.out.println(all.apply(100, 200L, 300.5) + " " + box[0]);
        Derived derived = new Derived();
        System.out.println(derived.viaSuper().get() + derived.viaThis().get());
        IntSupplier n = new Lambdas().counter();
        System.out.println(n.getAsInt() + n.getAsInt());
        ToLongFunction<Integer> widen = Integer::intValue;
        System.out.println(widen.applyAsLong(5));
        Function<Integer, Long> adapt = x -> x + 1L;
        System.out.println(adapt.apply(6));
        IntBinaryOperator max = Math::max;
        System.out.println(max.applyAsInt(3, 9));
        Consumer<Integer> drop = Lambdas::dropped;
        drop.accept(4);
        Consumer<String> var = Lambdas::varargs;
        var.accept("one");
        Runnable none = Lambdas::varargs;
        none.run();
        Callable<Integer> call = () -> 77;
        System.out.println(call.call());
        Supplier<Supplier<String>> nested = () -> () -> "nested " + i;
        System.out.println(nested.get().get());
        System.out.println(max(List.of("pear", "zebra", "apple")));
        Runnable both = (Runnable & java.io.Serializable) () -> System.out.println("both");
        both.run();
        System.out.println(both instanceof java.io.Serializable);
        Supplier<Runnable> same = () -> () -> { };
        System.out.println(same.get() == same.get());
        Function<Integer, Function<Integer, Integer>> curried = x -> y -> x * y;
        System.out.println(curried.apply(6).apply(7));
        Function<Integer, Integer> inc = x -> x + 1;
        System.out.println(inc.andThen(x -> x * 10).compose((Integer x) -> x - 5).apply(8));
        Predicate<String> empty = String::isEmpty;
        System.out.println(empty.negate().and(t -> t.length() > 2).test("abc"));
        try {
            Object nothing = null;
            Supplier<String> bad = nothing::toString;
        } catch (NullPointerException e) {
            System.out.println("bound receiver is null");
        }
        UnaryOperator<String> raw = String::trim;
        try {
            @SuppressWarnings({ "unchecked", "rawtypes" })
            Object r = ((Function) raw).apply(5);
        } catch (ClassCastException e) {
            System.out.println("cast in lambda");
        }
        System.out.println(call.getClass().isHidden() + " " + call.getClass().isSynthetic());
    }
}
