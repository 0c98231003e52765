/* SPDX-License-Identifier: MIT */
/* Synchronized blocks and methods on one thread: nesting, exceptions, states. */
public class Monitors1 {
    static synchronized int fact(int n) {
        return n <= 1 ? 1 : n * fact(n - 1);
    }

    synchronized void instance(boolean fail) {
        System.out.println(Thread.holdsLock(this));
        if (fail) {
            throw new IllegalStateException("inside");
        }
    }

    int early(Object lock) {
        synchronized (lock) {
            synchronized (this) {
                return Thread.holdsLock(lock) && Thread.holdsLock(this) ? 1 : 0;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        System.out.println(fact(10));
        Monitors1 m = new Monitors1();
        m.instance(false);
        try {
            m.instance(true);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + Thread.holdsLock(m));
        }
        Object lock = new Object();
        System.out.println(m.early(lock) + " " + Thread.holdsLock(lock));
        int hash = lock.hashCode();
        synchronized (lock) {
            System.out.println(hash == lock.hashCode());
            for (int i = 0; i < 100; i++) {
                synchronized (lock) {
                    if (i == 50) {
                        break;
                    }
                }
            }
            lock.wait(1);
            lock.notifyAll();
            System.out.println(Thread.holdsLock(lock));
        }
        System.out.println(Thread.holdsLock(lock));
        try {
            lock.notify();
        } catch (IllegalMonitorStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            lock.wait();
        } catch (IllegalMonitorStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            synchronized (lock) {
                lock.wait(-1);
            }
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Object[] many = new Object[2000];
        for (int i = 0; i < many.length; i++) {
            many[i] = new Object();
        }
        nest(many, 0);
        System.out.println(Thread.holdsLock(many[1999]));
        synchronized (Monitors1.class) {
            System.out.println(fact(5));
        }
        try {
            Thread.holdsLock(null);
        } catch (NullPointerException e) {
            System.out.println("null lock");
        }
    }

    static void nest(Object[] locks, int i) {
        if (i == locks.length) {
            int held = 0;
            for (Object lock : locks) {
                if (Thread.holdsLock(lock)) {
                    held++;
                }
            }
            System.out.println(held);
            return;
        }
        synchronized (locks[i]) {
            nest(locks, i + 1);
        }
    }
}
