/* SPDX-License-Identifier: MIT */
/* ThreadMXBean: what threads wait for and hold, deadlocks of monitors and of locks. */
import java.lang.management.*;
import java.util.*;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.*;

public class Deadlocks {
    static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    static void await(CountDownLatch latch) {
        latch.countDown();
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static void start(String name, Runnable body) {
        Thread t = new Thread(body, name);
        t.setDaemon(true);
        t.start();
    }

    static void show(ThreadInfo i) {
        System.out.println(i.getThreadName() + " " + i.getThreadState() + " on "
                           + i.getLockInfo().getClassName() + " of " + i.getLockOwnerName()
                           + " native " + i.isInNative() + " suspended " + i.isSuspended());
        for (MonitorInfo m : i.getLockedMonitors())
            System.out.println("  holds " + m.getClassName() + " since "
                               + m.getLockedStackFrame().getMethodName());
        for (LockInfo l : i.getLockedSynchronizers())
            System.out.println("  holds " + l.getClassName());
    }

    static void showAll(long[] ids) {
        ThreadInfo[] infos = THREADS.getThreadInfo(ids, true, true);
        Arrays.sort(infos, Comparator.comparing(ThreadInfo::getThreadName));
        for (ThreadInfo i : infos)
            show(i);
    }

    public static void main(String[] args) throws Exception {
        Object a = new Object(), b = "b";
        Lock l = new ReentrantLock(), r = new ReentrantReadWriteLock().writeLock();
        CountDownLatch monitors = new CountDownLatch(2), locks = new CountDownLatch(2);
        long[] ids;

        System.out.println(THREADS.findDeadlockedThreads());
        start("monitors 1", () -> {
            synchronized (a) {
                await(monitors);
                synchronized (b) {
                }
            }
        });
        start("monitors 2", () -> {
            synchronized (b) {
                await(monitors);
                synchronized (a) {
                }
            }
        });
        while ((ids = THREADS.findMonitorDeadlockedThreads()) == null)
            Thread.sleep(5);
        showAll(ids);
        start("locks 1", () -> {
            l.lock();
            await(locks);
            r.lock();
        });
        start("locks 2", () -> {
            r.lock();
            await(locks);
            l.lock();
        });
        while ((ids = THREADS.findDeadlockedThreads()).length < 4)
            Thread.sleep(5);
        showAll(ids);
        System.out.println(THREADS.findMonitorDeadlockedThreads().length);
        System.out.println(THREADS.getThreadInfo(Long.MAX_VALUE));
        ThreadInfo me = THREADS.getThreadInfo(Thread.currentThread().getId(), 1);
        System.out.println(me.getThreadName() + me.getThreadState() + me.getStackTrace().length);
    }
}
