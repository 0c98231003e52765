/* SPDX-License-Identifier: MIT */
/* The helpful messages of NullPointerException (JEP 358). */
public class NullMessages {
    NullMessages next;
    int[] numbers;
    int[][] grid;
    String text;
    static NullMessages global;

    NullMessages self() {
        return null;
    }

    static NullMessages find(int a, String b) {
        return null;
    }

    interface Action {
        void run() throws Exception;
    }

    static void test(Action a) {
        try {
            a.run();
            System.out.println("nothing thrown");
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        } catch (Exception e) {
            System.out.println(e);
        }
    }

    static void locals(String p, Object[] q, long w, NullMessages n) {
        test(() -> p.length());
        try {
            p.length();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            q[3] = p;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            n.next = null;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            synchronized (n) {
                System.out.println("no");
            }
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        NullMessages m = new NullMessages();
        test(() -> System.out.println(m.next.next));
        test(() -> m.next.next.next = m);
        test(() -> System.out.println(m.numbers[2]));
        test(() -> m.numbers[m.hashCode()] = 1);
        test(() -> System.out.println(m.grid[1][2]));
        m.grid = new int[2][];
        int i = 1;
        test(() -> System.out.println(m.grid[i][2]));
        test(() -> m.grid[i + 0][i] = 5);
        test(() -> m.text.trim());
        test(() -> m.self().self());
        test(() -> find(1, "x").text.length());
        test(() -> global.text = "");
        test(() -> System.out.println(m.numbers.length));
        test(() -> {
            throw null;
        });
        test(() -> {
            Object o = null;
            synchronized (o) {
                System.out.println("no");
            }
        });
        test(() -> {
            Integer boxed = null;
            int x = boxed;
        });
        test(() -> {
            Object[][][] deep = new Object[1][1][];
            deep[0][0][0] = deep;
        });
        test(() -> {
            throw new NullPointerException();
        });
        test(() -> {
            throw new NullPointerException("own");
        });
        test(() -> java.util.Objects.requireNonNull(null));
        test(() -> java.util.Objects.requireNonNull(null, "message"));
        locals(null, null, 1L, null);
    }
}
