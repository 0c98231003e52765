// SPDX-License-Identifier: MIT
import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.File;
import java.lang.management.ManagementFactory;

/** What HotSpotDiagnosticMXBean.dumpHeap does with good names and bad ones. */
public class Bean {
    static HotSpotDiagnosticMXBean bean =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);

    static void dump(String name, boolean live) {
        try {
            bean.dumpHeap(name, live);
            System.out.println(name + " " + (new File(name).length() > 100000));
        } catch (Throwable t) {
            System.out.println(name + " " + t);
        }
    }

    static void set(String name, String value) {
        try {
            bean.setVMOption(name, value);
        } catch (Throwable t) {
            System.out.println(t);
        }
        var option = bean.getVMOption(name);
        System.out.println(name + " " + option.getValue() + " " + option.getOrigin() + " "
            + option.isWriteable());
    }

    public static void main(String[] args) {
        dump(args[0] + "/live.hprof", true);
        dump(args[0] + "/all.hprof", false);
        dump(args[0] + "/all.hprof", true);
        dump(args[0] + "/no/where.hprof", true);
        dump(args[0] + "/dump", true);
        dump(null, true);
        set("HeapDumpOnOutOfMemoryError", "true");
        set("HeapDumpPath", "/tmp/x");
        set("MaxHeapFreeRatio", "80");
        set("MaxHeapSize", "80");
        set("G1PeriodicGCSystemLoadThreshold", "0.5");
        try {
            bean.getVMOption("Nope");
        } catch (Throwable t) {
            System.out.println(t);
        }
        System.out.println(bean.getDiagnosticOptions().stream().map(o -> o.getName())
            .filter(n -> n.startsWith("HeapDump")).sorted().toList());
    }
}
