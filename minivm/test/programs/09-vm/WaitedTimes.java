/* SPDX-License-Identifier: MIT */
/* ThreadInfo counts and measures what a thread waits for: a sleep, a park and a wait. */
import java.lang.management.*;
import java.util.concurrent.locks.LockSupport;

public class WaitedTimes {
    static final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    static final long MILLIS = 60;

    interface Pause {
        void run() throws Exception;
    }

    static void show(String name, Pause pause) throws Exception {
        long id = Thread.currentThread().getId();
        ThreadInfo before = threads.getThreadInfo(id);

        pause.run();
        ThreadInfo after = threads.getThreadInfo(id);
        // A thread may be woken for no reason, and then waits again.
        System.out.println(name + ": counted "
            + (after.getWaitedCount() > before.getWaitedCount()) + ", measured "
            + (after.getWaitedTime() - before.getWaitedTime() >= MILLIS - 10));
    }

    static void park() {
        long end = System.nanoTime() + MILLIS * 1000000;

        while (System.nanoTime() < end)
            LockSupport.parkNanos(end - System.nanoTime());
    }

    static synchronized void await() throws InterruptedException {
        WaitedTimes.class.wait(MILLIS);
    }

    public static void main(String[] args) throws Exception {
        threads.setThreadContentionMonitoringEnabled(true);
        show("sleep", () -> Thread.sleep(MILLIS));
        show("park", WaitedTimes::park);
        show("wait", WaitedTimes::await);
    }
}
