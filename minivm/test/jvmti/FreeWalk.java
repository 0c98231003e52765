// SPDX-License-Identifier: MIT
// departs: IterateOverReachableObjects other threads walk while it is sent (Object Free)
// departs: IterateOverHeap other threads walk while it is sent (Object Free)
// departs: IterateOverInstancesOfClass other threads walk while it is sent (Object Free)
// departs: IterateOverObjectsReachableFromObject other threads walk while it is sent (Object Free)
// departs: FollowReferences other threads walk while it is sent (Object Free)
// departs: IterateThroughHeap other threads walk while it is sent (Object Free)

/** Heap walks by one thread while another sends ObjectFree events. */
public class FreeWalk {
    static Object[] kept;

    /** Tags it; ObjectFree comes when it dies. */
    static native void tag(Object o);
    /** From now on the next ObjectFree callback lasts; the caller gets the raw monitor. */
    static native void arm(boolean owning);
    /** Collects.  The first ObjectFree callback lasts until a walk has begun, or a while. */
    static native void collect();
    /**
     * Waits until the callback runs, then walks by one of six functions, owning a raw
     * monitor that the callback enters at its end, or not.
     */
    static native boolean walk(int function, boolean owning);

    static void check(String name, boolean good) {
        System.out.println((good ? "ok " : "not ok ") + name);
    }

    static void fill() {
        kept = new Object[100];
        for (int i = 0; i < kept.length; i++)
            tag(kept[i] = new int[10]);
    }

    static boolean run(int function, boolean owning) throws Exception {
        fill();
        kept = null;
        arm(owning);
        Thread collector = new Thread(FreeWalk::collect);
        collector.start();
        boolean apart = walk(function, owning);
        collector.join();
        return apart;
    }

    public static void main(String[] args) throws Exception {
        String[] names = { "IterateOverReachableObjects", "IterateOverHeap",
                           "IterateOverInstancesOfClass",
                           "IterateOverObjectsReachableFromObject", "FollowReferences",
                           "IterateThroughHeap" };

        for (int i = 0; i < names.length; i++)
            check(names[i], run(i, false));
        // It may be that both go on at once, but not that both wait.
        run(4, true);
        check("owning-a-monitor", true);
    }
}
