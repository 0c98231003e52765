/* SPDX-License-Identifier: MIT */
/* Line numbers and method names of frames, seen from inside. */
public class StackTraceLines {
    final int id;

    StackTraceLines(int id) {
        this.id = id;
        if (id == 3) {
            throw new IllegalArgumentException("constructor");
        }
    }

    static class Init {
        static {
            show(new Throwable("in static initialiser"));
        }

        static void touch() {
        }
    }

    static void show(Throwable t) {
        System.out.println(t);
        for (StackTraceElement e : t.getStackTrace()) {
            if (e.getClassName().startsWith("StackTraceLines")) {
                System.out.println("  " + e.getClassName() + "." + e.getMethodName()
                                   + ":" + e.getLineNumber() + " " + e.getFileName());
            }
        }
    }

    static int divide(int a,
                      int b) {
        return a
            / b;
    }

    static void recurse(int n) {
        if (n == 0) {
            throw new UnsupportedOperationException();
        }
        recurse(n - 1);
    }

    public static void main(String[] args) {
        try {
            new StackTraceLines(3);
        } catch (IllegalArgumentException e) {
            show(e);
        }
        Init.touch();
        try {
            divide(1,
                   0);
        } catch (ArithmeticException e) {
            show(e);
        }
        try {
            recurse(3);
        } catch (UnsupportedOperationException e) {
            show(e);
        }
        Runnable r = () -> {
            throw new RuntimeException("lambda");
        };
        try {
            r.run();
        } catch (RuntimeException e) {
            StackTraceElement[] trace = e.getStackTrace();
            System.out.println(trace[0].getLineNumber() + " " + trace[1].getLineNumber()
                               + " " + trace.length);
        }
        Throwable filled = new Throwable("kept");
        int line = filled.getStackTrace()[0].getLineNumber();
        filled.fillInStackTrace();
        System.out.println(filled.getStackTrace()[0].getLineNumber() - line);
        filled.setStackTrace(new StackTraceElement[] {
            new StackTraceElement("Made", "up", "Made.java", 12),
            new StackTraceElement("Nat", "ive", null, -2) });
        filled.printStackTrace(System.out);
        System.out.println(Thread.currentThread().getStackTrace()[1].getLineNumber());
    }
}
