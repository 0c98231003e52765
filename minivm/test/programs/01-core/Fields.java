/* SPDX-License-Identifier: MIT */
/* Fields of all types, hidden fields, inheritance of layout, volatile, final. */
public class Fields {
    static class Base {
        boolean z = true;
        byte b = -1;
        long j = 1L << 40;
        int shared = 1;
        Object o = "base";
        static int count;
        protected char c = 'c';
    }

    static class Derived extends Base {
        byte b2 = 2;
        double d = 0.5;
        int shared = 2;
        short s = -300;
        static long count = 5;
        volatile long v = -1;
        final float f;

        Derived(float f) {
            this.f = f;
            super.shared += 10;
            Base.count += 3;
            count++;
        }

        int both() {
            return shared * 100 + super.shared;
        }
    }

    static class Third extends Derived {
        byte b3 = 3;
        Object o = "third";

        Third() {
            super(9.5f);
        }
    }

    public static void main(String[] args) {
        Third t = new Third();
        Base asBase = t;
        System.out.println(t.z);
        System.out.println(t.b);
        System.out.println(t.j);
        System.out.println(t.shared);
        System.out.println(asBase.shared);
        System.out.println(t.both());
        System.out.println(t.o);
        System.out.println(asBase.o);
        System.out.println(t.c);
        System.out.println(t.b2);
        System.out.println(t.d);
        System.out.println(t.s);
        System.out.println(Derived.count);
        System.out.println(Base.count);
        System.out.println(t.f);
        System.out.println(t.b3);
        t.z = false;
        t.b--;
        t.j <<= 3;
        t.c++;
        t.s *= 200;
        t.v += 0x1_0000_0001L;
        t.d /= 3;
        Base.count <<= 4;
        System.out.println(t.z);
        System.out.println(t.b);
        System.out.println(t.j);
        System.out.println(t.c);
        System.out.println(t.s);
        System.out.println(t.v);
        System.out.println(t.d);
        System.out.println(Base.count);
        System.out.println(new Derived(1).b2);
        System.out.println(Derived.count);
    }
}
