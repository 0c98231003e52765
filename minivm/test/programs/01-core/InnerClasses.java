/* SPDX-License-Identifier: MIT */
/* Inner, local and anonymous classes; captured variables; nestmates. */
public class InnerClasses {
    private int secret = 1;
    private static int count;

    private int next() {
        return ++secret;
    }

    class Inner {
        private int own = secret * 10;

        class Deeper {
            int sum() {
                return own + secret + next() + InnerClasses.this.secret;
            }
        }

        private void bump() {
            secret += 100;
            count++;
        }
    }

    static class Nested {
        private final long wide;
        private double ratio;

        private Nested(long wide, double ratio) {
            this.wide = wide;
            this.ratio = ratio;
        }

        private static String hidden(Nested n) {
            return Long.toString(n.wide);
        }
    }

    interface Op {
        long apply(long a, int b);
    }

    Op adder(final int by, double factor) {
        class Local implements Op {
            @Override
            public long apply(long a, int b) {
                return a + by + b + secret + (long) factor;
            }
        }
        return new Local();
    }

    public static void main(String[] args) {
        InnerClasses outer = new InnerClasses();
        Inner inner = outer.new Inner();
        Inner.Deeper deeper = inner.new Deeper();
        System.out.println(deeper.sum());
        inner.bump();
        System.out.println(outer.secret);
        System.out.println(inner.own);
        Nested n = new Nested(1L << 40, 0.5);
        n.ratio *= 3;
        System.out.println(Nested.hidden(n));
        System.out.println(n.ratio);
        System.out.println(outer.adder(7, 2.9).apply(1000, 20));
        int base = 5;
        Op anonymous = new Op() {
            int calls;

            @Override
            public long apply(long a, int b) {
                calls++;
                return a * b * base + calls;
            }
        };
        System.out.println(anonymous.apply(3, 4));
        System.out.println(anonymous.apply(3, 4));
        System.out.println(count);
        System.out.println(anonymous.getClass().getName());
        System.out.println(inner.getClass().getName());
        System.out.println(deeper.getClass().getSimpleName());
    }
}
