/* SPDX-License-Identifier: MIT */
// vm: -Xmx64m
/* java.lang.management: threads, memory, class loading, runtime, MXBeans. */
import java.lang.management.*;
import java.util.*;
import javax.management.*;

public class Management {
    public interface HelloMBean {
        int getCount();

        void setCount(int n);

        String say(String s);
    }

    public static class Hello implements HelloMBean {
        int count = 3;

        @Override
        public int getCount() {
            return count;
        }

        @Override
        public void setCount(int n) {
            count = n;
        }

        @Override
        public String say(String s) {
            return "said " + s;
        }
    }

    public static void main(String[] args) throws Exception {
        ThreadMXBean t = ManagementFactory.getThreadMXBean();
        System.out.println((t.getThreadCount() > 1) + " " + (t.getPeakThreadCount() > 1) + " "
            + (t.getTotalStartedThreadCount() > 1) + " " + (t.getDaemonThreadCount() > 0));
        ThreadInfo me = t.getThreadInfo(Thread.currentThread().getId(), 5);
        System.out.println(me.getThreadName() + " " + me.getThreadState() + " "
            + me.getStackTrace()[me.getStackTrace().length - 1].getClassName());
        Object lock = new Object();
        Thread blocked = new Thread(() -> {
            synchronized (lock) {
                System.out.println("entered");
            }
        }, "blocked");
        synchronized (lock) {
            blocked.start();
            while (blocked.getState() != Thread.State.BLOCKED) {
                Thread.yield();
            }
            ThreadInfo b = t.getThreadInfo(new long[] { blocked.getId() }, true, true)[0];
            System.out.println(b.getThreadState() + " " + b.getLockOwnerName() + " "
                + b.getLockInfo().getClassName() + " " + (b.getBlockedCount() > 0));
        }
        blocked.join();
        System.out.println(Arrays.toString(t.findDeadlockedThreads()) + " "
            + t.getThreadInfo(blocked.getId()));
        if (t.isThreadCpuTimeSupported()) {
            System.out.println(t.getCurrentThreadCpuTime() > 0);
        } else {
            System.out.println(true);
        }
        Thread burner = new Thread(() -> {
            long end = System.nanoTime() + 100_000_000L;
            while (System.nanoTime() < end) {
            }
        });
        burner.start();
        // Time in user mode is part of all time, which a VM may measure by two clocks, of
        // which one counts ticks.
        long tick = 20_000_000;
        boolean within = true;
        while (burner.isAlive()) {
            long user = t.getThreadUserTime(burner.getId());
            long all = t.getThreadCpuTime(burner.getId());
            long own = t.getCurrentThreadUserTime();
            within &= (all < 0 || user <= all + tick)
                && own <= t.getCurrentThreadCpuTime() + tick;
        }
        System.out.println(within);
        MemoryMXBean m = ManagementFactory.getMemoryMXBean();
        MemoryUsage h = m.getHeapMemoryUsage();
        System.out.println((h.getUsed() > 0) + " " + (h.getCommitted() >= h.getUsed()) + " "
            + (h.getMax() <= 64 << 20));
        List<GarbageCollectorMXBean> gcs = ManagementFactory.getGarbageCollectorMXBeans();
        long before = 0, after = 0;
        for (GarbageCollectorMXBean g : gcs) {
            before += g.getCollectionCount();
        }
        System.gc();
        for (GarbageCollectorMXBean g : gcs) {
            after += g.getCollectionCount();
        }
        System.out.println((gcs.size() > 0) + " " + (after > before));
        System.out.println(ManagementFactory.getMemoryPoolMXBeans().size() > 0);
        ClassLoadingMXBean c = ManagementFactory.getClassLoadingMXBean();
        System.out.println((c.getLoadedClassCount() > 100) + " "
            + (c.getTotalLoadedClassCount() >= c.getLoadedClassCount()));
        RuntimeMXBean r = ManagementFactory.getRuntimeMXBean();
        System.out.println(r.getInputArguments().contains("-Xmx64m") + " " + (r.getUptime() > 0)
            + " " + (r.getPid() == ProcessHandle.current().pid()) + " " + r.getSpecVersion() + " "
            + r.getSystemProperties().containsKey("java.home"));
        OperatingSystemMXBean os = ManagementFactory.getOperatingSystemMXBean();
        System.out.println(os.getName() + " " + (os.getAvailableProcessors() > 0));
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("test:type=Hello");
        server.registerMBean(new Hello(), name);
        server.setAttribute(name, new Attribute("Count", 12));
        System.out.println(server.getAttribute(name, "Count") + " " + server.invoke(name, "say",
            new Object[] { "x" }, new String[] { "java.lang.String" }) + " "
            + server.isRegistered(name));
        System.out.println(server.getAttribute(new ObjectName("java.lang:type=Threading"),
            "ThreadCount") instanceof Integer);
        Object[] locks = { new Object(), new Object() };
        java.util.concurrent.CyclicBarrier both = new java.util.concurrent.CyclicBarrier(2);
        for (int i = 0; i < 2; i++) {
            int first = i;
            Thread d = new Thread(() -> {
                synchronized (locks[first]) {
                    try {
                        both.await();
                    } catch (Exception e) {
                        return;
                    }
                    synchronized (locks[1 - first]) {
                        System.out.println("impossible");
                    }
                }
            }, "dead" + i);
            d.setDaemon(true);
            d.start();
        }
        long[] dead = null;
        while (dead == null) {
            Thread.sleep(2);
            dead = t.findMonitorDeadlockedThreads();
        }
        System.out.println(dead.length);
    }
}
