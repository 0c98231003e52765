/* SPDX-License-Identifier: MIT */
/* Deep SECONDS: stacks of 2000 calls, and never the same for long: looking at them is dear. */
public class Deep {
    static volatile long sink;

    static void work() {
        for (long end = System.nanoTime() + 3_000_000L; System.nanoTime() < end; ) {
            sink += 1;
        }
    }

    static void next(int depth, long way) {
        way = way * 6364136223846793005L + 1442695040888963407L;
        if (depth == 0) {
            work();
        } else if (way < 0) {
            left(depth - 1, way);
        } else {
            right(depth - 1, way);
        }
    }

    static void left(int depth, long way) {
        next(depth, way);
    }

    static void right(int depth, long way) {
        next(depth, way);
    }

    public static void main(String[] args) {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
        for (long way = 1; System.nanoTime() < end; way++) {
            next(1000, way);
        }
    }
}
