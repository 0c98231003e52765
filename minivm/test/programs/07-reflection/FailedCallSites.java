/* SPDX-License-Identifier: MIT */
// vm: --add-exports java.base/jdk.internal.org.objectweb.asm=ALL-UNNAMED
// until: 21
/* An invokedynamic whose bootstrap method fails is not asked again (JVMS 5.4.3); an error
   that is no LinkageError is not kept. */
import java.lang.invoke.*;
import java.lang.reflect.*;

public class FailedCallSites {
    static int asked;

    public static CallSite bootstrap(MethodHandles.Lookup l, String name, MethodType type)
            throws Exception {
        asked++;
        switch (name) {
        case "exception":
            throw new java.io.IOException("attempt " + asked);
        case "linkage":
            throw new LinkageError("attempt " + asked);
        case "error":
            if (asked % 2 == 1)
                throw new AssertionError("attempt " + asked);
            break;
        case "none":
            return null;
        case "type":
            return new ConstantCallSite(MethodHandles.constant(String.class, name));
        default:
            break;
        }
        return new ConstantCallSite(MethodHandles.constant(int.class, 7));
    }

    /** Calls the site of that name in a class of its own. */
    static Method caller(String name) throws ReflectiveOperationException {
        Class<?> writers = Class.forName("jdk.internal.org.objectweb.asm.ClassWriter");
        Class<?> handles = Class.forName("jdk.internal.org.objectweb.asm.Handle");
        Class<?> methods = Class.forName("jdk.internal.org.objectweb.asm.MethodVisitor");
        Object w = writers.getConstructor(int.class).newInstance(0);
        writers.getMethod("visit", int.class, int.class, String.class, String.class,
                          String.class, String[].class)
            .invoke(w, 55, 0x21, "Caller", null, "java/lang/Object", null);
        Object m = writers.getMethod("visitMethod", int.class, String.class, String.class,
                                     String.class, String[].class)
            .invoke(w, 9, "call", "()I", null, null);
        Object h = handles.getConstructor(int.class, String.class, String.class,
                                          String.class, boolean.class)
            .newInstance(6, "FailedCallSites", "bootstrap",
                         "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;"
                         + "Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;",
                         false);
        methods.getMethod("visitCode").invoke(m);
        methods.getMethod("visitInvokeDynamicInsn", String.class, String.class, handles,
                          Object[].class).invoke(m, name, "()I", h, new Object[0]);
        methods.getMethod("visitInsn", int.class).invoke(m, 172);
        methods.getMethod("visitMaxs", int.class, int.class).invoke(m, 1, 0);
        methods.getMethod("visitEnd").invoke(m);
        byte[] file = (byte[])writers.getMethod("toByteArray").invoke(w);
        return new ClassLoader(FailedCallSites.class.getClassLoader()) {
            Class<?> define() {
                return defineClass("Caller", file, 0, file.length);
            }
        }.define().getMethod("call");
    }

    public static void main(String[] args) throws Exception {
        for (String name : new String[] { "fine", "exception", "linkage", "error", "none",
                "type" }) {
            Method call = caller(name);
            asked = 0;
            for (int i = 0; i < 3; i++)
                try {
                    System.out.println(name + " " + call.invoke(null));
                } catch (InvocationTargetException e) {
                    Throwable t = e.getCause();
                    System.out.println(name + " " + t.getClass().getName() + " "
                                       + t.getMessage());
                    if (i == 0) /* the JDK's VM loses it afterwards */
                        System.out.println(t.getCause());
                }
            System.out.println("asked " + asked);
        }
    }
}
