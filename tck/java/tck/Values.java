/* SPDX-License-Identifier: MIT */
package tck;

/** Values that are easier made in Java. */
final class Values {
    private static final ThreadGroup GROUP = new ThreadGroup("tck group");

    private Values() {
    }

    static ThreadGroup group() {
        return GROUP;
    }

    static Class<?> array() {
        return int[].class;
    }
}
