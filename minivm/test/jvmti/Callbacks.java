// SPDX-License-Identifier: MIT

/** What callbacks find and leave: exceptions, references, classes. */
public class Callbacks {
    static class Own extends RuntimeException {
    }

    static final Own thrown = new Own(), other = new Own();

    /** What the callback of the next event in target is to do, see Callbacks.c. */
    static native void arm(int event, int action, Throwable t);
    static native boolean ran();

    /** How deep callbacks nest that call copy when it allocates. */
    static native int deepest(boolean sampled);

    /* Enough for a sample at the default interval, too. */
    static Object copy() {
        return new int[1 << 18].clone();
    }

    static final int ENTRY = 0, EXIT = 1, EXCEPTION = 2;
    static final int NOTHING = 0, THROW = 1, THROW_AND_CLEAR = 2, FIND = 3, NEST = 4;

    static int target(boolean fails) {
        if (fails)
            throw thrown;
        return 42;
    }

    static void check(String name, boolean good) {
        System.out.println((good ? "ok " : "not ok ") + name);
    }

    static Object outcome(boolean fails) {
        try {
            return target(fails);
        } catch (Own e) {
            return e;
        }
    }

    static void run(String name, int event, int action, boolean fails, Object expected) {
        arm(event, action, other);
        Object actual = outcome(fails);
        check(name, ran() && expected.equals(actual));
    }

    public static void main(String[] args) {
        run("entry-nothing", ENTRY, NOTHING, false, 42);
        run("entry-cleared", ENTRY, THROW_AND_CLEAR, false, 42);
        run("entry-find", ENTRY, FIND, false, 42);
        run("entry-nest", ENTRY, NEST, false, 42);
        run("exit-nothing", EXIT, NOTHING, false, 42);
        run("exit-cleared", EXIT, THROW_AND_CLEAR, false, 42);
        run("exit-find", EXIT, FIND, false, 42);
        run("exit-nest", EXIT, NEST, false, 42);
        run("pending-kept", EXIT, NOTHING, true, thrown);
        run("pending-kept-cleared", EXIT, THROW_AND_CLEAR, true, thrown);
        run("pending-kept-find", EXIT, FIND, true, thrown);
        run("pending-kept-nest", EXIT, NEST, true, thrown);
        run("exception-kept", EXCEPTION, NOTHING, true, thrown);
        run("exception-kept-cleared", EXCEPTION, THROW_AND_CLEAR, true, thrown);
        run("exception-kept-find", EXCEPTION, FIND, true, thrown);
        run("exception-kept-nest", EXCEPTION, NEST, true, thrown);
        check("alloc-nest", deepest(false) == 1);
        check("sample-nest", deepest(true) == 1);
        /* Not out of Exception: HotSpot does not survive that. */
        run("entry-throws", ENTRY, THROW, false, other);
        run("exit-throws", EXIT, THROW, false, other);
        run("pending-replaced", EXIT, THROW, true, other);
    }
}
