/* SPDX-License-Identifier: MIT */
/* Errors of the VM seen from Java: cast, store, negative sizes, stack traces. */
import java.util.*;

public class Errors1 {
    interface Body {
        void run() throws Throwable;
    }

    static void attempt(Body b) {
        try {
            b.run();
            System.out.println("nothing");
        } catch (Throwable t) {
            System.out.println(t);
        }
    }

    static class A {
    }

    static class B extends A {
    }

    public static void main(String[] args) {
        Object s = "s", i = 1, arr = new int[0], strs = new String[0], b = new B(), a = new A();
        attempt(() -> System.out.println((Integer) s));
        attempt(() -> System.out.println((String) i));
        attempt(() -> System.out.println((String[]) arr));
        attempt(() -> System.out.println((int[]) strs));
        attempt(() -> System.out.println((Integer[]) strs));
        attempt(() -> System.out.println((B) a));
        attempt(() -> System.out.println((Runnable) b));
        attempt(() -> System.out.println((List<?>) arr));
        attempt(() -> System.out.println((Object[][]) (Object) new Object[1]));
        attempt(() -> ((Object[]) strs)[0] = s);
        attempt(() -> ((Object[]) (Object) new Integer[1])[0] = "x");
        attempt(() -> ((Object[]) (Object) new String[1][1])[0] = new int[1]);
        attempt(() -> System.out.println(new int[-5].length));
        attempt(() -> System.out.println(new int[3][-2].length));
        attempt(() -> System.out.println(new int[0][-2].length));
        attempt(() -> System.out.println(new int[2].clone()[2]));
        attempt(() -> System.arraycopy(new int[5], 3, new int[5], 0, 3));
        attempt(() -> System.arraycopy(new int[5], -1, new int[5], 0, 3));
        attempt(() -> System.arraycopy(new int[5], 0, new int[5], 4, 3));
        attempt(() -> System.arraycopy(new int[5], 0, new int[5], 0, -3));
        attempt(() -> System.arraycopy("x", 0, new int[5], 0, 1));
        attempt(() -> System.arraycopy(new String[] { "" }, 0, new Integer[1], 0, 1));
        attempt(() -> System.arraycopy(new Object[] { "" }, 0, new Integer[1], 0, 1));
        attempt(() -> System.arraycopy(new String[1], 0, new Integer[1], 0, 1));
        attempt(() -> System.arraycopy(new int[5], 0, new byte[5], 0, 1));
        attempt(() -> System.arraycopy(new int[5], 0, new Object[5], 0, 1));
        attempt(() -> System.arraycopy(new Object[] { "x", 1 }, 0, new String[2], 0, 2));
        attempt(() -> System.arraycopy(null, 0, new String[2], 0, 2));
        Object[] partial = new String[3];
        attempt(() -> System.arraycopy(new Object[] { "a", "b", 3 }, 0, partial, 0, 3));
        System.out.println(Arrays.toString(partial));
        attempt(() -> Integer.class.cast("x"));
        attempt(() -> {
            throw new Exception("checked") {
                @Override
                public String toString() {
                    return "anonymous exception";
                }
            };
        });
        attempt(() -> {
            throw (RuntimeException) null;
        });
        attempt(() -> {
            assert false;
        });
        attempt(() -> Runtime.getRuntime().loadLibrary("no_such_library_xyz"));
        attempt(() -> System.load("relative"));
        attempt(() -> System.load("/no/such/file.so"));
        attempt(() -> Class.forName(null));
        attempt(() -> Class.forName("a/b"));
        attempt(() -> Class.forName("[Z"));
        attempt(() -> Class.forName("[Q"));
        attempt(() -> Class.forName(""));
        attempt(() -> new ArrayList<>(-1));
        attempt(() -> Enum.valueOf(Thread.State.class, "x"));
        attempt(() -> List.of(1).iterator().remove());
        Throwable t = new Throwable("self");
        attempt(() -> t.addSuppressed(t));
        attempt(() -> t.initCause(t));
        attempt(() -> t.initCause(null).initCause(null));
    }
}
