// SPDX-License-Identifier: MIT
// vm: -Xmx256m -Xlog:gc*,class+load:file=vm.log

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryNotificationInfo;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/** Thresholds of the heap's usage, notifications of collections, and a log in a file. */
public class MemoryWatch {
    static final Set<String> seen = ConcurrentHashMap.newKeySet();

    static void await(String what, BooleanSupplier condition) throws Exception {
        for (int i = 0; i < 400 && !condition.getAsBoolean(); i++) {
            System.gc();
            Thread.sleep(25);
        }
        System.out.println(what + " " + condition.getAsBoolean());
    }

    static void onMemory(javax.management.Notification n, Object handback) {
        var info = MemoryNotificationInfo.from((CompositeData) n.getUserData());
        seen.add(n.getType() + " " + (info.getCount() > 0) + " "
                 + (info.getUsage().getUsed() > 0));
    }

    static void onCollection(javax.management.Notification n, Object handback) {
        var info = GarbageCollectionNotificationInfo.from((CompositeData) n.getUserData());
        GcInfo gc = info.getGcInfo();
        seen.add(info.getGcCause() + " " + (gc.getId() > 0) + " "
                 + (gc.getDuration() >= 0 && gc.getEndTime() >= gc.getStartTime()) + " "
                 + gc.getMemoryUsageAfterGc().keySet().equals(
                     gc.getMemoryUsageBeforeGc().keySet()));
    }

    public static void main(String[] args) throws Exception {
        ((NotificationEmitter) ManagementFactory.getMemoryMXBean())
            .addNotificationListener(MemoryWatch::onMemory, null, null);
        for (GarbageCollectorMXBean b : ManagementFactory.getGarbageCollectorMXBeans())
            ((NotificationEmitter) b).addNotificationListener(MemoryWatch::onCollection,
                                                              null, null);
        List<MemoryPoolMXBean> pools = new ArrayList<>();
        for (MemoryPoolMXBean p : ManagementFactory.getMemoryPoolMXBeans())
            if (p.getType() == MemoryType.HEAP && p.isUsageThresholdSupported())
                pools.add(p);
        System.out.println(pools.size());
        MemoryPoolMXBean pool = pools.get(0);
        System.out.println(pool.getUsageThreshold() + " " + pool.isUsageThresholdExceeded()
                           + " " + pool.isCollectionUsageThresholdSupported());
        try {
            pool.setUsageThreshold(-1);
        } catch (IllegalArgumentException e) {
            System.out.println("negative");
        }
        pool.setUsageThreshold(80 << 20);
        pool.setCollectionUsageThreshold(90 << 20);
        System.gc();
        System.out.println(pool.isUsageThresholdExceeded() + " "
                           + pool.getUsageThresholdCount());
        List<byte[]> held = new ArrayList<>();
        for (int i = 0; i < 110; i++)
            held.add(new byte[1 << 20]);
        await("usage", () -> seen.contains(
            MemoryNotificationInfo.MEMORY_THRESHOLD_EXCEEDED + " true true"));
        await("collected", () -> seen.contains(
            MemoryNotificationInfo.MEMORY_COLLECTION_THRESHOLD_EXCEEDED + " true true"));
        await("collection", () -> seen.contains("System.gc() true true true"));
        System.out.println(pool.isUsageThresholdExceeded() + " "
                           + (pool.getUsageThresholdCount() > 0) + " "
                           + (pool.getCollectionUsageThresholdCount() > 0) + " "
                           + pool.isCollectionUsageThresholdExceeded() + held.size());
        held = null;
        await("over", () -> !pool.isUsageThresholdExceeded()
                            && !pool.isCollectionUsageThresholdExceeded());
        String log = Files.readString(Path.of("vm.log"));
        System.out.println(log.contains("MemoryWatch source:") + " "
                           + log.contains("[gc") + " " + log.contains("Pause Full"));
    }
}
