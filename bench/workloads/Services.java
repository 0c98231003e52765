// SPDX-License-Identifier: MIT

import java.io.InputStream;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Random;

/** Calls agents/services.c; prints seconds for a million calls or events. */
public class Services {
    static final int CLASS_FILE = 54, THREAD_START = 52, THREAD_END = 53, WAIT = 73,
                     WAITED = 74, CONTENDED = 75, ENTERED = 76, ALLOC = 84,
                     ENTRY = 65, EXIT = 66;
    /** As many get each event of a monitor: the cost of one is lost in what waiting costs. */
    static final int MONITOR_ENVIRONMENTS = 16;
    /** Longer than the events of all of them take. */
    static final long ASLEEP_NANOS = 50_000;

    /** A service about the threads (none: about this one), in thread time or wall time. */
    static native double call(String name, Thread[] threads, int count, boolean wall);
    static native double handOver(int me, int count);
    static native void enable(int event, boolean on);
    static native long events(boolean own);
    /** Of the calling thread, or of the process. */
    static native double time(boolean own);

    static final Object gate = new Object();
    static int ready;

    /** Waits for good below so many frames. */
    static int sleep(int depth) {
        if (depth > 1)
            return sleep(depth - 1) + 1;
        synchronized (gate) {
            ready++;
            gate.notifyAll();
            for (;;)
                try {
                    gate.wait();
                } catch (InterruptedException e) {
                    return 0;
                }
        }
    }

    static Thread start(Runnable work) {
        Thread t = new Thread(work);
        t.setDaemon(true);
        t.start();
        return t;
    }

    static Thread[] sleepers(int count, int depth) throws InterruptedException {
        Thread[] threads = new Thread[count];
        synchronized (gate) {
            ready = 0;
            for (int i = 0; i < count; i++)
                threads[i] = start(() -> sleep(depth));
            while (ready < count)
                gate.wait();
        }
        for (Thread t : threads)
            while (t.getState() != Thread.State.WAITING)
                Thread.yield();
        return threads;
    }

    static double atDepth(int depth, String name, int count) {
        return depth > 1 ? atDepth(depth - 1, name, count)
                         : call(name, null, count, false);
    }

    static void print(String name, double time) {
        System.out.println(name + " " + time);
    }

    static void functions(int n) throws InterruptedException {
        Thread[] ten = sleepers(1, 7), hundred = sleepers(1, 97);
        print("stack-10-own", atDepth(8, "stack", n));
        print("stack-100-own", atDepth(98, "stack", n));
        print("stack-10", call("stack", ten, n, false));
        print("stack-100", call("stack", hundred, n, false));
        for (String name : new String[] { "frame-count", "frame-location",
                "suspend-resume", "thread-state", "thread-info", "thread-storage",
                "owned-monitors", "raw-enter-exit", "allocate", "event-mode",
                "method-name", "method-class", "line-table", "bytecodes",
                "class-signature", "class-methods", "loaded-classes", "object-size" })
            print(name, call(name, ten, n, false));
        Thread[] fifty = sleepers(50, 7);
        for (String name : new String[] { "all-stacks", "list-stacks", "all-threads",
                "suspend-list" })
            print(name, call(name, fifty, n, true));
        for (Thread[] threads : new Thread[][] { ten, hundred, fifty })
            for (Thread t : threads) {
                t.interrupt();
                t.join();
            }
    }

    static volatile boolean stopped;
    static volatile long spins;

    static void running(int n) {
        Thread spinner = start(() -> {
            while (!stopped)
                spins++;
        });
        while (spins == 0)
            Thread.yield();
        Thread[] threads = { spinner };
        call("suspend-resume", threads, n / 10, true);
        print("suspend-running", call("suspend-resume", threads, n / 4, true));
        stopped = true;
    }

    static void handOvers(int n) throws InterruptedException {
        Thread other = start(() -> handOver(1, n));
        print("raw-hand-over", handOver(0, n));
        other.join();
    }

    interface Work {
        void run(int n) throws Exception;
    }

    static final int BLOCKS = 10;

    static void enable(boolean on, int... kinds) {
        for (int kind : kinds)
            enable(kind, on);
    }

    /** What the events of a work cost, each; whole: the work with them. */
    static void measure(String name, String whole, boolean own, Work work, int n,
                        int... kinds) throws Exception {
        double[] best = { 1e9, 1e9 };
        long count = 0;
        work.run(n / 10);
        for (int i = 0; i < 2 * BLOCKS; i++) {
            int on = i % 2;
            enable(on == 1, kinds);
            long before = events(own);
            double start = time(own);
            work.run(n / BLOCKS);
            best[on] = Math.min(best[on], time(own) - start);
            if (on == 1)
                count = events(own) - before;
        }
        enable(false, kinds);
        if (name != null)
            print(name, (best[1] - best[0]) * 1e6 / count);
        if (whole != null)
            print(whole, best[1] * 1e6 / (n / BLOCKS));
    }

    static int leaf(int n) {
        return n;
    }

    static int sum;

    static void calls(int n) {
        for (int i = 0; i < n; i++)
            sum += leaf(i);
    }

    /** An object that the VM makes for each. */
    static void arrays(int n) {
        int[] lengths = { 1 };
        for (int i = 0; i < n; i++)
            sum += ((Object[])Array.newInstance(Object.class, lengths)).length;
    }

    /** The mean of the cheaper half: what disturbs only adds, and clocks are coarse. */
    static double typical(double[] times) {
        Arrays.sort(times);
        return Arrays.stream(times, 0, (times.length + 1) / 2).average().orElse(0);
    }

    static class Loader extends ClassLoader {
        Class<?> define(byte[] file) {
            return defineClass(null, file, 0, file.length);
        }
    }

    static byte[] file;

    /** With the hook and without at random: now and then a class takes new memory. */
    static void classes(int n) {
        double[][] times = new double[2][2 * n];
        int[] counts = new int[2];
        Random random = new Random(1);
        for (int i = 0; i < 2 * n; i++) {
            int on = random.nextInt(2);
            Loader loader = new Loader();
            enable(CLASS_FILE, on == 1);
            double start = time(true);
            loader.define(file);
            times[on][counts[on]++] = time(true) - start;
        }
        enable(CLASS_FILE, false);
        double with = typical(Arrays.copyOf(times[1], counts[1])),
               without = typical(Arrays.copyOf(times[0], counts[0]));
        print("class-load-hook", with * 1e6);
        print("class-define", without * 1e6);
    }

    /** A class with a loader of its own, and what reflection needs to show it. */
    static void preparations(int n) {
        double[] times = new double[n];
        for (int i = 0; i < n; i++) {
            double start = time(true);
            if (new Loader().define(file).getMethods().length != 1)
                throw new AssertionError("methods");
            times[i] = time(true) - start;
        }
        print("class-prepare", typical(times) * 1e6);
    }

    static void lives(int n) throws InterruptedException {
        for (int i = 0; i < n; i++) {
            Thread t = new Thread(() -> { });
            t.start();
            t.join();
        }
    }

    /** A thread that enters or waits for a monitor, by turns with events and without. */
    static class Waiter extends Thread {
        final boolean waits;
        final double[][] times;
        final int rounds;
        final Object lock = new Object();
        volatile int round = -1, done = -1;

        Waiter(boolean waits, int n) {
            this.waits = waits;
            times = new double[2][n];
            rounds = 2 * n;
        }

        void meet(int i) throws InterruptedException {
            while (round < i)
                Thread.yield();
            double start = time(true);
            synchronized (lock) {
                if (waits)
                    lock.wait();
                times[i % 2][i / 2] = time(true) - start;
            }
            done = i;
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < rounds; i++)
                    meet(i);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        void let(int i, Thread.State state) {
            round = i;
            while (getState() != state)
                Thread.yield();
        }

        /** It is in this state before the event, and to sleep by the end in any case. */
        void block(int i) {
            let(i, Thread.State.BLOCKED);
            long end = System.nanoTime() + ASLEEP_NANOS;
            while (System.nanoTime() < end)
                Thread.yield();
        }

        void work(int... kinds) throws InterruptedException {
            enable(false, kinds);
            start();
            for (int i = 0; i < rounds; i++) {
                if (waits)
                    let(i, Thread.State.WAITING);
                synchronized (lock) {
                    if (waits)
                        lock.notify();
                    else
                        block(i);
                }
                while (done < i)
                    Thread.yield();
                enable(i % 2 == 0, kinds);
            }
            join();
        }
    }

    /** What the two events cost their thread, in each environment; they have to come. */
    static void monitors(String name, boolean waits, int n, int... kinds)
            throws InterruptedException {
        new Waiter(waits, n).work();
        long before = events(false);
        Waiter waiter = new Waiter(waits, n);
        waiter.work(kinds);
        if (events(false) - before < (2 * n - 1) * MONITOR_ENVIRONMENTS)
            throw new AssertionError(name);
        print(name, (typical(waiter.times[1]) - typical(waiter.times[0])) * 1e6
                    / MONITOR_ENVIRONMENTS);
    }

    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[0]);
        try (InputStream in = Services.class.getResourceAsStream("Services$Work.class")) {
            file = in.readAllBytes();
        }
        functions(n);
        running(n);
        handOvers(n);
        measure("method-event", null, true, Services::calls, n * 2, ENTRY, EXIT);
        measure("vm-object-alloc", null, true, Services::arrays, n * 2, ALLOC);
        classes(n / 20);
        preparations(n / 10);
        measure(null, "thread-life", false, Services::lives, n / 100, THREAD_START,
                THREAD_END);
        monitors("contended-events", false, n / 40, CONTENDED, ENTERED);
        monitors("wait-events", true, n / 40, WAIT, WAITED);
    }
}
