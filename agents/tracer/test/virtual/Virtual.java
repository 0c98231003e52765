// SPDX-License-Identifier: MIT
/**
 * Virtual THREADS ROUNDS UNNAMED: each virtual thread nests calls around places where it
 * yields, so that it moves between carriers in the midst of them: THREADS named "v0" and
 * so on, and UNNAMED more.  It is apart from the others since JDK 17 does not compile it.
 */
public class Virtual {
    static int rounds;

    static void leaf() {
    }

    /** Unmounts inside of two calls. */
    static void inner(int i) throws InterruptedException {
        leaf();
        if (i % 8 == 0)
            Thread.sleep(1);
        else
            Thread.yield();
        leaf();
    }

    static void outer(int i) throws InterruptedException {
        inner(i);
        leaf();
    }

    static void body() {
        try {
            for (int i = 0; i < rounds; i++)
                outer(i);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        int named = Integer.parseInt(args[0]), unnamed = Integer.parseInt(args[2]);
        Thread[] threads = new Thread[named + unnamed];
        rounds = Integer.parseInt(args[1]);
        for (int i = 0; i < threads.length; i++) {
            Thread.Builder builder = Thread.ofVirtual();
            threads[i] = (i < named ? builder.name("v" + i) : builder)
                .unstarted(() -> body());
        }
        for (Thread thread : threads)
            thread.start();
        for (Thread thread : threads)
            thread.join();
        for (int i = named; i < threads.length; i++)
            System.out.println("virtual #" + threads[i].threadId());
        System.out.println("done");
    }
}
