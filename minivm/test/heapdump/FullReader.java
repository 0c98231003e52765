// SPDX-License-Identifier: MIT
import java.io.File;
import java.util.Arrays;

import org.graalvm.visualvm.lib.jfluid.heap.GCRoot;
import org.graalvm.visualvm.lib.jfluid.heap.Heap;
import org.graalvm.visualvm.lib.jfluid.heap.HeapFactory;
import org.graalvm.visualvm.lib.jfluid.heap.Instance;
import org.graalvm.visualvm.lib.jfluid.heap.ThreadObjectGCRoot;

/** Reads a dump that was written when Full had filled the heap. */
public class FullReader {
    static void check(String name, Object got, Object want) {
        boolean same = String.valueOf(got).equals(String.valueOf(want));
        System.out.println((same ? "ok " : "not ok ") + name);
        if (!same)
            System.out.println("# got " + got + "\n# want " + want);
    }

    static String frame(StackTraceElement e) {
        return e.getClassName() + "." + e.getMethodName() + (e.getLineNumber() > 0 ? ":line" : "");
    }

    public static void main(String[] args) throws Exception {
        Heap heap = HeapFactory.createHeap(new File(args[0]));
        check("instances", heap.getJavaClassByName("Full$Node").getInstancesCount(), 1000);
        int length = 0;
        Instance node = (Instance) heap.getJavaClassByName("Full").getValueOfStaticField("head");
        for (; node != null; node = (Instance) node.getValueOfField("next"))
            length++;
        check("a list", length, 1000);
        check("what fills the heap", heap.getJavaClassByName("long[]").getInstancesCount() > 10,
            true);
        String stack = "";
        for (GCRoot root : heap.getGCRoots()) {
            if (root instanceof ThreadObjectGCRoot) {
                StackTraceElement[] trace = ((ThreadObjectGCRoot) root).getStackTrace();
                if (trace != null && trace.length > 0
                        && trace[trace.length - 1].getMethodName().equals("main"))
                    stack = String.join(" ", (Iterable<String>)
                        Arrays.stream(trace).map(FullReader::frame)::iterator);
            }
        }
        check("the error's constructor and the frames below it", stack,
            "java.lang.OutOfMemoryError.<init>:line Full.fill:line Full.main:line");
    }
}
