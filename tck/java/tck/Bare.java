/* SPDX-License-Identifier: MIT */
package tck;

/** Compiled without any debug attribute. */
public class Bare {
    int field;

    static int plain(int a) {
        int b = a + 1;
        return b;
    }
}
