// SPDX-License-Identifier: MIT
// departs: load ends the process by a guarantee
// departs: load-array ends the process by a guarantee
// departs: jni-define ends the process by a guarantee
// departs: unsafe-define ends the process by a guarantee
// departs: proxy ends the process by a guarantee
// departs: named-module ends the process by a guarantee
// vm: --add-exports java.base/jdk.internal.misc=ALL-UNNAMED
import java.lang.invoke.MethodType;
import java.lang.reflect.Proxy;

/** Class loaders whose constructor did not finish. */
public class Unfinished {
    static native Object allocate(Class<?> c);
    static native Class<?> define(String name, ClassLoader loader, byte[] bytes);
    static native Class<?>[] loaderClasses(ClassLoader loader);
    static native int namedModule(ClassLoader loader);
    static native void construct(Object o);

    static class Loader extends ClassLoader {
        int asked;

        @Override protected Class<?> loadClass(String name, boolean resolve)
                throws ClassNotFoundException {
            asked++;
            return super.loadClass(name, resolve);
        }

        Class<?> loaded(String name) {
            return findLoadedClass(name);
        }
    }

    interface Work {
        Object run() throws Throwable;
    }

    static final boolean IS_HOTSPOT =
        System.getProperty("java.vm.name").startsWith("OpenJDK");

    static void same(String name, Object expected, Work work) {
        Object actual;
        try {
            actual = work.run();
        } catch (Throwable e) {
            actual = e.getClass();
        }
        boolean good = expected == null ? actual == null : expected.equals(actual);
        System.out.println((good ? "ok " : "not ok ") + name
                           + (good ? "" : ": " + actual + ", expected " + expected));
    }

    /** Nothing can be loaded by it, which an error says. */
    static void refused(String name, Work work) {
        if (IS_HOTSPOT)
            System.out.println("not ok " + name + ": not tried");
        else
            same(name, InternalError.class, work);
    }

    static byte[] bytes() throws Exception {
        try (var in = Unfinished.class.getResourceAsStream("Unfinished$Work.class")) {
            return in.readAllBytes();
        }
    }

    public static void main(String[] args) throws Throwable {
        Loader l = (Loader)allocate(Loader.class);
        byte[] file = bytes();
        same("nothing-found", null, () -> l.loaded("Unfinished"));
        same("primitive-array", long[].class, () -> Class.forName("[J", false, l));
        same("method-type", void.class,
             () -> MethodType.fromMethodDescriptorString("()V", l).returnType());
        same("only-primitive-arrays", true, () -> {
            for (Class<?> c : loaderClasses(l))
                if (!c.isArray() || !c.getName().matches("\\[+[A-Z]"))
                    return c;
            return true;
        });
        same("parents-class", String.class, () -> l.loadClass("java.lang.String"));
        refused("load", () -> Class.forName("Unfinished", false, l));
        refused("load-array", () -> Class.forName("[LUnfinished;", false, l));
        refused("jni-define", () -> define(null, l, file));
        refused("unsafe-define", () -> jdk.internal.misc.Unsafe.getUnsafe().defineClass(
            null, file, 0, file.length, l, null));
        refused("proxy", () -> Proxy.newProxyInstance(
            l, new Class<?>[] { Runnable.class }, (p, m, a) -> null));
        if (IS_HOTSPOT)
            System.out.println("not ok named-module: not tried");
        else
            same("named-module", 0, () -> namedModule(l));
        same("not-asked", 1, () -> l.asked);
        construct(l);
        same("loads-once-made", Unfinished.class,
             () -> Class.forName("Unfinished", false, l));
        same("defines-once-made", l,
             () -> define("Unfinished$Work", l, file).getClassLoader());
        same("module-once-made", l.getUnnamedModule(),
             () -> l.loaded("Unfinished$Work").getModule());
        same("module-once-made-2", 0, () -> namedModule(l));
        same("initiated", true, () -> java.util.Arrays.asList(loaderClasses(l))
                 .contains(Unfinished.class));
    }
}
