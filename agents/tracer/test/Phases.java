/* SPDX-License-Identifier: MIT */
/* Phases: 0.3 seconds in first(), then 2.7 seconds in second(). */
public class Phases {
    static volatile long sink;

    static void work(long nanos) {
        for (long end = System.nanoTime() + nanos; System.nanoTime() < end; ) {
            sink += 1;
        }
    }

    static void first() {
        work(300_000_000L);
    }

    static void second() {
        work(2_700_000_000L);
    }

    public static void main(String[] args) {
        first();
        second();
    }
}
