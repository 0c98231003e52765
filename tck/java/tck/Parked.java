/* SPDX-License-Identifier: MIT */
package tck;

/** Redefined, with another number in place of 4711, while a thread stands in it. */
final class Parked {
    private Parked() {
    }

    static int answer(Runnable first) {
        first.run();
        return 4711;
    }

    static int answer() {
        return answer(() -> { });
    }
}
