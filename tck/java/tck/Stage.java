/* SPDX-License-Identifier: MIT */
package tck;

/**
 * A thread that goes to a known place and stays there until it is let go. The place is
 * a letter, see tck/lib/stage.h. Arguments of the spinning methods have known slots.
 */
public class Stage extends Thread {
    public static final Object LOCK = new Object();

    final char place;
    volatile boolean here;
    volatile boolean go;
    final Object lock = new Object();

    /* What the spinning method returned. */
    volatile long longResult;
    volatile double doubleResult;
    volatile Object objectResult;
    volatile Throwable thrown;
    volatile int entries;

    Stage(char place) {
        super("stage-" + place);
        this.place = place;
        setDaemon(true);
    }

    static Stage create(int place) {
        return new Stage((char) place);
    }

    static Stage launch(int place) throws InterruptedException {
        Stage stage = create(place);
        stage.start();
        stage.arrive();
        return stage;
    }

    /** Wait until the thread stands at its place. */
    void arrive() throws InterruptedException {
        while (!here) {
            Thread.onSpinWait();
            Thread.yield();
        }
        if (place == 'W') {
            while (getState() != Thread.State.WAITING)
                Thread.yield();
        }
    }

    static Stage ended() throws InterruptedException {
        Stage stage = new Stage('V');
        stage.go = true;
        stage.start();
        stage.join();
        return stage;
    }

    /** Let it go; the caller joins. */
    void release() {
        go = true;
        synchronized (lock) {
            lock.notifyAll();
        }
    }

    static boolean finish(Stage stage) throws InterruptedException {
        stage.release();
        if (stage.getState() != Thread.State.NEW)
            stage.join(50000);
        return !stage.isAlive();
    }

    @Override
    public void run() {
        try {
            switch (place) {
            case 'I':
                longResult = spinI(this, 11, 22L, 3.5f, 4.25, this);
                break;
            case 'J':
                longResult = spinJ(this, 11, 22L, 3.5f, 4.25, this);
                break;
            case 'F':
                doubleResult = spinF(this, 11, 22L, 3.5f, 4.25, this);
                break;
            case 'D':
                doubleResult = spinD(this, 11, 22L, 3.5f, 4.25, this);
                break;
            case 'L':
                objectResult = spinL(this, 11, 22L, 3.5f, 4.25, this);
                break;
            case 'V':
                spinV(this, 11, 22L, 3.5f, 4.25, this);
                break;
            case 'W':
                waitHere();
                break;
            case 'N':
                block();
                break;
            case 'C':
                callBack();
                break;
            default:
                here = true;
                while (!go) {
                }
            }
        } catch (Throwable t) {
            thrown = t;
        }
    }

    private void waitHere() throws InterruptedException {
        synchronized (lock) {
            here = true;
            while (!go)
                lock.wait();
        }
    }

    static int spinI(Stage s, int i, long j, float f, double d, Object o) {
        s.entries++;
        s.here = true;
        while (!s.go) {
        }
        return i;
    }

    static long spinJ(Stage s, int i, long j, float f, double d, Object o) {
        s.entries++;
        s.here = true;
        while (!s.go) {
        }
        return j;
    }

    static float spinF(Stage s, int i, long j, float f, double d, Object o) {
        s.entries++;
        s.here = true;
        while (!s.go) {
        }
        return f;
    }

    static double spinD(Stage s, int i, long j, float f, double d, Object o) {
        s.entries++;
        s.here = true;
        while (!s.go) {
        }
        return d;
    }

    static Stage spinL(Stage s, int i, long j, float f, double d, Object o) {
        s.entries++;
        s.here = true;
        while (!s.go) {
        }
        return (Stage) o;
    }

    static void spinV(Stage s, int i, long j, float f, double d, Object o) {
        s.entries++;
        s.here = true;
        while (!s.go) {
        }
        s.longResult = i;
    }

    /** Goes through the place without a stop, in the calling thread. */
    static void pass(int place) {
        Stage stage = create(place);
        stage.go = true;
        stage.run();
        if (stage.thrown != null)
            throw new AssertionError(stage.thrown);
    }

    /** Stores here, then blocks until go. */
    private native void block();

    /** Calls spinV from native code. */
    private native void callBack();

    /** A virtual thread that waits on LOCK, or null where there are none. */
    static Thread startVirtual() throws Exception {
        Runnable body = () -> {
            synchronized (LOCK) {
                try {
                    LOCK.wait();
                } catch (Throwable e) {
                    virtualThrown = e;
                }
            }
        };
        virtualThrown = null;
        Thread thread = virtual(body);
        while (thread != null && thread.getState() != Thread.State.WAITING)
            Thread.yield();
        return thread;
    }

    /** What the virtual thread was stopped with. */
    static volatile Throwable virtualThrown;

    private static Thread virtual(Runnable body) throws Exception {
        try {
            return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class)
                .invoke(null, body);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    /** Goes where the agent wants to make a call on a virtual thread. */
    private static native void visit();

    /** Does it; false where there are none. */
    static boolean visitVirtual() throws Exception {
        Thread thread = virtual(Stage::visit);
        if (thread != null)
            thread.join();
        return thread != null;
    }

    static void endVirtual(Thread thread) throws InterruptedException {
        do {
            synchronized (LOCK) {
                LOCK.notifyAll();
            }
            thread.join(50);
        } while (thread.isAlive());
    }
}
