// SPDX-License-Identifier: MIT

/** What all code calls: in the unnamed module of the boot loader. */
public class Tracker {
    static volatile boolean isEngaged;
    static int entries, exits;

    /** Not synchronized: the numbers are rough. */
    public static void enter() {
        if (isEngaged)
            entries++;
    }

    public static void leave() {
        if (isEngaged)
            exits++;
    }
}
