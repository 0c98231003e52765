/* SPDX-License-Identifier: MIT */
/* Start, join, names, states, daemon flag, priorities, groups. */
public class ThreadBasics {
    static int shared;

    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> shared = 42, "worker");
        System.out.println(t.getState() + " " + t.isAlive() + " " + t.getName());
        t.start();
        t.join();
        System.out.println(shared + " " + t.getState() + " " + t.isAlive() + " "
                           + t.getThreadGroup());
        try {
            t.start();
        } catch (IllegalThreadStateException e) {
            System.out.println("already started");
        }
        Thread main = Thread.currentThread();
        System.out.println(main + " " + main.getId() + " " + main.isDaemon());
        Thread sub = new Thread() {
            @Override
            public void run() {
                System.out.println(isDaemon() + " " + getPriority() + " "
                                   + (Thread.currentThread() == this));
            }
        };
        sub.setPriority(Thread.MAX_PRIORITY);
        sub.setDaemon(true);
        sub.start();
        sub.join();
        ThreadGroup g = new ThreadGroup("group");
        ThreadGroup child = new ThreadGroup(g, "child");
        g.setMaxPriority(3);
        Object gate = new Object();
        boolean[] open = { false };
        Thread[] all = new Thread[3];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Thread(i == 2 ? child : g, () -> {
                synchronized (gate) {
                    while (!open[0]) {
                        try {
                            gate.wait();
                        } catch (InterruptedException e) {
                            return;
                        }
                    }
                }
            }, "in-group-" + i);
            all[i].start();
        }
        System.out.println(g.activeCount() + " " + g.activeGroupCount() + " "
                           + all[0].getPriority() + " " + child.getParent().getName());
        Thread[] list = new Thread[5];
        System.out.println(g.enumerate(list, false));
        while (all[0].getState() != Thread.State.WAITING) {
            Thread.yield();
        }
        System.out.println(all[0].getStackTrace()[0]);
        synchronized (gate) {
            open[0] = true;
            gate.notifyAll();
        }
        for (Thread x : all) {
            x.join();
        }
        System.out.println(g.activeCount() + " " + all[0].getStackTrace().length);
        Thread sleeper = new Thread(() -> {
            try {
                Thread.sleep(100000);
            } catch (InterruptedException e) {
                System.out.println(e.getMessage() + " " + Thread.currentThread().isInterrupted());
            }
        });
        sleeper.start();
        while (sleeper.getState() != Thread.State.TIMED_WAITING) {
            Thread.yield();
        }
        sleeper.interrupt();
        sleeper.join();
        Object lock = new Object();
        Thread blocked = new Thread(() -> {
            synchronized (lock) {
                System.out.println("got it");
            }
        });
        synchronized (lock) {
            blocked.start();
            while (blocked.getState() != Thread.State.BLOCKED) {
                Thread.yield();
            }
            System.out.println(blocked.getState());
        }
        blocked.join();
        t.join(10);
        System.out.println(new Thread("x").getId() > 0);
        try {
            new Thread((String) null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }
}
