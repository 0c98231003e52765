// SPDX-License-Identifier: MIT
// since: 25
// vm: -XX:+UnlockExperimentalVMOptions -XX:+VMContinuations
// args: 1 300 40
import java.util.Random;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Virtual threads that do at random all that makes them wait: monitors, Object.wait, park,
 * sleep, yield and interrupts, and collections by the garbage that they make.  What each one
 * does follows from the seed, so the sums at the end are known, whatever the order is.  A
 * wake-up that is lost lets the program hang.
 *
 *     VirtualStress SEED THREADS ROUNDS
 */
public class VirtualStress {
    /** A number that only the owner of the monitor changes. */
    static class Counter {
        int value;

        synchronized void add() {
            value = value + 1;
        }
    }

    /** Tokens that are taken and given back; who finds none waits without a limit. */
    static class Tokens {
        int count, least = Integer.MAX_VALUE;

        Tokens(int count) {
            this.count = count;
        }

        synchronized int take() {
            int interrupts = 0;
            while (count == 0)
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupts++;
                }
            count--;
            least = Math.min(least, count);
            return interrupts;
        }

        synchronized void give(boolean all) {
            count++;
            if (all)
                notifyAll();
            else
                notify();
        }
    }

    /** Two threads take turns, by park or by wait. */
    static class Pair {
        /* Each is there for the other one before its thread looks whose turn it is: or that
           one, which has just passed the turn, would find nobody to unpark. */
        final AtomicReferenceArray<Thread> threads = new AtomicReferenceArray<>(2);
        volatile int turn;

        void playByPark(int me, int rounds) {
            threads.set(me, Thread.currentThread());
            for (int i = 0; i < rounds; i++) {
                while (turn != me) {
                    LockSupport.park(this);
                    Thread.interrupted();
                }
                turn = 1 - me;
                LockSupport.unpark(threads.get(1 - me));
            }
        }

        void playByWait(int me, int rounds) {
            for (int i = 0; i < rounds; i++)
                synchronized (this) {
                    while (turn != me)
                        try {
                            wait();
                        } catch (InterruptedException e) {
                            // Somebody interrupts at random.
                        }
                    turn = 1 - me;
                    notify();
                }
        }
    }

    static final int COUNTERS = 8, WORKERS = 6;
    static final Counter[] counters = new Counter[COUNTERS];
    static final Tokens tokens = new Tokens(3);
    static Thread[] threads;
    static int rounds;

    /** Something else that gives up the carrier, or does not. */
    static void pause(Random random) {
        switch (random.nextInt(4)) {
        case 0:
            Thread.yield();
            break;
        case 1:
            LockSupport.parkNanos(random.nextInt(100_000));
            break;
        case 2:
            Object[] garbage = new Object[random.nextInt(100)];
            for (int i = 0; i < garbage.length; i++)
                garbage[i] = new int[i];
            break;
        default:
            break;
        }
    }

    static void add(Counter c, Random random) {
        synchronized (c) {
            int seen = c.value;
            pause(random);
            c.value = seen + 1;
        }
    }

    static void addToTwo(int i, int j, Random random) {
        synchronized (counters[Math.min(i, j)]) {
            pause(random);
            synchronized (counters[Math.max(i, j)]) {
                pause(random);
                counters[i].add();
                counters[j].add();
            }
        }
    }

    static void await(Counter c, Random random) {
        int millis = 1 + random.nextInt(3), nanos = random.nextInt(2);
        synchronized (c) {
            try {
                c.wait(millis, nanos);
            } catch (InterruptedException e) {
                // Somebody interrupts at random.
            }
        }
    }

    static void rouse(Counter c, boolean all) {
        synchronized (c) {
            if (all)
                c.notifyAll();
            else
                c.notify();
        }
    }

    static void useToken(Random random) {
        boolean all = random.nextInt(10) == 0;
        tokens.take();
        pause(random);
        tokens.give(all);
    }

    static void sleep(int micros) {
        try {
            Thread.sleep(0, micros * 1000);
        } catch (InterruptedException e) {
            // Somebody interrupts at random.
        }
    }

    /** One step of a worker.  Each uses the same random numbers, whatever happens. */
    static void step(Random random) {
        int i = random.nextInt(COUNTERS), j = random.nextInt(COUNTERS);
        Thread other = threads[random.nextInt(threads.length)];
        switch (random.nextInt(10)) {
        case 0, 1, 2:
            add(counters[i], random);
            break;
        case 3:
            addToTwo(i, j, random);
            break;
        case 4:
            await(counters[i], random);
            break;
        case 5:
            rouse(counters[i], random.nextBoolean());
            break;
        case 6:
            useToken(random);
            break;
        case 7:
            LockSupport.unpark(other);
            break;
        case 8:
            other.interrupt();
            break;
        default:
            sleep(random.nextInt(500));
            break;
        }
    }

    /** What thread number n does: six of ten are workers, the others two pairs. */
    static Runnable task(int n, long seed, Pair[] pairs) {
        int kind = n % 10 - WORKERS;
        if (kind < 0)
            return () -> {
                Random random = new Random(seed * 1_000_003 + n);
                for (int i = 0; i < rounds; i++)
                    step(random);
            };
        Pair pair = pairs[n / 10 * 2 + kind / 2];
        return kind < 2 ? () -> pair.playByPark(kind % 2, rounds)
                        : () -> pair.playByWait(kind % 2, rounds);
    }

    public static void main(String[] args) throws Exception {
        long seed = Long.parseLong(args[0]);
        int count = Integer.parseInt(args[1]) / 10 * 10;
        rounds = Integer.parseInt(args[2]);
        Pair[] pairs = new Pair[count / 5];
        for (int i = 0; i < COUNTERS; i++)
            counters[i] = new Counter();
        for (int i = 0; i < pairs.length; i++)
            pairs[i] = new Pair();
        threads = new Thread[count];
        for (int i = 0; i < count; i++)
            threads[i] = Thread.ofVirtual().unstarted(task(i, seed, pairs));
        for (Thread t : threads)
            t.start();
        for (Thread t : threads)
            t.join();
        for (int i = 0; i < COUNTERS; i++)
            System.out.println("counter " + i + ": " + counters[i].value);
        System.out.println(tokens.count + " tokens");
    }
}
