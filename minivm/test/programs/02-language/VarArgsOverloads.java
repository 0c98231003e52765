/* SPDX-License-Identifier: MIT */
/* Overload resolution, boxing and varargs choose the methods that javac says. */
public class VarArgsOverloads {
    static String m(int i) {
        return "int";
    }

    static String m(long l) {
        return "long";
    }

    static String m(double d) {
        return "double";
    }

    static String m(Integer i) {
        return "Integer";
    }

    static String m(Object o) {
        return "Object";
    }

    static String m(int... i) {
        return "int...";
    }

    static String n(Object... o) {
        return o == null ? "null" : "" + o.length;
    }

    static String k(char c) {
        return "char";
    }

    static String k(int i) {
        return "int";
    }

    static class A {
        String f(A a) {
            return "A.f(A)";
        }

        static String s() {
            return "A.s";
        }
    }

    static class B extends A {
        @Override
        String f(A a) {
            return "B.f(A)";
        }

        String f(B b) {
            return "B.f(B)";
        }

        static String s() {
            return "B.s";
        }
    }

    public static void main(String[] args) {
        byte b = 1;
        System.out.println(m(b) + m('c') + m(1L) + m(1f) + m((Integer) 1) + m("s") + m()
                           + m(1, 2));
        System.out.println(n() + n((Object[]) null) + n((Object) null) + n(1, 2, 3)
                           + n(new String[4]) + n(new int[5]));
        System.out.println(k('a') + k('a' + 1) + k((char) 98));
        A ab = new B();
        B bb = new B();
        System.out.println(ab.f(bb) + bb.f(bb) + bb.f(ab) + ((A) bb).f(bb));
        System.out.println(A.s() + B.s());
        char c = 'a';
        c += 1;
        c++;
        System.out.println(c);
        final int k = 10;
        byte narrow = k;
        System.out.println(narrow);
        short sh = (short) (b << 15);
        System.out.println(sh);
        int i = 5;
        i = i++ + ++i;
        System.out.println(i);
        int[] a = { 0, 0 };
        int p = 0;
        a[p] = p = 1;
        System.out.println(a[0] + " " + a[1]);
        System.out.println((byte) 0x80 >> 1);
        System.out.println((char) 0xffff >>> 4);
        System.out.println('a' + 'b' + "c" + 'd' + 1);
        long big = Integer.MAX_VALUE + 1;
        System.out.println(big);
        System.out.println(1.0f * Integer.MAX_VALUE == Integer.MAX_VALUE);
        System.out.println((int) (char) (byte) -1);
    }
}
