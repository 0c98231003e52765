/* SPDX-License-Identifier: MIT */
/* Generic signatures through reflection; parameter names; type variables. */
import java.lang.reflect.*;
import java.util.*;
import java.util.function.*;

public class GenericTypes<T extends Number & Comparable<T>, U> {
    Map<String, List<? extends T>> field;
    T[] array;
    Outer<String>.Inner<Integer> nested;
    List<? super Integer>[] wild;

    static class Outer<A> {
        class Inner<B> {
        }
    }

    <X extends Exception, Y> Map<X, Y> method(List<? super X> a, Y[] b, T c) throws X {
        return null;
    }

    static class Sub extends GenericTypes<Integer, String> implements Function<String, Long> {
        @Override
        public Long apply(String s) {
            return 1L;
        }
    }

    public static void main(String[] args) throws Exception {
        for (Field f : GenericTypes.class.getDeclaredFields()) {
            System.out.println(f.getName() + ": " + f.getGenericType() + " "
                + f.getGenericType().getClass().getSimpleName().replace("Impl", ""));
        }
        for (Method m : GenericTypes.class.getDeclaredMethods()) {
            if (m.getName().equals("method")) {
                System.out.println(m.toGenericString());
                System.out.println(Arrays.toString(m.getTypeParameters()[0].getBounds()) + " "
                    + Arrays.toString(m.getGenericParameterTypes()) + " "
                    + Arrays.toString(m.getGenericExceptionTypes()));
            }
        }
        for (TypeVariable<?> v : GenericTypes.class.getTypeParameters()) {
            System.out.println(v + " " + Arrays.toString(v.getBounds()) + " "
                + v.getGenericDeclaration());
        }
        System.out.println(Sub.class.getGenericSuperclass() + " "
            + Arrays.toString(Sub.class.getGenericInterfaces()));
        ParameterizedType p = (ParameterizedType) Sub.class.getGenericSuperclass();
        System.out.println(Arrays.toString(p.getActualTypeArguments()) + p.getRawType());
        for (Method m : Sub.class.getDeclaredMethods()) {
            System.out.println(m + " " + m.isBridge() + m.isSynthetic());
        }
        System.out.println(HashMap.class.getGenericSuperclass() + " "
            + Collections.class.getMethod("max", Collection.class).toGenericString());
        System.out.println(GenericTypes.class.toGenericString() + " " + Map.Entry.class
            .toGenericString());
    }
}
