/* SPDX-License-Identifier: MIT */
package tck;

/** Redefined over and over; the other versions stand in java/variants. */
public class Redef {
    static int counter = 5;
    private int instance = 6;
    static volatile boolean inside;
    static volatile boolean leave;
    static int initialised = init();

    static int init() {
        Redefs.initialisations++;
        return 1;
    }

    public static int version() {
        return 1;
    }

    static int same(int a) {
        return a * 2;
    }

    /** Stays in the old version while the class is redefined. */
    static int stay() {
        inside = true;
        while (!leave) {
        }
        return 1;
    }

    int get() {
        return instance;
    }
}
