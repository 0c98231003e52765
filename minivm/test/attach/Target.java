/* SPDX-License-Identifier: MIT */

/** Attached to by attach.t: does what its standard input says until that ends. */
public class Target {
    /** Set by the agent. */
    static int started;
    static String options = "none";

    static class Known {
        long value;
    }

    static class Other extends Known {
        int more;
    }

    static Object[] kept = new Object[1500];
    static final Object lock = new Object();

    static void waitForLock() {
        /* On one line: HotSpot's frame stands behind monitorenter already. */
        synchronized (lock) { System.out.println("never"); }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 1234; i++)
            kept[i] = new Known();
        kept[1234] = new Other();
        kept[1235] = new Other[17];
        kept[1236] = new short[3][];
        synchronized (lock) {
            var owned = new java.util.concurrent.locks.ReentrantLock();
            owned.lock();
            Thread blocked = new Thread("blocked") {
                @Override
                public void run() {
                    waitForLock();
                }
            };
            blocked.setDaemon(true);
            blocked.start();
            while (blocked.getState() != Thread.State.BLOCKED)
                Thread.sleep(5);
            System.out.println("ready");
            for (int c; (c = System.in.read()) >= 0;)
                if (c == 'v')
                    System.out.println("started " + started + ", options '" + options
                                       + "', agent " + System.getProperty("agent"));
            System.out.println("done");
            /* With the lock: the other thread never gets it. */
            System.exit(0);
        }
    }
}
