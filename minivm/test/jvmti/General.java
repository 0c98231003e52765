// SPDX-License-Identifier: MIT
// departs: no-options it passes NULL (Agent Start-Up)

public class General {
    static class First {
    }

    static class Second {
    }

    static class Third {
    }

    static native void timers();
    /** Says verbose class loading on or off, and takes standard output down meanwhile. */
    static native void begin(boolean verbose);
    /** Was the class's loading told since begin? */
    static native boolean end(String name);

    static void check(String name, boolean good) {
        System.out.println((good ? "ok " : "not ok ") + name);
    }

    public static void main(String[] args) {
        timers();
        begin(false);
        new First();
        check("quiet", !end("General$First"));
        begin(true);
        new Second();
        check("verbose", end("General$Second"));
        begin(false);
        new Third();
        check("quiet-again", !end("General$Third"));
    }
}
