/* SPDX-License-Identifier: MIT */
/* Messages of NullPointerException (JEP 358), by instruction and by expression. */
import java.util.*;

public class HelpfulNulls {
    interface Body {
        void run() throws Throwable;
    }

    static HelpfulNulls shared;
    static int[] counts;
    HelpfulNulls next;
    int[] ints;
    int[][] table;
    Object[] objects;
    long number;
    String text;
    List<String> list;

    static HelpfulNulls none() {
        return null;
    }

    static Object nothing() {
        return null;
    }

    HelpfulNulls pick(int i, String s, long[] a) {
        return null;
    }

    void call() {
    }

    static void check(Body body) {
        try {
            body.run();
            System.out.println("no exception");
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        } catch (Throwable e) {
            System.out.println("other: " + e);
        }
    }

    static void arrays() {
        int[] is = null;
        long[] ls = null;
        byte[] bs = null;
        char[] cs = null;
        short[] ss = null;
        float[] fs = null;
        double[] ds = null;
        boolean[] zs = null;
        Object[][] rows = new Object[4][];

        check(() -> System.out.println(is[2 + 1]));
        check(() -> ls[0] = 4);
        check(() -> bs[0] = 4);
        check(() -> cs[100] = 'c');
        check(() -> ss[1000] = 4);
        check(() -> fs[100000] = 4);
        check(() -> System.out.println(ds[-1]));
        check(() -> ds[0] = ds[1]);
        check(() -> zs[5] = true);
        check(() -> System.out.println(zs[0] | bs[1] > 2));
        check(() -> System.out.println(ls.length));
        check(() -> rows[3][0] = "x");
        check(() -> rows[2][rows.length].hashCode());
        check(() -> counts[0]++);
        check(() -> {
            long[][] z = new long[1][];
            z[0][0] += z[0][1];
        });
    }

    static void inOneMethod(HelpfulNulls given, String[] names) {
        HelpfulNulls local = null;
        int[][][] cube = new int[2][2][];

        try {
            local.next = given;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            given.table[1][2] = 3;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            cube[1][names.length][none() == null ? 0 : 1] = 3;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            (names.length > 2 ? local : given.next).call();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        for (int i = 0; i < 2; i++) {
            try {
                if (i == 1)
                    given.call();
                given = null;
            } catch (NullPointerException e) {
                System.out.println(e.getMessage());
            }
        }
        synchronized (names) {
            try {
                synchronized (local) {
                    names = null;
                }
            } catch (NullPointerException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    void parameters(int[] first, long second, Object third) {
        if (second == 0)
            first = null;
        third.hashCode();
    }

    public static void main(String[] args) {
        HelpfulNulls full = new HelpfulNulls();

        arrays();
        inOneMethod(full, new String[0]);
        check(() -> full.next.next.call());
        check(() -> full.next.number = 5);
        check(() -> System.out.println(full.next.number));
        check(() -> full.next.next.next.next.next.next.next.call());
        check(() -> full.ints[full.objects.length] = 4);
        check(() -> none().call());
        check(() -> full.pick(1, "", null).pick(2, null, null).call());
        check(() -> shared.next.call());
        check(() -> ((String)nothing()).length());
        check(() -> full.text.length());
        check(() -> full.list.add("x"));
        check(() -> full.objects.clone());
        check(() -> full.parameters(null, 1, null));
        check(() -> {
            throw (RuntimeException)nothing();
        });
        check(() -> {
            throw null;
        });
        check(() -> {
            Integer boxed = null;
            int value = boxed;
        });
        check(() -> {
            switch (full.text) {
            case "a":
                break;
            }
        });
        check(() -> {
            for (String s : full.list)
                System.out.println(s);
        });
        check(() -> {
            throw new NullPointerException();
        });
        check(() -> {
            throw new NullPointerException("own");
        });
        check(() -> Objects.requireNonNull(null));
        check(() -> List.of((Object)null));
        check(() -> new TreeMap<String, String>().put(null, ""));
        check(() -> HelpfulNulls.class.getDeclaredMethod("call").invoke(null));
    }
}
