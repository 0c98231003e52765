/* SPDX-License-Identifier: MIT */
// vm: -javaagent:@CLASSES@/agent.jar=opts
import java.lang.instrument.*;
import java.util.*;

/* A Java agent in the same jar path: premain, sizes, loaded classes. */
public class JavaAgent {
    static String options = "premain did not run";
    static Instrumentation instrumentation;

    public static void main(String[] args) throws Exception {
        System.out.println(options + " " + (instrumentation != null));
        System.out.println(instrumentation.getObjectSize(new long[10])
            > instrumentation.getObjectSize(new Object()));
        System.out.println(Arrays.asList(instrumentation.getAllLoadedClasses()).containsAll(
            List.of(JavaAgent.class, String.class, int[].class)));
        System.out.println(instrumentation.isModifiableClass(JavaAgent.class));
        try (var in = ClassLoader.getPlatformClassLoader().getResourceAsStream("in-boot")) {
            System.out.print(in == null ? "none" : new String(in.readAllBytes()));
        }
    }
}
