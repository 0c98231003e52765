// SPDX-License-Identifier: MIT
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarFile;

class Steps {
    static String text() {
        return "steps:......";
    }
}

class StepsB {
    static String text() {
        return "steps:......";
    }
}

class Changed {
    static int count = 4;

    static String text() {
        return "one " + count++;
    }
}

class Added {
}

class Field {
}

class Super {
}

class Modifiers {
}

class Wrapped {
    static native int wrapped_number();

    static int number() {
        return wrapped_number() + 1;
    }
}

public class Program {
    static final Instrumentation inst = Agent.inst;

    interface Action {
        void run() throws Exception;
    }

    static void attempt(String what, Action action) {
        try {
            action.run();
            System.out.println(what + ": done");
        } catch (Throwable t) {
            System.out.println(what + ": " + t);
        }
    }

    static void queries() {
        System.out.println(inst.isRedefineClassesSupported() + " "
                           + inst.isRetransformClassesSupported() + " "
                           + inst.isNativeMethodPrefixSupported());
        for (Class<?> c : new Class<?>[] { Program.class, Object.class, String[].class,
                                           int.class, Runnable.class, Thread.class })
            System.out.println(c + " modifiable " + inst.isModifiableClass(c));
        List<Class<?>> all = Arrays.asList(inst.getAllLoadedClasses());
        System.out.println("loaded " + all.contains(Program.class) + " "
                           + all.contains(Object.class) + " "
                           + all.contains(String[].class) + " "
                           + all.contains(int.class) + " " + all.contains(null));
        List<Class<?>> initiated =
            Arrays.asList(inst.getInitiatedClasses(Program.class.getClassLoader()));
        System.out.println("initiated " + initiated.contains(Program.class) + " "
                           + initiated.contains(Agent.class));
        System.out.println("booted " + Arrays.asList(inst.getInitiatedClasses(null))
                                             .contains(Object.class));
        System.out.println(inst.getObjectSize(new long[100])
                           - inst.getObjectSize(new long[0]));
        System.out.println(inst.getObjectSize(new Object()) > 0);
        attempt("size of null", () -> inst.getObjectSize(null));
    }

    static void show(String when) {
        System.out.println(when + ": " + Steps.text());
        for (String line : Agent.log)
            System.out.println("  " + line);
        Agent.log.clear();
    }

    static void transformers() throws Exception {
        ClassFileTransformer a = new Agent.Stepper("a"), b = new Agent.Stepper("b");
        ClassFileTransformer c = new Agent.Stepper("c"), d = new Agent.Stepper("throws");
        inst.addTransformer(a, true);
        inst.addTransformer(b);
        inst.addTransformer(c, true);
        inst.addTransformer(d, true);
        show("loaded");
        inst.retransformClasses(Steps.class);
        show("retransformed");
        System.out.println("removed " + inst.removeTransformer(a)
                           + inst.removeTransformer(a));
        inst.retransformClasses(Steps.class);
        show("without a");
        inst.removeTransformer(d);
        inst.retransformClasses(Steps.class, StepsB.class);
        show("of two");
        System.out.println(StepsB.text());
        inst.removeTransformer(c);
        inst.retransformClasses(Steps.class);
        show("without c");
        inst.removeTransformer(b);
        inst.retransformClasses(Steps.class);
        show("b stays");
        attempt("retransform int", () -> inst.retransformClasses(int.class));
        attempt("retransform array", () -> inst.retransformClasses(int[].class));
        attempt("retransform null", () -> inst.retransformClasses((Class<?>)null));
        attempt("retransform none", () -> inst.retransformClasses());
        attempt("null transformer", () -> inst.addTransformer(null, true));
    }

    static byte[] two(String name) throws Exception {
        return Files.readAllBytes(Path.of(System.getProperty("two"), name + ".class"));
    }

    static void redefine(String what, Class<?> c, byte[] file) {
        attempt(what, () -> inst.redefineClasses(new ClassDefinition(c, file)));
    }

    static void redefinition() throws Exception {
        System.out.println(Changed.text());
        redefine("redefine", Changed.class, two("Changed"));
        System.out.println(Changed.text());
        redefine("method", Added.class, two("Added"));
        redefine("field", Field.class, two("Field"));
        redefine("super", Super.class, two("Super"));
        redefine("modifiers", Modifiers.class, two("Modifiers"));
        redefine("name", Added.class, two("Changed"));
        redefine("array", int[].class, two("Changed"));
        byte[] file = two("Changed");
        redefine("short", Changed.class, Arrays.copyOf(file, 100));
        file[6] = 1;
        redefine("version", Changed.class, file);
        attempt("null file", () -> new ClassDefinition(Changed.class, null));
        attempt("null definition", () -> inst.redefineClasses((ClassDefinition)null));
        System.out.println(Changed.text());
    }

    static void paths() throws Exception {
        System.out.println(FromBoot.text());
        attempt("not yet", () -> Class.forName("Later", true, null));
        inst.appendToBootstrapClassLoaderSearch(
            new JarFile(System.getProperty("more")));
        System.out.println(Class.forName("Later", true, null).getMethod("text")
                                .invoke(null));
        inst.appendToSystemClassLoaderSearch(new JarFile(System.getProperty("others")));
        System.out.println(ClassLoader.getSystemClassLoader()
                                      .getResource("other.txt") != null);
    }

    static void readsHelpers(Module m) {
        System.out.println(m + " " + m.canRead(FromBoot.class.getModule()) + " "
                           + m.canRead(Program.class.getModule()));
    }

    /** Modules of transformed classes read both unnamed modules, others do not. */
    static void helpers() throws Exception {
        Module logging = java.util.logging.Logger.class.getModule();
        Module prefs = ModuleLayer.boot().findModule("java.prefs").get();
        /* What the edge itself needs to be loaded must not be changed on the way. */
        ClassFileTransformer grower = new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> redefined,
                                    ProtectionDomain domain, byte[] file) {
                return name.endsWith("/Level")
                               || name.endsWith("/BackingStoreException")
                           ? Everything.grown(file) : null;
            }
        };
        readsHelpers(logging);
        readsHelpers(prefs);
        inst.addTransformer(grower, true);
        inst.retransformClasses(java.util.logging.Level.class);
        readsHelpers(logging);
        Class.forName("java.util.prefs.BackingStoreException");
        readsHelpers(prefs);
        inst.removeTransformer(grower);
    }

    static void modules() throws Exception {
        Module base = Object.class.getModule(), own = Program.class.getModule();
        Module logging = java.util.logging.Logger.class.getModule();
        System.out.println(base.isExported("jdk.internal.misc", own) + " "
                           + base.isOpen("java.lang", own) + " " + base.canRead(logging)
                           + " " + logging.canUse(Runnable.class));
        Set<Module> owns = Set.of(own);
        inst.redefineModule(base, Set.of(logging), Map.of("jdk.internal.misc", owns),
                            Map.of("java.lang", owns), Set.of(), Map.of());
        inst.redefineModule(logging, Set.of(), Map.of(), Map.of(),
                            Set.of(Runnable.class), Map.of());
        System.out.println(base.isExported("jdk.internal.misc", own) + " "
                           + base.isOpen("java.lang", own) + " " + base.canRead(logging)
                           + " " + logging.canUse(Runnable.class));
        System.out.println(inst.isModifiableModule(base) + " "
                           + inst.isModifiableModule(own));
        attempt("no package", () -> inst.redefineModule(
            base, Set.of(), Map.of("no.such", owns), Map.of(), Set.of(), Map.of()));
    }

    static void prefixes() {
        ClassFileTransformer t = new Agent.Stepper("-");
        System.load(System.getProperty("library"));
        attempt("prefix, no transformer", () -> inst.setNativeMethodPrefix(t, "x_"));
        inst.addTransformer(t);
        attempt("native before", () -> System.out.println(Wrapped.number()));
        inst.setNativeMethodPrefix(t, "wrapped_");
        attempt("native", () -> System.out.println(Wrapped.number()));
        inst.removeTransformer(t);
    }

    public static void main(String[] args) throws Exception {
        queries();
        transformers();
        redefinition();
        paths();
        helpers();
        modules();
        prefixes();
    }
}
