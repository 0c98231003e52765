/* SPDX-License-Identifier: MIT */
package tck;

/** As if agents had wrapped its native methods. */
final class Prefixed {
    private Prefixed() {
    }

    static void wrapped() {
        tck_wrapped();
    }

    private static native void tck_wrapped();

    static void other() {
        tck_other();
    }

    private static native void tck_other();

    static void automatic() {
        tck_automatic();
    }

    private static native void tck_automatic();

    static void twice() {
        one_twice();
    }

    static void one_twice() {
        two_one_twice();
    }

    private static native void two_one_twice();
}
