/* SPDX-License-Identifier: MIT */
/* Interface dispatch: defaults, diamonds, super calls, static and private. */
public class Interfaces {
    interface A {
        default String name() {
            return "A";
        }

        static String make() {
            return "A.make";
        }
    }

    interface B extends A {
        @Override
        default String name() {
            return "B" + A.super.name();
        }
    }

    interface C extends A {
        private String secret() {
            return "secret";
        }

        default String tell() {
            return secret() + name();
        }
    }

    static class D implements B, C {
    }

    static class E implements A, C {
        @Override
        public String name() {
            return "E" + C.super.name();
        }
    }

    static abstract class Base {
        public String name() {
            return "Base";
        }
    }

    static class F extends Base implements A, C {
    }

    interface Generic<T> {
        T id(T t);
    }

    static class Strings implements Generic<String> {
        @Override
        public String id(String s) {
            return "<" + s + ">";
        }
    }

    public static void main(String[] args) {
        A[] all = { new D(), new E(), new F(), new A() { } };
        for (A a : all) {
            System.out.println(a.name());
            if (a instanceof C) {
                System.out.println(((C) a).tell());
            }
        }
        System.out.println(A.make());
        @SuppressWarnings("unchecked")
        Generic<Object> raw = (Generic<Object>) (Generic<?>) new Strings();
        System.out.println(raw.id("x"));
        try {
            raw.id(1);
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        Object o = new D();
        System.out.println(o instanceof A);
        System.out.println(o instanceof Runnable);
        System.out.println(new A[0] instanceof Object[]);
        System.out.println((Object) new D[0] instanceof A[]);
        System.out.println((Object) new int[0] instanceof Cloneable);
        System.out.println((Object) new int[0] instanceof java.io.Serializable);
        CharSequence text = "abc";
        System.out.println(text.length());
        System.out.println(text.hashCode());
        Comparable<String> c = "b";
        System.out.println(c.compareTo("a"));
    }
}
