/* SPDX-License-Identifier: MIT */
package tck;

/** Stacks, monitors and frames that are known by heart. */
final class Frames {
    static final Object A = new Object();
    static final Object B = new Object();
    static volatile int finallyRuns;
    static volatile int seen;
    static volatile int exits;
    /** A thread is out of holding(), and stays so until it is released. */
    private static volatile boolean left;
    private static volatile boolean released;

    private Frames() {
    }

    /** Runs the case's function in the agent. */
    static native void probe();

    static void deep(int n) {
        if (n == 0)
            probe();
        else
            deep(n - 1);
    }

    static void locked() {
        synchronized (A) {
            inner();
        }
    }

    private static void inner() {
        synchronized (A) {
            synchronized (B) {
                probe();
            }
        }
    }

    static synchronized void lockedMethod() {
        probe();
    }

    /** A thread in one of the methods below; release() lets it go. */
    static Stage launch(int which) throws InterruptedException {
        Stage stage = new Stage((char) which) {
            @Override
            public void run() {
                switch (place) {
                case 'm':
                    modify(this, 1);
                    break;
                case 's':
                    holding(this);
                    left = true;
                    while (!released) {
                    }
                    break;
                case 'f':
                    withFinally(this);
                    break;
                case 'b':
                    longResult = small(this, true, (byte) -5, 'c', (short) -300);
                    break;
                case 'o':
                    nothing(this, null);
                    break;
                default:
                    longResult = instance(13);
                }
            }

            @Override
            void release() {
                released = true;
                super.release();
            }

            private int instance(int a) {
                entries++;
                here = true;
                while (!go) {
                }
                return a;
            }
        };
        seen = 0;
        finallyRuns = 0;
        exits = 0;
        left = false;
        released = false;
        stage.start();
        stage.arrive();
        return stage;
    }

    static void modify(Stage s, int a) {
        seen = a;
        a = a + 41;
        s.entries++;
        s.here = true;
        while (!s.go) {
        }
        s.longResult = a;
    }

    static synchronized void holding(Stage s) {
        synchronized (A) {
            s.entries++;
            s.here = true;
            while (!s.go) {
            }
        }
        exits++;
    }

    static void withFinally(Stage s) {
        try {
            s.entries++;
            s.here = true;
            while (!s.go) {
            }
            exits++;
        } finally {
            finallyRuns++;
        }
    }

    static int small(Stage s, boolean z, byte b, char c, short h) {
        s.here = true;
        while (!s.go) {
        }
        return (z ? 1000000 : 0) + b + c + h;
    }

    static void nothing(Stage s, Object o) {
        s.here = true;
        while (!s.go) {
        }
        s.objectResult = o;
    }

    /** A thread that enters Frames.class and A, and ends. */
    private static Thread entering() {
        Thread thread = new Thread(() -> {
            synchronized (Frames.class) {
                synchronized (A) {
                    return;
                }
            }
        }, "tries");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Somebody holds one of the two for good: does the thread have to wait? */
    static boolean locksHeld() {
        Thread.State state;
        Thread thread = entering();
        do {
            Thread.yield();
            state = thread.getState();
        } while (state != Thread.State.BLOCKED && state != Thread.State.TERMINATED);
        return state == Thread.State.BLOCKED;
    }

    /** Nobody does: can it enter both? */
    static boolean locksFree() throws InterruptedException {
        Thread thread = entering();
        thread.join(30000);
        return !thread.isAlive();
    }

    static int runs() {
        return finallyRuns * 100 + exits;
    }

    static int seen() {
        return seen;
    }

    /** Out of the method, but not out of run(). */
    static void letGo(Stage s) {
        s.go = true;
    }

    static void awaitLeft() {
        while (!left)
            Thread.yield();
    }

    static void awaitEntries(Stage s, int n) {
        while (s.entries < n)
            Thread.yield();
    }

    static int enterAndLeave(int a) {
        return a;
    }

    /** A Java frame to pop to. */
    static int callEnterAndLeave(int a) {
        return enterAndLeave(a);
    }
}
