// SPDX-License-Identifier: MIT
import java.lang.management.ManagementFactory;

/** Collects, and turns the log of that on and off. */
public class Hello {
    public static void main(String[] args) {
        System.gc();
        if (args.length > 0) {
            var memory = ManagementFactory.getMemoryMXBean();
            System.out.println(memory.isVerbose());
            memory.setVerbose(!memory.isVerbose());
            System.gc();
            System.out.println(memory.isVerbose());
            memory.setVerbose(!memory.isVerbose());
            System.gc();
        }
        System.out.println("hello " + Runtime.getRuntime().availableProcessors());
    }
}
