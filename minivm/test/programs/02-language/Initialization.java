/* SPDX-License-Identifier: MIT */
/* Instance initialisation: defaults seen early, virtual calls in constructors. */
public class Initialization {
    static class Base {
        final String seen;
        int early = 1;

        Base() {
            seen = describe();
            early = 2;
        }

        String describe() {
            return "base";
        }
    }

    static class Derived extends Base {
        int a = 5;
        final int constant = 6;
        final Integer boxed = 7;
        String s = "set";
        int fromBase = early;

        Derived() {
            super();
            a++;
        }

        Derived(int n) {
            this();
            a += n;
        }

        @Override
        String describe() {
            return a + " " + constant + " " + boxed + " " + s;
        }
    }

    static class Leak {
        static Leak leaked;
        int value;

        Leak(int v) {
            leaked = this;
            if (v < 0) {
                throw new IllegalArgumentException();
            }
            value = v;
        }
    }

    static int order;

    static int next(String what) {
        System.out.println(what + " " + order);
        return order++;
    }

    int x = next("x");
    {
        next("block");
    }
    int y = next("y");

    Initialization(int a, int b) {
        next("body " + a + b);
    }

    Initialization() {
        this(next("arg1"), next("arg2"));
        next("outer body");
    }

    public static void main(String[] args) {
        Derived d = new Derived(10);
        System.out.println(d.seen);
        System.out.println(d.describe() + " " + d.fromBase + " " + d.a);
        try {
            new Leak(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(Leak.leaked.value);
        }
        Initialization i = new Initialization();
        System.out.println(i.x + " " + i.y);
        new Object() {
            int z = next("anonymous");
            {
                System.out.println(z);
            }
        };
    }
}
