// SPDX-License-Identifier: MIT
import java.util.function.Supplier;

class Changing {
    static String call(Runnable then) {
        return helper(3);
    }

    static String text() {
        return "three";
    }

    private static String helper(int x) {
        return "helper " + x;
    }

    static String callGone(Runnable then) {
        return "no longer";
    }

    static Supplier<String> supplier() {
        return null;
    }

    static String isNotPrivate() {
        return "three";
    }

    static class Caller {
    }
}
