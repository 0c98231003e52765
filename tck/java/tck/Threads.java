/* SPDX-License-Identifier: MIT */
package tck;

import java.util.concurrent.locks.LockSupport;

/** Threads in each state, groups, and what Java says about them. */
final class Threads {
    static final Object HELD = new Object();
    static volatile boolean go;
    static volatile boolean ready;
    static volatile Throwable ended;

    private Threads() {
    }

    private static Thread start(String name, Runnable body) throws InterruptedException {
        go = false;
        ready = false;
        ended = null;
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (Throwable t) {
                ended = t;
            }
        }, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static String ownName() {
        return Thread.currentThread().getName();
    }

    static int ownPriority() {
        return Thread.currentThread().getPriority();
    }

    static boolean ownDaemon() {
        return Thread.currentThread().isDaemon();
    }

    static ClassLoader ownLoader() {
        return Thread.currentThread().getContextClassLoader();
    }

    private static Thread until(Thread thread, Thread.State state) {
        while (thread.getState() != state)
            Thread.yield();
        return thread;
    }

    static Thread sleeping() throws InterruptedException {
        return until(start("sleeping", () -> {
            try {
                Thread.sleep(100000);
            } catch (InterruptedException e) {
                ended = e;
            }
        }), Thread.State.TIMED_WAITING);
    }

    static Thread parked() throws InterruptedException {
        return until(start("parked", () -> {
            while (!go)
                LockSupport.park();
        }), Thread.State.WAITING);
    }

    static Thread parkedTimed() throws InterruptedException {
        return until(start("parkedTimed", () -> {
            while (!go)
                LockSupport.parkNanos(100_000_000_000L);
        }), Thread.State.TIMED_WAITING);
    }

    /** Until end(): a thread may wake up for no reason before. */
    static Thread waiting(long millis) throws InterruptedException {
        return until(start("waiting", () -> {
            synchronized (HELD) {
                try {
                    while (!go)
                        HELD.wait(millis);
                } catch (InterruptedException e) {
                    ended = e;
                }
            }
        }), millis == 0 ? Thread.State.WAITING : Thread.State.TIMED_WAITING);
    }

    /** Blocked on HELD, which the caller's monitor has. */
    static Thread blocked() throws InterruptedException {
        Thread thread = start("blocked", () -> {
            ready = true;
            synchronized (HELD) {
                go = true;
            }
        });
        while (!ready)
            Thread.yield();
        return until(thread, Thread.State.BLOCKED);
    }

    /** Notifies a waiter, which then has to regain HELD from the caller. */
    static void regain(Thread waiter) {
        synchronized (HELD) {
            HELD.notifyAll();
            until(waiter, Thread.State.BLOCKED);
        }
    }

    static void end(Thread thread) throws InterruptedException {
        go = true;
        LockSupport.unpark(thread);
        thread.interrupt();
        thread.join();
    }

    static int javaState(Thread thread) {
        return thread.getState().ordinal();
    }

    static Thread named(String name, int priority, boolean daemon, ThreadGroup group,
            ClassLoader loader) {
        Thread thread = new Thread(group, () -> { }, name);
        thread.setPriority(priority);
        thread.setDaemon(daemon);
        thread.setContextClassLoader(loader);
        return thread;
    }

    static ThreadGroup group(ThreadGroup parent, String name, int max, boolean daemon) {
        ThreadGroup group = new ThreadGroup(parent, name);
        group.setMaxPriority(max);
        group.setDaemon(daemon);
        return group;
    }

    static ThreadGroup mainGroup() {
        return Thread.currentThread().getThreadGroup();
    }

    static boolean isDaemon(ThreadGroup group) {
        return group.isDaemon();
    }

    static Thread inGroup(ThreadGroup group) throws InterruptedException {
        ready = false;
        go = false;
        Thread thread = new Thread(group, () -> {
            ready = true;
            while (!go)
                LockSupport.park();
        }, "in group");
        thread.setDaemon(true);
        thread.start();
        while (!ready)
            Thread.yield();
        return thread;
    }

    static boolean interrupted(Thread thread) {
        return thread.isInterrupted();
    }

    static Throwable thrown() {
        return ended;
    }

    static Throwable thrownBy(Stage stage) throws InterruptedException {
        stage.join();
        return stage.thrown;
    }

    static ClassLoader loader() {
        return Threads.class.getClassLoader();
    }

    static boolean listsThread(String name) {
        for (Thread thread : Thread.getAllStackTraces().keySet())
            if (thread.getName().equals(name))
                return true;
        return false;
    }

    /** Is a thread of this name among those of the group and of the groups in it? */
    static boolean groupLists(ThreadGroup group, String name) {
        Thread[] threads = new Thread[group.activeCount() + 64];
        int count = group.enumerate(threads);
        for (int i = 0; i < count; i++)
            if (threads[i].getName().equals(name))
                return true;
        return false;
    }

    static Thread create(String name) {
        return new Thread(name);
    }

    static void join(Thread thread) throws InterruptedException {
        thread.join();
    }
}
