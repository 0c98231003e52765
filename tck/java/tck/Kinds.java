/* SPDX-License-Identifier: MIT */
package tck;

import java.util.function.IntSupplier;

/** Classes of all kinds, and members with all flags. */
public class Kinds {
    public enum Color {
        RED
    }

    public @interface Mark {
    }

    abstract static class Abstract {
        abstract void nothing();

        protected final void last() {
        }
    }

    interface Both extends Runnable, Comparable<Both> {
        int ANSWER = 42;

        default int defaulted() {
            return ANSWER;
        }
    }

    static class Generic<T> extends Bridge<String> {
        T value;

        @Override
        String get(String s) {
            return s;
        }
    }

    static class Bridge<T> {
        T get(T t) {
            return t;
        }
    }

    static final class Failing {
        static int value = fail();

        private static int fail() {
            throw new IllegalStateException();
        }
    }

    public class Inner {
    }

    private transient int hidden;
    static final int CONSTANT = 9;

    strictfp double strict(double a, long b, Object... rest) {
        return a;
    }

    static IntSupplier lambda() {
        int captured = CONSTANT;
        return () -> captured;
    }

    static Class<?> lambdaClass() {
        return lambda().getClass();
    }

    static boolean fail() {
        try {
            return Failing.value == 0;
        } catch (ExceptionInInitializerError e) {
            return true;
        }
    }

    static Class<?> primitive(int letter) {
        switch (letter) {
        case 'Z':
            return boolean.class;
        case 'B':
            return byte.class;
        case 'C':
            return char.class;
        case 'S':
            return short.class;
        case 'I':
            return int.class;
        case 'J':
            return long.class;
        case 'F':
            return float.class;
        case 'D':
            return double.class;
        default:
            return void.class;
        }
    }

    static Class<?> matrix() {
        return Kinds[][].class;
    }

    static Class<?> privateArray() {
        return Failing[].class;
    }

    static Object holder(Class<?> type) {
        return java.lang.reflect.Array.newInstance(type, 0);
    }
}
