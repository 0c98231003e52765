// SPDX-License-Identifier: MIT
import java.util.concurrent.locks.LockSupport;

/**
 * Spins SECONDS: two virtual threads that compute, "spins" and one without a name, whose
 * number is printed; one that waits, "parks"; the main thread waits for the first two.
 */
public class Spins {
    static volatile long sink;
    static volatile boolean done;

    static void hot(long end) {
        while (System.nanoTime() < end)
            sink += 1;
    }

    static void parked() {
        while (!done)
            LockSupport.park();
    }

    public static void main(String[] args) throws Exception {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
        Thread parks = Thread.ofVirtual().name("parks").start(Spins::parked);
        Thread spins = Thread.ofVirtual().name("spins").start(() -> hot(end));
        Thread unnamed = Thread.ofVirtual().start(() -> hot(end));
        spins.join();
        unnamed.join();
        done = true;
        LockSupport.unpark(parks);
        parks.join();
        System.out.println("virtual #" + unnamed.threadId());
    }
}
