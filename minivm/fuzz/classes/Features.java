// SPDX-License-Identifier: MIT
import java.io.Serializable;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;

/** Every attribute that javac writes, for mutants; most of it never runs. */
@Deprecated
public class Features<T extends Comparable<T> & Serializable> implements Supplier<T> {
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ ElementType.TYPE, ElementType.METHOD, ElementType.FIELD, ElementType.PARAMETER,
              ElementType.CONSTRUCTOR, ElementType.RECORD_COMPONENT })
    @interface Tag {
        String value() default "none";
        int number() default 7;
        long big() default 1L << 40;
        double real() default 0.5;
        float small() default 0.25f;
        char letter() default 'x';
        boolean yes() default true;
        byte bits() default 3;
        short few() default 4;
        Class<?> type() default Object.class;
        Color color() default Color.RED;
        String[] names() default { "a", "b" };
        int[] numbers() default { };
        Inner inner() default @Inner;
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Inner {
        int depth() default 1;
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    @interface Use { }

    enum Color {
        RED, GREEN {
            @Override
            int weight() {
                return 2;
            }
        };

        int weight() {
            return 1;
        }
    }

    sealed interface Shape permits Circle, Square, Group { }

    record Circle(@Tag("r") double radius) implements Shape { }

    record Square(int side, List<String> names) implements Shape {
        Square {
            if (side < 0)
                throw new IllegalArgumentException("side " + side);
        }
    }

    static final class Group extends ArrayList<Shape> implements Shape {
        private static final long serialVersionUID = 1;
    }

    static final int LIMIT = 100;
    static final long FAR = 1L << 33;
    static final float HALF = 0.5f;
    static final double THIRD = 1 / 3.0;
    static final String NAME = "features";
    static final char LETTER = 'q';

    @Tag(names = "field", type = int[].class)
    protected volatile T held;
    private transient int count;

    @Tag(value = "constructor", number = 1)
    public Features(@Tag("p") T first, @Use String other) {
        held = first;
        count = other.length();
    }

    @Override
    public T get() {
        return held;
    }

    @Tag(inner = @Inner(depth = 2), color = Color.GREEN)
    static <E extends Exception> int risky(Callable<? extends Number> c, Class<E> type)
        throws E, InterruptedException {
        try {
            return c.call().intValue();
        } catch (RuntimeException | Error e) {
            return -1;
        } catch (Exception e) {
            if (type.isInstance(e))
                throw type.cast(e);
            throw new InterruptedException(e.getMessage());
        } finally {
            Math.abs(1);
        }
    }

    static double area(Shape s) {
        if (s instanceof Circle c)
            return c.radius() * c.radius() * Math.PI;
        if (s instanceof Square q && q.side() > 0)
            return q.side() * q.side();
        return 0;
    }

    static int named(String s, Color c) {
        int n = switch (s) {
            case "one" -> 1;
            case "two" -> 2;
            default -> s.length();
        };
        return switch (c) {
            case RED -> n;
            case GREEN -> n << 1;
        };
    }

    Supplier<String> lambdas(String text, long l) {
        Function<String, Integer> parse = Integer::parseInt;
        IntBinaryOperator max = Math::max;
        Supplier<ArrayList<String>> make = ArrayList::new;
        Runnable r = () -> count++;
        r.run();
        return () -> text + l + parse.apply("1") + max.applyAsInt(1, 2) + make.get() + this;
    }

    Object anonymous(int depth) {
        class Local {
            final int inside = depth;
        }
        return new Object() {
            @Override
            public String toString() {
                return "d" + new Local().inside + count;
            }
        };
    }

    synchronized int locked(Object lock) {
        synchronized (lock) {
            synchronized (this) {
                return ++count;
            }
        }
    }

    interface WithDefault {
        int base();

        default int twice() {
            return 2 * base() + helper();
        }

        private int helper() {
            return 0;
        }

        static WithDefault of(int n) {
            return () -> n;
        }
    }

    abstract static class Base implements WithDefault, Cloneable {
        abstract long size(Map<String, ? super Integer> map);

        native int hidden(int a);

        protected Base clone() throws CloneNotSupportedException {
            return (Base) super.clone();
        }
    }

    static int wide(int a) {
        long l0 = a, l1 = a, l2 = a, l3 = a, l4 = a, l5 = a, l6 = a, l7 = a;
        int t = a > 40000 ? 70000 : a;
        switch (t) {
        case -5: return 1;
        case 100: return 2;
        case 100000: return 3;
        default:
        }
        assert l0 == l1 && l2 == l3 && l4 == l5 && l6 == l7;
        t += 1000;
        return t;
    }
}
