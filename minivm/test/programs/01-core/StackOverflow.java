/* SPDX-License-Identifier: MIT */
/* StackOverflowError can be caught, again and again, and finally runs. */
public class StackOverflow {
    static int depth;
    static int unwound;

    static int down(int n) {
        depth++;
        return down(n + 1) + 1;
    }

    static long wide(long a, double b, Object c) {
        depth++;
        try {
            return wide(a + 1, b + 1, c) + 1;
        } finally {
            unwound++;
        }
    }

    void instance() {
        depth++;
        this.instance();
    }

    interface Walker {
        void walk(Walker w);
    }

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            depth = 0;
            try {
                down(0);
            } catch (StackOverflowError e) {
                System.out.println(depth > 500);
                System.out.println(e.getMessage() == null);
                System.out.println(e.getStackTrace().length);
            }
        }
        depth = 0;
        try {
            wide(1, 2, null);
        } catch (StackOverflowError e) {
            System.out.println(depth > 500);
            System.out.println(unwound > 500);
        }
        try {
            new StackOverflow().instance();
        } catch (Throwable t) {
            System.out.println(t.getClass().getName());
        }
        Walker w = x -> x.walk(x);
        try {
            w.walk(w);
        } catch (StackOverflowError e) {
            System.out.println("walked");
        }
        System.out.println("alive");
    }
}
