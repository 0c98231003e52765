// SPDX-License-Identifier: MIT
import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * Virtual [FILE]: dumps the heap while virtual threads run, wait in all ways, and are
 * unmounted; without a file it ends meanwhile, for an agent that dumps at the end.
 */
public class Virtual {
    /** What a frame of a thread refers to, and nothing else. */
    static class Mark {
        final String name;

        Mark(String name) {
            this.name = name;
        }
    }

    static final Object monitor = new Object(), condition = new Object();
    static volatile boolean done;
    static volatile int seen;

    static void use(Mark mark) {
        seen += mark.name.length();
    }

    static void spin(CountDownLatch begun) {
        Mark mark = new Mark("spins");
        begun.countDown();
        while (!done) {
            Thread.onSpinWait();
        }
        use(mark);
    }

    /** Goes on while its trace is taken and its frames are walked: they change in between. */
    static void call(CountDownLatch begun) {
        Mark mark = new Mark("calls");
        begun.countDown();
        while (!done) {
            Deeper.one();
        }
        use(mark);
    }

    /** Frames that nobody counts on. */
    static class Deeper {
        static void one() {
            two();
            two();
        }

        static void two() {
            three();
            three();
        }

        static void three() {
            Thread.onSpinWait();
        }
    }

    static void park() {
        Mark mark = new Mark("parks");
        while (!done) {
            LockSupport.park();
        }
        use(mark);
    }

    static void block() {
        Mark mark = new Mark("blocks");
        synchronized (monitor) {
            use(mark);
        }
        use(mark);
    }

    static void await() {
        Mark mark = new Mark("waits");
        synchronized (condition) {
            while (!done) {
                try {
                    condition.wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
        use(mark);
    }

    static Thread start(String name, Runnable body, Thread.State state) throws Exception {
        Thread t = Thread.ofVirtual().name(name).start(body);
        while (state != null && t.getState() != state) {
            Thread.sleep(1);
        }
        return t;
    }

    public static void main(String[] args) throws Exception {
        CountDownLatch begun = new CountDownLatch(2);
        Mark mark = new Mark("main");
        Thread[] all = new Thread[5];
        synchronized (monitor) {
            all[0] = start("dump-parks", Virtual::park, Thread.State.WAITING);
            all[1] = start("dump-blocks", Virtual::block, Thread.State.BLOCKED);
            all[2] = start("dump-waits", Virtual::await, Thread.State.WAITING);
            all[3] = start("dump-spins", () -> spin(begun), null);
            all[4] = new Thread(() -> call(begun), "dump-calls");
            all[4].start();
            begun.await();
            if (args.length == 0) {
                System.exit(0);
            }
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpHeap(args[0], true);
        }
        done = true;
        LockSupport.unpark(all[0]);
        synchronized (condition) {
            condition.notifyAll();
        }
        for (Thread t : all) {
            t.join();
        }
        use(mark);
    }
}
