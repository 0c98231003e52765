// SPDX-License-Identifier: MIT
import java.io.File;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

import org.graalvm.visualvm.lib.jfluid.heap.GCRoot;
import org.graalvm.visualvm.lib.jfluid.heap.Heap;
import org.graalvm.visualvm.lib.jfluid.heap.HeapFactory;
import org.graalvm.visualvm.lib.jfluid.heap.Instance;
import org.graalvm.visualvm.lib.jfluid.heap.JavaFrameGCRoot;
import org.graalvm.visualvm.lib.jfluid.heap.ThreadObjectGCRoot;

/** Reads a dump that Virtual has made: each thread of Virtual's and what its frames hold. */
public class VirtualReader {
    static String text(Instance string) {
        Object value = string.getValueOfField("value");
        StringBuilder out = new StringBuilder();
        for (Object b : ((org.graalvm.visualvm.lib.jfluid.heap.PrimitiveArrayInstance) value)
                .getValues()) {
            out.append((char) Integer.parseInt((String) b));
        }
        return out.toString();
    }

    static String name(ThreadObjectGCRoot thread) {
        Instance name = (Instance) thread.getInstance().getValueOfField("name");
        return name == null ? "" : text(name);
    }

    public static void main(String[] args) throws Exception {
        Heap heap = HeapFactory.createHeap(new File(args[0]));
        Map<String, String> tops = new HashMap<>();
        TreeSet<String> lines = new TreeSet<>();
        boolean inner = false;
        for (GCRoot root : (Collection<GCRoot>) heap.getGCRoots()) {
            if (root instanceof ThreadObjectGCRoot thread) {
                String name = name(thread);
                StackTraceElement[] trace = thread.getStackTrace();
                for (int i = 0; trace != null && i < trace.length; i++) {
                    if (trace[i].getClassName().equals("Virtual") && (name.startsWith("dump-")
                            || name.equals("main"))) {
                        lines.add(name + " runs " + trace[i].getMethodName());
                    }
                    if (name.startsWith("ForkJoinPool")
                            && trace[i].getClassName().equals("Virtual")) {
                        inner = true;
                    }
                }
            } else if (root instanceof JavaFrameGCRoot local) {
                Instance o = local.getInstance();
                if (!o.getJavaClass().getName().equals("Virtual$Mark")) {
                    continue;
                }
                ThreadObjectGCRoot thread = (ThreadObjectGCRoot) local.getThreadGCRoot();
                StackTraceElement frame = thread.getStackTrace()[local.getFrameNumber()];
                lines.add(name(thread) + "'s " + frame.getMethodName() + " has "
                    + text((Instance) o.getValueOfField("name")));
            }
        }
        lines.forEach(System.out::println);
        System.out.println(inner ? "a carrier has frames of a virtual thread"
            : "carriers have frames of their own only");
    }
}
