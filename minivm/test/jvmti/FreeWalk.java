// SPDX-License-Identifier: MIT
// departs: IterateOverReachableObjects other threads walk while it is sent (Object Free)
// departs: IterateOverHeap other threads walk while it is sent (Object Free)
// departs: IterateOverInstancesOfClass other threads walk while it is sent (Object Free)
// departs: IterateOverObjectsReachableFromObject other threads walk while it is sent (Object Free)
// departs: FollowReferences other threads walk while it is sent (Object Free)
// departs: IterateThroughHeap other threads walk while it is sent (Object Free)

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.ObjectName;

/**
 * Heap walks by one thread while another sends ObjectFree events; and the events of a
 * collection that belongs to a histogram or a heap dump.
 */
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
    /** From now on the next ObjectFree callback waits, some seconds, for answer. */
    static native void ask();
    /** Uses JNI while the callback waits.  Returns true if the callback went on by it. */
    static native boolean answer();

    interface Collection {
        void run() throws Exception;
    }

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

    /** Returns true if other threads run Java while the collection's events are sent. */
    static boolean runsOthers(Collection collection) throws Exception {
        boolean[] answered = new boolean[1];
        Thread other = new Thread(() -> answered[0] = answer());

        fill();
        kept = null;
        ask();
        other.start();
        collection.run();
        other.join();
        return answered[0];
    }

    static void histogram() throws Exception {
        ManagementFactory.getPlatformMBeanServer().invoke(
            new ObjectName("com.sun.management:type=DiagnosticCommand"),
            "gcClassHistogram", new Object[] { new String[0] },
            new String[] { String[].class.getName() });
    }

    static void dump() throws Exception {
        Path folder = Files.createTempDirectory("FreeWalk");
        Path file = folder.resolve("live.hprof");

        ManagementFactory.getPlatformMBeanServer().invoke(
            new ObjectName("com.sun.management:type=HotSpotDiagnostic"), "dumpHeap",
            new Object[] { file.toString(), true },
            new String[] { String.class.getName(), boolean.class.getName() });
        Files.delete(file);
        Files.delete(folder);
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
        check("histogram", runsOthers(FreeWalk::histogram));
        check("heap-dump", runsOthers(FreeWalk::dump));
    }
}
