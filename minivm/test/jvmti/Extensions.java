// SPDX-License-Identifier: MIT
// stress: -XX:GCStress=97 -XX:+PoisonFreed
// departs 25: unloaded HotSpot does not send the event for these classes
// departs 21: unloaded HotSpot does not send the event for these classes
// departs 25: unloaded-again
// departs 21: unloaded-again
// departs 25: enabled-again
// departs 21: enabled-again
// departs 25: silent-told
// departs 21: silent-told
// departs 25: silent-told
// departs 21: silent-told
import java.net.URL;
import java.net.URLClassLoader;

public class Extensions {
    public static class Unloaded {
    }

    public static class Second {
    }

    static native void statistics(long max);
    static native int told(String name);
    static native void listen(boolean yes);

    static void check(String name, boolean good) {
        System.out.println((good ? "ok " : "not ok ") + name);
    }

    /** Load the class by a loader of its own and let both go. */
    static void load(String name) throws Exception {
        URL here = Extensions.class.getProtectionDomain().getCodeSource().getLocation();
        URLClassLoader loader = new URLClassLoader(new URL[] { here }, null);
        loader.loadClass(name).getDeclaredConstructor().newInstance();
        loader.close();
    }

    static boolean awaitUnload(String name, int count) throws InterruptedException {
        for (int i = 0; i < 100 && told(name) < count; i++) {
            System.gc();
            Thread.sleep(20);
        }
        return told(name) == count;
    }

    public static void main(String[] args) throws Exception {
        statistics(Runtime.getRuntime().maxMemory());
        check("not-told-before", told("Extensions$Unloaded") == 0);
        load("Extensions$Unloaded");
        check("unloaded", awaitUnload("Extensions$Unloaded", 1));
        load("Extensions$Unloaded");
        check("unloaded-again", awaitUnload("Extensions$Unloaded", 2));
        listen(false);
        load("Extensions$Second");
        for (int i = 0; i < 5; i++) {
            System.gc();
            Thread.sleep(20);
        }
        check("disabled", told("Extensions$Second") == 0);
        listen(true);
        load("Extensions$Unloaded");
        check("enabled-again", awaitUnload("Extensions$Unloaded", 3));
        check("second-gone-unheard", told("Extensions$Second") == 0);
        check("living-not-told", told("Extensions") == 0);
    }
}
