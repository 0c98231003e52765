// SPDX-License-Identifier: MIT
import java.util.List;
import java.util.function.Supplier;

/* Other bodies, attributes and another order of the methods; twice and same are equal. */
@Mark("two")
class Target {
    static int counter = 0;
    int field = 50;
    static {
        Redefine.initialised += 100;
    }

    static void fail() {
        for (int i = 0; i < 2; i++)
            if (i == 1)
                throw new IllegalStateException("two");
    }

    @Mark("two") int value() {
        return 2;
    }

    int twice(int renamed) {
        return renamed + renamed;
    }

    static String text() {
        return "two";
    }

    private int hidden() {
        return 20;
    }

    int callHidden() {
        return hidden();
    }

    synchronized int locked() {
        return 2;
    }

    static native int bound(int x);

    static Supplier<String> supplier(String with) {
        return () -> "lambda two " + with;
    }

    static int recurse(int depth, Runnable then) {
        if (depth == 0) {
            then.run();
            return 100;
        }
        int below = recurse(depth - 1, then);
        return below + 1000;
    }

    static void same(Runnable then) {
        then.run();
    }

    static int loop(int rounds, Runnable then) {
        int sum = 0;
        for (int i = 0; i < rounds; i++) {
            if (i == 1)
                then.run();
            sum += 10;
        }
        return sum;
    }

    static Object caught(Runnable then) {
        try {
            then.run();
            throw new IllegalStateException("two");
        } catch (IllegalStateException e) {
            return e.getMessage() + " caught two";
        }
    }

    static int popped() {
        return 2;
    }

    @Mark("two")
    @Typed("result two") String marked(@Mark("parameter two") int a, int b) {
        return "two";
    }

    List<Integer> list(List<Integer> in) throws java.util.concurrent.TimeoutException {
        return in;
    }
}
