// SPDX-License-Identifier: MIT

/** An agent that asks for FramePop anew while it is told of a frame's end. */
public class FramePops {
    static native int ask(int environment);
    static native void begin(String method, String type, int depth);
    static native String take();
    static native int leaveEarly(Thread t, int value);
    static native int suspend(Thread t, boolean on);

    static volatile boolean spins, stop;

    static void check(String name, Object actual, Object expected) {
        boolean good = expected.equals(actual);
        System.out.println((good ? "ok " : "not ok ") + name
                           + (good ? "" : ": " + actual + ", expected " + expected));
    }

    /** As of level 25 a request that comes too late is a DUPLICATE, or the frame is OPAQUE. */
    static String end() {
        return take().replace("40 ", "refused ").replace("32 ", "refused ");
    }

    static int returns(int environments) {
        for (int i = 0; i < environments; i++)
            ask(i);
        return environments;
    }

    static int fails(int environments) {
        ask(0);
        throw new IllegalStateException();
    }

    static int caught(int environments) {
        try {
            return fails(environments);
        } catch (IllegalStateException e) {
            return -1;
        }
    }

    /** Calls returns twice in frames at the same place: what is left of the first must not meet the second. */
    static int twice(int environments) {
        return returns(environments) + returns(0);
    }

    static int waits(int environments) {
        ask(0);
        while (!stop)
            spins = true;
        return 0;
    }

    static int outer(int environments) {
        return returns(environments);
    }

    public static void main(String[] args) throws Exception {
        String second = Runtime.version().feature() >= 25 ? "refused " : "0 ";

        begin("returns", "(I)I", 0);
        twice(1);
        check("once", end(), "0:returns " + second);

        begin("returns", "(I)I", 0);
        twice(2);
        String both = end();
        check("both", both.replace("1:returns 0:returns", "0:returns 1:returns"),
              "0:returns 1:returns " + second + second);

        begin("fails", "(I)I", 0);
        caught(1);
        check("exception", end(), "0:fails! " + second);

        begin("returns", "(I)I", 1);
        outer(1);
        check("caller", end(), "0:returns 0:outer 0 ");

        Thread t = new Thread(() -> {
            begin("waits", "(I)I", 0);
            check("value", waits(1), 7);
            returns(0);
            check("early", end(), "0:waits " + second);
        });
        t.start();
        while (!spins)
            Thread.onSpinWait();
        suspend(t, true);
        check("leave", leaveEarly(t, 7), 0);
        suspend(t, false);
        t.join();
    }
}
