// SPDX-License-Identifier: MIT
// stress: -XX:GCStress=97 -XX:+PoisonFreed
// departs: swallowed what a native method catches is not reported (Exception Catch)
// departs: swallowed-twice what a native method catches is not reported (Exception Catch)

/** What the agent is told of exceptions, a word for each event of each case. */
public class Exceptions {
    static class Own extends RuntimeException {
        Own(String message) {
            super(message, null, false, false);
        }
    }

    static final Own own = new Own("own");
    static final Runnable throwing = Exceptions::fling;

    static void fling() {
        throw own;
    }

    static void flingCaught() {
        try {
            fling();
        } catch (Own e) {
            seen = e;
        }
    }

    static Throwable seen;

    static native void begin(Throwable watched);
    static native String end();
    /** Calls run; leaves what it threw pending. */
    static native void pass(Runnable r);
    /** Calls run and clears what it threw. */
    static native void swallow(Runnable r);
    /** Clears it and throws it again. */
    static native void again(Runnable r);
    /** Clears it and throws another. */
    static native void other(Runnable r, Throwable t);
    static native void raise(Throwable t);
    /** Throws and clears, without any Java method. */
    static native void inside(Throwable t);

    static void check(String name, String actual, String expected) {
        System.out.println(actual.equals(expected) ? "ok " + name
                           : "not ok " + name + ": " + actual + ", expected " + expected);
    }

    static void plain() {
        begin(own);
        try {
            fling();
        } catch (Own e) {
            seen = e;
        }
        check("plain", end(), "throw:fling:own:plain catch:plain:own");
    }

    static void through() {
        begin(own);
        try {
            pass(throwing);
        } catch (Own e) {
            seen = e;
        }
        check("through-c", end(), "throw:fling:own:through catch:through:own");
    }

    static void twice() {
        begin(own);
        try {
            pass(() -> pass(throwing));
        } catch (Own e) {
            seen = e;
        }
        check("through-c-twice", end(), "throw:fling:own:twice catch:twice:own");
    }

    static void swallowed() {
        begin(own);
        swallow(throwing);
        int after = 1;
        check("swallowed", end(), "throw:fling:own:- catch:swallowed:null");
    }

    static void swallowedTwice() {
        begin(own);
        swallow(throwing);
        swallow(throwing);
        check("swallowed-twice", end(),
              "throw:fling:own:- catch:swallowedTwice:null"
              + " throw:fling:own:- catch:swallowedTwice:null");
    }

    static void thrownAgain() {
        begin(own);
        try {
            again(throwing);
        } catch (Own e) {
            seen = e;
        }
        check("thrown-again", end(), "throw:fling:own:thrownAgain"
              + " throw:again:own:thrownAgain catch:thrownAgain:own");
    }

    static void another() {
        begin(own);
        try {
            other(throwing, new Own("another"));
        } catch (Own e) {
            seen = e;
        }
        check("another", end(), "throw:fling:own:another"
              + " throw:other:another:another catch:another:another");
    }

    static void raised() {
        begin(own);
        try {
            raise(own);
        } catch (Own e) {
            seen = e;
        }
        check("raised-in-c", end(), "throw:raise:own:raised catch:raised:own");
    }

    static void clearedInside() {
        begin(own);
        inside(own);
        check("cleared-inside", end(), "");
    }

    static void rethrown() {
        begin(own);
        try {
            try {
                fling();
            } catch (Own e) {
                throw e;
            }
        } catch (Own e) {
            seen = e;
        }
        check("rethrown", end(), "throw:fling:own:rethrown catch:rethrown:own"
              + " throw:rethrown:own:rethrown catch:rethrown:own");
    }

    static void finallyRuns() {
        begin(own);
        try {
            try {
                fling();
            } finally {
                seen = null;
            }
        } catch (Own e) {
            seen = e;
        }
        check("finally", end(), "throw:fling:own:finallyRuns catch:finallyRuns:own"
              + " throw:finallyRuns:own:finallyRuns catch:finallyRuns:own");
    }

    static void beneath() {
        begin(own);
        pass(Exceptions::flingCaught);
        check("caught-beneath-c", end(),
              "throw:fling:own:flingCaught catch:flingCaught:own");
    }

    static void sameAgain() {
        begin(own);
        for (int i = 0; i < 2; i++) {
            try {
                pass(throwing);
            } catch (Own e) {
                seen = e;
            }
        }
        check("same-again", end(), "throw:fling:own:sameAgain catch:sameAgain:own"
              + " throw:fling:own:sameAgain catch:sameAgain:own");
    }

    public static void main(String[] args) {
        plain();
        through();
        twice();
        swallowed();
        swallowedTwice();
        thrownAgain();
        another();
        raised();
        clearedInside();
        rethrown();
        finallyRuns();
        beneath();
        sameAgain();
    }
}
