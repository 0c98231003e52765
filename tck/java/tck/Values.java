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

    /** An array of a class whose array class was not needed before. */
    static Object freshArray() {
        return new Bare[1][2];
    }

    static int processors() {
        return Runtime.getRuntime().availableProcessors();
    }

    static String libraryPath() {
        return System.getProperty("java.library.path");
    }

    static String[] propertyKeys() {
        return System.getProperties().stringPropertyNames().toArray(new String[0]);
    }

    static Class<?> array() {
        return int[].class;
    }
}
