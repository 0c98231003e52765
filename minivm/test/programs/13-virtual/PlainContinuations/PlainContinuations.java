// SPDX-License-Identifier: MIT
// since: 25
// vm: --add-exports java.base/jdk.internal.vm=ALL-UNNAMED
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;

/** Continuations that are no virtual threads', and that yield while they are in monitors. */
public class PlainContinuations {
    static final ContinuationScope scope = new ContinuationScope("plain");

    static class Plain extends Continuation {
        Plain(Runnable body) {
            super(scope, body);
        }

        @Override
        protected void onPinned(Continuation.Pinned reason) {
            System.out.println("  pinned " + reason);
        }
    }

    static void leave() {
        System.out.println("  yielded " + Continuation.yield(scope));
    }

    /** Whether it has to wait in enter: elsewhere a thread may be blocked for a moment, too. */
    static boolean isBlocked(Thread t) {
        StackTraceElement[] trace = t.getStackTrace();
        return t.getState() == Thread.State.BLOCKED && trace.length != 0
            && trace[0].getClassName().startsWith("PlainContinuations");
    }

    /** Whether another thread gets into the monitor at once. */
    static boolean isFree(Thread t) throws Exception {
        while (t.isAlive() && !isBlocked(t))
            Thread.sleep(1);
        return !t.isAlive();
    }

    static Thread enter(Object o) {
        return Thread.ofPlatform().daemon().start(() -> {
            synchronized (o) {
                Thread.onSpinWait();
            }
        });
    }

    static void run(String name, Object o, Runnable body) throws Exception {
        Plain c = new Plain(body);
        System.out.println(name);
        c.run();
        Thread other = enter(o);
        System.out.println("  done " + c.isDone() + ", free " + isFree(other));
        while (!c.isDone()) {
            System.gc();
            c.run();
            System.out.println("  done " + c.isDone());
        }
        other.join();
    }

    static synchronized void inMethod() {
        leave();
    }

    static void inside(Object o) {
        synchronized (o) {
            System.out.println("  isPinned " + Continuation.isPinned(scope));
            leave();
            System.out.println("  holds " + Thread.holdsLock(o));
        }
        System.out.println("  holds " + Thread.holdsLock(o));
    }

    static void twice(Object a, Object b) {
        synchronized (a) {
            leave();
            synchronized (b) {
                synchronized (a) {
                    leave();
                }
            }
            leave();
        }
    }

    static void waits(Object o) {
        synchronized (o) {
            try {
                o.wait(1);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            leave();
        }
    }

    static void pins() {
        Continuation.pin();
        try {
            leave();
        } finally {
            Continuation.unpin();
        }
        leave();
    }

    static void throwing(Object o) {
        try {
            synchronized (o) {
                leave();
                throw new IllegalStateException("thrown");
            }
        } catch (IllegalStateException e) {
            System.out.println("  caught " + Thread.holdsLock(o));
        }
    }

    static void nests(Object o) {
        Plain inner = new Plain(() -> inside(o));
        inner.run();
        System.out.println("  inner done " + inner.isDone());
        leave();
        inner.run();
        System.out.println("  inner done " + inner.isDone());
    }

    static void all() throws Exception {
        Object hashed = new Object(), o = new Object();
        hashed.hashCode();
        run("free", o, PlainContinuations::leave);
        run("inside", o, () -> inside(o));
        run("inside, hashed", hashed, () -> inside(hashed));
        run("static method", PlainContinuations.class, PlainContinuations::inMethod);
        Object a = new Object(), b = new Object();
        run("twice", a, () -> twice(a, b));
        Object w = new Object();
        run("waits", w, () -> waits(w));
        run("pins", o, PlainContinuations::pins);
        Object t = new Object();
        run("throws", t, () -> throwing(t));
        Object n = new Object();
        run("nests", n, () -> nests(n));
    }

    public static void main(String[] args) throws Exception {
        Thread t = Thread.ofPlatform().start(() -> {
            try {
                all();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        t.join();
    }
}
