// SPDX-License-Identifier: MIT
// stress: -XX:GCStress=97 -XX:+PoisonFreed
// vm: -Djdk.virtualThreadScheduler.parallelism=8
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** What JVM TI says of virtual threads, and how all of them are suspended. */
public class VirtualThreads {
    static final int SUSPENDED = 0x100000;
    static final int NOT_VALID = 10, NOT_SUSPENDED = 13, UNSUPPORTED = 73;
    static final int STARTS = 0, ENDS = 1, PLATFORM_STARTS = 2, PLATFORM_ENDS = 3;

    static native boolean areThere();
    static native int all(boolean suspend, Thread[] except);
    static native int resume(Thread t);
    static native int stop(Thread t, Throwable exception);
    static native int state(Thread t);
    static native int runAgent(Thread t);
    static native int cpuTime(Thread t);
    static native boolean isVirtual(Object o);
    static native String info(Thread t);
    static native int lists(Thread t);
    static native int count(int which);

    static void check(String name, boolean good) {
        System.out.println((good ? "ok " : "not ok ") + name);
    }

    static void same(String name, Object actual, Object expected) {
        System.out.println(actual.equals(expected)
            ? "ok " + name : "not ok " + name + ": " + actual + ", expected " + expected);
    }

    /** A virtual thread that has not started; by reflection, since 17 has none. */
    static Thread virtual(String name, Runnable body) throws Exception {
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        Class<?> type = Class.forName("java.lang.Thread$Builder$OfVirtual");
        builder = type.getMethod("name", String.class).invoke(builder, name);
        return (Thread) type.getMethod("unstarted", Runnable.class).invoke(builder, body);
    }

    /** A thread that says that it has begun and ends. */
    static class Late {
        final CountDownLatch begun = new CountDownLatch(1);
        final Thread thread;

        Late(String name) throws Exception {
            thread = virtual(name, begun::countDown);
        }

        /** Starts it, and says whether it is suspended for a while at least. */
        boolean isHeld() throws Exception {
            thread.start();
            for (int i = 0; i < 200 && begun.getCount() > 0; i++) {
                if ((state(thread) & SUSPENDED) == 0)
                    Thread.sleep(10);
                else if (i < 180)
                    i = 180;
                else
                    Thread.sleep(1);
            }
            return begun.getCount() > 0 && (state(thread) & SUSPENDED) != 0;
        }

        boolean ends() throws Exception {
            thread.join(20000);
            return begun.getCount() == 0 && !thread.isAlive();
        }
    }

    static volatile boolean done;

    static Thread waiting(String name) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        Thread t = virtual(name, () -> {
            begun.countDown();
            while (!done)
                LockSupport.park();
        });
        same("state-new", state(t), 0);
        same("agent-thread", runAgent(t), UNSUPPORTED);
        t.start();
        begun.await();
        return t;
    }

    static void checkFacts(Thread t) throws Exception {
        int[] own = new int[1];
        Thread asker = virtual("v2", () -> own[0] = cpuTime(null));

        same("info", info(t), "v1 5 1 VirtualThreads");
        same("lists", lists(t), 0);
        check("not-in-java's", !Thread.getAllStackTraces().containsKey(t));
        check("virtual", isVirtual(t));
        check("platform", !isVirtual(Thread.currentThread()));
        check("object", !isVirtual("text"));
        check("null", !isVirtual(null));
        same("stop", stop(t, new Error()), NOT_SUSPENDED);
        same("cpu-time", cpuTime(t), UNSUPPORTED);
        asker.start();
        asker.join();
        same("own-cpu-time", own[0], UNSUPPORTED);
        same("own-cpu-time-platform", cpuTime(null), 0);
    }

    /** Those that start later do as the two calls have said last. */
    static void checkLater(Thread t) throws Exception {
        Thread[] none = {};
        Late held = new Late("v3"), other = new Late("v4"), free = new Late("v5");
        Late kept = new Late("v6"), last = new Late("v7");

        same("platform-exception", all(true, new Thread[] { Thread.currentThread() }),
            NOT_VALID);
        same("suspend-all", all(true, new Thread[] { free.thread }), 0);
        check("suspended", (state(t) & SUSPENDED) != 0);
        check("caller-not", (state(Thread.currentThread()) & SUSPENDED) == 0);
        check("held", held.isHeld());
        check("other-held", other.isHeld());
        check("exception-runs", !free.isHeld() && free.ends());
        same("resume", resume(held.thread), 0);
        check("resumed-ends", held.ends());
        same("resume-all", all(false, new Thread[] { t, kept.thread }), 0);
        check("other-ends", other.ends());
        check("still-suspended", (state(t) & SUSPENDED) != 0);
        check("kept", kept.isHeld());
        check("last-runs", !last.isHeld() && last.ends());
        same("resume-all-again", all(false, none), 0);
        check("kept-ends", kept.ends());
        check("not-suspended", (state(t) & SUSPENDED) == 0);
    }

    public static void main(String[] args) throws Exception {
        if (!areThere()) {
            same("release", Runtime.version().feature() < 21, true);
            /* The JDK's table ends before JNI "IsVirtualThread". */
            return;
        }
        Thread t = waiting("v1");
        checkFacts(t);
        checkLater(t);
        done = true;
        LockSupport.unpark(t);
        t.join();
        same("state-ended", state(t), 2);
        same("info-ended", info(t), "v1 5 1 none");
        /* The event comes before the thread is seen to have ended. */
        same("starts", count(STARTS), 7);
        same("ends", count(ENDS), 7);
        same("platform-starts", count(PLATFORM_STARTS), 0);
        same("platform-ends", count(PLATFORM_ENDS), 0);
    }
}
