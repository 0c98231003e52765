// SPDX-License-Identifier: MIT
// since: 25
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations -Djdk.virtualThreadScheduler.parallelism=1 -Djdk.virtualThreadScheduler.maxPoolSize=1
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Virtual threads that yield, park and sleep while they hold monitors, on one carrier. */
public class VirtualHolders {
    static final List<String> log = new ArrayList<>();

    static void say(String what) {
        synchronized (log) {
            log.add(what);
        }
    }

    /** Each thread enters monitors of its own deeper and deeper, and yields with all. */
    static int nested(Object[] locks, int depth) throws InterruptedException {
        if (depth == locks.length) {
            Thread.sleep(2);
            return 0;
        }
        synchronized (locks[depth]) {
            Thread.yield();
            synchronized (locks[depth]) {
                Thread.yield();
                int below = nested(locks, depth + 1);
                for (int i = 0; i < locks.length; i++)
                    if (Thread.holdsLock(locks[i]) != (i <= depth))
                        throw new IllegalStateException("lock " + i + " at " + depth);
                return below + 1;
            }
        }
    }

    static synchronized int recursive(int n) {
        if (n % 10 == 0)
            Thread.yield();
        return n == 0 ? 0 : 1 + recursive(n - 1);
    }

    static void run(String name, int count, Runnable r) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++)
            threads.add(Thread.ofVirtual().start(r));
        for (Thread t : threads)
            t.join();
        say(name);
    }

    public static void main(String[] args) throws Exception {
        run("nested", 20, () -> {
            Object[] locks = new Object[12];
            for (int i = 0; i < locks.length; i++)
                locks[i] = new Object();
            try {
                if (nested(locks, 0) != locks.length)
                    say("wrong depth");
            } catch (InterruptedException e) {
                say(e.toString());
            }
            for (Object lock : locks)
                if (Thread.holdsLock(lock))
                    say("kept");
        });
        run("recursive", 5, () -> {
            if (recursive(200) != 200)
                say("wrong count");
        });
        // A holder sleeps while others, virtual and platform, wait for its monitor.
        Object lock = new Object();
        CountDownLatch held = new CountDownLatch(1);
        int[] inside = new int[1];
        Thread holder = Thread.ofVirtual().start(() -> {
            synchronized (lock) {
                held.countDown();
                try {
                    Thread.sleep(50);
                } catch (InterruptedException e) {
                    say(e.toString());
                }
                inside[0]++;
                say("holder leaves");
            }
        });
        held.await();
        List<Thread> others = new ArrayList<>();
        for (int i = 0; i < 20; i++)
            others.add((i % 5 == 0 ? Thread.ofPlatform() : Thread.ofVirtual()).start(() -> {
                synchronized (lock) {
                    inside[0]++;
                    Thread.yield();
                    inside[0]++;
                }
            }));
        holder.join();
        for (Thread t : others)
            t.join();
        say("inside " + inside[0]);
        // The monitor of a thread is not another's on the same carrier.
        CountDownLatch second = new CountDownLatch(1), done = new CountDownLatch(1);
        Thread first = Thread.ofVirtual().start(() -> {
            synchronized (lock) {
                second.countDown();
                try {
                    done.await();
                } catch (InterruptedException e) {
                    say(e.toString());
                }
                say("first holds " + Thread.holdsLock(lock));
            }
        });
        second.await();
        Thread.ofVirtual().start(() -> {
            say("second holds " + Thread.holdsLock(lock));
            try {
                lock.notify();
            } catch (IllegalMonitorStateException e) {
                say(e.toString());
            }
            done.countDown();
        }).join();
        first.join();
        for (String s : log)
            System.out.println(s);
    }
}
