/* SPDX-License-Identifier: MIT */

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;

/** An agent for a running VM: leaves a property, transforms a class. */
public class JavaAgent {
    static int calls;

    public static void agentmain(String options, Instrumentation tools) throws Exception {
        Thread t = Thread.currentThread();

        calls++;
        System.setProperty("agent", calls + " " + options);
        System.out.println("agentmain '" + options + "' on " + t.getName() + ", daemon "
                           + t.isDaemon() + ", in " + t.getThreadGroup().getName() + ", "
                           + t.getPriority());
        System.out.println("retransform " + tools.isRetransformClassesSupported()
                           + ", redefine " + tools.isRedefineClassesSupported());
        if ("throw".equals(options))
            throw new IllegalStateException("on purpose");
        boolean found = false;
        for (Class<?> c : tools.getAllLoadedClasses())
            found |= c.getName().equals("Target$Known");
        System.out.println("Target$Known is loaded: " + found);
        if (options == null)
            return;
        tools.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> c,
                                    ProtectionDomain domain, byte[] bytes) {
                if (name.equals("JavaAgent$Late"))
                    System.out.println("transformer saw " + name);
                return null;
            }
        });
        new Late();
    }

    static class Late {
    }
}
