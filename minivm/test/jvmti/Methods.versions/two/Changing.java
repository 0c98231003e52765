// SPDX-License-Identifier: MIT
import java.util.function.Supplier;

class Changing {
    static String text() {
        return "two " + added();
    }

    private static String added() {
        return "added " + helper(2);
    }

    static String call(Runnable then) {
        then.run();
        return helper(2);
    }

    private static String helper(int x) {
        return "helper " + x;
    }

    static String callGone(Runnable then) {
        return "no longer";
    }

    static Supplier<String> supplier() {
        Supplier<String> two = () -> "two";
        return () -> "lambda two and " + two.get();
    }

    private final int manyA() {
        return 1;
    }

    private static int manyB() {
        return 2;
    }

    private static int manyC() {
        return 3;
    }

    private static int manyD() {
        return 4;
    }

    static class Caller {
    }
}
