// SPDX-License-Identifier: MIT
// stress: -XX:GCStress=97 -XX:+PoisonFreed
// departs: provides-unnamed the provider is added to the loader's catalog (Add Module Provides)
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;

public class Modules {
    static final int NONE = 0, NULL_POINTER = 100, ILLEGAL_ARGUMENT = 103;

    public interface Service {
    }

    public static class Provider implements Service {
    }

    static native Module[] all();
    static native Object named(ClassLoader loader, String packageName);
    static native int reads(Module from, Module to);
    static native int exports(Module from, String packageName, Module to);
    static native int opens(Module from, String packageName, Module to);
    static native int uses(Module module, Class<?> service);
    static native int provides(Module module, Class<?> service, Class<?> provider);
    static native int modifiable(Module module);

    static void check(String name, Object actual, Object expected) {
        boolean good = actual == null ? expected == null : actual.equals(expected);
        System.out.println(good ? "ok " + name
                           : "not ok " + name + ": " + actual + ", expected " + expected);
    }

    /** A module without classes, made while the program runs. */
    static Module define(String name, boolean open, String... packages) {
        ModuleDescriptor descriptor =
            (open ? ModuleDescriptor.newOpenModule(name) : ModuleDescriptor.newModule(name))
                .packages(Set.of(packages)).build();
        ModuleReference reference = new ModuleReference(descriptor, null) {
            @Override public ModuleReader open() {
                throw new UnsupportedOperationException();
            }
        };
        ModuleFinder finder = new ModuleFinder() {
            @Override public Optional<ModuleReference> find(String wanted) {
                return wanted.equals(name) ? Optional.of(reference) : Optional.empty();
            }
            @Override public Set<ModuleReference> findAll() {
                return Set.of(reference);
            }
        };
        ModuleLayer boot = ModuleLayer.boot();
        Configuration configuration =
            boot.configuration().resolve(finder, ModuleFinder.of(), Set.of(name));
        return boot.defineModulesWithOneLoader(configuration, null)
            .findModule(name).get();
    }

    static void queries(Module made, Module... others) throws Exception {
        Set<Module> expected = new HashSet<>(ModuleLayer.boot().modules());
        ClassLoader app = Modules.class.getClassLoader();
        expected.add(made);
        expected.addAll(Arrays.asList(others));
        expected.add(app.getUnnamedModule());
        expected.add(app.getParent().getUnnamedModule());
        URL here = Modules.class.getProtectionDomain().getCodeSource().getLocation();
        URLClassLoader own = new URLClassLoader(new URL[] { here }, null);
        Class<?> loaded = own.loadClass("Modules$Provider");
        expected.add(loaded.getModule());
        List<Module> all = Arrays.asList(all());
        Set<Module> distinct = new HashSet<>(all);
        check("all-distinct", distinct.size(), all.size());
        Set<Module> missing = new HashSet<>(expected);
        missing.removeAll(distinct);
        check("all-there", missing, Set.of());
        Set<Module> named = new HashSet<>(distinct);
        named.removeAll(expected);
        named.removeIf(m -> !m.isNamed());
        check("all-no-others", named, Set.of());
        check("all-boot-unnamed", distinct.stream()
              .filter(m -> !m.isNamed() && m.getClassLoader() == null).count(), 1L);

        check("named-java.base", named(null, "java/lang"), Object.class.getModule());
        check("named-dots", named(null, "java.lang"), null);
        check("named-unknown", named(null, "no/such/package"), null);
        check("named-app", named(app, "java/lang"), null);
        check("named-empty", named(app, ""), null);
        check("named-made", named(made.getClassLoader(), "a/b"), made);
        check("named-made-elsewhere", named(app, "a/b"), null);
        check("named-own-loader", named(own, "java/lang"), null);
        check("named-not-exported", named(null, "jdk/internal/misc"),
              Object.class.getModule());
        own.close();
    }

    static void changes(Module made, Module other, Module open) {
        Module unnamed = Modules.class.getModule();
        check("reads-before", made.canRead(other), false);
        check("reads", reads(made, other), NONE);
        check("reads-after", made.canRead(other), true);
        check("reads-one-way", other.canRead(made), false);
        check("reads-unnamed-reader", reads(unnamed, made), NONE);
        check("reads-unnamed", reads(made, unnamed), NONE);
        check("reads-unnamed-after", made.canRead(unnamed), true);

        check("exports-before", made.isExported("a.b", other), false);
        check("exports", exports(made, "a.b", other), NONE);
        check("exports-after", made.isExported("a.b", other), true);
        check("exports-not-opens", made.isOpen("a.b", other), false);
        check("exports-to-one", made.isExported("a.b", open), false);
        check("exports-one", made.isExported("a.c", other), false);
        check("exports-no-package", exports(made, "z", other), ILLEGAL_ARGUMENT);
        check("exports-slashes", exports(made, "a/c", other), ILLEGAL_ARGUMENT);
        check("exports-from-unnamed", exports(unnamed, "z", other), NONE);
        check("exports-from-open", exports(open, "z", other), NONE);
        check("exports-from-open-after", open.isExported("z", other), false);

        check("opens-before", made.isOpen("a.c", other), false);
        check("opens", opens(made, "a.c", other), NONE);
        check("opens-after", made.isOpen("a.c", other), true);
        check("opens-exports", made.isExported("a.c", other), true);
        check("opens-to-one", made.isOpen("a.c", open), false);
        check("opens-no-package", opens(made, "z", other), ILLEGAL_ARGUMENT);
        check("opens-from-unnamed", opens(unnamed, "z", other), NONE);
        check("opens-from-open", opens(open, "z", other), NONE);
    }

    /** What the VM itself checks: access of classes, not only what Module answers. */
    static void access() throws Exception {
        Module base = Object.class.getModule(), unnamed = Modules.class.getModule();
        java.lang.reflect.Field field = String.class.getDeclaredField("hash");
        boolean refused = false;
        try {
            field.setAccessible(true);
        } catch (RuntimeException e) {
            refused = true;
        }
        check("access-before", refused, true);
        try {
            Internal.call();
            check("linked-before", "called", "refused");
        } catch (IllegalAccessError e) {
            check("linked-before", "refused", "refused");
        }
        check("opens-base", opens(base, "java.lang", unnamed), NONE);
        field.setAccessible(true);
        check("access-after", field.getInt("x") + "x".hashCode() > 0, true);
        check("exports-base", exports(base, "jdk.internal.misc", unnamed), NONE);
        check("linked-after", Internal2.call(), true);
    }

    static class Internal {
        static boolean call() {
            return jdk.internal.misc.VM.isBooted();
        }
    }

    static class Internal2 {
        static boolean call() {
            return jdk.internal.misc.VM.isBooted();
        }
    }

    static int count(ClassLoader loader) {
        int n = 0;
        for (Service s : ServiceLoader.load(Service.class, loader))
            n++;
        return n;
    }

    static void services(Module made, Module other) throws Exception {
        check("uses-before", made.canUse(Service.class), false);
        check("uses", uses(made, Service.class), NONE);
        check("uses-after", made.canUse(Service.class), true);
        check("uses-other", other.canUse(Service.class), false);
        check("uses-unnamed", uses(Modules.class.getModule(), Service.class), NONE);
        Module unnamed = Modules.class.getModule();
        check("provides-unnamed-error", provides(unnamed, Service.class, Provider.class),
              NONE);
        int before = 0;
        try {
            before = count(Modules.class.getClassLoader());
        } catch (java.util.ServiceConfigurationError e) {
            before = -1;
        }
        check("provides-unnamed", before, 0);
        Module logging = ModuleLayer.boot().findModule("java.logging").get();
        Class<?> finder = System.LoggerFinder.class;
        check("provides-before", provided(finder, "Modules$Provider"), false);
        check("provides", provides(logging, finder, Provider.class), NONE);
        check("provides-after", provided(finder, "Modules$Provider"), true);
    }

    /** Is the class a provider in the boot layer? */
    static boolean provided(Class<?> service, String provider) {
        try {
            return ServiceLoader.load(ModuleLayer.boot(), service).stream()
                .anyMatch(p -> p.type().getName().equals(provider));
        } catch (java.util.ServiceConfigurationError e) {
            return e.getMessage().contains(provider);
        }
    }

    public static void main(String[] args) throws Exception {
        Module made = define("made", false, "a.b", "a.c"), other = define("other", false, "o");
        Module open = define("opened", true, "p");
        check("modifiable-base", modifiable(Object.class.getModule()), 1);
        check("modifiable-unnamed", modifiable(Modules.class.getModule()), 1);
        check("modifiable-made", modifiable(made), 1);
        check("modifiable-null", modifiable(null), -NULL_POINTER);
        queries(made, other, open);
        changes(made, other, open);
        access();
        services(made, other);
    }
}
