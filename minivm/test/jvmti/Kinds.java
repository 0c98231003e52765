// SPDX-License-Identifier: MIT
// alone: HotSpot takes any object for a loader, whose fields it has not

/** Objects of another kind than a function asks for, where its text names no error. */
public class Kinds {
    static class OwnLoader extends ClassLoader {
    }

    /** GetClassLoaderClasses: the number of classes, or the error as a negative number. */
    static native int classes(Object loader);

    static void check(String name, boolean good) {
        System.out.println((good ? "ok " : "not ok ") + name);
    }

    public static void main(String[] args) {
        final int invalidObject = -20;
        Object[] others = { "text", new int[3], new Object[100], Thread.currentThread(),
                            Kinds.class, Kinds.class.getModule(), new Object() };

        check("boot-loader", classes(null) > 100);
        check("application-loader", classes(Kinds.class.getClassLoader()) > 0);
        // No class of its own: arrays of primitive types only.
        int own = classes(new OwnLoader());
        check("own-loader", own >= 0 && own < 20);
        for (Object o : others)
            check(o.getClass().getSimpleName(), classes(o) == invalidObject);
    }
}
