// SPDX-License-Identifier: MIT
// since: 25
// vm: -Djdk.virtualThreadScheduler.parallelism=3
import java.util.*;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.LockSupport;

// Capabilities that the JDK's VM gives at its start only.
// departs: owned
// departs: locals
// departs: moving
// departs: spinning
// departs: ask
// departs: pop-events

/** An agent that comes when thousands of virtual threads run, wait and contend already. */
public class LateVirtual {
    static native int attach();
    static native int enable();
    static native int events(int which);
    static native int stacks(Thread[] threads, String method);
    static native int allStacks();
    static native int suspendAll(boolean on);
    static native int state(Thread t);
    static native int local(Thread t, String method);
    static native int notifyPop(Thread t, String method);
    static native int owned(Thread t);

    static final int ALIVE = 1, SUSPENDED = 0x100000, WAITING = 0x80, PARKED = 0x200, IN_WAIT = 0x100,
        ENTERS = 0x400;

    static final Object contended = new Object(), awaited = new Object();
    static final AtomicLong moved = new AtomicLong();
    static final CountDownLatch begun = new CountDownLatch(200);
    static volatile long spun;
    static volatile boolean go, stop;

    static void check(String name, Object actual, Object expected) {
        boolean good = expected.equals(actual);
        System.out.println((good ? "ok " : "not ok ") + name
                           + (good ? "" : ": " + actual + ", expected " + expected));
    }

    static int parks(int n) {
        synchronized (new Object()) {
            while (!go)
                LockSupport.park();
        }
        return n;
    }

    static int enters(int n) {
        synchronized (contended) {
            return n;
        }
    }

    static int waits(int n) {
        synchronized (awaited) {
            while (!go)
                try {
                    awaited.wait();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
        }
        return n;
    }

    /**
     * Yields for ever, but not before all of its kind have begun: the scheduler takes those that
     * yield before those that are new, so it would let nobody begin.
     */
    static int moves(int n) {
        Object mine = new Object();
        begun.countDown();
        try {
            begun.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        while (!stop)
            synchronized (mine) {
                moved.incrementAndGet();
                Thread.yield();
            }
        return n;
    }

    static int spins(int n) {
        while (!stop)
            spun++;
        return n;
    }

    static final List<Thread> all = new ArrayList<>();

    interface Body {
        int run(int n);
    }

    static Thread[] start(int count, Body body, Thread.State state) throws Exception {
        Thread[] made = new Thread[count];
        for (int i = 0; i < count; i++) {
            int n = i;
            all.add(made[i] = Thread.ofVirtual().start(() -> body.run(n)));
        }
        for (Thread t : made)
            while (state != null && t.getState() != state)
                Thread.sleep(1);
        return made;
    }

    /** How many have these bits. */
    static int with(Thread[] threads, int bits) {
        int count = 0;
        for (Thread t : threads)
            count += (state(t) & bits) == bits ? 1 : 0;
        return count;
    }

    /** Whether the two that go on all the time do so. */
    static boolean goOn() throws Exception {
        long m = moved.get(), s = spun;
        for (int i = 0; i < 20000 && (moved.get() == m || spun == s); i++)
            Thread.sleep(1);
        return moved.get() != m && spun != s;
    }

    static boolean stand() throws Exception {
        long m = moved.get(), s = spun;
        Thread.sleep(50);
        return moved.get() == m && spun == s;
    }

    public static void main(String[] args) throws Exception {
        Thread[] parking, entering, waiting, moving, spinning;
        synchronized (contended) {
            parking = start(1000, LateVirtual::parks, Thread.State.WAITING);
            entering = start(300, LateVirtual::enters, Thread.State.BLOCKED);
            waiting = start(300, LateVirtual::waits, Thread.State.WAITING);
            spinning = start(1, LateVirtual::spins, null);
            while (spun == 0)
                Thread.sleep(1);
            moving = start((int) begun.getCount(), LateVirtual::moves, null);
            begun.await();
            check("run", goOn(), true);

            // A VM may put away the stacks of those that do nothing from one collection to the next.
            System.gc();
            System.gc();
            check("attach", attach(), 0);
            check("enable", enable(), 0);
            check("parks", stacks(parking, "parks"), 1000);
            check("enters", stacks(entering, "enters"), 300);
            check("waits", stacks(waiting, "waits"), 300);
            check("spins", stacks(spinning, "spins"), 1);
            check("platform-threads", allStacks(), 0);
            check("parked", with(parking, ALIVE | WAITING | PARKED), 1000);
            check("blocked", with(entering, ALIVE | ENTERS), 300);
            check("in-wait", with(waiting, ALIVE | WAITING | IN_WAIT), 300);
            check("owned", owned(parking[7]) + owned(entering[7]) + owned(waiting[7]), 1);

            for (int round = 0; round < 5; round++) {
                check("suspend-" + round, suspendAll(true), 0);
                check("stand-" + round, stand(), true);
                check("resume-" + round, suspendAll(false), 0);
                check("goes-on-" + round, goOn(), true);
            }
            check("suspend", suspendAll(true), 0);
            int suspended = 0, sum = 0, whole = 0;
            for (Thread t : all)
                suspended += (state(t) & SUSPENDED) != 0 ? 1 : 0;
            check("suspended", suspended, all.size());
            for (Thread t : parking)
                sum += local(t, "parks");
            for (Thread t : entering)
                sum += local(t, "enters");
            for (Thread t : waiting)
                sum += local(t, "waits");
            check("locals", sum, 999 * 500 + 2 * (299 * 150));
            for (int i = 0; i < moving.length; i++)
                whole += stacks(new Thread[] { moving[i] }, "moves") == 1 && local(moving[i], "moves") == i ? 1 : 0;
            check("moving", whole, moving.length);
            check("spinning", local(spinning[0], "spins"), 0);
            int asked = 0;
            for (int i = 0; i < 10; i++)
                asked += notifyPop(parking[i], "parks") + notifyPop(moving[i], "moves");
            check("ask", asked, 0);
            Thread late = Thread.ofVirtual().start(() -> spins(0));
            Thread.sleep(20);
            check("starts-suspended", events(0), 0);
            all.add(late);
            check("resume", suspendAll(false), 0);
            check("again", goOn(), true);
        }
        go = stop = true;
        synchronized (awaited) {
            awaited.notifyAll();
        }
        for (Thread t : parking)
            LockSupport.unpark(t);
        for (Thread t : all)
            t.join();
        check("start-events", events(0), 1);
        check("end-events", events(1), all.size());
        check("pop-events", events(2), 20);
    }
}
