// SPDX-License-Identifier: MIT

import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;

/** The monitors of a thread as ThreadMXBean lists them: each entry, with its frame. */
public class LockedMonitors {
    static final Object lock = new Object();

    static void show(String title) {
        long[] self = { Thread.currentThread().getId() };
        ThreadInfo info = ManagementFactory.getThreadMXBean()
                              .getThreadInfo(self, true, true)[0];

        System.out.println(title);
        for (MonitorInfo monitor : info.getLockedMonitors())
            System.out.println("  " + monitor.getClassName() + " at "
                               + monitor.getLockedStackDepth() + ", "
                               + monitor.getLockedStackFrame().getMethodName());
    }

    static void again(String title) {
        synchronized (lock) {
            show(title);
        }
    }

    static synchronized void inClass() {
        again("recursion below a method's own monitor");
    }

    public static void main(String[] args) {
        synchronized (lock) {
            show("once");
            again("recursion");
            inClass();
            synchronized (lock) {
                show("twice in one frame");
            }
        }
    }
}
