/* SPDX-License-Identifier: MIT */
package tck;

/** Loaded anew for each case that is about loading. */
public class Loaded {
    static int initialised = 1;

    static int method() {
        return initialised;
    }
}
