/* SPDX-License-Identifier: MIT */
/* Annotations of every target and element type, defaults, repetition. */
import java.lang.annotation.*;
import java.lang.reflect.*;
import java.util.*;

public class Annotations {
    enum Level { LOW, HIGH }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Inner {
        String value() default "inner";
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Inherited
    @interface All {
        boolean z() default true;

        byte b() default 1;

        char c() default 'c';

        short s() default 2;

        int i() default 3;

        long l() default 4;

        float f() default 5.5f;

        double d() default 6.5;

        String text() default "t\"\n";

        Class<?> type() default String.class;

        Level level() default Level.LOW;

        Inner inner() default @Inner;

        int[] ints() default { 1, 2 };

        String[] strings() default {};

        Class<?>[] types() default { int.class, void.class };

        Inner[] inners() default { @Inner("a"), @Inner("b") };
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Repeatable(Tags.class)
    @interface Tag {
        String value();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Tags {
        Tag[] value();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Target({ ElementType.TYPE_USE, ElementType.TYPE_PARAMETER })
    @interface Use {
        int value() default 0;
    }

    @Retention(RetentionPolicy.CLASS)
    @interface Invisible {
    }

    @All(i = 30, text = "changed", level = Level.HIGH, ints = {}, inner = @Inner("x"))
    @Tag("one")
    @Tag("two")
    static class Target1 {
        @Inner
        @Invisible
        int field;

        @Deprecated(since = "1", forRemoval = true)
        @Tag("single")
        void method(@Inner("param") int a, String b) {
        }

        @Use(5) List<@Use(6) String> used;
    }

    static class Child extends Target1 {
    }

    public static void main(String[] args) throws Exception {
        All all = Target1.class.getAnnotation(All.class);
        // The order of members follows that of getDeclaredMethods, which nothing says.
        char[] letters = all.toString().toCharArray();
        Arrays.sort(letters);
        System.out.println(new String(letters));
        System.out.println(all.i() + all.text() + all.level() + all.inner().value()
            + all.ints().length + all.types()[1] + all.inners()[1] + all.z() + all.c() + all.d());
        System.out.println(Child.class.isAnnotationPresent(All.class) + " "
            + Child.class.isAnnotationPresent(Tags.class) + " "
            + Child.class.getDeclaredAnnotations().length);
        System.out.println(all.equals(Child.class.getAnnotation(All.class)) + " "
            + (all.hashCode() == Child.class.getAnnotation(All.class).hashCode()));
        System.out.println(Target1.class.getAnnotationsByType(Tag.class).length + " "
            + Target1.class.getAnnotation(Tag.class) + " " + Target1.class.getAnnotation(Tags.class));
        Field f = Target1.class.getDeclaredField("field");
        System.out.println(Arrays.toString(f.getAnnotations()));
        Method m = Target1.class.getDeclaredMethod("method", int.class, String.class);
        System.out.println(Arrays.toString(m.getAnnotations()));
        System.out.println(Arrays.deepToString(m.getParameterAnnotations()));
        AnnotatedType t = Target1.class.getDeclaredField("used").getAnnotatedType();
        System.out.println(t + " " + t.getAnnotations().length + " "
            + ((AnnotatedParameterizedType) t).getAnnotatedActualTypeArguments()[0]);
        System.out.println(All.class.getMethod("d").getDefaultValue() + " "
            + All.class.isAnnotation() + " " + all.annotationType());
        System.out.println(Proxy.isProxyClass(all.getClass()));
        System.out.println(Runnable.class.isAnnotationPresent(FunctionalInterface.class));
    }
}
