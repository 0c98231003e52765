/* SPDX-License-Identifier: MIT */
package tck;

import java.util.concurrent.locks.LockSupport;

/**
 * A virtual thread that goes to a known place and stays there until it is let go. The
 * places are letters, see tck/lib/virtual.h. The thread is made by reflection, since the
 * class is compiled for release 11.
 */
final class Virtual implements Runnable {
    final char place;
    /** So many frames more than other threads have at this place. */
    final int more;
    final Object first = new Object();
    final Object second = new Object();
    Thread thread;

    volatile boolean here;
    volatile boolean go;
    volatile int turns;
    volatile int entries;
    /** The line of middle() that calls hold(). */
    volatile int line;

    /* What hold() or take() had in its variables at the end. */
    volatile long intResult;
    volatile long longResult;
    volatile long floatBits;
    volatile long doubleBits;
    volatile Object objectResult;
    volatile Throwable thrown;

    /** What is read and written where events are wanted. */
    int field;

    private Virtual(char place, int more) {
        this.place = place;
        this.more = more;
    }

    /** Not started; null where there are no virtual threads. */
    static Virtual create(int place, int more) throws Exception {
        Virtual virtual = new Virtual((char) place, more);
        Class<?> builder;
        try {
            builder = Class.forName("java.lang.Thread$Builder");
        } catch (ClassNotFoundException e) {
            return null;
        }
        Object made = Thread.class.getMethod("ofVirtual").invoke(null);
        builder.getMethod("name", String.class).invoke(made, "virtual-" + (char) place);
        virtual.thread = (Thread) builder.getMethod("unstarted", Runnable.class)
            .invoke(made, virtual);
        return virtual;
    }

    void start() {
        thread.start();
        while (!here)
            Thread.yield();
        Thread.State state = stateAtPlace();
        while (state != null && thread.getState() != state)
            Thread.yield();
    }

    private Thread.State stateAtPlace() {
        switch (place) {
        case 'M':
        case 'N':
            return null;
        case 'B':
            return Thread.State.BLOCKED;
        case 'Q':
        case 'T':
        case 'Z':
            return Thread.State.TIMED_WAITING;
        default:
            return Thread.State.WAITING;
        }
    }

    /** Lets it go on, and does not wait for what comes of it. */
    void letGo() {
        go = true;
        LockSupport.unpark(thread);
        if (place == 'T' || place == 'W')
            synchronized (first) {
                first.notifyAll();
            }
        if (place == 'Z')
            thread.interrupt();
    }

    /** False if it does not come to its end. */
    boolean finish() throws InterruptedException {
        letGo();
        if (thread.getState() != Thread.State.NEW)
            thread.join(50000);
        return !thread.isAlive();
    }

    void unpark() {
        LockSupport.unpark(thread);
    }

    void awaitTurns(int count) {
        while (turns < count)
            Thread.yield();
    }

    void awaitEntries(int count) {
        while (entries < count)
            Thread.yield();
    }

    void awaitState(int ordinal) {
        while (thread.getState().ordinal() != ordinal)
            Thread.yield();
    }

    /** Time in which a thread that is not suspended would get on. */
    static void pause() throws InterruptedException {
        Thread.sleep(20);
    }

    private static int lineOfCaller() {
        return new Throwable().getStackTrace()[1].getLineNumber();
    }

    @Override
    public void run() {
        try {
            outer(more);
        } catch (Throwable t) {
            thrown = t;
        }
    }

    private void outer(int frames) throws Exception {
        if (frames > 0)
            outer(frames - 1);
        else if (place == 'S')
            synchronized (first) {
                middle();
            }
        else
            middle();
    }

    private void middle() throws Exception {
        if (place == 'X') {
            callBack();
            return;
        }
        line = lineOfCaller() + 1;
        hold(11, 22L, 3.5f, 4.25, new Model());
    }

    /** Calls hold() with the same arguments, and keeps a frame of its own below it. */
    private native void callBack();

    /** Sets here, and returns when go is set. */
    private native void block();

    private void hold(int i, long j, float f, double d, Object o) throws Exception {
        entries++;
        here = true;
        switch (place) {
        case 'M':
            while (!go)
                turns++;
            break;
        case 'N':
            block();
            break;
        case 'B':
            synchronized (first) {
                turns++;
            }
            break;
        case 'Q':
            while (!go)
                LockSupport.parkNanos(100_000_000_000L);
            break;
        case 'S':
            synchronized (second) {
                park();
            }
            break;
        case 'T':
        case 'W':
            synchronized (first) {
                while (!go)
                    first.wait(place == 'W' ? 0 : 100_000);
            }
            break;
        case 'Z':
            Thread.sleep(100_000);
            break;
        default:
            park();
            perform(i, j, f, d, o);
            return;
        }
        keep(i, j, f, d, o);
    }

    private void park() {
        while (!go) {
            LockSupport.park();
            turns++;
            if (Thread.currentThread().isInterrupted())
                return;
        }
    }

    /** Stays until it is let go once more. */
    private void parkAgain() {
        go = false;
        entries++;
        park();
    }

    private void keep(int i, long j, float f, double d, Object o) {
        intResult = i;
        longResult = j;
        floatBits = Float.floatToIntBits(f);
        doubleBits = Double.doubleToLongBits(d);
        objectResult = o;
    }

    /* -- what a thread does once it has been let go -- */

    private void perform(int i, long j, float f, double d, Object o) throws Exception {
        switch (place) {
        case 'c':
            callee(i);
            break;
        case 'y':
            yielding();
            break;
        case 'f':
            field = i;
            intResult = field;
            return;
        case 't':
            try {
                fail();
            } catch (IllegalStateException e) {
                objectResult = e;
            }
            return;
        case 'w':
            synchronized (first) {
                first.wait(1);
            }
            break;
        case 'm':
            synchronized (first) {
                turns++;
            }
            break;
        case 'l':
            objectResult = Events.load();
            return;
        case 'a':
            for (int n = 0; n < 512; n++)
                objectResult = new byte[64 * 1024];
            return;
        case 'r':
            intResult = Parked.answer(this::parkAgain);
            return;
        case 'k':
            take(i, j, f, d, o);
            return;
        case '1':
            intResult = answerInt();
            return;
        case '2':
            longResult = answerLong();
            return;
        case '3':
            floatBits = Float.floatToIntBits(answerFloat());
            return;
        case '4':
            doubleBits = Double.doubleToLongBits(answerDouble());
            return;
        case '5':
            objectResult = answerObject();
            return;
        default:
        }
        keep(i, j, f, d, o);
    }

    private int callee(int i) {
        return i + 1;
    }

    /** Leaves its carrier more than once. */
    private int yielding() {
        for (int i = 0; i < 3; i++) {
            LockSupport.parkNanos(1);
            Thread.yield();
        }
        return 33;
    }

    private void fail() {
        throw new IllegalStateException("tck");
    }

    private void take(int i, long j, float f, double d, Object o) {
        entries++;
        keep(i, j, f, d, o);
    }

    private int answerInt() {
        entries++;
        return 1;
    }

    private long answerLong() {
        entries++;
        return 1;
    }

    private float answerFloat() {
        entries++;
        return 1;
    }

    private double answerDouble() {
        entries++;
        return 1;
    }

    private Object answerObject() {
        entries++;
        return this;
    }
}
